"""Where new code goes: what the words of an answer call something in a file, and a side of it."""
