"""Tool calls written out as JSON in an answer: in a fence, in tags, as JSON lines, or alone in prose."""

from __future__ import annotations

from collections.abc import Mapping

from patchpoint.edit import Format
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import FoundEdit
from patchpoint.formats.tool_calls.call import find_edits, has_only_known_keys
from patchpoint.formats.tool_calls.json_repair import end_of_brackets, extent_of_broken, repair
from patchpoint.formats.tool_calls.json_text import JsonValue, decode, places_in
from patchpoint.text.regex import regex

_KEY = regex(r"""\\?["']([\w.-]{1,40})\\?["']\s*:\s*(?:["']([\w.:-]{1,80})["']|(["'\[{])?)""")
"""A key of broken JSON: the word behind it, or else what its value begins with."""


_CUT_OFF = "the JSON of this tool call is broken or cut off; a complete object was expected"
_NEAR_START = 1000
"""Before this offset a JSON value may be the whole of an answer."""


def read_tagged_call(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the JSON behind the tag at `sign`."""
    return scan.outermost.once(_CallReader).read(scan, sign.end, trusted=True)


def read_call(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the JSON value at `sign`, or return `None` when it is no tool call."""
    trusted = scan.wanted is not None or _is_all(scan.source.text, sign.start)
    return scan.outermost.once(_CallReader).read(scan, sign.start, trusted=trusted)


def _is_all(text: str, start: int) -> bool:
    """Return whether nothing but white space is outside the value that begins at `start`."""
    return start < _NEAR_START and not text[:start].strip() and text.rstrip()[-1:] in ("}", "]")


class _CallReader:
    """Reads the calls of one text, with a limit on the work for text that only resembles JSON."""

    def __init__(self, source: AnswerText) -> None:
        self._patience = 8 * len(source.text) + 100_000

    def read(self, scan: TextScan, start: int, *, trusted: bool) -> ReadResult | None:
        """Read the JSON value that begins at offset `start`; `find_edits` explains `trusted`."""
        if self._patience < 0:
            return None
        source = scan.source
        decoded = decode(source.text, start)
        if isinstance(decoded, int):
            self._patience -= max(decoded - start, 1)
            broken = self._repaired(source, start)
            if broken is None or isinstance(broken, ReadResult):
                return broken
            decoded = broken
        found = find_edits(decoded.value, scan.read_text, trusted=trusted)
        if not found or any(not each.item.path for each in found):
            known_path = scan.path_above(source.line_of(start))
            if known_path:
                found = find_edits(decoded.value, scan.read_text, known_path=known_path, trusted=trusted)
        return ReadResult(_placed(source, decoded, found), decoded.span[1]) if found else None

    def _repaired(self, source: AnswerText, start: int) -> JsonValue | ReadResult | None:
        """Return the value of broken JSON, or what is wrong with it; `None` where it is no call."""
        text = source.text
        end = extent_of_broken(text, start)
        self._patience -= end - start
        read = {folded(key[1]): (key[2] or "", key[3] or "") for key in _KEY.finditer(text, start, end)}
        if not _is_meant_as_a_call(read) and not _carries_a_patch(text, start, end):
            return None
        self._patience -= 20 * (end - start)
        repaired = repair(text, start, end)
        closed = end_of_brackets(text, start, end) if repaired is None else end
        if closed < end:
            end, repaired = closed, repair(text, start, closed)
        is_printed = not read.keys().isdisjoint(keys.PRINTED)
        if repaired is None or is_printed or not has_only_known_keys(repaired.value):
            return source.refused(_CUT_OFF, start, end, Format.TOOL_CALL)
        return repaired


def _is_meant_as_a_call(read: Mapping[str, tuple[str, str]]) -> bool:
    """Return whether the keys of broken JSON name a file and a change of it, or a tool and its arguments."""
    names_file = not read.keys().isdisjoint((*keys.PATH, "arguments", "parameters", "args"))
    is_change = any(
        key in keys.CHANGING
        or (key in ("edits", "edit", "patch") and begins in ("[", "{"))
        or (key in ("diff", "patch", "patchtext") and (word or begins in ('"', "'", "[")))
        for key, (word, begins) in read.items()
    )
    tools = (read[key][0] for key in ("name", "tool", "toolname") if key in read)
    edits = any(word and keys.tool_of(word) in keys.OPERATIONS for word in tools)
    return (names_file and is_change) or (edits and not read.keys().isdisjoint(keys.ARGUMENTS))


def _carries_a_patch(text: str, start: int, end: int) -> bool:
    """Return whether a patch is one of the texts of JSON, or begins a line of one."""
    return any(text.find(f"{sign}*** Begin Patch\\n", start, end) >= 0 for sign in "\"'n")


def _placed(source: AnswerText, decoded: JsonValue, found: list[FoundEdit]) -> tuple[Item, ...]:
    """Return the items, each with the span of its object; of several in one, the first has the span."""
    places = {}
    if len(found) > 1 and not decoded.is_repaired:
        places = places_in(source.text, decoded, (each.owner for each in found))
    items: list[Item] = []
    reached = decoded.span[0]
    for each in found:
        start, end = places.get(id(each.owner), decoded.span)
        span = (max(start, reached), max(end, reached))
        reached = span[1]
        items.append(source.placed(each.item, span))
    return tuple(items)
