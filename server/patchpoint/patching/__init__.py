"""Edits against texts in memory: the outcome of each, and the new texts."""
