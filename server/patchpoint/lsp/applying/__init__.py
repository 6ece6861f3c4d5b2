"""Applying a planned request through the editor or on disk."""
