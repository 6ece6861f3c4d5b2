"""Who changed what between checkpoints: a step of a session, a person, or nobody that is known."""
