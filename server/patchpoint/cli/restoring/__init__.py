"""The commands that bring back what was recorded."""
