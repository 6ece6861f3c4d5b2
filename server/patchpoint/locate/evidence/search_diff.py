"""The change that the model asks for: the difference from search text to replacement, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.locate.rungs.elision import is_elision
from patchpoint.locate.verdict import ConsecutivePairs, Find, Pair, Quote
from patchpoint.outcome import Rung
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class SearchHunk:
    """A run of search lines that becomes a run of replacement lines, both half-open ranges."""

    quote: Quote
    quoted: Span
    new: Span

    @property
    def solid(self) -> list[int]:
        """The search lines of it that are not blank."""
        return self.quote.solid_in(self.quoted)

    @property
    def around(self) -> tuple[list[int], list[int]]:
        """The search lines above it and below it that are not blank."""
        return self.quote.around(self.quoted)

    @property
    def next_to(self) -> tuple[list[int], list[int]]:
        """The search line right above it, and the one right below, each if there is one."""
        above, below = self.around
        return above[-1:], below[:1]

    @property
    def deciding(self) -> list[int]:
        """The search lines that say where it goes: those it changes, or the ones next to new lines."""
        above, below = self.next_to
        return self.solid or above + below

    @property
    def new_lines(self) -> list[str]:
        """The replacement lines."""
        return self.quote.replace_lines[slice(*self.new)]

    @property
    def brought(self) -> list[str]:
        """The replacement lines that are not blank."""
        return [line for line in self.new_lines if line.strip()]


def search_hunks(
    quote: Quote, pairs: Sequence[Pair] = (), *, elided: bool = False, exact: bool = False
) -> list[SearchHunk]:
    """Return the hunks from search text to replacement, trailing white space aside unless `exact`.

    A run of search lines that corresponds to a differently wrapped run of file lines is changed whole or not
    at all: a hunk that touches part of it is widened to the rest. With `elided`, all elisions are equal.
    """
    search, replace = quote.search_lines, quote.replace_lines
    if not exact:
        search, replace = [line.rstrip() for line in search], [line.rstrip() for line in replace]
    if elided:
        search = ["..." if is_elision(line) else line for line in search]
        replace = ["..." if is_elision(line) else line for line in replace]
    several = () if isinstance(pairs, ConsecutivePairs) else pairs
    groups = [pair.quoted for pair in several if pair.quoted[1] - pair.quoted[0] > 1]
    widened: list[SearchHunk] = []
    for (start, end), (new_start, new_end) in changed_ranges(search, replace):
        i1, i2 = start, end
        for group in groups:
            if (group[0] < end and start < group[1]) or (start == end and group[0] < start < group[1]):
                i1, i2 = min(i1, group[0]), max(i2, group[1])
        j1, j2 = new_start - (start - i1), new_end + (i2 - end)
        if widened and i1 < widened[-1].quoted[1]:
            last = widened.pop()
            i1, i2, j1, j2 = last.quoted[0], max(i2, last.quoted[1]), last.new[0], max(j2, last.new[1])
        widened.append(SearchHunk(quote, (i1, i2), (j1, j2)))
    return widened


def changes_of(find: Find) -> list[SearchHunk]:
    """Return the hunks of the search text as it was found."""
    rung = find.rung
    return search_hunks(find.quote, find.pairs, elided=rung is Rung.ELISION, exact=rung is Rung.EXACT)
