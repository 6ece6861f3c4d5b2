"""Where a search text stands in a file although it was misquoted: the ladder, one module a rung, the verdict."""
