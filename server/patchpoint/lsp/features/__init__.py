"""The features of the server, one module each: handlers of commands, code actions and code lenses."""
