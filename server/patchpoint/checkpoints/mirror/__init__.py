"""A second copy of checkpoints, outside of the repository: in the user's state directory."""
