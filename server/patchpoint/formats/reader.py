"""Reads one text from sign to sign, and hands each place to the formats that the sign belongs to."""

from __future__ import annotations

import re
from heapq import merge
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Malformed, Unplaced
from patchpoint.formats.fences import fences
from patchpoint.formats.reasoning import reasoning_in, without_reasoning
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import FENCE_SIGN, Sign, SignFinder, SignPattern
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.formats.table import FORMATS, function_named, has_free_fence, may_ask_in_words
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_BLOCK = regex(r"[ \t]*<{5,9} SEARCH\b")

_READERS: dict[SignPattern, list[tuple[Format, str]]] = {}
for _row in FORMATS:
    for _pattern, _reader in _row.readers.items():
        _READERS.setdefault(_pattern, []).append((_row.format, _reader))

_SIGNS = SignFinder(_READERS)


def read_items(whole: AnswerText, wanted: Format | None, path: str) -> tuple[list[Item], list[Unplaced]]:
    """Return all that an answer asks for in the format `wanted`, or in any, in reading order.

    The second list has the fences that are no edits. `path` is the file of edits that name none. The messages
    do not name their line.
    """
    text = whole.text
    if not text:
        return [], []
    if "\x1b[" in text and wanted in (None, Format.UNIFIED_DIFF):
        from patchpoint.formats.diffs.colours import in_coloured_text, without_colours

        plain = without_colours(whole)
        if plain is not None:
            items, unplaced = read_items(plain, wanted, path)
            shown = [in_coloured_text(item, plain, whole) for item in items]
            return shown, [replace(plain.unplaced_outward(one), edit=None) for one in unplaced]
    reasoning = reasoning_in(text)
    source = without_reasoning(text, reasoning) if reasoning else whole
    scan = TextScan(source, wanted, path, read_inside)
    items = _items(scan)
    if items and "```" in source.text:
        from patchpoint.formats.blocks.within import as_content

        items = as_content(source, items)
    unplaced = _unplaced(scan, items)
    if not any(isinstance(item, Edit) for item in items):
        items, unplaced = _without_lost_fences(source, wanted, path, items, unplaced)
    if reasoning:
        unplaced = list(map(source.unplaced_outward, unplaced))
        items = list(source.outward(ReadResult(tuple(items), len(source.text))).items)
    if reasoning and not reasoning[-1].closed:
        items += _endless(text, reasoning[-1].span, wanted, path)
    if wanted and path and not items:
        row = next(row for row in FORMATS if row.format is wanted)
        if row.read_bare:
            first = reasoning[0].span if reasoning else (0, 0)
            bare = text[first[1] :].lstrip("\r\n") if not text[: first[0]].strip() else text
            items = [replace(function_named(row.read_bare)(bare, path, wanted), span=(0, len(text)))]
            unplaced = []
    return items, unplaced


def _unplaced(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return the fences and the sentences that none of the `items` is in, each with why it is no edit."""
    unplaced: list[Unplaced] = []
    if has_free_fence(scan, items):
        from patchpoint.formats.blocks.fenced_files import unplaced_in

        unplaced += unplaced_in(scan, items)
    if may_ask_in_words(scan):
        from patchpoint.formats.in_words.asked import asked_in_words

        unplaced += asked_in_words(scan, items)
    return unplaced


def _without_lost_fences(
    source: AnswerText, wanted: Format | None, path: str, items: list[Item], unplaced: list[Unplaced]
) -> tuple[list[Item], list[Unplaced]]:
    """Return what a text asks for if it is the page of a chat; what was read of it if it is none."""
    from patchpoint.formats.pages.lost_fences import on_page, unplaced_on_page, with_fences

    page = with_fences(source)
    if page is None:
        return items, unplaced
    from patchpoint.formats.blocks.fenced_files import unplaced_in

    scan = TextScan(page, wanted, path, read_inside)
    found = _items(scan)
    if items and not any(isinstance(item, Edit) for item in found):
        return items, unplaced
    return [on_page(page, item) for item in found], [
        unplaced_on_page(page, one) for one in unplaced_in(scan, found)
    ]


def _endless(text: str, span: Span, wanted: Format | None, path: str) -> list[Item]:
    """Return what is wrong with reasoning that never ends, if there are edits in it: they may be drafts."""
    items = _items(TextScan(AnswerText(text[span[0] :]), wanted, path, read_inside))
    if not items:
        return []
    message = "reasoning begins here and never ends; its end was expected before the edits that are meant"
    line = AnswerText(text).line_of(span[0]) + 1
    return [Malformed(message=message, span=span, line=line, format=items[0].format)]


def read_inside(text: str, path: str, is_script: bool) -> list[Item]:
    """Return the items of a text inside an edit, such as a patch in a tool call.

    `path` is the file of edits that name none; `is_script` marks the text as a shell command.
    """
    source = AnswerText(text, may_be_cut_off=False)
    scan = TextScan(source, None, path, read_inside, is_script=is_script, is_inside_edit=True)
    return _items(scan) if text else []


def _items(scan: TextScan) -> list[Item]:
    """Return everything in the text of `scan` that is meant as an edit."""
    items: list[Item] = []
    upcoming = _SIGNS.find(scan.source.text)
    sign = next(upcoming, None)
    while sign:
        reading = _reading_at(scan, sign)
        if reading:
            items += reading.items
            scan.lower_bound = scan.source.line_of(reading.end) + 1
            for path in (reading.path, *(item.path for item in reading.items)):
                scan.known_path = path or scan.known_path
        try:
            sign = upcoming.send(reading.end if reading else sign.end)
        except StopIteration:
            break
    for row in () if scan.is_inside_edit else FORMATS:
        for name, may_have_any in row.rest.items():
            if scan.wants(row.format) and may_have_any(scan, items):
                rest = sorted(function_named(name)(scan, items), key=_start_of)
                items = list(merge(items, rest, key=_start_of))
    for row in FORMATS if scan.wanted is None else ():
        for name in row.sifts:
            if any(item.format is row.format for item in items):
                items = function_named(name)(items)
    return items


def _start_of(item: Item) -> int:
    return item.span[0]


def _reading_at(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Return what is read at a sign, or `None` when the sign does not mean what it seems to."""
    readers = [name for one, name in _READERS[sign.pattern] if scan.wants(one)]
    is_worthwhile = sign.pattern.is_worthwhile
    if is_worthwhile and (not readers or not scan.once(is_worthwhile)):
        return None
    line = scan.source.line_of(sign.start)
    if sign.quotes:
        return _inside_prefix(scan, line, rf"(?:[ \t]*>){{{sign.quotes}}}[ \t]?")
    if sign.pattern.may_be_indented and _is_indented(scan.source, line):
        indentation = scan.source.text[scan.source.starts[line] : sign.start]
        return _inside_prefix(scan, line, rf"{re.escape(indentation)}|[ \t]*(?=[\r\n]|\Z)")
    if sign.pattern is FENCE_SIGN and (
        line not in scan.source.once(fences)
        or any(map(_BLOCK.match, scan.source.lines[line + 1 : line + 3]))  # which has a sign of its own
    ):
        return None
    for name in readers:
        reading: ReadResult | None = function_named(name)(scan, sign)
        if reading:
            return reading
    return None


def _is_indented(source: AnswerText, line: int) -> bool:
    """Return whether a line and the next one have an indentation in common."""
    lines = source.lines
    indentation = lines[line][: len(lines[line]) - len(lines[line].lstrip(" \t"))]
    following = lines[line + 1] if line + 1 < len(lines) else ""
    return bool(indentation) and following.startswith(indentation)


def _inside_prefix(scan: TextScan, line: int, pattern: str) -> ReadResult | None:
    """Return the edits of the lines around `line` that begin with a prefix, read without it."""
    if scan.depth >= 8:
        return None
    prefix = re.compile(pattern)
    lines = scan.source.lines
    first = line
    while first > scan.lower_bound and prefix.match(lines[first - 1]):
        first -= 1
    prefixes = takewhile(bool, (prefix.match(lines[row]) for row in range(first, len(lines))))
    starts = scan.source.starts
    spans = [(starts[row], starts[row] + found.end()) for row, found in enumerate(prefixes, first) if found]
    view = scan.source.without(spans, first, first + len(spans))
    items = _items(TextScan(view, scan.wanted, scan.path_above(line), scan.read_text, outer=scan))
    return view.outward(ReadResult(tuple(items), len(view.text)))
