"""Where the edits of a text are that need no fence: blocks, patches, tags and here-documents."""

from __future__ import annotations

import re
from bisect import bisect_right

from patchpoint.text.regex import regex

_TAGS = "content|file_text|new_str|old_str|new_string|old_string|search|replace|diff|parameter|arg_value"
_BEGINNING = regex(
    rf"""^[ \t]*(?:(?P<block><{{5,9}}[ ]?[^<\r\n]{{0,80}}$)|(?P<patch>\*\*\*[ ]Begin[ ]Patch)
    |<(?P<tag>{_TAGS})\b[^<>\r\n]{{0,120}}>(?![^\r\n]*</(?P=tag)>))
    |<<-?[ ]?(?P<sign>['"]?)(?P<here>(?(sign)\w+|[A-Z][A-Z_]{{1,20}}\b))(?P=sign)[^\n]*\n""",
    re.MULTILINE | re.VERBOSE,
)
_ENDS = {
    "block": r"^[ \t]*(?:>{{5,9}}|(?P<again><{{5,9}}))[ ]?[^<>\r\n]{{0,80}}$",
    "patch": r"^[ \t]*\*\*\* End Patch",
    "tag": "</{}>",
    "here": r"^[ \t]*{}\r?$",
}
"""What ends an edit, by how it begins; a block does not where the next one begins first."""
_MOST_ENDLESS = 30
"""The number of edits without an end after which no further one is looked for."""


class EditExtents:
    """The edits of a text that need no fence, and where one begins that never ends."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        endless: list[int] = []
        reached = 0
        while len(endless) <= _MOST_ENDLESS and (found := _BEGINNING.search(text, reached)):
            kind = next(kind for kind in _ENDS if found[kind])
            end = re.compile(_ENDS[kind].format(found[kind]), re.MULTILINE).search(text, found.end())
            if end and not end.groupdict().get("again"):
                self._starts.append(found.end())
                self._ends.append(end.start())
                reached = end.start()
            else:
                endless.append(found.end())
                reached = found.end()
        self.first_endless = min(endless, default=len(text))

    def hold(self, place: int) -> bool:
        """Return whether a place is inside an edit that ends."""
        number = bisect_right(self._starts, place) - 1
        return number >= 0 and place < self._ends[number]
