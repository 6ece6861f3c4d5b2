"""The patch envelope: `*** Begin Patch`, sections that add, update, move and delete files, `*** End Patch`.

The grammar is that of Codex's apply_patch, with the leniencies of its relatives: prose or a fence around it,
a missing first or last line where the end is plain otherwise, any white space around a header, several `@@`
lines one inside the other, hunk numbers as hints, and context lines that lack their leading space.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.diffs.hunk import hunks_in
from patchpoint.formats.fences import fence_on
from patchpoint.formats.source import AnswerText, Item, ReadResult, shortened

_SECTIONS = ("add file:", "update file:", "delete file:")
_HEADERS = "'*** Add File: path', '*** Update File: path' or '*** Delete File: path'"
_CUT_OFF = "the patch ends here and may be cut off; '*** End Patch' was expected"
_NO_PATH = "a path was expected behind the colon"


def read_envelope(source: AnswerText, line: int, terminator: str = "") -> ReadResult:
    """Return the edits of the envelope that begins on `line`, with or without its first line.

    `terminator` is the line that ends it at the latest: the word of the shell's here-document around it.
    """
    first = line + 1 if _header(source.lines[line])[0] == "begin patch" else line
    last, end, is_whole = _extent(source, first, terminator)
    items = list(_sections(source, first, last, is_whole=is_whole))
    if not items:
        items.append(_malformed(source, f"the patch is empty; {_HEADERS} was expected", line, end))
    return ReadResult(tuple(items), source.span(line, end)[1])


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


def _extent(source: AnswerText, first: int, terminator: str) -> tuple[int, int, bool]:
    """Return the line behind the sections from line `first` on, that behind all, and whether that is plain.

    It is at the last line of the envelope; without one, at the end of its fence, tag or here-document.
    """
    behind = indented = None
    limit = len(source.lines)
    for number in range(first, limit):
        text = source.lines[number]
        name = _header(text)[0]
        if name in ("begin patch", "end patch") and text.startswith("*"):
            if name == "end patch":
                return number, number + 1, True
            limit = number
            break
        if name == "end patch" and indented is None:
            indented = number
        fence = fence_on(text)
        is_end = (fence and not fence[2]) or text.lstrip(" \t").startswith("</")
        if behind is None and (is_end or (terminator and text.strip() == terminator)):
            behind = number
    if indented is not None:
        return indented, indented + 1, True
    end = limit if behind is None else behind
    return end, end, behind is not None


def _sections(source: AnswerText, first: int, last: int, *, is_whole: bool) -> Iterator[Item]:
    number = first
    while number < last:
        kind, path = _header(source.lines[number])
        if not source.bare(number) or kind == "environment id:":
            number += 1
            continue
        start, number = number, _section_end(source, number + 1, last, lenient=kind != "update file:")
        cut_off = not is_whole and number == last
        below = source.solid(start + 1, number)
        if kind not in _SECTIONS:
            message = f"{shortened(source.bare(start))} is no header of a patch; {_HEADERS} was expected"
            yield _malformed(source, message, start, number)
        elif not path:
            yield _malformed(source, _NO_PATH, start, number)
        elif kind == "add file:":
            yield _addition(source, start, number, path, cut_off=cut_off)
        elif kind == "update file:":
            yield from _update(source, start, number, path, cut_off=cut_off)
        elif cut_off or below < number:
            nothing = f"nothing belongs below a deleted file; {_HEADERS} was expected"
            yield _malformed(source, _CUT_OFF if cut_off else nothing, start, number, path=path)
        else:
            span = source.span(start, start + 1)
            yield Edit(path=path, operation=Operation.DELETE, format=Format.ENVELOPE, span=span)


def _section_end(source: AnswerText, first: int, last: int, *, lenient: bool) -> int:
    """Return the line of the next header, which may be indented if `lenient` (no content is expected)."""
    for number in range(first, last):
        text = source.lines[number]
        kind = _header(text)[0]
        if kind and (kind.endswith(" file:") if text[:1] == "*" else lenient and kind in _SECTIONS):
            return number
    return last


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
