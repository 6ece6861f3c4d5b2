"""What goes to a model and comes from it: instructions, feedback, and the clipboard that carries both."""
