"""Edits that wait for a person's decision, and the edit blocks and diagnostics that show them."""
