"""The words by which an answer speaks against its own edits, a module for each language."""
