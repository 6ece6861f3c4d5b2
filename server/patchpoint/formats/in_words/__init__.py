"""Edits that an answer asks for in sentences alone."""
