"""Tool calls in tags that no tool writes and models do: each tag an argument, each attribute one, too.

    <tool_call>                                    <edit file="src/app.py">
    <name>str_replace</name>                       <search>...</search>
    <path>src/app.py</path>                        <replace>...</replace>
    <old_str>...</old_str>                         </edit>
    <new_str>...</new_str>
    </tool_call>                                   <create_file path="a.txt">the text</create_file>

Between the tags of a call is nothing but white space: so no page is taken for one. Each of several edits of a
file may have a tag of its own, or two after another. What is read is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import Item, ReadResult
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.arguments import Fields, decoded, first_text, folded_fields
from patchpoint.formats.tool_calls.call import find_edits
from patchpoint.formats.tool_calls.dialects import KNOWN, is_tool
from patchpoint.formats.tool_calls.markup import value_of
from patchpoint.text.regex import regex

_TAG = regex(
    r"""\s*(?:<!--(?:[^-]|-(?!->)){0,400}-->\s*)?<(?P<tag>[A-Za-z_]{2,40})"""
    r"""(?P<attributes>(?:\s+[\w:-]{1,40}\s*=\s*(?:"[^"\n]{0,400}"|'[^'\n]{0,400}')){0,6})\s*(?P<is_all>/?)>"""
)
"""A tag, with white space or a comment before it."""
_ATTRIBUTES = regex(r"""([\w:-]+)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')""")
_CDATA = regex(r"\s*<!\[CDATA\[")
_TEXTS = frozenset((*keys.OLD, *keys.NEW, *keys.NEW_AS_WELL, *keys.CONTENT, "before", "after"))
_VALUES = _TEXTS.union(
    keys.PATH, keys.TOOL, keys.OPERATION, keys.LINE, keys.ALL, keys.EXPLANATION, keys.SOURCE,
    keys.DESTINATION, keys.FIRST, keys.LAST, keys.PARTIAL,
)  # fmt: skip
"""Arguments that hold a value and no tags."""
_PAIRS = ((keys.OLD, (*keys.NEW, *keys.NEW_AS_WELL)), (("before",), ("after",)))
_WHOLE = ("content", "contents", "filecontent", "code", "text", "body")
_MAKING = (Operation.CREATE, Operation.WRITE)
_LOOSE = "No tool is known that is called by these tags."
_CUT_OFF = "this tool call is cut off; the closing tag was expected"


def read_loose_tags(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the call whose first tag is at `sign`, or return `None` when it is no editing tool's."""
    text, start = scan.source.text, sign.start
    opening = _TAG.match(text, start)
    if opening is None:
        return None
    tag, own = opening["tag"], _attributes(opening)
    end = opening.end() if opening["is_all"] else _end_of(text, tag, opening.end())
    if end < 0:
        is_call = bool(first_text(own, keys.PATH)) and is_tool(tag)
        return scan.source.refused(_CUT_OFF, start, len(text), Format.TOOL_CALL) if is_call else None
    calls = list(_calls(tag, own, text[opening.end() : end]))
    has_path = bool(calls) and all(first_text(each, keys.PATH) for each in calls)
    known_path = "" if has_path else scan.path_above(scan.source.line_of(start))
    found: list[Item] = []
    for fields in calls:
        call = {"name": fields.get("\0tool"), "arguments": {k: v for k, v in fields.items() if k != "\0tool"}}
        found += [each.item for each in find_edits(call, scan.read_text, known_path=known_path)]
    if not found:
        return None
    end = end if opening["is_all"] else text.index(">", end) + 1
    items = [scan.source.placed(_in_doubt(item), (end, end)) for item in found]
    items[0] = scan.source.placed(items[0], (start, end))
    return ReadResult(tuple(items), end)


def _calls(tag: str, own: Fields, body: str) -> Iterator[Fields]:
    """Yield the arguments of each call in a tag, with the name of the tool."""
    groups = _groups(body, own) if body.strip() else [dict(own)]
    is_file = folded(tag) == "file"
    is_whole = is_file or keys.OPERATIONS.get(keys.tool_of(tag)) in _MAKING
    if groups is None and first_text(own, keys.PATH) and (is_whole or not own.keys().isdisjoint(keys.LAST)):
        groups = [{**own, "content": value_of(body, lines=True)}]
    for fields in groups or ():
        named = _tool_of(tag, fields)
        if is_tool(named):
            yield {**{key: value for key, value in fields.items() if key not in keys.TOOL}, "\0tool": named}


def _tool_of(tag: str, fields: Fields) -> str:
    """Return the tool of a call, by its name, its tag or its arguments."""
    named = next((str(fields[key]) for key in keys.TOOL if key in fields), tag)
    is_pair = any(all(not fields.keys().isdisjoint(some) for some in pair) for pair in _PAIRS)
    if is_pair and not is_tool(named) and keys.tool_of(named) not in keys.VIEWING:
        return "edit"
    is_file = folded(tag) == "file" and not fields.keys().isdisjoint(_WHOLE)
    return "write_file" if is_file and not is_pair else named


def _groups(body: str, own: Fields) -> list[dict[str, Any]] | None:
    """Return the arguments of each of the calls whose tags are all of a text; `None` if there is more in it.

    `own` are those that all of them have. A tag that comes a second time begins another one.
    """
    common, groups = dict(own), []
    current: dict[str, Any] = {}
    at = 0
    while opening := _TAG.match(body, at):
        inner = _attributes(opening)
        tag = opening["tag"]
        key = folded(str(inner.pop("name", ""))) if tag == "parameter" else folded(tag)
        end = _end_of(body, tag, opening.end())
        if end < 0 or (key not in KNOWN and not is_tool(tag)):
            return None
        content = body[opening.end() : end]
        at = body.index(">", end) + 1
        if key in _VALUES and not (key == "file" and content.lstrip().startswith("<path")):
            value = value_of(content, lines=key in _TEXTS)
            if key in current:
                groups.append(current)
                current = {}
            (current if key in _TEXTS else common)[key] = value
            continue
        data = decoded(content)
        nested = [folded_fields(data)] if isinstance(data, dict) else _groups(content, inner)
        if nested is None:
            return None
        if key in keys.ARGUMENTS and len(nested) == 1:
            current.update(nested[0])
        else:
            groups += nested
    if body[at:].strip():
        return None
    groups += [current] if current else []
    return [{**common, **each} for each in groups] or ([common] if len(common) > len(own) else None)


def _attributes(opening: re.Match[str]) -> dict[str, Any]:
    """Return the attributes of a tag by their folded names."""
    found = _ATTRIBUTES.findall(opening["attributes"])
    return {folded(key): double or single for key, double, single in found}


def _end_of(text: str, tag: str, start: int) -> int:
    """Return where the closing tag is, -1 if there is none; a text that is no markup may have it, too."""
    inside = text.find("]]>", start) if _CDATA.match(text, start) else start
    return text.find(f"</{tag}>", inside) if inside >= 0 else -1


def _in_doubt(item: Item) -> Item:
    return replace(item, doubt=item.doubt or _LOOSE) if isinstance(item, Edit) else item
