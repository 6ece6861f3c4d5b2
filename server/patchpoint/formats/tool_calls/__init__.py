"""Formats of tool calls: JSON objects and tags."""
