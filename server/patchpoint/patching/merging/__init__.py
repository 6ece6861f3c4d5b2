"""Merging an edit into the lines of its place: what is written where, and what speaks against writing it."""
