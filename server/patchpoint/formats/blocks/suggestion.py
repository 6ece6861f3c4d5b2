"""Suggestions of a review: a fence called `suggestion` has the lines that replace those commented on.

    `src/app.py`, lines 12–14:           (or a fence with the hunk of a diff, or with the lines)
    ```suggestion
    (the new lines)
    ```

Behind the word there may be the numbers of lines above and below the commented one (`suggestion:-2+1`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Malformed, Operation, Target, TargetKind, Unplaced
from patchpoint.formats.blocks.fence_label import FenceLabel, code_of, label_of
from patchpoint.formats.fences import Fence, FenceKind, fence_on, lines_without_margin, outer_fences
from patchpoint.formats.labels import which_file
from patchpoint.formats.source import AnswerText, Item, SpanSet
from patchpoint.text.regex import regex

_AROUND = regex(r"suggestion:-(?P<above>\d{1,3})\+(?P<below>\d{1,3})\Z")
_NUMBERS = regex(
    r"(?:[\w)`*\]]:L?|#L|\blines?\s+[+RL]?)(?P<first>\d{1,7})\b"
    r"(?:[`*]*\s*(?:-|–|—|to|and|through|until)\s*[+R]?L?(?P<last>\d{1,7})\b)?",
    re.IGNORECASE,
)
_HEADS = ("@@", "diff ", "index ", "--- ", "+++ ", "new file", "\\ ")
"""What begins the lines of a diff above those of a hunk."""
_MOST_LABELS = 3
_NO_PATH = "no path names its file; write it above, with the numbers of the lines (`src/a.py:12-14`)"
"""What is missing most often."""


def read_suggestion(
    source: AnswerText, fence: Fence, label: FenceLabel, lower_bound: int, known_path: str
) -> Item | Unplaced:
    """Return the edit of a suggestion, what is wrong with it, or what is missing for it to be one."""
    quotation, bound = _quotation(source, fence)
    first = quotation.first if quotation else fence.first
    paths = label.paths
    if quotation:
        # an edit may have been read from it, and what is above it belongs to both
        lower_bound = bound
        paths = paths or label_of(source, quotation, lower_bound).paths
    path, why = which_file(paths, known_path, _NO_PATH)
    fault = fence.fault("the suggestion")
    if fault:
        return source.malformed(fault, first, fence.end, at=fence.end - 1, path=path, origin=Format.PAIR)
    numbers = _numbers_above(source, first, lower_bound) or _numbers_above(source, fence.first, first)
    around = _AROUND.search(fence.info)
    if around and numbers and numbers[0] == numbers[1]:
        numbers = max(1, numbers[0] - int(around["above"])), numbers[1] + int(around["below"])
    named, last = map(str, numbers or ("", ""))
    edit = Edit(
        path=path,
        operation=Operation.PLACE,
        search=_quoted(source, quotation) if quotation is not None else "",
        replace=code_of(source, fence),
        target=Target(TargetKind.SUGGESTED, named, last=last),
        format=Format.PAIR,
        span=source.span(first, fence.end),
    )
    if path:
        return edit
    return Unplaced(
        message=f"this suggests lines: {why}",
        span=edit.span,
        line=fence.first + 1,
        edit=edit,
        paths=paths,
        is_change=True,
    )


def without_quotations(items: list[Item]) -> list[Item]:
    """Return the items without hunks that only quote what a suggestion is for."""
    spans = {
        item.span
        for item in items
        if item.format is Format.PAIR and (isinstance(item, Malformed) or (item.target and item.search))
    }
    quotes = SpanSet(spans)
    left = [
        item for item in items if item.format is not Format.UNIFIED_DIFF or not quotes.has_around(item.span)
    ]
    ends = sorted(item.span[1] for item in left)
    return [_behind_others(item, ends) if item.span in spans else item for item in left]


def _behind_others(item: Item, ends: list[int]) -> Item:
    """Return the item of a suggestion without what another item, by one of their `ends`, has of its lines."""
    start, end = item.span
    at = bisect_left(ends, end)
    return replace(item, span=(max(start, ends[at - 1]), end)) if at else item


def _numbers_above(source: AnswerText, line: int, lower_bound: int) -> tuple[int, int] | None:
    """Return the numbers of the first and last line that the nearest words above name."""
    seen = 0
    for number in range(line - 1, lower_bound - 1, -1):
        words = source.bare(number)
        if fence_on(words) or seen == _MOST_LABELS:
            break
        seen += bool(words)
        found = {
            (int(one["first"]), int(one["last"] or one["first"])) for one in _NUMBERS.finditer(words[:1000])
        }
        if found:
            first, last = next(iter(found))
            return (first, last) if len(found) == 1 and 0 < first <= last else None
    return None


def _quotation(source: AnswerText, fence: Fence) -> tuple[Fence | None, int]:
    """Return the fence above another one that quotes its lines, and the line behind the one before it."""
    outer = outer_fences(source)
    at = bisect_right(outer, fence.first, key=lambda each: each.end)
    if not at or not outer[at - 1].closed or outer[at - 1].info.startswith("suggestion"):
        return None, 0
    between = [words for row in range(outer[at - 1].end, fence.first) if (words := source.bare(row))]
    is_quotation = outer[at - 1].kind() is FenceKind.DIFF or not between
    if not is_quotation or len(between) > _MOST_LABELS:
        return None, 0
    return outer[at - 1], outer[at - 2].end if at > 1 else 0


def _quoted(source: AnswerText, fence: Fence) -> str:
    """Return the lines that a fence quotes, of a diff those of the new file."""
    if fence.kind() is not FenceKind.DIFF:
        return code_of(source, fence)
    rows = list(lines_without_margin(source, fence))
    heads = [row for row, line in enumerate(rows, 1) if line.startswith(_HEADS)]
    lines = [line.rstrip("\r\n") for line in rows[max(heads, default=0) :] if not line.startswith("-")]
    return "".join(f"{line[1:] if line[:1] in ('+', ' ') else line}\n" for line in lines)
