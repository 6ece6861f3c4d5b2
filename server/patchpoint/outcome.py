"""What became of one edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from patchpoint.text.lines import Span
from patchpoint.text.splices import Splice, apply_splices


class Status(str, Enum):
    """The kinds of outcome; the values are the protocol's."""

    APPLIED = "applied"
    MATCHED = "matched"
    """Would be applied; this was a dry run."""
    ALREADY_APPLIED = "alreadyApplied"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "notFound"
    CONFLICT = "conflict"
    """Two edits of one request overlap, a file to be created exists, or the file was changed in between."""
    REJECTED = "rejected"
    """The path or the file may not be touched."""
    MALFORMED = "malformed"
    HELD = "held"
    """It matched, but another edit of an atomic request did not."""


class Rung(str, Enum):
    """One way of looking for the search text; the order is the ladder's, strictest first."""

    EXACT = "exact"
    WHITESPACE = "whitespace"
    INDENTATION = "indentation"
    UNICODE = "unicode"
    TRANSCRIPTION = "transcription"
    ELISION = "elision"
    TOKENS = "tokens"
    SIMILARITY = "similarity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A place where an edit could go."""

    span: Span
    similarity: float
    """0 to 1."""
    line: int
    """1-based number of the first line."""
    last_line: int
    preview: str
    """The first lines of the place, fit to show to a person."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one edit, in offsets of the text before (`span`, `candidates`) and after (`new_span`).

    `splices` and `before` are there when the edit matched; `splices` are ordered, disjoint and minimal,
    against the text `before`.
    """

    status: Status
    index: int = 0
    """Position of the edit in its request."""
    path: str = ""
    rung: Rung | None = None
    similarity: float | None = None
    span: Span | None = None
    new_span: Span | None = None
    candidates: tuple[Candidate, ...] = ()
    splices: tuple[Splice, ...] = ()
    before: str | None = field(default=None, repr=False, compare=False)
    """The whole text that the edit was located in."""
    notes: tuple[str, ...] = ()
    """What a person should know of an edit that matched: a misspelt path, a misquoted line overwritten."""
    needs_confirmation: bool = False
    """It matched by similarity alone, or the file no longer parses: a client that can ask should ask."""
    message: str = ""
    """One sentence for a person."""
    feedback: str = ""
    """Plain text fit to send back to a model."""

    @cached_property
    def text(self) -> str | None:
        """The whole new text, or `None` when nothing is to be written; made when it is first asked for."""
        return None if self.before is None else apply_splices(self.before, self.splices)

    @property
    def matched(self) -> bool:
        """Whether the edit has a place and a text (whether or not it was written)."""
        return self.status in (Status.APPLIED, Status.MATCHED, Status.HELD)


def percent(similarity: float) -> int:
    """A similarity from 0 to 1 as people read it, rounded down: only what is wholly alike is 100."""
    # A hundredth that binary fractions fall just short of is not meant to be one less.
    return 100 if similarity >= 1 else min(99, int(similarity * 100 + 1e-9))
