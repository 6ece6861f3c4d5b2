"""Tool calls written as tags, as models write them into a text.

Four spellings: `<invoke name="T"><parameter name="K">`, `<function=T><parameter=K>`, GLM's
`<tool_call>T<arg_key>K</arg_key><arg_value>`, and a tag for the tool with a tag for each argument, such as
`<write_to_file><path>`, in Roo Code also with several files in one call (`<args><file><path>`); and Zed's
pairs of `<old_text>` and `<new_text>`, in `<edits>` or not. A tag of an editing tool with the path as an
attribute is a call of no known tool, and is refused.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.formats.spelling import folded, words_of
from patchpoint.formats.tool_calls import keys
from patchpoint.formats.tool_calls.call import find_edits
from patchpoint.formats.tool_calls.dialects import KNOWN, is_tool
from patchpoint.text.regex import regex

_TAG = regex(
    r"""<arg_key>\s*(?P<key>[^<>]{1,80}?)\s*</arg_key>\s*<(?P<below>arg_value)>
    |<(?:[a-z]{1,8}:)?(?P<tag>[a-z_]{2,40})
    (?:(?:\s+(?P<how>name|line))?\s*=\s*["']?(?P<value>[\w.:-]{1,80})["']?[^>\n]{0,200})?\s*>""",
    re.VERBOSE,
)
"""A tag, and its one attribute: the name of a tool or of an argument, or the number of a line."""
_WITH_PATH = regex(
    r"<(?P<tag>[a-z_]{2,40})[ ](?:path|file\w*|target_?file)[ ]?=[ ]?[\"'][^<>\n]{1,400}", re.IGNORECASE
)
_CLOSING = regex(r"</(?:[a-z]{1,8}:)?([a-z_]{2,40})>")
_FILE = regex(r"\s*<path>\s*([^<>\n]{1,400}?)\s*</path>(?=\s*<diff>)")
"""The path of one of several files, above its diff."""
_PAIR = regex(
    r"(?P<old>.*?)</(?:old_text|new_text|parameter)>\s*<new_text>"
    r"(?P<new>.*?)</(?:old_text|new_text|parameter)>",
    re.DOTALL,
)
"""The text behind `<old_text>` and that of `<new_text>`: models mix up the tags that close them."""
_LINES = frozenset(
    (*keys.CONTENT, *keys.OLD, *keys.NEW, *keys.NEW_AS_WELL, "newsource", "newcode", "needle", "repl")
)
_ENTITY = regex(r"&(?:lt|gt|amp|quot|apos|#39|#x27|#34);")
_RAW = regex(r"[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#x27|#34);)")
"""What an escaped text has none of."""
_STRING = regex(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_MARKUP = words_of("""
.html .htm .xml .xhtml .svg .vue .svelte .astro .jsx .tsx .md .mdx .markdown .rst .txt .xaml .csproj .plist
.erb .ejs .hbs .jinja .j2 .php
""")
"""Files in which an entity may be what is meant."""
_ESCAPED = "Its text is taken to be escaped as in XML, for it has `&lt;` or the like and no such sign itself."
_UNKNOWN = "no known tool is called by this tag; a tag for each argument was expected, such as '<path>'"
_CUT_OFF = "this tool call is cut off; the closing tags of its arguments were expected"


def read_tags(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the call whose first tag is at `sign`, or return `None` when it is no editing tool's.

    Where an argument is itself a text of edits, the result ends before it, and only has the path of their
    file.
    """
    found = scan.once(_TagReader).read(scan, sign.start)
    if found is None:
        return _refused(scan.source, sign.start)
    return ReadResult(tuple(map(_unescaped, found.items)), found.end, found.path)


def _refused(source: AnswerText, start: int) -> ReadResult | None:
    """Return why the tag at `start` is no call, if it is named for a tool and has a path as an attribute."""
    tag = _WITH_PATH.match(source.text, start)
    if tag is None or not is_tool(tag["tag"]):
        return None
    close = source.text.find(f"</{tag['tag']}>", tag.end())
    end = source.text.find(">", max(close, tag.end())) + 1 or len(source.text)
    return source.refused(_UNKNOWN, start, len(source.text) if close < 0 else end, Format.TOOL_CALL)


class _TagReader:
    """Reads the calls of one text, of which it knows the places of all closing tags."""

    def __init__(self, source: AnswerText) -> None:
        self._source = source
        self._text = source.text
        self._closings: dict[str, list[int]] = {}
        for closing in _CLOSING.finditer(self._text):
            self._closings.setdefault(closing[1], []).append(closing.start())

    def read(self, scan: TextScan, start: int) -> ReadResult | None:
        """Read the call whose first tag is at offset `start`."""
        opening = _TAG.match(self._text, start)
        if not opening or not opening["tag"]:
            return None
        tag, name = opening["tag"], opening["value"] or ""
        if tag == "old_text" and opening["how"] != "name":
            return self._pair(opening, scan)
        if tag == "file" and not name:
            file = _FILE.match(self._text, opening.end())
            return ReadResult((), file.end(), file[1]) if file else None
        kind = tag
        if tag == "tool_call":
            name = self._text[opening.end() :].partition("\n")[0].partition("<")[0].strip()
        elif name and tag in ("invoke", "function"):
            kind = "parameter"
        else:
            name = "" if name else tag
        return self._call(scan, opening, name, kind) if is_tool(name) else None

    def _call(self, scan: TextScan, opening: re.Match[str], name: str, kind: str) -> ReadResult | None:
        """Read a call of the tool `name`."""
        start = opening.start()
        end = self._end(opening["tag"], opening.end())
        arguments = self._arguments(opening.end(), end, kind)
        if isinstance(arguments, ReadResult):
            return arguments
        if arguments == {}:
            return None
        if arguments is None:
            return self._source.refused(_CUT_OFF, start, end, Format.TOOL_CALL)
        has_path = not arguments.keys().isdisjoint(keys.PATH)
        known_path = "" if has_path else scan.path_above(self._source.line_of(start))
        found = find_edits({"name": name, "arguments": arguments}, scan.read_text, known_path=known_path)
        if not found:
            return None
        if self._text.startswith("</", end):
            end = self._text.find(">", end) + 1 or end
        items = [self._source.placed(each.item, (end, end)) for each in found]
        items[0] = self._source.placed(items[0], (start, end))
        return ReadResult(tuple(items), end)

    def _arguments(self, start: int, end: int, kind: str) -> dict[str, str] | ReadResult | None:
        """Return the arguments between two offsets, up to the first that holds edits; `None` if cut off.

        There are none where a text comes twice: those are several edits.
        """
        arguments: dict[str, str] = {}
        reached = start
        while tag := _TAG.search(self._text, reached, end):
            reached = tag.end()
            name = tag["below"] or tag["tag"]
            key = folded(self._argument(tag, kind))
            if name == "arg_key":
                return None
            if key not in KNOWN:
                continue
            if key in keys.PATCH:
                path = next((arguments[one] for one in keys.PATH if one in arguments), "")
                return ReadResult((), reached, path)
            close = self._text.find(f"</{name}>", reached, end)
            if close < 0:
                return None
            if key in arguments and key in _LINES:
                return {}
            arguments[key] = _value_of(self._text[reached:close], lines=key in _LINES)
            reached = close
        return arguments

    def _argument(self, tag: re.Match[str], kind: str) -> str:
        """Return what a tag inside of a call of some kind calls its argument; empty if it begins none."""
        name = tag["tag"]
        if kind == "tool_call":
            return tag["key"] or ""
        if kind == "parameter":
            return tag["value"] or "" if name == kind else ""
        below = self._text[tag.end() : tag.end() + 100].lstrip()
        is_container = name in ("args", "arguments") or (name == "file" and below.startswith("<path"))
        return "" if tag["key"] or tag["value"] or is_container or ":" in tag[0] else name

    def _pair(self, opening: re.Match[str], scan: TextScan) -> ReadResult:
        """Return the edit of an `<old_text>` and its `<new_text>`, whose closing tags models mix up."""
        start = opening.start()
        again = self._text.find("<old_text", opening.end())
        limit = again if again >= 0 else len(self._text)
        pair = _PAIR.match(self._text, opening.end(), limit)
        if not pair or "<new_text>" in pair["old"]:
            return self._source.refused(_CUT_OFF, start, limit, Format.TOOL_CALL)
        arguments = {f"{name}_text": _value_of(pair[name], lines=True) for name in ("old", "new")}
        arguments["old_text"] = arguments["old_text"] if arguments["old_text"].strip() else ""
        above = self._text[max(start - 200, 0) : start].rstrip()
        is_around = above.endswith("<edits>")
        line = self._source.line_of(self._text.rfind("<edits>", 0, start) if is_around else start)
        call = {"name": "edit", "arguments": {**arguments, "line": opening["value"]}}
        found = find_edits(call, scan.read_text, known_path=scan.path_above(line))
        return ReadResult((self._source.placed(found[0].item, (start, pair.end())),), pair.end())

    def _end(self, tag: str, start: int) -> int:
        """Return the end of the call opened by `tag`: its closing tag, or the opening tag of the next one."""
        closings = self._closings.get(tag, [])
        at = bisect_left(closings, start)
        end = closings[at] if at < len(closings) else len(self._text)
        again = self._text.find(f"<{tag}", start, end)
        return again if again >= 0 else end


def _value_of(raw: str, *, lines: bool) -> str:
    """Return an argument as it is meant: written as a block, the line endings next to its tags are layout.

    The last line of a block keeps its ending where the argument is made of `lines`.
    """
    bare = raw.strip()
    if bare.startswith("<![CDATA[") and bare.endswith("]]>"):
        raw = bare[len("<![CDATA[") : -len("]]>")]
    first, newline, value = raw.partition("\n")
    if not lines:
        return raw.strip()
    if not newline or first.strip():
        return raw
    last_line = value[value.rfind("\n") + 1 :]
    return value if last_line.strip() else value[: len(value) - len(last_line)]


def _unescaped(item: Item) -> Item:
    """Return an edit with its new text unescaped, in doubt, where that is escaped and quotes nothing that is.

    Of one that quotes such a text, the file shows how that is meant.
    """
    if not isinstance(item, Edit) or item.path.lower().endswith(_MARKUP):
        return item
    quoted = f"{item.search}{item.before}{item.after}"
    new = f"{item.replace}{item.content or ''}"
    if _ENTITY.search(quoted) or not _ENTITY.search(_STRING.sub("", new)) or _RAW.search(quoted + new):
        return item
    content = html.unescape(item.content) if item.content is not None else None
    doubt = item.doubt or _ESCAPED
    return replace(item, replace=html.unescape(item.replace), content=content, doubt=doubt)
