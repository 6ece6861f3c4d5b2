"""`apply --feedback`: what to send back to the model, on standard output or in the clipboard."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.cli.answers.clipboard import write_clipboard
from patchpoint.cli.terminal import Terminal
from patchpoint.edit import Unplaced
from patchpoint.formats.instructions import named_in_words

SEND_BACK = "Send back to the model what --feedback prints"
"""What helps with an answer that was refused, as far as nothing else does."""


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
    people.line("Copied the feedback for the model to the clipboard; paste it into the chat.")


def no_edit_message(unplaced: Sequence[Unplaced], text: str) -> str:
    """Return what a person reads of an answer without an edit: what each of its fences was taken for."""
    if not unplaced:
        return f"No edits found in this text. {named_in_words(text)} {SEND_BACK}."
    homeless = sum(one.edit is not None for one in unplaced)
    if homeless > 1 and homeless == len(unplaced):
        head = f"No edits found in this text: its {homeless} blocks show code without saying where it goes."
    else:
        head = "No edits found in this text. Its blocks:"
    return "\n".join((head, *(f"  {one.message}" for one in unplaced), f"{SEND_BACK}."))
