"""The lines of any text as blocks within blocks, and shown lines merged into them: no grammar is needed."""
