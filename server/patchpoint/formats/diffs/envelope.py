"""The patch envelope: `*** Begin Patch`, sections that add, update, move and delete files, `*** End Patch`.

The grammar is that of Codex's apply_patch, with the leniencies of its relatives: prose or a fence around it,
a missing first or last line where the end is plain otherwise, any white space around a header, several `@@`
lines one inside the other, hunk numbers as hints, and context lines that lack their leading space.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.diffs.hunk import hunks_in
from patchpoint.formats.diffs.unified_diff import begins_diff, read_diff
from patchpoint.formats.fences import fence_on
from patchpoint.formats.source import AnswerText, Item, ReadResult, shortened

_SECTIONS = ("add file:", "update file:", "delete file:")
_HEADERS = "'*** Add File: path', '*** Update File: path' or '*** Delete File: path'"
_CUT_OFF = "the patch ends here and may be cut off; '*** End Patch' was expected"
_NO_PATH = "a path was expected behind the colon"


@dataclass(frozen=True, slots=True)
class _Extent:
    """The lines of the sections of an envelope, the line behind it, and whether its end is plain."""

    first: int
    last: int
    end: int
    whole: bool


def read_envelope(source: AnswerText, line: int, terminator: str = "") -> ReadResult:
    """Return the edits of the envelope that begins on `line`, with or without its first line.

    `terminator` is the line that ends it at the latest: the word of the shell's here-document around it.
    """
    extent = _extent(source, line, terminator)
    inner = source.solid(extent.first, extent.last)
    if inner < extent.last and begins_diff(source, inner):
        diff = read_diff(source, inner, inner, "")
        if diff:
            return ReadResult(diff.items, max(diff.end, source.span(line, extent.end)[1]))
    items = list(_sections(source, extent))
    if not items:
        items.append(_malformed(source, f"the patch is empty; {_HEADERS} was expected", line, extent.end))
    return ReadResult(tuple(items), source.span(line, extent.end)[1])


def _malformed(
    source: AnswerText, message: str, first: int, end: int, at: int | None = None, path: str = ""
) -> Item:
    return source.malformed(message, first, end, at=at, path=path, origin=Format.ENVELOPE)


def _header(text: str) -> tuple[str, str]:
    """Return what a line with three stars in front says, up to a colon, and the path behind that."""
    bare = text.strip()
    if not bare.startswith("***"):
        return "", ""
    name, colon, path = bare[3:].partition(":")
    name = name.strip().casefold() + colon
    return ("end patch" if name.rstrip("\"'") == "end patch" else name), path.strip().strip("`\"'")


def _extent(source: AnswerText, line: int, terminator: str) -> _Extent:
    """Return the extent of the envelope on `line`: up to its last line, the end of its fence, or prose."""
    first = line + 1 if _header(source.lines[line])[0] == "begin patch" else line
    limit = len(source.lines)
    ends: list[int] = []
    for number in range(first, limit):
        text = source.lines[number]
        name = _header(text)[0] if "***" in text else ""
        is_plain = text.startswith("*")
        if name == "end patch":
            ends = [number] if is_plain else [*ends, number]
        if name == "begin patch" and is_plain:
            limit = number
        if name in ("begin patch", "end patch") and is_plain:
            break
    if ends:
        return _Extent(first, ends[0], ends[0] + 1, whole=True)
    behind = (
        number for number in range(first, limit) if _is_behind(source, number, first, limit, terminator)
    )
    end = next(behind, None)
    return _Extent(first, limit if end is None else end, limit if end is None else end, end is not None)


def _is_behind(source: AnswerText, number: int, first: int, limit: int, terminator: str) -> bool:
    """Return whether a line is behind the envelope that begins on line `first`: a fence, a tag or prose."""
    text = source.lines[number]
    fence = fence_on(text)
    if (fence and not fence[2]) or text.lstrip(" \t").startswith("</"):
        return True
    if terminator and text.strip() == terminator:
        return True
    below = source.lines[number : min(number + 50, limit)]
    may_be_prose = text[:1] not in " +-@*\\\t\r\n" and number > first and not source.bare(number - 1)
    return may_be_prose and not any(line.startswith(("+", "@", "*")) for line in below)


def _sections(source: AnswerText, extent: _Extent) -> Iterator[Item]:
    number = extent.first
    while number < extent.last:
        text = source.lines[number]
        kind, path = _header(text)
        if not text.strip() or kind == "environment id:":
            number += 1
            continue
        first, number = number, _section_end(source, number + 1, extent.last, lenient=kind != "update file:")
        cut_off = not extent.whole and number == extent.last
        if kind not in _SECTIONS:
            message = f"{shortened(text.strip())} is no header of a patch; {_HEADERS} was expected"
            yield _malformed(source, message, first, number)
        elif not path:
            yield _malformed(source, _NO_PATH, first, number)
        elif kind == "delete file:":
            yield from _deletion(source, first, number, path, cut_off=cut_off)
        elif kind == "add file:":
            yield _addition(source, first, number, path, cut_off=cut_off)
        else:
            yield from _update(source, first, number, path, cut_off=cut_off)


def _section_end(source: AnswerText, first: int, last: int, *, lenient: bool) -> int:
    """Return the line of the next header, which may be indented if `lenient` (no content is expected)."""
    for number in range(first, last):
        text = source.lines[number]
        kind = _header(text)[0] if "***" in text else ""
        if kind and (kind.endswith(" file:") if text[:1] == "*" else lenient and kind in _SECTIONS):
            return number
    return last


def _deletion(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Iterator[Item]:
    if cut_off:
        yield _malformed(source, _CUT_OFF, first, end, path=path)
        return
    span = source.span(first, first + 1)
    yield Edit(path=path, operation=Operation.DELETE, format=Format.ENVELOPE, span=span)
    below = source.solid(first + 1, end)
    if below < end:
        message = f"nothing belongs below a deleted file; {_HEADERS} was expected"
        yield _malformed(source, message, below, end, path=path)


def _addition(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Item:
    last = max((n + 1 for n in range(first, end) if source.bare(n)), default=end)
    numbers = [n for n in range(first + 1, last) if _header(source.lines[n])[0] != "end of file"]
    wrong = next((n for n in numbers if source.bare(n) and source.lines[n][0] != "+"), None)
    if wrong is not None:
        message = "every line of a new file must begin with '+'"
        return _malformed(source, message, first, last, at=wrong, path=path)
    if cut_off:
        return _malformed(source, _CUT_OFF, first, last, at=last - 1, path=path)
    content = "".join(source.lines[n].removeprefix("+") for n in numbers)
    content += "\n" if content and content[-1] not in "\r\n" else ""
    span = source.span(first, last)
    return Edit(path=path, operation=Operation.CREATE, content=content, format=Format.ENVELOPE, span=span)


def _update(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Iterator[Item]:
    start, number = first, source.solid(first + 1, end)
    name, new_path = _header(source.lines[number]) if number < end else ("", "")
    moves = name in ("move to:", "rename to:")
    if moves:
        start = number = number + 1
    hunks = list(hunks_in(source, number, end))
    if not hunks and not moves:
        message = "the update is empty; lines with '-' or '+' were expected"
        yield _malformed(source, message, first, end, path=path)
    for hunk in hunks:
        whole = replace(hunk, fault=_CUT_OFF) if cut_off and hunk is hunks[-1] else hunk
        yield whole.item(source, path, min(start, hunk.first), Format.ENVELOPE)
        start = end
    fault = _NO_PATH if not new_path else _CUT_OFF if cut_off and not hunks else ""
    if moves and fault:
        yield _malformed(source, fault, first, number, at=number - 1, path=path)
    elif moves:
        moved = Edit(path=path, operation=Operation.RENAME, new_path=new_path, format=Format.ENVELOPE)
        yield replace(moved, span=source.span(first, number))
