"""The index file: reading it, writing it, and its lock."""
