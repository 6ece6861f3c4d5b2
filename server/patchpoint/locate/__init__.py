"""Where a search text stands in a file although it was misquoted: the ladder, its rungs, the verdict."""
