"""Code that shows only what changes, merged into its file by the names of its definitions."""
