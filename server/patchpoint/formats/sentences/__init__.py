"""What the sentences of an answer say, by a table of words in eight languages and one matcher."""
