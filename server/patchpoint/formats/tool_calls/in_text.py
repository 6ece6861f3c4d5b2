"""Tool calls written out as JSON in an answer: in a fence, in tags, as JSON lines, or alone in prose."""

from __future__ import annotations

import json

from patchpoint.edit import Format
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import NUMBERED, Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import FoundEdit
from patchpoint.formats.tool_calls.call import find_edits
from patchpoint.formats.tool_calls.dialects import KNOWN
from patchpoint.formats.tool_calls.json_text import JsonValue, decode, places_in
from patchpoint.text.regex import regex

_KEY = regex(r"""\\?["']([\w.-]{1,40})\\?["']\s*:\s*\\?["'\[{](?:([\w.:-]{1,80})["'])?""")
"""A key of broken JSON whose value is quoted or in brackets, and the word that is its value."""
_STRING = regex(r'"(?:[^"\\]|\\.)*"')
_NO_WORD = regex(r"""\\[nrt]|[\s"'\\,:{}()\[\]]""")
_ENDS = (regex(r"\n(?:```|~~~)|</"), regex(r"\n[ \t]*\r?\n"))
"""What is behind broken JSON: the end of its fence or tag, or a blank line."""
_CUT_OFF = "the JSON of this tool call is broken or cut off; a complete object was expected"
_NUMBERED = (
    "this patch names lines by their numbers and the file by a tag, so that nothing shows which lines are "
    "meant; the lines to replace were expected"
)


def read_tagged_call(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the JSON behind the tag at `sign`."""
    return scan.outermost.once(_CallReader).read(scan, sign.end, trusted=True)


def read_call(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the JSON value at `sign`, or return `None` when it is no tool call."""
    text = scan.source.text
    is_all = sign.start < 1000 and not text[: sign.start].strip() and text.rstrip()[-1:] in ("}", "]")
    trusted = scan.wanted is not None or is_all
    return scan.outermost.once(_CallReader).read(scan, sign.start, trusted=trusted)


def read_numbered_patch(scan: TextScan, sign: Sign) -> ReadResult:
    """Refuse the section whose head is at `sign`: it names lines by numbers and their file by a tag.

    It is the newer form of hashline editing: `[PATH#TAG]`, and operations such as `SWAP 3.=4:`, `DEL 9.=9`.
    """
    source = scan.source
    first = source.line_of(sign.start)
    end = first + 1
    while end < len(source.lines) and source.bare(end).startswith(("+", *NUMBERED)):
        end += 1
    path = source.text[sign.start + 1 : sign.end].partition("#")[0]
    item = source.malformed(_NUMBERED, first, end, path=path, origin=Format.TOOL_CALL)
    return ReadResult((item,), source.span(first, end)[1])


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
        limit = min(start + 200_000, len(text))
        ends = [found.start() for end in _ENDS if (found := end.search(text, start, limit))]
        ends = ends or [len(text)]
        end = ends[0]
        self._patience -= end - start
        read = {folded(key[1]): key[2] or "" for key in _KEY.finditer(text, start, end)}
        if not _is_meant_as_a_call(read) and text.find("*** Begin Patch\\n", start, end) < 0:
            return None
        self._patience -= 20 * (end - start)
        is_printed = not read.keys().isdisjoint(keys.PRINTED)
        values = [repaired for one in ends if not is_printed and (repaired := _repair(text, start, one))]
        return values[0] if values else source.refused(_CUT_OFF, start, end, Format.TOOL_CALL)


def _is_meant_as_a_call(read: dict[str, str]) -> bool:
    """Return whether the keys of broken JSON name a file and a change of it, or a tool and its arguments."""
    names_file = not read.keys().isdisjoint((*keys.PATH, *keys.ARGUMENTS))
    edits = any(keys.tool_of(read.get(key, "")) in keys.OPERATIONS for key in keys.TOOL)
    is_call = edits and not read.keys().isdisjoint(keys.ARGUMENTS)
    return is_call or (names_file and not read.keys().isdisjoint(keys.CHANGING))


def _repair(text: str, start: int, end: int) -> JsonValue | None:
    """Return the value of the slightly broken JSON between `start` and `end`, or `None` if it is uncertain.

    Only a value that begins and ends as JSON does is repaired: one that is cut off might lack what matters.
    No word of it may be lost; its texts must be whole and quoted in it, and its keys those of calls.
    """
    broken = text[start:end].rstrip()
    if broken[-1:] not in ("}", "]"):
        return None
    import json_repair  # slow to import, and seldom needed

    try:
        # Without `stream_stable` the white space at the end of every string is dropped.
        value = json_repair.loads(broken, skip_json_loads=True, stream_stable=True)
        plain = json.dumps(value, ensure_ascii=False)
        pairs: list[tuple[str, object]] = []
        json.loads(plain, object_pairs_hook=pairs.extend)
    except (RecursionError, ValueError, TypeError, IndexError):
        return None
    texts = ((one[1:-1], json.loads(one)) for one in _STRING.findall(plain))
    is_whole = _words(broken) == _words(plain) and all(
        any(f"{quote}{spelling}{quote}" in broken for quote in "\"'" for spelling in spellings)
        for spellings in texts
    )
    is_call = isinstance(value, (dict, list)) and all(folded(key) in KNOWN for key, _ in pairs)
    return JsonValue(value, (start, start + len(broken)), is_repaired=True) if is_whole and is_call else None


def _words(text: str) -> str:
    return _NO_WORD.sub("", text).replace("None", "null").replace("True", "true").replace("False", "false")


def _placed(source: AnswerText, decoded: JsonValue, found: list[FoundEdit]) -> tuple[Item, ...]:
    """Return the items, each with the span of its object; of several in one, the first has the span."""
    places = {}
    if len(found) > 1 and not decoded.is_repaired:
        places = places_in(source.text, decoded, (each.owner for each in found))
    items: list[Item] = []
    reached = decoded.span[0]
    for each in found:
        start, end = places.get(id(each.owner), decoded.span)
        items.append(source.placed(each.item, (max(start, reached), max(end, reached))))
        reached = items[-1].span[1]
    return tuple(items)
