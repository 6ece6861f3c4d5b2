"""Why a conversation cannot be put back."""


class CannotForkError(Exception):
    """The conversation cannot be forked; the message is a clause that says why. Nothing was written."""


class FirstPromptError(CannotForkError):
    """The conversation began with the prompt."""

    def __init__(self) -> None:
        super().__init__("it began with this prompt")
