"""What the checkpoints tell of files."""
