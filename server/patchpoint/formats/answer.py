"""A whole model answer split into edits and prose, whatever formats it mixes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from patchpoint.edit import Format, Malformed
from patchpoint.formats import envelope, search_replace, shell_patch
from patchpoint.formats.call_text import CallReader
from patchpoint.formats.labels import paths_above
from patchpoint.formats.markers import Block, Kind, blocks
from patchpoint.formats.source import Item, Reading, Source
from patchpoint.formats.tool_call import find_edits
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer as what it asks for and what it says.

    `items` are in reading order, except that a move follows the other changes to its file; their spans are
    disjoint. `prose` is all the rest, in order: together they cover every character of the text.
    """

    items: tuple[Item, ...]
    prose: tuple[Span, ...]


FORMATS = ("auto", *(each.value for each in Format if each is not Format.REQUEST))
"""The names that `format` may have: all formats are looked for, or one alone."""

_MARGIN = r"[ \t]*(?:>[ \t>]*)?"
_SIGNS = r"""(?:
    (?P<block>(?:<|&lt;){3,}|-{3,}[ ]?(?=search))
    |(?P<envelope>\*\*\*[ ](?=begin[ ]patch|(?:add|update|delete)[ ]file:))
    |(?P<command>(?:cd[ ][^\n]{1,300}&&[ \t]*)?apply_?patch[ \t]+["'](?=[\s]*\*\*\*[ ]begin))
    |(?P<json>\{[ \t]*(?=["'\r\n]|\Z)|\[[ \t]*(?=["'{\r\n]|\Z)|<tool_call>\s*(?=[\[{]))
)"""
_FIRST_LINE = re.compile(_MARGIN + _SIGNS, re.IGNORECASE | re.VERBOSE)
_LATER_LINE = re.compile("\n" + _MARGIN + _SIGNS, re.IGNORECASE | re.VERBOSE)
_LATER_LINE_CR = re.compile("[\n\r]" + _MARGIN + _SIGNS, re.IGNORECASE | re.VERBOSE)
_LONE_CR = re.compile(r"\r(?!\n)")
_JSON_SIGNS = ('path"', 'Path"', 'file"', 'uri"', "path'", "Path'", "_patch", "applypatch", '"edits')
"""One of these stands in every call that could be read."""


def read_answer(text: str, format: str = "auto", *, path: str = "") -> Answer:  # noqa: A002
    """Split `text` into the edits that it asks for and prose.

    `format` is one of `FORMATS`; `path` is the file that an edit without a path means. What is plainly meant
    as an edit and cannot be read as one becomes a `Malformed`, never an exception. Raises `ValueError` for an
    unknown format.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; expected one of {', '.join(FORMATS)}")
    items = [_with_line(item) for item in _read(text, format, path)]
    return Answer(tuple(items), tuple(_between(text, items)))


def items_of_data(value: object, *, path: str = "", origin: Format = Format.TOOL_CALL) -> list[Item]:
    """The edits that a decoded JSON value asks for: a call, its arguments, or a list of either.

    `path` is the file that an edit without a path means, `origin` the format that the edits name. Their
    spans are empty: data stand nowhere.
    """
    found = find_edits(value, _read_inside, known=path)
    return [replace(each.item, format=origin, span=(0, 0)) for each in found]


def _read_inside(text: str, path: str, script: bool) -> list[Item]:
    return _read(text, "auto", path, script=script)


def _read(text: str, wanted: str, path: str, *, script: bool = False) -> list[Item]:
    """The items of `text`, without line numbers in what is said of malformed ones."""
    return _Reader(Source(text), wanted, path, script=script).items() if text else []


def _with_line(item: Item) -> Item:
    if isinstance(item, Malformed):
        return replace(item, message=f"Line {item.line}: {item.message}.")
    return item


def _between(text: str, items: list[Item]) -> Iterator[Span]:
    """The spans of what stands before, between and behind the items."""
    reached = 0
    for start, end in sorted(item.span for item in items):
        if start > reached:
            yield reached, start
        reached = max(reached, end)
    if reached < len(text):
        yield reached, len(text)


class _Reader:
    """Goes through one text from sign to sign; what lies between them is never looked at line by line."""

    def __init__(
        self, source: Source, wanted: str, path: str, calls: CallReader | None = None, *, script: bool = False
    ) -> None:
        self._source = source
        self._text = source.text
        self._wanted = wanted
        self._known = path
        self._floor = 0
        self._blocks: dict[int, Block] | None = None
        self._script = script
        self._calls = calls or CallReader(len(source.text), _read_inside)
        self._has_calls: bool | None = None

    def items(self) -> list[Item]:
        """Everything in the text that is meant as an edit."""
        items: list[Item] = []
        later = _LATER_LINE_CR if _LONE_CR.search(self._text) else _LATER_LINE
        sign = _FIRST_LINE.match(self._text) or later.search(self._text)
        while sign:
            reading = self._reading_at(sign)
            reached = sign.end()
            if reading:
                items += reading.items
                reached = max(reached, reading.end)
                self._remember(reading)
            sign = later.search(self._text, reached)
        return items

    def _remember(self, reading: Reading) -> None:
        self._floor = self._source.line_of(reading.end) + 1
        for item in reading.items:
            self._known = item.path or self._known

    def _reading_at(self, sign: re.Match[str]) -> Reading | None:
        kind = sign.lastgroup or ""
        margin = sign[0][: sign.start(kind) - sign.start()]
        line = self._source.line_of(sign.start(kind))
        if ">" in margin:
            return self._quoted(line, margin.count(">"))
        if kind == "block" and self._reads(Format.SEARCH_REPLACE):
            return self._block(line)
        if kind == "envelope" and self._reads(Format.ENVELOPE):
            return self._envelope(line)
        if kind == "command" and self._reads(Format.ENVELOPE):
            return shell_patch.read_argument(self._source, line)
        if kind == "json" and self._reads(Format.TOOL_CALL):
            return self._call(sign)
        return None

    def _reads(self, one: Format) -> bool:
        return self._wanted in ("auto", one.value)

    def _quoted(self, line: int, depth: int) -> Reading:
        """The edits of the quoted Markdown around `line`, read as if it were not quoted."""
        quote = re.compile(rf"(?:[ \t]*>){{{depth}}}[ \t]?")
        lines = self._source.lines
        first = line
        while first > self._floor and quote.match(lines[first - 1]):
            first -= 1
        margins: list[int] = []
        for number in range(first, len(lines)):
            found = quote.match(lines[number])
            if not found:
                break
            margins.append(found.end())
        view = self._source.view(first, first + len(margins), margins)
        items = _Reader(view, self._wanted, self._known, self._calls).items()
        return view.outward(Reading(tuple(items), len(view.text)))

    def _block(self, line: int) -> Reading | None:
        if self._blocks is None:
            self._blocks = blocks(self._source)
        block = self._blocks.get(line)
        if block is None or block.opening.kind is not Kind.SEARCH:
            return None
        return search_replace.read_block(self._source, block, self._floor, self._known)

    def _envelope(self, line: int) -> Reading:
        """An envelope, alone or as what a shell command is given."""
        reading = shell_patch.read_here_document(self._source, line, self._floor, script=self._script)
        return reading or envelope.read_envelope(self._source, line)

    def _call(self, sign: re.Match[str]) -> Reading | None:
        if self._has_calls is None:
            self._has_calls = any(key in self._text for key in _JSON_SIGNS)
        if not self._has_calls:
            return None
        start = sign.end("json") - 1 if sign["json"].startswith("<") else sign.start("json")
        start = next(i for i in range(start, len(self._text)) if self._text[i] in "{[")
        trusted = self._wanted != "auto" or sign["json"].startswith("<") or self._is_all(start)
        line = self._source.line_of(start)
        known = (paths_above(self._source, line, self._floor) or ("",))[0] or self._known
        return self._calls.read(self._source, start, known, trusted=trusted)

    def _is_all(self, start: int) -> bool:
        """Whether nothing but white space stands outside the value that begins at `start`."""
        return not self._text[:start].strip() and self._text.rstrip()[-1:] in "}]"
