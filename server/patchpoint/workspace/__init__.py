"""Applying a request to folders and open buffers, and its result to disk."""
