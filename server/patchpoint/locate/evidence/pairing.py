"""Which search line is which file line at a similar place, beyond the lines that resemble each other.

Lines without a word, such as `},`, pair by their depth with what they close, not by their text; between two
pairs, lines pair by position; and a statement that brackets spread over other lines on each side pairs whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from patchpoint.locate.alignment import Alignment, Match, line_similarity
from patchpoint.locate.brackets import balance, wrapped_runs
from patchpoint.locate.rungs.line_blocks import with_blank_lines
from patchpoint.locate.rungs.similarity import Texts
from patchpoint.locate.source import CLOSERS, TRAILING_COMMA, SourceText, indentation
from patchpoint.locate.verdict import Find, Pair, Quote, line_pair
from patchpoint.outcome import Rung
from patchpoint.text.lines import Span
from patchpoint.text.regex import WORD, regex

EDGE_LINE = 0.3
"""Least similarity of unpaired lines at the edge of the search text to their neighbours in the file."""

SAME_STATEMENT = 0.8
"""Least similarity, white space aside, of a statement to the one that it is when wrapped over other lines."""

SURE_PAIR = 0.8
"""Least similarity of two lines that are surely the same: their depths say how all depths correspond."""

MOST_WRAPPED = 40
NEAR_LINES = 10
"""A statement on more lines is not compared as one; so many lines before the first sure pair, and after the
last, may be part of one."""

_GOES_ON = regex(r"\}?\s*(?:else|finally|ensure)\s*[:{]?")


def find_of_region(texts: Texts, region: Alignment) -> Find:
    """Return a similar region as a find of whole lines."""
    source, quote = texts.source, texts.quote
    matches = _closing_at_their_depth(texts, region.matches)
    matches = paired_by_position(texts.quoted, texts.found, matches)
    runs = [line_pair(quote.solid[match.quoted], source.solid[match.found]) for match in matches]
    pairs = with_blank_lines(source, quote, _whole_statements(source, quote, runs))
    return Find.of_lines(source, quote, Rung.SIMILARITY, pairs, region.coverage)


def paired_by_position(quoted: Sequence[str], found: Sequence[str], matches: Sequence[Match]) -> list[Match]:
    """Return the matches and, between two of them, equally many unpaired lines of both sides as pairs.

    At the edges lines pair from the inside out, as long as they are at least `EDGE_LINE` similar.
    """
    before = list(_outward(quoted, found, matches[0], -1))
    paired = before[::-1]
    for match, following in pairwise(matches):
        paired.append(match)
        between = following.quoted - match.quoted
        if between == following.found - match.found:
            for step in range(1, between):
                one, other = quoted[match.quoted + step], found[match.found + step]
                paired.append(Match(match.quoted + step, match.found + step, line_similarity(one, other)))
    return [*paired, matches[-1], *_outward(quoted, found, matches[-1], 1)]


def _outward(quoted: Sequence[str], found: Sequence[str], edge: Match, step: int) -> Iterator[Match]:
    """Yield the pairs of lines on one side of all matches, as long as they are alike enough."""
    at, place = edge.quoted + step, edge.found + step
    while 0 <= at < len(quoted) and 0 <= place < len(found):
        similarity = line_similarity(quoted[at], found[place])
        if similarity < EDGE_LINE:
            break
        yield Match(at, place, similarity)
        at, place = at + step, place + step


def _closing_at_their_depth(texts: Texts, matches: Sequence[Match]) -> list[Match]:
    """Return the matches, those of lines that only close something where the depth is that of what is closed.

    A line at another depth gives way to an equal one at the right depth before the next match.
    """
    source, quote = texts.source, texts.quote

    def quoted_depth(number: int) -> str:
        return indentation(quote.search_lines[quote.solid[number]])

    def found_depth(number: int) -> str:
        return indentation(source.lines[source.solid[number]])

    depths: dict[str, list[tuple[int, str]]] = {}
    for match in matches:
        if match.similarity >= SURE_PAIR and _says_something(texts.quoted[match.quoted]):
            seen = depths.setdefault(quoted_depth(match.quoted), [])
            seen.append((match.quoted, found_depth(match.found)))
    unchanged = all(found == quoted for quoted, seen in depths.items() for _, found in seen)
    kept: list[Match] = []
    for number, match in enumerate(matches):
        seen = depths.get(quoted_depth(match.quoted), [])
        if not seen and depths and unchanged:
            seen = [(match.quoted, quoted_depth(match.quoted))]
        if _says_something(texts.quoted[match.quoted]) or not seen:
            kept.append(match)
            continue
        depth = min(seen, key=lambda entry: abs(entry[0] - match.quoted))[1]
        low = kept[-1].found + 1 if kept else max(0, match.found - NEAR_LINES)
        high = matches[number + 1].found if number + 1 < len(matches) else match.found + 1
        text = texts.quoted[match.quoted]
        right = [at for at in range(low, high) if texts.found[at] == text and found_depth(at) == depth]
        if found_depth(match.found) == depth and match.found not in right:
            right.append(match.found)
        if right:
            # The first one closes what is open there; those after it close what comes later.
            place = min(right) if kept else min(right, key=lambda at: abs(at - match.found))
            kept.append(Match(match.quoted, place, line_similarity(text, texts.found[place])))
    return kept if kept else list(matches)


def _says_something(line: str) -> bool:
    """Return whether a line has a word, and does more than close what others open, or go on with it."""
    return WORD.search(line) is not None and not (CLOSERS.fullmatch(line) or _GOES_ON.fullmatch(line))


def _whole_statements(source: SourceText, quote: Quote, runs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs, with what brackets join on other lines on the two sides paired whole.

    It is looked for between the nearest lines before and after it that pair surely.
    """
    if all(_is_equal(source, quote, run) for run in runs) and len(runs) == len(quote.solid):
        return list(runs)
    low = max(0, runs[0].found[0] - NEAR_LINES)
    there = wrapped_runs(source.lines[low : runs[-1].found[1] + NEAR_LINES])
    equal = (run for run in runs if _is_equal(source, quote, run))
    sure = [run for run in equal if _says_something(quote.stripped[run.quoted[0]])]
    settled = {run.quoted[0] for run in sure}
    joined = list(runs)
    reached = 0
    single = [(line, line + 1) for line in quote.solid]
    units = [(low + start, low + end) for start, end in there]
    squeezed = cache(lambda unit: _squeezed(source.folded[slice(*unit)]))
    for quoted in sorted([*wrapped_runs(quote.search_lines), *single], key=lambda unit: (unit[0], -unit[1])):
        solid = [line for line in range(*quoted) if quote.stripped[line]]
        if quoted[0] < reached or 2 * len(settled.intersection(solid)) >= len(solid):
            continue
        start = max((run.found[1] for run in sure if run.quoted[1] <= quoted[0]), default=low)
        end = min((run.found[0] for run in sure if run.quoted[0] >= quoted[1]), default=len(source.lines))
        among = [unit for unit in units if start <= unit[0] and unit[1] <= end]
        if len(solid) > 1:
            among += [(line, line + 1) for line in range(start, min(end, start + MOST_WRAPPED))]
        found = _same_statement(source, quote, quoted, among, squeezed)
        if found is not None:
            joined = _with_statement(joined, Pair(quoted, found))
            reached = quoted[1]
    return joined


def _same_statement(
    source: SourceText, quote: Quote, quoted: Span, among: Sequence[Span], squeezed: Callable[[Span], str]
) -> Span | None:
    """Return that of the stretches `among` which is most like a run of search lines, white space aside."""
    if quoted[1] - quoted[0] > MOST_WRAPPED or not among:
        return None
    wanted = _squeezed(quote.stripped[slice(*quoted)])
    brackets = balance(quote.search_lines[slice(*quoted)])
    best, found = SAME_STATEMENT, None
    for unit in among:
        if unit[1] - unit[0] > MOST_WRAPPED:
            continue
        similarity = Levenshtein.normalized_similarity(wanted, squeezed(unit), score_cutoff=best)
        # Few are alike, so that the brackets of the others need not be counted.
        if similarity > best and balance(source.lines[slice(*unit)]) == brackets:
            best, found = similarity, unit
    return found


def _with_statement(runs: Sequence[Pair], whole: Pair) -> list[Pair]:
    """Return the pairs with `whole`, unless its lines pair one by one; those that cross it are left out."""
    inside = [
        run
        for run in runs
        if run.quoted[0] < whole.quoted[1]
        and whole.quoted[0] < run.quoted[1]
        and run.found[0] < whole.found[1]
        and whole.found[0] < run.found[1]
    ]
    if len(inside) == whole.quoted[1] - whole.quoted[0] == whole.found[1] - whole.found[0]:
        return list(runs)
    before = [run for run in runs if run.quoted[1] <= whole.quoted[0] and run.found[1] <= whole.found[0]]
    after = [run for run in runs if run.quoted[0] >= whole.quoted[1] and run.found[0] >= whole.found[1]]
    return [*before, whole, *after]


def _is_equal(source: SourceText, quote: Quote, pair: Pair) -> bool:
    return quote.stripped[pair.quoted[0]] == source.stripped[pair.found[0]]


def _squeezed(lines: Sequence[str]) -> str:
    text = "".join("\n".join(lines).split())
    return TRAILING_COMMA.sub("", text) if "," in text else text
