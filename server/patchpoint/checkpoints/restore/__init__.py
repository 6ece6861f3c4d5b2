"""Restoring a checkpoint: the plan, the journal, the working tree, the index and HEAD."""
