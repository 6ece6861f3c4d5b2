"""Objects by their content: a reader that checks each hash, a writer, and edits of trees."""
