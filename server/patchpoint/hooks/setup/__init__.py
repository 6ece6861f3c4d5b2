"""Setting up agents: their configuration files, changed and changed back, with the rest as it is."""
