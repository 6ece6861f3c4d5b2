"""The log of operations: what Patchpoint did to a working tree, so that it can be undone and redone."""
