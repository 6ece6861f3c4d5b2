"""Lines with signs that nothing calls a diff: a minus for those removed, a plus for those added.

    src/app.py
    - old line
    + new line

They are below a path, in a fence of another name than `diff`, or in none. Both signs have to be there: lists
have only one.
"""

from __future__ import annotations

from patchpoint.edit import Format
from patchpoint.formats.diffs.hunk import read_hunk
from patchpoint.formats.fences import Fence, are_signed, fences, holds_signed_lines, lines_without_margin
from patchpoint.formats.labels import Naming, names_above
from patchpoint.formats.path_forms import path_on_fence
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText, Item, SpanSet


def read_signed_lines(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the changes that lines with signs ask for, in fences and below a path of their own."""
    source = scan.source
    taken = SpanSet(item.span for item in items)
    every = source.once(fences)
    found: list[Item] = []
    number = reached = 0
    while number < len(source.lines):
        fence, text = every.get(number), source.lines[number]
        item = None
        end = number + 1
        if taken.overlaps((source.starts[number], source.starts[number] + 1)):
            reached = end
        elif fence is not None:
            end = fence.end
            item = _item(source, number, end, reached, fence) if holds_signed_lines(source, fence) else None
        elif text[:1] == "-" and text[:3] != "---":
            while end < len(source.lines) and source.lines[end][:1] in ("+", "-", " ") and source.bare(end):
                end += 1
            item = _item(source, number, end, reached) if are_signed(source.lines[number:end]) else None
        if item is not None:
            found.append(item)
            reached = end
        number = end
    return found


def _item(
    source: AnswerText, first: int, end: int, lower_bound: int, fence: Fence | None = None
) -> Item | None:
    """Return the change that lines ask for, in a fence or below a path; `None` where no file is named."""
    named = names_above(source, first, lower_bound)
    path, line = path_on_fence(fence.info) if fence else "", None
    if not path and len(named) == 1 and (fence or named[0].how is Naming.ALONE):
        path, line = named[0].path, named[0].line
    if not path:
        return None
    if not fence.closed if fence else end == len(source.lines) and source.may_be_cut_off:
        message = "these lines may be cut off; the end of their fence, or an empty line, was expected below"
        return source.malformed(message, first, end, path=path, origin=Format.UNIFIED_DIFF)
    lines = lines_without_margin(source, fence) if fence else source.lines[first:end]
    return read_hunk(lines, first=first, end=end, line=line).item(source, path, first, Format.UNIFIED_DIFF)
