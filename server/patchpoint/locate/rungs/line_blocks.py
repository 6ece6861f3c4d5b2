"""Blocks of whole lines that are equal but for white space, found by one search for all tolerant rungs.

The lines that are not blank, stripped, are joined by line feeds and searched with `str.find`; each hit is
classified afterwards. It costs one pass over the lines to strip them, and then what `str.find` costs.

The whitespace and the indentation rung are nothing but that. Where nothing else differs, the Unicode rung and
the rung of quotes compare the lines in another form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise
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
    first, counted = 0, 0
    for at in islice(limit.places(text, needle, len(needle) - 1), limit.most):
        first += text.count("\n", counted, at)
        counted = at
        hits.append(LineBlock(solid[first : first + len(wanted)]))
    return hits


def find_whitespace(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the blocks that are indented as quoted; those with the same blank lines, if there are any.

    It tolerates white space at the ends of lines, blank lines at the edges of the search text, a missing line
    ending at the end of the file and, when nothing matches with the blank lines as quoted, more or fewer
    blank lines in between. Every public tool has a form of it (Codex: `trim_end`; aider: whole lines).
    """
    hits = blocks(source.solid_text, source.solid, quote.solid_lines, limit)
    hits = [hit for hit in hits if same_text(source, quote, hit)]
    return strictest_finds(source, quote, hits, Rung.WHITESPACE, same_blank_lines)


def find_indentation(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the blocks that are equal but for their indentation, of the strictest class there is.

    It tolerates a block quoted at another depth (the commonest failure of today's best models is one tab too
    shallow), tabs for spaces and back, a first line that lost its indentation and, last, lines indented
    unevenly. Blocks whose depths correspond line by line come before uneven ones, and those with the blank
    lines as quoted before others. The replacement is re-indented by the same correspondence
    (`patchpoint.patching.merging.reindent`).
    """
    hits = blocks(source.solid_text, source.solid, quote.solid_lines, limit)
    return strictest_finds(source, quote, hits, Rung.INDENTATION, one_depth_each, same_blank_lines)


def finds_of_lines(source: SourceText, quote: Quote, hits: list[LineBlock], rung: Rung) -> list[Find]:
    """Return finds of `rung`: the blocks whose white space is nearest to that of the search text."""
    return strictest_finds(source, quote, hits, rung, one_depth_each, same_depths, same_blank_lines)


def same_text(source: SourceText, quote: Quote, block: LineBlock) -> bool:
    """Return whether each line has the text and the indentation it was quoted with."""
    return all(quoted.rstrip() == found.rstrip() for quoted, found in _different_pairs(source, quote, block))


def same_depths(source: SourceText, quote: Quote, block: LineBlock) -> bool:
    """Return whether each line has the indentation it was quoted with, its text aside."""
    pairs = _different_pairs(source, quote, block)
    return all(indentation(quoted) == indentation(found) for quoted, found in pairs)


def same_blank_lines(source: SourceText, quote: Quote, block: LineBlock) -> bool:  # noqa: ARG001 - a test
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


def strictest_finds(
    source: SourceText,
    quote: Quote,
    hits: Sequence[LineBlock],
    rung: Rung,
    *tests: Callable[[SourceText, Quote, LineBlock], bool],
) -> list[Find]:
    """Return the finds of the blocks that pass all tests, or else all but the last, and so on."""
    for count in range(len(tests), -1, -1):
        passing = [hit for hit in hits if all(test(source, quote, hit) for test in tests[:count])]
        if passing:
            return [find_of_block(source, quote, hit, rung) for hit in passing]
    return []


def find_of_block(source: SourceText, quote: Quote, block: LineBlock, rung: Rung) -> Find:
    """Return the block as a find, with the quoted blank lines at its edges that the file has, too."""
    if same_blank_lines(source, quote, block):
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
