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
from patchpoint.formats.fences import Fence, FenceKind, fence_on, fences, lines_without_margin
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText, Item, SpanSet
from patchpoint.text.regex import regex

_AROUND = regex(r"suggestion:-(?P<above>\d{1,3})\+(?P<below>\d{1,3})\Z")
_NUMBERS = regex(
    r"(?:[\w)`*\]]:L?|#L|\blines?\s+[+RL]?)(?P<first>\d{1,7})\b"
    r"(?:[`*]*\s*(?:-|–|—|to|and|through|until)\s*[+R]?L?(?P<last>\d{1,7})\b)?",
    re.IGNORECASE,
)
_MOST_LABELS = 3
_NO_PATH = "no path names its file; write it above, with the numbers of the lines (`src/a.py:12-14`)"
"""What is missing most often."""


def is_suggestion(label: FenceLabel) -> bool:
    """Return whether a fence is a suggestion by its name."""
    return label.language == "suggestion"


def read_suggestion(
    scan: TextScan, fence: Fence, label: FenceLabel, lower_bound: int, known_path: str
) -> Item | Unplaced:
    """Return the edit of a suggestion, what is wrong with it, or what is missing for it to be one."""
    source = scan.source
    quotation = _quotation(source, fence)
    first = fence.first
    paths = label.paths
    if quotation is not None:
        first = quotation.first
        # an edit may have been read from it, and what is above it belongs to both
        ends, _ = source.once(_by_end)
        at = bisect_right(ends, first)
        lower_bound = ends[at - 1] if at else 0
        paths = paths or label_of(scan, quotation, lower_bound).paths
    path = paths[0] if len(paths) == 1 else "" if paths else known_path
    if not fence.closed or fence.nested is not None:
        fault = "the suggestion is cut off; the end of its fence was expected"
        if fence.nested is not None:
            fault = "a fence opens inside the suggestion; a longer fence was expected around it"
        return source.malformed(fault, first, fence.end, at=fence.end - 1, path=path, origin=Format.PAIR)
    numbers = _numbers_above(source, first, lower_bound) or _numbers_above(source, fence.first, first)
    around = _AROUND.search(source.bare(fence.first))
    if around and numbers and numbers[0] == numbers[1]:
        numbers = max(1, numbers[0] - int(around["above"])), numbers[1] + int(around["below"])
    edit = Edit(
        path=path,
        operation=Operation.PLACE,
        search=_quoted(source, quotation) if quotation is not None else "",
        replace=code_of(source, fence),
        target=_target(numbers),
        format=Format.PAIR,
        span=source.span(first, fence.end),
    )
    if path:
        return edit
    why = f"two files are named for it, {' and '.join(paths[:2])}; name one on the line above"
    return Unplaced(
        message=f"this suggests lines: {why if paths else _NO_PATH}",
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


def _target(numbers: tuple[int, int] | None) -> Target:
    if numbers is None:
        return Target(TargetKind.SUGGESTED, "")
    return Target(TargetKind.SUGGESTED, str(numbers[0]), last=str(numbers[1]))


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


def _by_end(source: AnswerText) -> tuple[list[int], list[Fence]]:
    """Return the ends of all fences in order, and for each the last one to begin of those up to there."""
    ended = sorted(source.once(fences).values(), key=lambda fence: fence.end)
    latest: list[Fence] = []
    for fence in ended:
        latest.append(max(*latest[-1:], fence, key=lambda each: each.first) if latest else fence)
    return [fence.end for fence in ended], latest


def _quotation(source: AnswerText, fence: Fence) -> Fence | None:
    """Return the fence above another one that quotes its lines: a hunk, or code right above."""
    ends, latest = source.once(_by_end)
    at = bisect_right(ends, fence.first)
    if not at:
        return None
    nearest = latest[at - 1]
    between = [words for row in range(nearest.end, fence.first) if (words := source.bare(row))]
    if len(between) > _MOST_LABELS or not nearest.closed or nearest.info.startswith("suggestion"):
        return None
    return nearest if nearest.kind() is FenceKind.DIFF or not between else None


def _quoted(source: AnswerText, fence: Fence) -> str:
    """Return the lines that a fence quotes, of a diff those of the new file."""
    if fence.kind() is not FenceKind.DIFF:
        return code_of(source, fence)
    lines: list[str] = []
    for line in lines_without_margin(source, fence):
        words = line.rstrip("\r\n")
        if words.startswith(("@@", "diff ", "index ", "--- ", "+++ ", "new file", "\\ ")):
            lines = []
        elif not words.startswith("-"):
            lines.append(words[1:] if words[:1] in ("+", " ") else words)
    return "".join(f"{line}\n" for line in lines)
