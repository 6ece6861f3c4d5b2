"""A patch envelope inside a shell command: how far the command reaches, and in which folder it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from patchpoint.edit import Edit, Format
from patchpoint.formats.envelope import read_envelope
from patchpoint.formats.fences import FENCE
from patchpoint.formats.shell import NAMES, PatchCommand, here_document_word, read_command
from patchpoint.formats.source import Item, Reading, Source

_GOES_ON = re.compile(r"(?:\\|&&|\|\|?|;)[ \t\r\n]*\Z")
_PROMPT = re.compile(r"[ \t]*[$%>][ \t]+")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")


def read_here_document(source: Source, line: int, floor: int, *, script: bool) -> Reading | None:
    """The edits of the envelope that begins on `line` as the here-document of the command above it.

    `None` when no command stands there. The command reaches over its whole fence, or, when the text is known
    to be a `script`, over all of it: whatever else it says makes it more than a patch.
    """
    above = source.lines[line - 1] if line > floor else ""
    word = here_document_word(above) if "<<" in above else ""
    if not word:
        return None
    reading = read_envelope(source, line, word)
    if not any(name in above for name in NAMES):
        return reading
    first, fenced = (floor, True) if script else _first_line(source, line - 1, floor)
    behind = source.line_of(reading.end) + 1
    closing = next((n for n in range(behind, len(source.lines)) if source.bare(n)), len(source.lines))
    end = closing
    if source.bare(closing) == word:
        end = closing + 1
    elif source.bare(closing).startswith(word):
        message = f"a line that says only {word!r} was expected here, to end the patch"
        return _refused(source, message, first, closing + 1, at=closing)
    if fenced:
        while end < len(source.lines) and (script or not FENCE.match(source.lines[end])):
            end += 1
    head = [_PROMPT.sub("", text, count=1) for text in source.lines[first:line]]
    command = read_command("".join((*head, "\n", word, "\n", *source.lines[closing + 1 : end])))
    if isinstance(command, str):
        return _refused(source, command, first, max(end, behind), at=line - 1)
    return replace(reading, items=in_folder(reading.items, command.folder))


def read_argument(source: Source, line: int) -> Reading:
    """The edits of the command that begins on `line` and has the patch as its argument."""
    end = line + 1
    while end < len(source.lines) and "*** End Patch" not in source.lines[end - 1]:
        end += 1
    if source.bare(end) in ("'", '"'):
        end += 1
    command = read_command(_PROMPT.sub("", source.content(line, end), count=1))
    if not isinstance(command, PatchCommand) or command.argument is None:
        reason = command if isinstance(command, str) else "the patch was expected as the command's argument"
        return _refused(source, reason, line, end)
    patch = Source(command.argument)
    first = next((number for number in range(len(patch.lines)) if patch.bare(number)), 0)
    span = source.span(line, end)
    items = in_folder(read_envelope(patch, first).items, command.folder)
    rest = [replace(item, span=(span[1], span[1])) for item in items[1:]]
    return Reading((replace(items[0], span=span), *rest), span[1])


def in_folder(items: Sequence[Item], folder: str) -> tuple[Item, ...]:
    """The items with their paths as seen from outside of `folder`, in which the command runs."""
    return tuple(_item_in_folder(item, folder.rstrip("/")) for item in items) if folder else tuple(items)


def _item_in_folder(item: Item, folder: str) -> Item:
    path = _joined(folder, item.path) if item.path else ""
    if isinstance(item, Edit):
        return replace(item, path=path, new_path=item.new_path and _joined(folder, item.new_path))
    return replace(item, path=path)


def _joined(folder: str, path: str) -> str:
    return path if _ABSOLUTE.match(path) or folder == "." else f"{folder}/{path}"


def _first_line(source: Source, line: int, floor: int) -> tuple[int, bool]:
    """The first line of the command that ends on `line`, and whether it is all that its fence holds."""
    first = line
    while first > floor and source.bare(first - 1):
        if FENCE.match(source.lines[first - 1]):
            return first, True
        first -= 1
    first = line
    while first > floor and _GOES_ON.search(source.lines[first - 1]):
        first -= 1
    return first, False


def _refused(source: Source, message: str, first: int, end: int, at: int | None = None) -> Reading:
    item = source.malformed(message, first, end, at=at, origin=Format.ENVELOPE)
    return Reading((item,), source.span(first, end)[1])
