"""The reviews that the client is shown, and reverting changes through it or on disk."""
