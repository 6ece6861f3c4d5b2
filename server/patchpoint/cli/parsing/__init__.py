"""The command line as such: its options and their values, and how a command is run."""
