"""JSON with the place of everything, and what is shown of it merged by the names of its members."""
