"""The parts of the grammar by which an answer speaks against its own edits.

Each part is a regular expression for text in which apostrophes are straight, emphasis is left out, and code
in backquotes is `·`. `§` is where a clause must end. They may hold an edit back, and never make one.
"""

from __future__ import annotations

from patchpoint.dataclass import dataclass

PLATFORM = r"(?:windows|mac ?os|linux|unix|ios|android|wsl)"
"""What a condition may be about, in any language."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """What one language has for each part of the grammar; the parts begin where a clause begins."""

    is_spaced: bool = True
    script: str = ""
    """A letter of it, of a language with letters of its own."""
    signs: str = ""
    """Of any other: words, or their first four letters and a star; what takes an edit back has one."""
    signs_of_ways: str = ""
    """The same of what speaks of several ways."""
    because: str
    """Behind these a clause has ended as well."""
    turns: str
    """Said before a retraction, it takes back what the speaker has just said."""
    softly: str
    """Said before an imperative, it adds nothing."""
    rethinks: tuple[str, ...]
    """Below an edit, at the beginning of any sentence: the speaker has changed their mind."""
    drops: tuple[str, ...]
    """Below an edit, as the first sentence, or behind a turn: it is not to be."""
    disowns: tuple[str, ...]
    """Below an edit, in any clause: what was said or shown is not to be."""
    withholds: tuple[str, ...]
    """Above or below an edit, in any clause: it is not to be applied."""
    asides: tuple[str, ...]
    """Above or below an edit, anywhere in a sentence: it is only there to be looked at."""
    failed: tuple[str, ...]
    """Above or below an edit, at the beginning of a sentence: it was tried, or was, and is no more."""
    shows: tuple[str, ...]
    """Above an edit, the end of a sentence with a colon: what follows is not to be written, or was there."""
    labels: tuple[str, ...]
    """All that is said above an edit: the same."""
    conditions: tuple[str, ...]
    """Above an edit, the beginning of its sentence: a person has to decide whether it is for them."""
    asks: tuple[str, ...]
    """Below an edit, a whole sentence: whether it is to be made."""
    series: str
    """What ways are called that are numbered."""
    otherwise: tuple[str, ...]
    """The beginning of the words above an edit that is another way."""
    one_of: tuple[str, ...]
    """Below the last of several edits: one is to be chosen."""
    announces: tuple[str, ...]
    """Above several edits, the last sentence before their headings: what follows are ways to do one thing."""
    everything: str
    """In such words, they mean all edits above."""
    either_way: tuple[str, ...]
    """The beginning of words above an edit that belongs to every way."""
