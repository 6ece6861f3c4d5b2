"""Locating a search text in a file although it was misquoted: the ladder, its rungs, the verdict."""
