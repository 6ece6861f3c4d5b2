"""The patch envelope: `*** Begin Patch`, sections that add, update, move and delete files, `*** End Patch`.

The grammar is that of Codex's apply_patch, with the leniencies of its relatives: prose or a fence around it,
a missing first or last line where the end is plain otherwise, any white space around a header, several `@@`
lines one inside the other, hunk numbers as hints, and context lines that lack their leading space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.fences import fence_on
from patchpoint.formats.signs import SignPattern
from patchpoint.formats.source import ReadResult
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.formats.source import AnswerText, Item


ENVELOPE_SIGN = SignPattern(
    name="envelope",
    pattern=r"\*\*\*[ ](?=begin[ ]patch|(?:add|update|delete)[ ]file:)",
    first="*",
    prefix=r"\*\*\* ",
    may_be_indented=True,
)
"""The first line of an envelope, or of a section of one."""

_BEGIN = regex(r"[ \t]*\*\*\*[ \t]*Begin Patch[ \t\r\n]*\Z", re.IGNORECASE)
_END = regex(r"[ \t]*\*\*\*[ \t]*End Patch[ \t\r\n\"']*\Z", re.IGNORECASE)
_SECTION = regex(r"[ \t]*\*\*\* (Add|Update|Delete) File:[ \t]*(.*?)[ \t\r\n]*\Z", re.IGNORECASE)
_UNKNOWN = regex(r"\*\*\* \w+ File:")
_MOVE = regex(r"[ \t]*\*\*\* (?:Move|Rename) to:[ \t]*(.*?)[ \t\r\n]*\Z", re.IGNORECASE)
_END_OF_FILE = regex(r"[ \t]*\*\*\* End of File[ \t\r\n]*\Z", re.IGNORECASE)
_ENVIRONMENT = regex(r"[ \t]*\*\*\* Environment ID:", re.IGNORECASE)
_CLOSING_TAG = regex(r"[ \t]*</[\w:-]+>")
_HEADERS = "'*** Add File: path', '*** Update File: path' or '*** Delete File: path'"


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
    from patchpoint.formats.diffs.unified_diff import begins_diff

    extent = _extent(source, line, terminator)
    inner = next((n for n in range(extent.first, extent.last) if source.bare(n)), extent.last)
    if inner < extent.last and begins_diff(source, inner):
        from patchpoint.formats.diffs.unified_diff import read_diff

        diff = read_diff(source, inner, inner, "")
        if diff:
            return ReadResult(diff.items, max(diff.end, source.span(line, extent.end)[1]))
    items = list(_sections(source, extent))
    if not items:
        message = f"the patch is empty; {_HEADERS} was expected"
        items.append(_malformed(source, message, line, extent.end))
    return ReadResult(tuple(items), source.span(line, extent.end)[1])


def _malformed(
    source: AnswerText, message: str, first: int, end: int, at: int | None = None, path: str = ""
) -> Item:
    return source.malformed(message, first, end, at=at, path=path, origin=Format.ENVELOPE)


def _extent(source: AnswerText, line: int, terminator: str) -> _Extent:
    lines = source.lines
    first = line + 1 if _BEGIN.match(lines[line]) else line
    indented_end = None
    for number in range(first, len(lines)):
        text = lines[number]
        if _END.match(text):
            if text[0] == "*":
                return _Extent(first, number, number + 1, whole=True)
            indented_end = indented_end or number
        elif _BEGIN.match(text) and text[0] == "*":
            break
    else:
        number = len(lines)
    if indented_end is not None:
        return _Extent(first, indented_end, indented_end + 1, whole=True)
    return _extent_without_end(source, first, number, terminator)


def _extent_without_end(source: AnswerText, first: int, limit: int, terminator: str) -> _Extent:
    """Return the extent of an envelope without its last line: up to the end of its fence, or to prose."""
    for number in range(first, limit):
        text = source.lines[number]
        fence = fence_on(text)
        if (
            (fence and not fence[2])
            or _CLOSING_TAG.match(text)
            or (terminator and text.strip() == terminator)
        ):
            return _Extent(first, number, number, whole=True)
        prose = text[:1] not in " +-@*\\\t\r\n" and number > first and not source.bare(number - 1)
        if prose and not any(
            source.lines[after][:1] in ("+", "@", "*") for after in range(number, limit)[:50]
        ):
            return _Extent(first, number, number, whole=True)
    return _Extent(first, limit, limit, whole=False)


def _sections(source: AnswerText, extent: _Extent) -> Iterator[Item]:
    number = extent.first
    while number < extent.last:
        text = source.lines[number]
        if not text.strip() or _ENVIRONMENT.match(text):
            number += 1
            continue
        header = _SECTION.match(text)
        end = _section_end(
            source, number + 1, extent.last, lenient=not header or header[1].casefold() != "update"
        )
        if not header:
            message = f"{_shown(text)} is no header of a patch; {_HEADERS} was expected"
            yield _malformed(source, message, number, end)
        else:
            yield from _section(source, number, end, header, cut_off=not extent.whole and end == extent.last)
        number = end


def _section_end(source: AnswerText, first: int, last: int, *, lenient: bool) -> int:
    """Return the line of the next header, which may be indented if `lenient` (no content is expected)."""
    for number in range(first, last):
        text = source.lines[number]
        if text[:1] == "*" and (_SECTION.match(text) or _UNKNOWN.match(text)):
            return number
        if lenient and text[:1] in " \t" and _SECTION.match(text):
            return number
    return last


def _section(
    source: AnswerText, first: int, end: int, header: re.Match[str], *, cut_off: bool
) -> Iterator[Item]:
    path = header[2].strip("`\"'")
    kind = header[1].casefold()
    if not path:
        yield _malformed(source, "a path was expected behind the colon", first, end)
    elif kind == "delete":
        yield from _deletion(source, first, end, path, cut_off=cut_off)
    elif kind == "add":
        yield _addition(source, first, end, path, cut_off=cut_off)
    else:
        yield from _update(source, first, end, path, cut_off=cut_off)


def _deletion(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Iterator[Item]:
    if cut_off:
        yield _malformed(source, _CUT_OFF, first, end, path=path)
        return
    span = source.span(first, first + 1)
    yield Edit(path=path, operation=Operation.DELETE, format=Format.ENVELOPE, span=span)
    for number in range(first + 1, end):
        if source.bare(number):
            message = f"nothing belongs below a deleted file; {_HEADERS} was expected"
            yield _malformed(source, message, number, end, path=path)
            return


def _addition(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Item:
    last = end
    while last > first + 1 and not source.bare(last - 1):
        last -= 1
    content: list[str] = []
    for number in range(first + 1, last):
        text = source.lines[number]
        if text[:1] != "+" and text.strip() and not _END_OF_FILE.match(text):
            message = "every line of a new file must begin with '+'"
            return _malformed(source, message, first, last, at=number, path=path)
        if not _END_OF_FILE.match(text):
            content.append(text.removeprefix("+"))
    if content and content[-1][-1:] not in "\r\n":
        content[-1] += "\n"
    if cut_off:
        return _malformed(source, _CUT_OFF, first, last, at=last - 1, path=path)
    return Edit(
        path=path,
        operation=Operation.CREATE,
        content="".join(content),
        format=Format.ENVELOPE,
        span=source.span(first, last),
    )


_CUT_OFF = "the patch ends here and may be cut off; '*** End Patch' was expected"


def _update(source: AnswerText, first: int, end: int, path: str, *, cut_off: bool) -> Iterator[Item]:
    start = first
    number = first + 1
    while number < end and not source.bare(number):
        number += 1
    move = _MOVE.match(source.lines[number]) if number < end else None
    if move:
        number += 1
        start = number
    chunks = list(_chunks(source, number, end))
    if not chunks and not move:
        yield _malformed(
            source, "the update is empty; lines with '-' or '+' were expected", first, end, path=path
        )
    for chunk in chunks:
        yield _edit(source, chunk, min(start, chunk.first), path, cut_off=cut_off and chunk is chunks[-1])
        start = end
    if move and not move[1].strip("`\"'"):
        yield _malformed(
            source, "a path was expected behind the colon", first, number, at=number - 1, path=path
        )
    elif move and cut_off and not chunks:
        yield _malformed(source, _CUT_OFF, first, number, at=number - 1, path=path)
    elif move:
        yield Edit(
            path=path,
            operation=Operation.RENAME,
            new_path=move[1].strip("`\"'"),
            format=Format.ENVELOPE,
            span=source.span(first, number),
        )


@dataclass(frozen=True, slots=True)
class _Chunk:
    """One hunk of an update: its lines, those of its body, and its hints at the place."""

    first: int
    body: int
    last: int
    end: int
    line: int | None
    scope: tuple[str, ...]
    at_end: bool


def _chunks(source: AnswerText, first: int, end: int) -> Iterator[_Chunk]:
    from patchpoint.formats.diffs.hunk import read_heading

    start = body = first
    line: int | None = None
    scope: list[str] = []
    number = first
    while number <= end:
        text = source.lines[number] if number < end else ""
        at_end = bool(_END_OF_FILE.match(text))
        if number == end or text.startswith("@@") or at_end:
            last = number
            while last > body and not source.bare(last - 1):
                last -= 1
            if last > body:
                end_line = number + 1 if at_end else last
                yield _Chunk(start, body, number, end_line, line, tuple(scope), at_end)
                start, line, scope = number, None, []
            elif at_end or number == end:
                start, line, scope = number + 1, None, []
            if number < end and not at_end:
                heading = read_heading(text)
                line = heading.line or line
                scope += [heading.scope] if heading.scope else []
            body = number + 1
            if at_end:
                start = body
        number += 1


def _edit(source: AnswerText, chunk: _Chunk, first: int, path: str, *, cut_off: bool) -> Item:
    if cut_off:
        return _malformed(source, _CUT_OFF, first, chunk.end, at=chunk.end - 1, path=path)
    from patchpoint.formats.diffs.hunk import read_hunk

    hunk = read_hunk(source.lines[chunk.body : chunk.last])
    span = source.span(first, chunk.end)
    if not hunk.only_adds:
        return Edit(
            path=path,
            search=hunk.search,
            replace=hunk.replace,
            splits=hunk.splits,
            line=chunk.line,
            scope=chunk.scope,
            at_end=chunk.at_end,
            format=Format.ENVELOPE,
            span=span,
        )
    if chunk.scope and not chunk.at_end:
        return Edit(
            path=path,
            operation=Operation.INSERT,
            replace=hunk.replace,
            scope=chunk.scope,
            format=Format.ENVELOPE,
            span=span,
        )
    if chunk.line and not chunk.at_end:
        message = "nothing says where these lines go; a line of the file next to them was expected"
        return _malformed(source, message, first, chunk.end, at=chunk.body, path=path)
    # Lines without any context go to the end of the file: so the format's own tool does it.
    return Edit(
        path=path,
        operation=Operation.INSERT,
        replace=hunk.replace,
        at_end=True,
        format=Format.ENVELOPE,
        span=span,
    )


def _shown(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
