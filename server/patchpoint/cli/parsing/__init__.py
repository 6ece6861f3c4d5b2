"""The parts of the command line's options that are not one command's."""
