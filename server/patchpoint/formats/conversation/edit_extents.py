"""Where the edits of a text are that need no fence: blocks, patches, tags and here-documents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_TAGS = "content|file_text|new_str|old_str|new_string|old_string|search|replace|diff|parameter|arg_value"
_PARTS = regex(
    rf"""^[ \t]*(?:(?P<block><{{5,9}}[ ]?[^<\r\n]{{0,80}}$)|(?P<block_end>>{{5,9}}[ ]?[^>\r\n]{{0,80}}$)
    |(?P<patch>\*\*\*[ ]Begin[ ]Patch)|(?P<patch_end>\*\*\*[ ]End[ ]Patch)
    |<(?P<tag>{_TAGS})\b[^<>\r\n]{{0,120}}>(?![^\r\n]*</(?P=tag)>))
    |</(?P<tag_end>{_TAGS})>""",
    re.MULTILINE | re.VERBOSE,
)
_HERE_DOCUMENT = regex(r"<<-?[ ]?(?:(['\"])(\w+)\1|([A-Z][A-Z_]{1,20})\b)[^\n]*\n")
_MOST_WORDS = 30
"""The number of words of here-documents without an end after which no further one is looked for."""


class EditExtents:
    """The edits of a text that need no fence, and where one begins that never ends."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        endless: list[int] = [len(text)]
        for start, end in sorted((*_parts(text, endless), *_here_documents(text, endless))):
            if not self._ends or end > self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)
        self.first_endless = min(endless)

    def hold(self, place: int) -> bool:
        """Return whether a place is inside an edit that ends."""
        number = bisect_right(self._starts, place) - 1
        return number >= 0 and place < self._ends[number]


def _parts(text: str, endless: list[int]) -> Iterator[Span]:
    """Yield blocks, patches and the contents of tags; add those that never end to `endless`."""
    begun: dict[str, int] = {}
    for found in _PARTS.finditer(text):
        role = found.lastgroup or ""
        kind = found[role] if role.startswith("tag") else role.removesuffix("_end")
        if not role.endswith("_end"):
            endless += [begun[kind]] if kind in begun else []
            begun[kind] = found.end()
        elif kind in begun:
            yield begun.pop(kind), found.start()
    endless += begun.values()


def _here_documents(text: str, endless: list[int]) -> Iterator[Span]:
    """Yield here-documents; add those without an end to `endless`."""
    words: set[str] = set()
    reached = 0
    for found in _HERE_DOCUMENT.finditer(text):
        word = found[2] or found[3]
        if found.start() >= reached and word not in words and len(words) <= _MOST_WORDS:
            end = re.compile(rf"^[ \t]*{word}\r?$", re.MULTILINE).search(text, found.end())
            if end:
                reached = end.start()
                yield found.end(), reached
            else:
                endless.append(found.end())
                words.add(word)
