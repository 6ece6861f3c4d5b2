"""`patchpoint mcp`: edits and checkpoints as tools of the Model Context Protocol."""
