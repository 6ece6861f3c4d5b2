"""What the server does for its client, one module each."""
