"""What a search for a place answers: the places, how they were found, and why one may not be written to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from patchpoint.locate.source import Source, lines_of, plain
from patchpoint.outcome import Rung
from patchpoint.text.lines import Span


@dataclass(frozen=True)
class Quote:
    """What the model wrote: the text it says stands in the file, and what it wants there instead."""

    search: str
    replace: str

    @classmethod
    def of(cls, search: str, replace: str) -> Quote:
        """Both texts, without a byte-order mark and with plain line endings."""
        return cls(plain(search), plain(replace))

    @cached_property
    def search_lines(self) -> list[str]:
        """The lines of the search text, without endings."""
        return lines_of(self.search)

    @cached_property
    def replace_lines(self) -> list[str]:
        """The lines of the replacement, without endings."""
        return lines_of(self.replace)

    @cached_property
    def stripped(self) -> list[str]:
        """The search lines without white space at either end."""
        return [line.strip() for line in self.search_lines]

    @cached_property
    def solid(self) -> list[int]:
        """The numbers of the search lines that are not blank."""
        return [number for number, line in enumerate(self.stripped) if line]


@dataclass(frozen=True, slots=True)
class Pair:
    """A run of search lines and the run of file lines that it stands for, both half-open."""

    quoted: Span
    found: Span


def line_pair(quoted: int, found: int) -> Pair:
    """One search line and the one file line that it stands for."""
    return Pair((quoted, quoted + 1), (found, found + 1))


@dataclass(frozen=True, kw_only=True)
class Find:
    """One place where the search text stands, in lines and offsets of `Source.plain`."""

    source: Source = field(repr=False, compare=False)
    rung: Rung
    similarity: float
    span: Span
    quote: Quote
    """The quotation as it was found: cleaned, where a rung cleans it."""
    pairs: tuple[Pair, ...] = ()
    """Which search line is which file line, in order. Empty for a literal find: there the replacement goes in
    exactly as it was written."""

    @classmethod
    def of_lines(
        cls, source: Source, quote: Quote, rung: Rung, pairs: Sequence[Pair], similarity: float = 1.0
    ) -> Find:
        """The whole lines from the first pair to the last."""
        span = source.whole_lines(pairs[0].found[0], pairs[-1].found[1])
        return cls(
            source=source, rung=rung, similarity=similarity, span=span, quote=quote, pairs=tuple(pairs)
        )

    @cached_property
    def lines(self) -> Span:
        """Half-open range of 0-based file lines. Counted only when asked for: a text may be very long."""
        if self.pairs:
            return self.pairs[0].found[0], self.pairs[-1].found[1]
        return self.source.line_range(self.span)


@dataclass(frozen=True, slots=True)
class Sweep:
    """How many finds a rung looks for before it stops: a text may be one line a million times over.

    Without `overlapping`, each find begins after the end of the last one.
    """

    most: int = 200
    overlapping: bool = True

    def step(self, length: int) -> int:
        """How far after the beginning of a find of `length` characters the next one may begin."""
        return 1 if self.overlapping else max(1, length)


class Reason(Enum):
    """Why nothing may be written, for the sentences that explain it."""

    NOTHING_SIMILAR = "nothing similar"
    SEVERAL = "several places"
    TOO_CLOSE = "another place is nearly as similar"
    SCOPE_MISSING = "the scope is not in the file"
    OUTSIDE_SCOPE = "only outside the scope"
    OCCURRENCE_MISSING = "fewer occurrences"
    LINE_MISSING = "a line to be changed is not there"
    LOOKALIKE = "one line that resembles another"
    OTHER_NAME = "a declaration of another name"
    PARTLY_APPLIED = "part of the new text is there already"
    LOOSE_EDGE = "an insertion beside a line that is not there"
    BREAKS_SYNTAX = "the file would no longer parse"
    TOO_LARGE = "too large to search by similarity"
    NOT_FOR_ALL = "replace-all needs text that compares as a whole"
    EMPTY = "nothing to search for"
    MOVED = "the text has changed"


class Answer(Enum):
    """The kinds of verdict."""

    FOUND = "found"
    SEVERAL = "several"
    NOWHERE = "nowhere"
    ALREADY = "already applied"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the search text stands.

    `finds`: the place (or, for replace-all, the places) when `FOUND`; every place when `SEVERAL`; where the
    replacement stands already when `ALREADY`; the nearest regions, best first, when `NOWHERE`.
    """

    answer: Answer
    finds: tuple[Find, ...] = ()
    reason: Reason | None = None
