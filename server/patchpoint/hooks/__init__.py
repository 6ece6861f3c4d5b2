"""The hooks of terminal agents: what they send, what they are answered, and how they are set up."""
