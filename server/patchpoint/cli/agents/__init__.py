"""Terminal agents: the hook that they call, and setting it up."""
