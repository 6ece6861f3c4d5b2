"""What the grammar of a text's language says of it: whether it parses, and where it does not."""
