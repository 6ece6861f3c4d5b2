"""Edits that quote what they replace: what is meant by their texts, and what is doubtful of the result."""
