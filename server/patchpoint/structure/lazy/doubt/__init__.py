"""What makes a reading of shown code doubtful, and what a merge has to be."""
