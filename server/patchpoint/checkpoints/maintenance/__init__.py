"""Care of the store: retention, disk use, checks, and transfer to remotes."""
