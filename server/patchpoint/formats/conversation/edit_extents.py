"""Where the edits of a text are that need no fence: blocks, patches, tags and here-documents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_TAGS = "content|file_text|new_str|old_str|new_string|old_string|search|replace|diff|parameter|arg_value"
_EDIT_PART = regex(
    rf"""\n[ \t]*(?=[<>*])
    (?:(?P<block><{{5,9}}[ ]?[^<\r\n]{{0,80}}$)|(?P<block_end>>{{5,9}}[ ]?[^>\r\n]{{0,80}}$)
    |(?P<patch>\*\*\*[ ]Begin[ ]Patch)|(?P<patch_end>\*\*\*[ ]End[ ]Patch)
    |<(?P<tag>{_TAGS})\b[^<>\r\n]{{0,120}}>(?![^\r\n]*</(?P=tag)>))""",
    re.MULTILINE | re.VERBOSE,
)
_TAG_END = regex(rf"</(?P<tag_end>{_TAGS})>")
_HERE_DOCUMENT = regex(r"<<-?[ ]?(?:(['\"])(\w+)\1|([A-Z][A-Z_]{1,20})\b)[^\n]*\n")
_MOST_WORDS = 30
"""The number of words of here-documents without an end after which no further one is looked for."""


class EditExtents:
    """The edits of a text that need no fence, and where one begins that never ends."""

    def __init__(self, text: str) -> None:
        self.first_endless = len(text)
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted((*self._parts(text), *self._here_documents(text))):
            if not self._ends or end > self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)

    def hold(self, place: int) -> bool:
        """Return whether a place is inside an edit that ends."""
        number = bisect_right(self._starts, place) - 1
        return number >= 0 and place < self._ends[number]

    def _parts(self, text: str) -> Iterator[Span]:
        """Yield blocks, patches and the contents of tags that end before another of their kind begins."""
        begun: dict[str, int] = {}
        parts = (*_EDIT_PART.finditer("\n" + text), *_TAG_END.finditer("\n" + text))
        for found in sorted(parts, key=re.Match.start):
            role = found.lastgroup or ""
            kind = found[role] if role.startswith("tag") else role.removesuffix("_end")
            if not role.endswith("_end"):
                self._note_endless(begun.get(kind))
                begun[kind] = found.end() - 1
            elif kind in begun:
                yield begun.pop(kind), found.start()
        for start in begun.values():
            self._note_endless(start)

    def _here_documents(self, text: str) -> Iterator[Span]:
        endless: set[str] = set()
        reached = 0
        for found in _HERE_DOCUMENT.finditer(text):
            word = found[2] or found[3]
            if found.start() < reached or word in endless or len(endless) > _MOST_WORDS:
                continue
            end = re.compile(rf"^[ \t]*{word}\r?$", re.MULTILINE).search(text, found.end())
            if end:
                reached = end.start()
                yield found.end(), reached
            else:
                self._note_endless(found.end())
                endless.add(word)

    def _note_endless(self, start: int | None) -> None:
        if start is not None:
            self.first_endless = min(self.first_endless, start)
