"""A place that has part of the edit already: between the search text and the replacement, and nothing else.

A model that writes an edit for the second time quotes what it remembers. Where every line that the edit keeps
is there as quoted, where each other line is one that it removes or one that it adds, in its order, and where
some of the new lines are there, the lines become the whole replacement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from patchpoint.dataclass import replace as changed
from patchpoint.locate.source import SourceText, depth
from patchpoint.locate.verdict import ConsecutivePairs, Find, Quote
from patchpoint.text.line_diff import changed_ranges, line_opcodes
from patchpoint.text.lines import TELLING_LINE, Span, without_blank_ends


def half_applied(source: SourceText, find: Find) -> Find | None:
    """Return the find, quoting the lines that are there, where part of the edit has been made; else `None`.

    So it is not where the find ends above the body of its last line.
    """
    replacement = without_blank_ends(find.quote.replace_lines)
    old, new = _stripped(without_blank_ends(find.quote.search_lines)), _stripped(replacement)
    first, end = _solid_span(source, find)
    there = [line for number in range(first, end) if (line := source.lines[number].rstrip())]
    news = {line for line in set(new).difference(old) if len(line.strip()) >= TELLING_LINE}
    if news.isdisjoint(there) or _ends_above_body(source, find, (old[-1], new[-1])):
        return None
    removed: Counter[str] = Counter()
    added: Counter[str] = Counter()
    for gone, come in changed_ranges(old, new):
        removed.update(filter(None, old[slice(*gone)]))
        added.update(filter(None, new[slice(*come)]))
    if not _is_between(there, list(filter(None, new)), removed, added):
        return None
    quote = Quote("\n".join(source.lines[first:end]), "\n".join(replacement))
    pairs = ConsecutivePairs(range(end - first), range(first, end))
    return changed(find, span=source.whole_lines(first, end), quote=quote, pairs=pairs)


def _is_between(
    there: Sequence[str], wanted: Sequence[str], removed: Counter[str], added: Counter[str]
) -> bool:
    """Return whether lines become those that are wanted by what the edit removes and adds, and no more."""
    lost: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for equal, i1, i2, j1, j2 in line_opcodes(there, wanted):
        if not equal:
            lost.update(there[i1:i2])
            missing.update(wanted[j1:j2])
    return lost <= removed and missing <= added


def _ends_above_body(source: SourceText, find: Find, ends: Collection[str]) -> bool:
    """Return whether the line below a find is deeper than its last one, and that ends neither text."""
    end = _solid_span(source, find)[1]
    last = source.lines[end - 1]
    below = next((line for line in source.lines[end:] if line.strip()), "")
    return last.rstrip() not in ends and depth(below) > depth(last)


def _solid_span(source: SourceText, find: Find) -> Span:
    """Return the lines of a find from the first to the last that is not blank."""
    solid = [number for number in range(*find.lines) if source.stripped[number]]
    return solid[0], solid[-1] + 1


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.rstrip() for line in lines]
