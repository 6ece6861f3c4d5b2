"""Blocks of whole lines that are equal but for white space, found by one search for all tolerant rungs.

The lines that are not blank, stripped, are joined by line feeds and searched with `str.find`; each hit is
classified afterwards. It costs one pass over the lines to strip them, and then what `str.find` costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from operator import sub

from patchpoint.dataclass import dataclass
from patchpoint.locate.source import SourceText, indentation
from patchpoint.locate.verdict import ConsecutivePairs, Find, Pair, Quote, SearchLimit, line_pair
from patchpoint.outcome import Rung


@dataclass(frozen=True, slots=True)
class LineBlock:
    """A hit: file line `found[k]` corresponds to search line `quote.solid[k]`."""

    found: Sequence[int]


def blocks(text: str, solid: Sequence[int], wanted: Sequence[str], limit: SearchLimit) -> list[LineBlock]:
    """Return the places where the `wanted` stripped lines follow one another in `text`, blank lines aside.

    `text` is `SourceText.solid_text` or `SourceText.folded_text`, `solid` the numbers of its lines.
    """
    if not wanted or not all(wanted):
        return []
    needle = "\n" + "\n".join(wanted) + "\n"
    hits: list[LineBlock] = []
    at = text.find(needle)
    first, counted = 0, 0
    while at >= 0 and len(hits) < limit.most:
        first += text.count("\n", counted, at)
        counted = at
        hits.append(LineBlock(solid[first : first + len(wanted)]))
        at = text.find(needle, at + limit.step(len(needle) - 1))
    return hits


def finds_of_lines(source: SourceText, quote: Quote, hits: list[LineBlock], rung: Rung) -> list[Find]:
    """Return finds of `rung`: the blocks whose white space is nearest to that of the search text."""
    if not hits:
        return []
    chosen = strictest(
        hits,
        lambda block: one_depth_each(source, quote, block),
        lambda block: same_depths(source, quote, block),
        lambda block: same_blank_lines(quote, block),
    )
    return [find_of_block(source, quote, hit, rung) for hit in chosen]


def same_text(source: SourceText, quote: Quote, block: LineBlock) -> bool:
    """Return whether each line has the text and the indentation it was quoted with."""
    return all(quoted.rstrip() == found.rstrip() for quoted, found in _different_pairs(source, quote, block))


def same_depths(source: SourceText, quote: Quote, block: LineBlock) -> bool:
    """Return whether each line has the indentation it was quoted with, its text aside."""
    pairs = _different_pairs(source, quote, block)
    return all(indentation(quoted) == indentation(found) for quoted, found in pairs)


def same_blank_lines(quote: Quote, block: LineBlock) -> bool:
    """Return whether the blank lines between the first and the last line are as they were quoted."""
    return len(set(map(sub, block.found, quote.solid))) == 1


def one_depth_each(source: SourceText, quote: Quote, block: LineBlock) -> bool:
    """Return whether lines quoted at one depth are at one depth in the file, and deeper ones deeper."""
    depths: dict[str, str] = {}
    for quoted, found in _different_pairs(source, quote, block):
        depth = indentation(found)
        if depths.setdefault(indentation(quoted), depth) != depth:
            return False
    shallow_first = [depths[quoted] for quoted in sorted(depths, key=len)]
    return all(len(a) < len(b) for a, b in pairwise(shallow_first))


def _different_pairs(source: SourceText, quote: Quote, block: LineBlock) -> Iterable[tuple[str, str]]:
    """Return the different pairs of a search line and its file line, in order.

    A search text may be a million lines long, and then it has few that differ.
    """
    quoted = map(quote.search_lines.__getitem__, quote.solid)
    return dict.fromkeys(zip(quoted, map(source.lines.__getitem__, block.found), strict=True))


def strictest(candidates: list[LineBlock], *tests: Callable[[LineBlock], bool]) -> list[LineBlock]:
    """Return the candidates that pass all tests, or else all but the last, and so on."""
    for count in range(len(tests), -1, -1):
        passing = [block for block in candidates if all(test(block) for test in tests[:count])]
        if passing:
            return passing
    return []


def find_of_block(source: SourceText, quote: Quote, block: LineBlock, rung: Rung) -> Find:
    """Return the block as a find, with the quoted blank lines at its edges that the file has, too."""
    if same_blank_lines(quote, block):
        return Find.of_lines(source, quote, rung, _consecutive_pairs(source, quote, block))
    runs = [line_pair(quoted, found) for quoted, found in zip(quote.solid, block.found, strict=True)]
    return Find.of_lines(source, quote, rung, with_blank_lines(source, quote, runs))


def _consecutive_pairs(source: SourceText, quote: Quote, block: LineBlock) -> ConsecutivePairs:
    """Return what `with_blank_lines` does for a block with the same blank lines between its lines."""
    shift = block.found[0] - quote.solid[0]
    first, end = quote.solid[0], quote.solid[-1] + 1
    while min(first, first + shift) > 0 and not (
        quote.stripped[first - 1] or source.stripped[first - 1 + shift]
    ):
        first -= 1
    lines = min(len(quote.stripped), len(source.lines) - shift)
    while end < lines and not (quote.stripped[end] or source.stripped[end + shift]):
        end += 1
    return ConsecutivePairs(range(first, end), range(first + shift, end + shift))


def with_blank_lines(source: SourceText, quote: Quote, runs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs of `runs`, with the blank lines around and between them paired, too.

    Blank lines pair as far as both sides have them, at the edges only right next to the block.
    """
    first = runs[0]
    before = 0
    while (
        before < min(first.quoted[0], first.found[0])
        and not quote.stripped[first.quoted[0] - before - 1]
        and not source.stripped[first.found[0] - before - 1]
    ):
        before += 1
    pairs = [line_pair(first.quoted[0] - back, first.found[0] - back) for back in range(before, 0, -1)]
    for number, run in enumerate(runs):
        pairs.append(run)
        last = number + 1 == len(runs)
        quoted_end = len(quote.stripped) if last else runs[number + 1].quoted[0]
        found_end = len(source.lines) if last else runs[number + 1].found[0]
        if run.quoted[1] < quoted_end and run.found[1] < found_end:
            pairs += _blank_pairs(source, quote, (run.quoted[1], quoted_end), (run.found[1], found_end), last)
    return tuple(pairs)


def _blank_pairs(
    source: SourceText, quote: Quote, quoted: tuple[int, int], found: tuple[int, int], last: bool
) -> list[Pair]:
    """Return the pairs of the blank lines of a gap: from its beginning, and the rest from its end."""
    ahead = 0
    while (
        quoted[0] + ahead < quoted[1]
        and found[0] + ahead < found[1]
        and not quote.stripped[quoted[0] + ahead]
        and not source.stripped[found[0] + ahead]
    ):
        ahead += 1
    back = 0
    while (
        not last
        and quoted[1] - back > quoted[0] + ahead
        and found[1] - back > found[0] + ahead
        and not quote.stripped[quoted[1] - back - 1]
        and not source.stripped[found[1] - back - 1]
    ):
        back += 1
    pairs = [line_pair(quoted[0] + step, found[0] + step) for step in range(ahead)]
    return pairs + [line_pair(quoted[1] - step, found[1] - step) for step in range(back, 0, -1)]
