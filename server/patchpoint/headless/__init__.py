"""Requests without an editor, on the files of folders: what the command line and the MCP server share."""
