"""The reviews that the client is shown, and taking changes back through it or on disk."""
