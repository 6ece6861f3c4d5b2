"""The rungs of the ladder, each one way to find a search text; `table` lists them."""
