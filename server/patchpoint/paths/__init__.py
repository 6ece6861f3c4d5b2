"""Which file a path means, and whether it may be touched."""
