"""A checkpoint as it is stored: its commit, its metadata and its session."""
