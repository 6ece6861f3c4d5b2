"""The checkpoints of other repositories that belong to one: restored with it, and undone with it."""
