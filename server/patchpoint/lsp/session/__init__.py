"""A session with one client: protocol, capabilities, settings, documents, progress."""
