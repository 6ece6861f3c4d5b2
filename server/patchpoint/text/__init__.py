"""What a file's text is: lines and offsets, line endings, encodings, byte-order marks, canonical Unicode."""
