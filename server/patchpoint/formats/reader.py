"""Reads one text from sign to sign, and hands each place to the format whose sign stands there."""

from __future__ import annotations

import re

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats import anchors, envelope, search_replace, shell_patch, unified_diff, whole_file
from patchpoint.formats.call_text import CallReader
from patchpoint.formats.fences import Fence, fences
from patchpoint.formats.labels import paths_above
from patchpoint.formats.markers import Block, Kind, blocks
from patchpoint.formats.signs import Beginning, Sign, signs
from patchpoint.formats.source import Item, Reading, Source
from patchpoint.formats.tool_tags import TagReader

AUTO = "auto"
"""The name under which every format is looked for."""

_NEAR_START = 1000
"""Before this offset a JSON value may be the whole of an answer."""

_DEEPEST = 8
"""How many margins, one inside the other, are taken away."""

_CALL_SIGNS = ('path"', 'Path"', 'file"', 'uri"', "path'", "Path'", "_patch", "applypatch", '"edits')
"""One of these stands in every call that can be read."""


def read_items(text: str, wanted: str, path: str, *, script: bool = False) -> list[Item]:
    """Everything in `text` that is meant as an edit in the format `wanted` (or in any), in reading order.

    `path` is the file that an edit without a path means; `script` says that the text is a shell command. What
    is said of malformed pieces does not name their line.
    """
    if not text:
        return []
    items = _Reader(Source(text), wanted, path, script=script).items()
    if wanted == Format.WHOLE_FILE.value and path and not items:
        content = whole_file.bare_content(text)
        write = Operation.WRITE
        items = [
            Edit(path=path, operation=write, content=content, format=Format.WHOLE_FILE, span=(0, len(text)))
        ]
    return items


def read_inside(text: str, path: str, script: bool) -> list[Item]:
    """The items of a text inside a tool call."""
    return read_items(text, AUTO, path, script=script)


class _Reader:
    """The state of one pass over one text: what has been read, and for which file."""

    def __init__(
        self, source: Source, wanted: str, path: str, *, script: bool = False, outer: _Reader | None = None
    ) -> None:
        self._source = source
        self._wanted = wanted
        self._known = path
        self._script = script
        self._floor = 0
        self._blocks: dict[int, Block] | None = None
        self._fences: dict[int, Fence] | None = None
        self._depth: int = outer._depth + 1 if outer else 0
        self._calls: CallReader = outer._calls if outer else CallReader(len(source.text), read_inside)
        self._tags = TagReader(source, read_inside)
        self._has_calls: bool | None = None

    def items(self) -> list[Item]:
        """Everything in the text that is meant as an edit."""
        items: list[Item] = []
        upcoming = signs(self._source.text, any_fence=self._wanted == Format.WHOLE_FILE.value)
        sign = next(upcoming, None)
        while sign:
            reading = self._reading_at(sign)
            if reading:
                items += reading.items
                self._floor = self._source.line_of(reading.end) + 1
                for path in (reading.path, *(item.path for item in reading.items)):
                    self._known = path or self._known
            try:
                sign = upcoming.send(reading.end if reading else sign.end)
            except StopIteration:
                break
        return self._without_samples(items)

    def _without_samples(self, items: list[Item]) -> list[Item]:
        """The items without fences that merely name a file which another item edits: samples of it."""
        if self._wanted != AUTO:
            return items
        edited = {item.path for item in items if item.format is not Format.WHOLE_FILE}
        return [
            item
            for item in items
            if item.format is not Format.WHOLE_FILE
            or item.path not in edited
            or (isinstance(item, Edit) and item.operation is Operation.WRITE)
        ]

    def _reading_at(self, sign: Sign) -> Reading | None:
        """What stands at a sign, or `None` when the sign does not mean what it seems to."""
        beginning = sign.beginning
        if beginning in (Beginning.JSON, Beginning.CALL):
            return self._call(sign) if self._reads(Format.TOOL_CALL) else None
        line = self._source.line_of(sign.start)
        if sign.quotes:
            return self._inside_margin(line, _quote_margin(sign.quotes))
        if beginning in (Beginning.DIFF, Beginning.ENVELOPE) and self._is_indented(line):
            indentation = self._source.text[self._source.starts[line] : sign.start]
            return self._inside_margin(line, re.compile(rf"{re.escape(indentation)}|[ \t]*(?=[\r\n]|\Z)"))
        if beginning is Beginning.BLOCK:
            return self._block(line)
        if beginning is Beginning.FENCE:
            return self._fence(line)
        if beginning is Beginning.TAG:
            return self._tags.read(sign.start, self._path_above) if self._reads(Format.TOOL_CALL) else None
        if beginning is Beginning.DIFF:
            if not self._reads(Format.UNIFIED_DIFF):
                return None
            return unified_diff.read_diff(self._source, line, self._floor, self._known)
        if not self._reads(Format.ENVELOPE):
            return None
        if beginning is Beginning.COMMAND:
            return shell_patch.read_argument(self._source, line)
        reading = shell_patch.read_here_document(self._source, line, self._floor, script=self._script)
        return reading or envelope.read_envelope(self._source, line)

    def _is_indented(self, line: int) -> bool:
        """Whether a line and the next one that says something have an indentation in common."""
        lines = self._source.lines
        indentation = lines[line][: len(lines[line]) - len(lines[line].lstrip(" \t"))]
        following = lines[line + 1] if line + 1 < len(lines) else ""
        return bool(indentation) and following.startswith(indentation)

    def _reads(self, one: Format) -> bool:
        return self._wanted in (AUTO, one.value)

    def _inside_margin(self, line: int, margin: re.Pattern[str]) -> Reading | None:
        """The edits of the lines around `line` that have a margin, quote marks or indentation, without it."""
        if self._depth >= _DEEPEST:
            return None
        lines = self._source.lines
        first = line
        while first > self._floor and margin.match(lines[first - 1]):
            first -= 1
        margins: list[int] = []
        for number in range(first, len(lines)):
            found = margin.match(lines[number])
            if not found:
                break
            margins.append(found.end())
        view = self._source.view(first, first + len(margins), margins)
        items = _Reader(view, self._wanted, self._path_above(line), outer=self).items()
        return view.outward(Reading(tuple(items), len(view.text)))

    def _block(self, line: int) -> Reading | None:
        """A block between markers, of search and replacement or of anchors."""
        if self._blocks is None:
            self._blocks = blocks(self._source)
        block = self._blocks.get(line)
        if block is None:
            return None
        if block.opening.kind is Kind.BEFORE:
            if not self._reads(Format.ANCHORS):
                return None
            return anchors.read_anchors(self._source, block, self._floor, self._known)
        if not self._reads(Format.SEARCH_REPLACE):
            return None
        return search_replace.read_block(self._source, block, self._floor, self._known)

    def _fence(self, line: int) -> Reading | None:
        """A diff without headings or a whole file, unless the fence holds edits that show themselves."""
        if self._fences is None:
            self._fences = fences(self._source)
        fence = self._fences.get(line)
        if fence is None:
            return None
        if self._reads(Format.UNIFIED_DIFF):
            reading = unified_diff.read_bare_hunk(self._source, fence, self._floor)
            if reading:
                return reading
        if not self._reads(Format.WHOLE_FILE):
            return None
        wanted = self._wanted != AUTO
        reading = whole_file.read_whole_file(self._source, fence, self._floor, wanted=wanted)
        if reading and not wanted and whole_file.holds_edits(self._source, fence):
            return None
        return reading

    def _call(self, sign: Sign) -> Reading | None:
        text = self._source.text
        if self._has_calls is None:
            self._has_calls = any(key in text for key in _CALL_SIGNS)
        if not self._has_calls:
            return None
        if sign.quotes:
            return self._inside_margin(self._source.line_of(sign.start), _quote_margin(sign.quotes))
        start = sign.end if sign.beginning is Beginning.CALL else sign.start
        trusted = self._wanted != AUTO or sign.beginning is Beginning.CALL or self._is_all(start)
        return self._calls.read(self._source, start, self._path_above, trusted=trusted)

    def _path_above(self, line: int) -> str:
        """The path that the text above a line gives to a call that has none of its own."""
        paths = paths_above(self._source, line, self._floor)
        return paths[0] if len(paths) == 1 else self._known

    def _is_all(self, start: int) -> bool:
        """Whether nothing but white space stands outside the value that begins at `start`."""
        text = self._source.text
        return start < _NEAR_START and not text[:start].strip() and text.rstrip()[-1:] in ("}", "]")


def _quote_margin(depth: int) -> re.Pattern[str]:
    """What stands before a line in quotes `depth` deep."""
    return re.compile(rf"(?:[ \t]*>){{{depth}}}[ \t]?")
