"""An answer as a whole: the files of code that names none, and what is half of a change."""
