"""The shapes of the protocol in JSON, for the language server and the command line."""
