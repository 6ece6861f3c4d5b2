"""What is left of a change that a person keeps in part: each hunk that was dropped, as an edit by itself."""

from __future__ import annotations

from collections.abc import Collection

from patchpoint.dataclass import dataclass
from patchpoint.review.hunks import hunks_of, without_hunks
from patchpoint.text.lines import split_at_line_feeds
from patchpoint.text.unified_diff import CONTEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOver:
    """A dropped hunk: lines of the text that is kept, and what they would be with the hunk."""

    search: str
    replace: str
    line: int
    """The line of the text that is kept, from 1, on which `search` begins."""


def left_over(path: str, before: str, after: str, dropped: Collection[str]) -> dict[str, LeftOver]:
    """Return, by id, the dropped hunks of a change as edits of the text that is left without them.

    A hunk with nothing but blank lines around it, which no edit could quote, is not among them. Raises
    `HunkMovedError` when one of `dropped` is not a hunk of the two texts.
    """
    lines = split_at_line_feeds(without_hunks(path, before, after, dropped))
    found = {}
    shift = 0
    for hunk in hunks_of(path, before, after):
        if hunk.id not in dropped:
            shift += (hunk.new[1] - hunk.new[0]) - (hunk.old[1] - hunk.old[0])
            continue
        start, end = hunk.old[0] + shift, hunk.old[1] + shift
        first, last = max(start - CONTEXT, 0), min(end + CONTEXT, len(lines))
        search = "".join(lines[first:last])
        if search.strip():
            replace = "".join((*lines[first:start], hunk.added, *lines[end:last]))
            found[hunk.id] = LeftOver(search=search, replace=replace, line=first + 1)
    return found
