"""How a command says that it could not be done, and the exit statuses."""

from __future__ import annotations

DONE = 0
REFUSED = 1
WRONG_USAGE = 2
ENVIRONMENT_FAILED = 3
INTERRUPTED = 130
"""What a shell gives a program that was stopped from the keyboard."""


class CommandError(Exception):
    """A command that could not be done: a sentence for a person, a stable code, and the exit status."""

    def __init__(self, message: str, code: str, status: int = REFUSED) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
