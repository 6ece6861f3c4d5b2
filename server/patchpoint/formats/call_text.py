"""Tool calls written out as JSON in an answer: in a fence, in tags, as JSON lines, or alone in prose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from patchpoint.edit import Edit, Format, Malformed
from patchpoint.formats import json_text
from patchpoint.formats.json_text import Decoded, Object
from patchpoint.formats.source import Item, Reading, Source
from patchpoint.formats.tool_call import Found, ReadText, find_edits, has_only_known_keys
from patchpoint.text.lines import Span

_KEY = r"""\\?["'](?:{})\\?["']\s*:"""
_NAMES_A_FILE = re.compile(
    _KEY.format(r"(?:(?:file|target|absolute|relative)_?)?(?:path|file|uri|filename)|arguments|parameters"),
    re.IGNORECASE,
)
_NAMES_A_CHANGE = re.compile(
    _KEY.format(
        r"(?:old|new)_?(?:str|string|text|content|code)|replacements?|replace|file_?text|insert_?line"
    ),
    re.IGNORECASE,
)


class CallReader:
    """Reads the calls of one text, with a limit on the work that mere look-alikes of JSON cause."""

    def __init__(self, length: int, read_text: ReadText) -> None:
        """For a text of `length` characters; `read_text` reads what stands inside an argument."""
        self._read_text = read_text
        self._patience = 8 * length + 100_000

    def read(
        self, source: Source, start: int, path_above: Callable[[int], str], *, trusted: bool
    ) -> Reading | None:
        """The edits of the JSON value that begins at offset `start`, or `None` when it is no tool call.

        `path_above` answers the path that a call without one means, by its line; `find_edits` explains
        `trusted`.
        """
        if self._patience < 0:
            return None
        text = source.text
        decoded = json_text.decode(text, start)
        if isinstance(decoded, int):
            self._patience -= decoded
            end = json_text.extent_of_broken(text, start)
            self._patience -= end - start
            if not (_NAMES_A_FILE.search(text, start, end) and _NAMES_A_CHANGE.search(text, start, end)):
                return None
            self._patience -= 20 * (end - start)
            repaired = json_text.repair(text, start, end)
            if repaired is None or not has_only_known_keys(repaired.value):
                return _cut_off(source, start, end)
            decoded = repaired
        found = find_edits(decoded.value, self._read_text, trusted=trusted)
        if not found or any(not each.item.path for each in found):
            known = path_above(source.line_of(start))
            if known:
                found = find_edits(decoded.value, self._read_text, known=known, trusted=trusted)
        return Reading(_placed(source, decoded, found), decoded.span[1]) if found else None


def _cut_off(source: Source, start: int, end: int) -> Reading:
    span = (start, start + len(source.text[start:end].rstrip()))
    message = "the JSON of this tool call is broken or cut off; a complete object was expected"
    line = source.line_of(start) + 1
    return Reading((Malformed(message=message, span=span, line=line, format=Format.TOOL_CALL),), span[1])


def _placed(source: Source, decoded: Decoded, found: list[Found]) -> tuple[Item, ...]:
    """The items, each with the span of the object that asks for it; the first of several has it all."""
    spans: list[Span] = []
    if len(found) > 1 and not decoded.repaired:
        spans = json_text.object_spans(source.text, decoded.span)
    items: list[Item] = []
    reached = decoded.span[0]
    for each in found:
        order = each.owner.order if isinstance(each.owner, Object) else -1
        start, end = spans[order] if 0 <= order < len(spans) else decoded.span
        span = (max(start, reached), max(end, reached))
        reached = span[1]
        line = source.line_of(span[0]) + 1
        item = each.item
        items.append(
            replace(item, span=span) if isinstance(item, Edit) else replace(item, span=span, line=line)
        )
    return tuple(items)
