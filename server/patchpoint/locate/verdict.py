"""The result of a search for a place: the places, how they were found, and why one may not be written to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import compress, count
from typing import NamedTuple, overload

from patchpoint.dataclass import dataclass, field
from patchpoint.locate.source import SourceText, plain
from patchpoint.outcome import Guard, Reason, Rung
from patchpoint.text.lines import Span, plain_lines
from patchpoint.text.lookalikes import folded_lines


@dataclass(frozen=True)
class Quote:
    """What the model wrote: the text that it quotes from the file, and the text that is to replace it."""

    search: str
    replace: str

    @classmethod
    def of(cls, search: str, replace: str) -> Quote:
        """Return both texts without a byte-order mark and with plain line endings."""
        return cls(plain(search), plain(replace))

    @cached_property
    def search_lines(self) -> list[str]:
        """The lines of the search text, without endings."""
        return plain_lines(self.search)

    @cached_property
    def replace_lines(self) -> list[str]:
        """The lines of the replacement, without endings."""
        return plain_lines(self.replace)

    @cached_property
    def stripped(self) -> list[str]:
        """The search lines without white space at either end."""
        return list(map(str.strip, self.search_lines))

    @cached_property
    def solid(self) -> list[int]:
        """The 0-based numbers of the search lines that are not blank."""
        return list(compress(count(), self.stripped))

    @cached_property
    def solid_lines(self) -> list[str]:
        """The search lines that are not blank, without white space at either end."""
        return list(filter(None, self.stripped))

    @cached_property
    def folded(self) -> list[str]:
        """`solid_lines`, in canonical Unicode."""
        if self.search.isascii():
            return self.solid_lines
        return list(map(str.strip, folded_lines(self.solid_lines)))

    @cached_property
    def is_kept(self) -> bool:
        """Whether the replacement has all that is in the search text, line ends around it aside."""
        return self.search.strip("\n") in self.replace

    def solid_in(self, lines: Span) -> list[int]:
        """Return the search lines of a half-open range that are not blank."""
        return self.solid[bisect_left(self.solid, lines[0]) : bisect_left(self.solid, lines[1])]

    def around(self, lines: Span) -> tuple[list[int], list[int]]:
        """Return the search lines before a half-open range and those from its end on, blank ones left out."""
        before, behind = bisect_left(self.solid, lines[0]), bisect_left(self.solid, lines[1])
        return self.solid[:before], self.solid[behind:]


class Pair(NamedTuple):
    """A run of search lines and the run of file lines that corresponds to it, both half-open.

    A tuple, since there is one for each line: a search text may have a million.
    """

    quoted: Span
    found: Span


def line_pair(quoted: int, found: int) -> Pair:
    """Return the pair of one search line and one file line."""
    return Pair((quoted, quoted + 1), (found, found + 1))


@dataclass(frozen=True)
class ConsecutivePairs(Sequence[Pair]):
    """The pairs of lines that follow one another on both sides; nothing is kept of each.

    A search text may have a million lines, and the pairs of nearly all of them are never looked at.
    """

    quoted: range
    found: range

    def __len__(self) -> int:
        return len(self.quoted)

    @overload
    def __getitem__(self, at: int) -> Pair: ...

    @overload
    def __getitem__(self, at: slice) -> ConsecutivePairs: ...

    def __getitem__(self, at: int | slice) -> Pair | ConsecutivePairs:
        if isinstance(at, slice):
            return ConsecutivePairs(self.quoted[at], self.found[at])
        return line_pair(self.quoted[at], self.found[at])

    def __iter__(self) -> Iterator[Pair]:
        return map(line_pair, self.quoted, self.found)

    def partners(self) -> Mapping[int, Span]:
        """Return the file lines of each search line."""
        return _Partners(self)


class _Partners(Mapping[int, Span]):
    def __init__(self, pairs: ConsecutivePairs) -> None:
        self._pairs = pairs

    def __getitem__(self, line: int) -> Span:
        if line not in self._pairs.quoted:
            raise KeyError(line)
        found = self._pairs.found[line - self._pairs.quoted.start]
        return found, found + 1

    def __iter__(self) -> Iterator[int]:
        return iter(self._pairs.quoted)

    def __len__(self) -> int:
        return len(self._pairs)


@dataclass(frozen=True, kw_only=True)
class Find:
    """One place of the search text, in lines and offsets of `SourceText.plain`."""

    source: SourceText = field(repr=False, compare=False)
    rung: Rung
    similarity: float
    span: Span
    quote: Quote
    """The quotation as it was found: cleaned, where a rung cleans it."""
    pairs: tuple[Pair, ...] | ConsecutivePairs = ()
    """Which search line is which file line, in order. Empty for a literal find: there the replacement is
    inserted exactly as it was written."""

    @classmethod
    def of_lines(
        cls, source: SourceText, quote: Quote, rung: Rung, pairs: Sequence[Pair], similarity: float = 1.0
    ) -> Find:
        """Return the find of the whole lines from the first pair to the last."""
        span = source.whole_lines(pairs[0].found[0], pairs[-1].found[1])
        kept = pairs if isinstance(pairs, ConsecutivePairs) else tuple(pairs)
        return cls(source=source, rung=rung, similarity=similarity, span=span, quote=quote, pairs=kept)

    @cached_property
    def lines(self) -> Span:
        """Half-open range of 0-based file lines. Counted on first use only: a text may be very long."""
        if self.pairs:
            return self.pairs[0].found[0], self.pairs[-1].found[1]
        return self.source.line_range(self.span)

    @cached_property
    def partners(self) -> Mapping[int, Span]:
        """The file lines of each search line that has some."""
        if isinstance(self.pairs, ConsecutivePairs):
            return self.pairs.partners()
        return {line: pair.found for pair in self.pairs for line in range(*pair.quoted)}

    @cached_property
    def unquoted(self) -> list[int]:
        """The numbers of the file lines at the place that are not blank, and that nobody quoted."""
        quoted = {number for pair in self.pairs for number in range(*pair.found)}
        stripped = self.source.stripped
        return [number for number in range(*self.lines) if stripped[number] and number not in quoted]

    def misquoted(self) -> Iterator[tuple[int, int, str, str]]:
        """Yield each search line and file line that are a pair, and differ by more than white space.

        Each is a number, and both are followed by their words.
        """
        for (line, end), (number, found_end) in self.pairs:
            is_one = end - line == found_end - number == 1
            if is_one and (quoted := self.quote.stripped[line]) != (found := self.source.stripped[number]):
                yield line, number, quoted, found


@dataclass(frozen=True, slots=True)
class SearchLimit:
    """The most finds that a rung looks for: a text may be one line a million times over.

    Without `overlapping`, each find begins after the end of the previous one.
    """

    most: int = 200
    overlapping: bool = True

    def places(self, text: str, part: str, length: int = 0) -> Iterator[int]:
        """Yield where a part of a text begins, of which no more than `length` characters are its own."""
        step = 1 if self.overlapping else max(1, length or len(part))
        at = text.find(part)
        while at >= 0:
            yield at
            at = text.find(part, at + step)


class VerdictKind(Enum):
    """The kinds of verdict."""

    FOUND = "found"
    DOUBTED = "found, and doubted"
    SEVERAL = "several"
    NOWHERE = "nowhere"
    ALREADY = "already applied"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the search text is.

    `finds`: the place (or, for replace-all, the places) when `FOUND`; every place when `SEVERAL`; the places
    of the replacement when `ALREADY`; the nearest regions, best first, when `NOWHERE`, and when `DOUBTED`:
    the first is the place then, and only guards that a look settles speak against it.
    """

    kind: VerdictKind
    finds: tuple[Find, ...] = ()
    reason: Reason | None = None
    guard: Guard | None = None
    """What rejected the first of the finds, or found the replacement."""
    doubts: tuple[Guard, ...] = ()
    """All that speaks against the first of the finds when `DOUBTED`; `guard` is the first of them."""
    missing: str = ""
    """What is not in the file that the edit names or asks for, if that is the reason."""

    @classmethod
    def rejected(
        cls, guard: Guard, finds: Iterable[Find], kind: VerdictKind = VerdictKind.NOWHERE
    ) -> Verdict:
        """Return the verdict of a guard, which gives the reason."""
        return cls(kind, tuple(finds), guard.reason, guard)

    @classmethod
    def doubted(cls, doubts: Sequence[Guard], finds: Iterable[Find]) -> Verdict:
        """Return the verdict that the first of the finds is the place, unless a look confirms a doubt."""
        return cls(VerdictKind.DOUBTED, tuple(finds), doubts[0].reason, doubts[0], tuple(doubts))
