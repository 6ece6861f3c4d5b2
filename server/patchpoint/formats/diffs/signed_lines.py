"""Lines with signs that nothing calls a diff: a minus for those removed, a plus for those added.

    src/app.py
    - old line
    + new line

They are below a path, in a fence of another name than `diff`, or in none. Both signs have to be there: lists
have only one.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.edit import Format
from patchpoint.formats.diffs.hunk import read_hunk
from patchpoint.formats.fences import Fence, are_signed, fences, holds_signed_lines, lines_without_margin
from patchpoint.formats.labels import Naming, names_above
from patchpoint.formats.path_forms import path_on_fence
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText, Item, SpanSet
from patchpoint.text.lines import Span


def read_signed_lines(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the changes that lines with signs ask for, in fences and below a path of their own."""
    source = scan.source
    taken = SpanSet(item.span for item in items)
    every = source.once(fences)
    found: list[Item] = []
    number = reached = 0
    while number < len(source.lines):
        fence = every.get(number)
        start = source.starts[number]
        item = None
        end = number + 1
        if taken.overlaps((start, start + 1)):
            reached = end
        elif fence is not None:
            end = fence.end
            item = _in_fence(source, fence, reached)
        elif source.lines[number][:1] == "-" and source.lines[number][:3] != "---":
            end = _end(source, number)
            item = _bare(source, number, end, reached)
        if item is not None:
            found.append(item)
            reached = end
        number = end
    return found


def _in_fence(source: AnswerText, fence: Fence, lower_bound: int) -> Item | None:
    if not holds_signed_lines(source, fence):
        return None
    on_fence = path_on_fence(fence.info)
    named = names_above(source, fence.first, lower_bound)
    path = on_fence or (named[0].path if len(named) == 1 else "")
    line = named[0].line if named and not on_fence else None
    fault = "" if fence.closed else "the diff is cut off; the end of its fence was expected"
    return _item(source, (fence.first, fence.end), lines_without_margin(source, fence), path, line, fault)


def _bare(source: AnswerText, first: int, end: int, lower_bound: int) -> Item | None:
    lines = source.lines[first:end]
    named = names_above(source, first, lower_bound)
    if not are_signed(lines) or len(named) != 1 or named[0].how is not Naming.ALONE:
        return None
    cut_off = end == len(source.lines) and source.may_be_cut_off
    fault = "these lines may be cut off; an empty line was expected behind the last one" if cut_off else ""
    return _item(source, (first, end), lines, named[0].path, named[0].line, fault)


def _item(
    source: AnswerText, extent: Span, lines: Sequence[str], path: str, line: int | None, fault: str
) -> Item | None:
    if fault and path:
        return source.malformed(fault, *extent, path=path, origin=Format.UNIFIED_DIFF)
    hunk = read_hunk(lines, first=extent[0], end=extent[1], line=line)
    return hunk.item(source, path, extent[0], Format.UNIFIED_DIFF) if path else None


def _end(source: AnswerText, first: int) -> int:
    """Return the line behind the lines with signs that begin on line `first`."""
    end = first
    while end < len(source.lines) and source.lines[end][:1] in ("+", "-", " ") and source.bare(end):
        end += 1
    return max(end, first + 1)
