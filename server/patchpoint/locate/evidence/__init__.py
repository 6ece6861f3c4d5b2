"""Evidence for and against a place that only resembles the search text."""
