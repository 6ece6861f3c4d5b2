"""Applied edits: listed, and reverted by name."""
