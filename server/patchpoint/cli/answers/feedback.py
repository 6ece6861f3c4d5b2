"""`apply --feedback`: what to send back to the model, on standard output or in the clipboard."""

from __future__ import annotations

from patchpoint.cli.answers.clipboard import write_clipboard
from patchpoint.cli.terminal import Terminal


def send_feedback(terminal: Terminal, people: Terminal, text: str, *, to_clipboard: bool) -> None:
    """Print `text`, or put it into the clipboard and say so to `people`; an empty one is not sent.

    Raises `CommandError` where the clipboard cannot be written.
    """
    if not text:
        return
    if not to_clipboard:
        terminal.verbatim(text)
        return
    write_clipboard(text, people)
    people.line("What to send back to the model is in the clipboard; paste it into the chat.")
