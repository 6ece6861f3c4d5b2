"""Whether what an answer shows is all of its file, or a part of it."""
