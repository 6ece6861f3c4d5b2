"""Tool calls written as tags, as models write them into a text.

Three spellings: `<invoke name="T"><parameter name="K">`, `<function=T><parameter=K>`, and a tag for the tool
with a tag for each argument, such as `<write_to_file><path>`, in Roo Code also with several files in one call
(`<args><file><path>`); and Zed's pairs of `<old_text>` and `<new_text>`, in `<edits>` or not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.signs import SignPattern
from patchpoint.formats.source import ReadResult
from patchpoint.formats.tool_calls import keys
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.formats.scan import TextScan
    from patchpoint.formats.signs import Sign
    from patchpoint.formats.source import AnswerText, Item
    from patchpoint.text.lines import Span


_CALL = regex(
    r"""<(?:[a-z]{1,8}:)?(?:
        (?P<invoke>invoke)\s+name\s*=\s*["'](?P<invoked>[\w.:-]{1,80})["'][^>\n]{0,200}>
        |(?P<function>function)\s*=\s*["']?(?P<called>[\w.:-]{1,80})["']?\s*>
        |(?P<old>old_text)(?:\s+line\s*=\s*["']?(?P<line>\d{1,9})["']?)?\s*>
        |file>\s*<path>(?P<file>[^<>\n]{1,400})</path>(?=\s*<diff>)
        |(?P<tool>[a-z_]{3,40})>
    )""",
    re.VERBOSE,
)
_PARAMETER = regex(
    r"""<(?:[a-z]{1,8}:)?(?P<tag>parameter)(?:\s+name)?\s*=\s*["']?(?P<key>[\w-]{1,60})["']?[^>\n]{0,100}>"""
)
_ARGUMENT = regex(r"<(?P<tag>(?P<key>[a-z_]{2,40}))>")
_CLOSING = regex(r"</[\w:]{1,60}>")
_CONTAINER = regex(r"<(?:args|file>\s*<path)>")
"""A tag around arguments; `<file>` alone is an argument of its own."""
_BLOCK = regex(r"[ \t]*\r?\n")
_LINES = frozenset((*keys.CONTENT, *keys.OLD, *keys.NEW, "newsource", "newcode", "needle", "repl"))


TAG_SIGN = SignPattern(
    name="tag",
    pattern=r"<(?=(?:[a-z]{1,8}:)?(?:invoke\b|function[ ]*=|old_text\b|[a-z]+_[a-z_]+>|write>|edit>|file>))",
    first="<",
    prefix="<[a-z]",
)
"""The first tag of a call."""


def read_tags(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the call whose first tag is at `sign`, or return `None` when it is no editing tool's.

    Where an argument is itself a text of edits, the result ends before it, and only has the path of their
    file.
    """
    return scan.once(_TagReader).read(scan, sign.start)


class _TagReader:
    """Reads the calls of one text, and remembers the places of closing tags, so that none is sought twice."""

    def __init__(self, source: AnswerText) -> None:
        self._source = source
        self._text = source.text
        self._closings: dict[str, Span] = {}

    def read(self, scan: TextScan, start: int) -> ReadResult | None:
        """Read the call whose first tag is at offset `start`."""
        call = _CALL.match(self._text, start)
        if not call:
            return None
        if call["old"]:
            return self._pair(call, scan)
        if call["file"]:
            return ReadResult((), call.end(), call["file"].strip())
        name = call["invoked"] or call["called"] or call["tool"]
        if keys.tool_of(name) not in keys.OPERATIONS and not keys.tool_of(name).endswith(keys.PLACING):
            return None
        end = self._end(call["invoke"] or call["function"] or call["tool"], call.end())
        arguments = self._arguments(call.end(), end, _ARGUMENT if call["tool"] else _PARAMETER)
        if isinstance(arguments, ReadResult):
            return arguments
        if arguments is None:
            return self._cut_off(start, end)
        value = {"name": name, "arguments": arguments}
        known_path = (
            "" if any(key in arguments for key in keys.PATH) else scan.path_above(self._source.line_of(start))
        )
        from patchpoint.formats.tool_calls.call import find_edits

        found = find_edits(value, scan.read_text, known_path=known_path)
        if not found:
            return None
        closing = _CLOSING.match(self._text, end)
        span = (start, closing.end() if closing else end)
        items = [self._placed(found[0].item, span)]
        items += [self._placed(each.item, (span[1], span[1])) for each in found[1:]]
        return ReadResult(tuple(items), span[1])

    def _arguments(
        self, start: int, end: int, pattern: re.Pattern[str]
    ) -> dict[str, str] | ReadResult | None:
        """Return the arguments between two offsets, up to the first that holds edits; `None` if cut off."""
        from patchpoint.formats.spelling import folded

        arguments: dict[str, str] = {}
        reached = start
        while tag := pattern.search(self._text, reached, end):
            reached = tag.end()
            if _CONTAINER.match(self._text, tag.start()):
                continue
            key = folded(tag["key"])
            if key not in keys.KNOWN:
                continue
            if key in keys.PATCH:
                return ReadResult(
                    (), reached, next((arguments[name] for name in keys.PATH if name in arguments), "")
                )
            close = self._text.find(f"</{tag['tag']}>", reached, end)
            if close < 0:
                return None
            arguments[key] = _value(self._text[reached:close], lines=key in _LINES)
            reached = close
        return arguments

    def _pair(self, call: re.Match[str], scan: TextScan) -> ReadResult:
        """Return the edit of an `<old_text>` and its `<new_text>`, whose closing tags models mix up."""
        start = call.start()
        middle = re.compile(r"</(?:old_text|new_text|parameter)>\s*<new_text>").search(self._text, call.end())
        again = self._text.find("<old_text", call.end(), middle.end() if middle else len(self._text))
        closing = middle and re.compile(r"</(?:new_text|old_text|parameter)>").search(
            self._text, middle.end()
        )
        if not middle or not closing or again >= 0:
            return self._cut_off(start, again if again >= 0 else len(self._text))
        span = (start, closing.end())
        path = scan.path_above(self._first_line(self._source.line_of(start), scan.lower_bound))
        if not path:
            return self._refused(span, "no file is named for this edit; its path was expected above it")
        search = _value(self._text[call.end() : middle.start()], lines=True)
        new = _value(self._text[middle.end() : closing.start()], lines=True)
        edit = Edit(path=path, search=search, replace=new, format=Format.TOOL_CALL, span=span)
        if not search.strip():
            edit = replace(edit, operation=Operation.CREATE, search="", replace="", content=new)
        elif call["line"]:
            edit = replace(edit, line=int(call["line"]) or None)
        return ReadResult((edit,), span[1])

    def _first_line(self, line: int, lower_bound: int) -> int:
        """Return the line of the tag around the pairs of old and new text, above `line`; else `line`."""
        above = line
        while above > lower_bound and not self._source.bare(above - 1):
            above -= 1
        return above - 1 if above > lower_bound and self._source.bare(above - 1) == "<edits>" else line

    def _end(self, tag: str, start: int) -> int:
        """Return the end of the call opened by `tag`: its closing tag, or the opening tag of the next one."""
        sought, found = self._closings.get(tag, (len(self._text) + 1, 0))
        if start < sought or 0 <= found < start:
            closing = re.compile(rf"</(?:[a-z]{{1,8}}:)?{re.escape(tag)}>").search(self._text, start)
            found = closing.start() if closing else -1
            self._closings[tag] = (start, found)
        end = found if found >= 0 else len(self._text)
        again = self._text.find(f"<{tag}", start, end)
        return again if again >= 0 else end

    def _placed(self, item: Item, span: Span) -> Item:
        if isinstance(item, Malformed):
            return replace(item, span=span, line=self._source.line_of(span[0]) + 1)
        return replace(item, span=span)

    def _cut_off(self, start: int, end: int) -> ReadResult:
        span = (start, start + len(self._text[start:end].rstrip()))
        return self._refused(
            span, "this tool call is cut off; the closing tags of its arguments were expected"
        )

    def _refused(self, span: Span, message: str) -> ReadResult:
        line = self._source.line_of(span[0]) + 1
        return ReadResult(
            (Malformed(message=message, span=span, line=line, format=Format.TOOL_CALL),), span[1]
        )


def _value(raw: str, *, lines: bool) -> str:
    """Return an argument as it is meant: written as a block, the line endings next to its tags are layout.

    The last line of a block keeps its ending where the argument is made of `lines`.
    """
    block = _BLOCK.match(raw)
    if not block:
        return raw if lines else raw.strip()
    if not lines:
        return raw.strip()
    value = raw[block.end() :]
    last_line = value[value.rfind("\n") + 1 :]
    return value if last_line.strip() else value[: len(value) - len(last_line)]
