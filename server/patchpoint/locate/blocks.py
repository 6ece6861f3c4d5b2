"""Blocks of whole lines that are equal but for white space, found by one search for all rungs that forgive.

The lines that are not blank, stripped, are joined by line feeds and searched with `str.find`; each hit is
classified afterwards. It costs one pass over the lines to strip them, and then what `str.find` costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Find, Pair, Quote, Sweep, line_pair
from patchpoint.outcome import Rung


@dataclass(frozen=True, slots=True)
class Block:
    """A hit: file line `found[k]` stands for search line `quote.solid[k]`."""

    found: Sequence[int]


def blocks(text: str, solid: Sequence[int], wanted: Sequence[str], sweep: Sweep) -> list[Block]:
    """Where the `wanted` stripped lines follow one another in `text`, blank lines left out of both.

    `text` is `Source.solid_text` or `Source.folded_text`, `solid` the numbers of its lines.
    """
    if not wanted or not all(wanted):
        return []
    needle = "\n" + "\n".join(wanted) + "\n"
    hits: list[Block] = []
    at = text.find(needle)
    first, counted = 0, 0
    while at >= 0 and len(hits) < sweep.most:
        first += text.count("\n", counted, at)
        counted = at
        hits.append(Block(solid[first : first + len(wanted)]))
        at = text.find(needle, at + sweep.step(len(needle) - 1))
    return hits


def same_text(source: Source, quote: Quote, block: Block) -> bool:
    """Whether each line has the indentation it was quoted with."""
    return all(
        source.lines[found].rstrip() == quote.search_lines[quoted].rstrip()
        for quoted, found in zip(quote.solid, block.found, strict=True)
    )


def same_depths(source: Source, quote: Quote, block: Block) -> bool:
    """Whether each line is indented as it was quoted, whatever it says."""
    return all(
        indentation(source.lines[found]) == indentation(quote.search_lines[quoted])
        for quoted, found in zip(quote.solid, block.found, strict=True)
    )


def same_blank_lines(quote: Quote, block: Block) -> bool:
    """Whether the blank lines between the first and the last line are as they were quoted."""
    shift = block.found[0] - quote.solid[0]
    return all(found - quoted == shift for quoted, found in zip(quote.solid, block.found, strict=True))


def one_depth_each(source: Source, quote: Quote, block: Block) -> bool:
    """Whether lines quoted at one depth stand at one depth, and deeper ones deeper."""
    depths: dict[str, str] = {}
    for quoted, found in zip(quote.solid, block.found, strict=True):
        depth = indentation(source.lines[found])
        if depths.setdefault(indentation(quote.search_lines[quoted]), depth) != depth:
            return False
    shallow_first = [depths[quoted] for quoted in sorted(depths, key=len)]
    return all(len(a) < len(b) for a, b in pairwise(shallow_first))


def strictest(candidates: list[Block], *tests: Callable[[Block], bool]) -> list[Block]:
    """The candidates that pass all tests, or all but the last, and so on: those of the strictest class."""
    for count in range(len(tests), -1, -1):
        passing = [block for block in candidates if all(test(block) for test in tests[:count])]
        if passing:
            return passing
    return []


def find_of_block(source: Source, quote: Quote, block: Block, rung: Rung) -> Find:
    """The block as a find, with blank lines at its edges that were quoted and stand there too."""
    runs = [line_pair(quoted, found) for quoted, found in zip(quote.solid, block.found, strict=True)]
    return Find.of_lines(source, quote, rung, with_blank_lines(source, quote, runs))


def with_blank_lines(source: Source, quote: Quote, runs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs of `runs`, with the blank lines around and between them paired too.

    Blank lines pair as far as both sides have them, at the edges only right beside the block.
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
        pairs += _blank_pairs(source, quote, (run.quoted[1], quoted_end), (run.found[1], found_end), last)
    return tuple(pairs)


def _blank_pairs(
    source: Source, quote: Quote, quoted: tuple[int, int], found: tuple[int, int], last: bool
) -> list[Pair]:
    """The blank lines of a gap paired: from its beginning, and what is left from its end."""
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
