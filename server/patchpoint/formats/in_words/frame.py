"""What the ways of asking for a change in a sentence have in common: each is a frame of words around code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Operation, Target
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable
from patchpoint.text.regex import regex

_BEFORE_VALUE = frozenset({"with", "onto", "from", "becomes"})
_BARE = regex(r"(?i)\d[\w.]*|true|false|null|none|nil|on|off|yes|no")
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


@dataclass(frozen=True, slots=True)
class Frame:
    """One way of asking for a change."""

    read: Callable[[Reading, str, str], Iterator[AskedChange]]
    """Yields what a sentence, in one language, asks for, given its text and the sentence above it."""
    held_by: str
    """The kinds of words with which a sentence does not ask for that."""
    leads_on: bool = True
    """Whether a sentence with a colon at its end may ask for it."""
    table: WordTable = WordTable.LEADS


def code_of(word: Word) -> str:
    """Return the code of a word without its backquotes."""
    return word.text.strip("`").strip()


def is_bare_value(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is a value without backquotes, behind *from* or *to*."""
    before = words[at - 1].kinds if at else frozenset[str]()
    return ("quoted" in words[at].kinds or is_value(words[at].text)) and not _BEFORE_VALUE.isdisjoint(before)


def is_value(text: str) -> bool:
    """Return whether a text is a value that needs no quotation marks: a number or a constant."""
    return _BARE.fullmatch(text) is not None


def change_at(
    first: Word,
    last: Word,
    *,
    search: str = "",
    replace: str = "",
    target: Target | None = None,
    doubt: str = ONLY_SAID,
    lead: str = "",
    replace_all: bool = False,
) -> Edit:
    """Return the change that two words of a sentence ask for; without a target, a line that is added."""
    return Edit(
        path="",
        operation=Operation.PLACE if target is not None else Operation.MERGE,
        search=search,
        replace=replace,
        replace_all=replace_all,
        target=target,
        doubt=doubt,
        format=Format.PAIR,
        span=(first.start, last.end),
        lead=lead,
    )
