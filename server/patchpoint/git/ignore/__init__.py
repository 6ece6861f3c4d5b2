"""Ignore rules and attributes: what git leaves out, and what it converts."""
