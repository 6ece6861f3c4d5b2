"""A change that a sentence asks for, and the edit of what a word of it says."""

from __future__ import annotations

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Operation, Target
from patchpoint.formats.sentences.sentence import Word

ONLY_SAID = "Only a sentence says so."


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedChange:
    """A change that a sentence asks for."""

    what: str
    """What it does, as a verb with its objects, up to the name of its file."""
    edit: Edit
    """The change, without a path; its span is in the sentence."""
    paths: tuple[str, ...]
    """The files that the sentence names for it; those above it count where it names none."""
    is_needed: bool = False
    """Whether the rest of the answer waits for it where it is not clear how it is to be made."""
    is_in_each: bool = False
    """Whether it is meant in each of several files; otherwise it is one of none."""


def code_of(word: Word) -> str:
    """Return the code of a word without its backquotes."""
    return word.text.strip("`").strip()


def edit_at(
    word: Word, *, search: str = "", new: str = "", target: Target | None = None, lead: str = ""
) -> Edit:
    """Return the change that a word of a sentence asks for; without a target, a line that is added."""
    return Edit(
        path="",
        operation=Operation.PLACE if target is not None else Operation.MERGE,
        search=search,
        replace=new,
        target=target,
        doubt=ONLY_SAID,
        format=Format.PAIR,
        span=(word.start, word.end),
        lead=lead,
    )
