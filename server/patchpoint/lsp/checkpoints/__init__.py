"""Checkpoints in the editor: stores, listings, and documents of earlier files."""
