"""The protocol: everything that knows what a language client is."""
