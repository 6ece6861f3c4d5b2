"""Places that an edit names without quoting them: definitions, cells of a notebook, tagged lines."""
