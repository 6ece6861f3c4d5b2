"""The review of what was written since a checkpoint, change by change."""
