"""Whether a change would cut off lines that nobody quoted from what they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.locate.evidence.comparison import only_place
from patchpoint.locate.evidence.names import is_remark
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText, depth
from patchpoint.locate.verdict import Find
from patchpoint.patching.merging.gaps import extends, fits, same_seam
from patchpoint.text.lines import Span


def cuts_unquoted(
    find: Find, hunk: SearchHunk, stretch: Span, new: Sequence[str], is_left_out: Callable[[int], bool]
) -> bool:
    """Return whether lines that nobody quoted would be cut off from their neighbours by a change.

    They are in the stretch of the file that the hunk changes, or between that and its neighbours. So it is,
    too, where remarks are among lines that become fewer.
    `is_left_out` says which search lines mark lines that were left out.
    """
    source, quote, partner = find.source, find.quote, find.partners
    quoted = [line for line in hunk.solid if line in partner]
    if not quoted:
        return False
    taken = {number for line in quoted for number in range(*partner[line])}
    brought = {line.strip() for line in new}
    if any(map(is_left_out, range(max(0, hunk.quoted[0] - 1), min(hunk.quoted[1] + 1, len(quote.stripped))))):
        return False
    unquoted = [
        number
        for number in range(*stretch)
        if source.stripped[number] and number not in taken and source.stripped[number] not in brought
    ]
    if not unquoted:
        return False
    wanted = [line for line in new if line.strip()]
    inside = any(min(taken) < number < max(taken) for number in unquoted)
    remarks = all(is_remark(source.stripped[number]) for number in unquoted)
    becomes_fewer = inside and 0 < len(wanted) < len(quoted)
    if remarks and not becomes_fewer and _are_surely_meant(find, quoted):
        return False
    old = [quote.search_lines[line] for line in quoted]
    if len(old) == len(wanted) and all(map(_is_version, old, wanted)):
        return False
    above = any(number < min(taken) for number in unquoted)
    below = any(number > max(taken) for number in unquoted)
    if inside:
        return True
    if not wanted:
        return _is_movable(hunk) or (below and _heads(source, max(taken)))
    first, last = source.lines[min(taken)], source.lines[max(taken)]
    return (above and not (_is_version(old[0], wanted[0]) or _is_in_new(first, wanted[:1]))) or (
        below and not (_is_version(old[-1], wanted[-1]) or _is_in_new(last, wanted[-1:]))
    )


def is_incoherent(hunk: SearchHunk) -> bool:
    """Return whether new lines would cut a block of the search text, too: their depth says nothing then."""
    return not fits(SourceText(hunk.quote.search), hunk.quoted[0], hunk.new_lines)


def _are_surely_meant(find: Find, quoted: Sequence[int]) -> bool:
    """Return whether all quoted lines are in the file word for word, and nowhere else in it."""
    stripped, partner = find.quote.stripped, find.partners
    return all(only_place(find.source, stripped[line]) == partner[line][0] for line in quoted)


def _is_in_new(line: str, new: Sequence[str]) -> bool:
    """Return whether a file line is one of some new ones, or one of them has all its words and more.

    At another depth it would be another statement.
    """
    return any(
        depth(line) == depth(other) and (line.strip() == other.strip() or extends(other, line))
        for other in new
    )


def _is_movable(hunk: SearchHunk) -> bool:
    """Return whether a deletion could as well be that of the equal lines before or after it."""
    start, end = hunk.quoted
    lines = hunk.quote.stripped
    before = start > 0 and lines[start - 1] == lines[end - 1]
    after = end < len(lines) and lines[end] == lines[start]
    return before or after


def _heads(source: SourceText, line: int) -> bool:
    """Return whether the line below is deeper than `line`: it would lose its header."""
    below = source.solid_below(line + 1)
    return below is not None and depth(source.lines[below]) > depth(source.lines[line])


def _is_version(old: str, new: str) -> bool:
    """Return whether a line may take the place of another next to lines that nobody quoted."""
    return (
        depth(old) == depth(new)
        and same_seam(old, new)
        and line_similarity(old.strip(), new.strip()) >= SIMILAR_LINE
    )
