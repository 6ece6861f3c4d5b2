"""A hook that asks another process, and who answers: a server, another hook, or what a hook left behind."""
