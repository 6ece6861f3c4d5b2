"""What git keeps on disk, read and written directly: repositories, configuration, refs, names."""
