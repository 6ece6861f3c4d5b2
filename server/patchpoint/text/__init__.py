"""Texts as such: lines and offsets, line endings, encodings, canonical Unicode, diffs and splices."""
