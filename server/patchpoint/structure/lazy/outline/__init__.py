"""The definitions of a text: by its grammar, or by the lines that they begin with."""
