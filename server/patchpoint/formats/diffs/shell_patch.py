"""Patch envelopes inside shell commands: the extent of the command, and the folder in which it runs."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.diffs.envelope import read_envelope
from patchpoint.formats.diffs.shell import (
    NAMES,
    PatchCommand,
    here_document_of,
    read_command,
    without_prompt,
    word_of,
)
from patchpoint.formats.fences import fence_on
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult

_GOES_ON = ("\\", "&&", "|", ";")


def read_patch(scan: TextScan, sign: Sign) -> ReadResult:
    """Read the envelope at `sign`, with the command above it where it is the here-document of one."""
    line = scan.source.line_of(sign.start)
    reading = _here_document(scan.source, line, scan.lower_bound, script=scan.is_script)
    return reading or read_envelope(scan.source, line)


def _here_document(source: AnswerText, line: int, lower_bound: int, *, script: bool) -> ReadResult | None:
    """Return the edits of the envelope that begins on `line` as the here-document of the command above it.

    `None` when there is no command. The command reaches over its whole fence, or, when the text is known
    to be a `script`, over all of it: anything else in it makes it more than a patch.
    """
    above = source.lines[line - 1] if line > lower_bound else ""
    word = word_of(here_document_of(above)[1])
    if not word:
        return None
    reading = read_envelope(source, line, word)
    if not any(name in above for name in NAMES):
        return reading
    first, fenced = (lower_bound, True) if script else _first_line(source, line - 1, lower_bound)
    behind = source.line_of(reading.end) + 1
    closing = next((n for n in range(behind, len(source.lines)) if source.bare(n)), len(source.lines))
    end = closing
    if source.bare(closing) == word:
        end = closing + 1
    elif source.bare(closing).startswith(word):
        message = f"a line with only {word!r} was expected here, to end the patch"
        return _refused(source, message, first, closing + 1, at=closing)
    if fenced:
        while end < len(source.lines) and (script or not fence_on(source.lines[end])):
            end += 1
        if end == len(source.lines) and source.may_be_cut_off:
            message = "the command is cut off; the end of its fence was expected"
            return _refused(source, message, first, end, at=end - 1)
    head = [without_prompt(text, "$%>") for text in source.lines[first:line]]
    command = read_command("".join((*head, *source.lines[closing + 1 : end])))
    if isinstance(command, str):
        return _refused(source, command, first, max(end, behind), at=line - 1)
    return replace(reading, items=in_folder(reading.items, command.folder))


def read_command_argument(scan: TextScan, sign: Sign) -> ReadResult:
    """Read the command at `sign`, which has the patch as its argument."""
    source = scan.source
    line = source.line_of(sign.start)
    end = line + 1
    while end < len(source.lines) and "*** End Patch" not in source.lines[end - 1]:
        end += 1
    if source.bare(end) in ("'", '"'):
        end += 1
    command = read_command(without_prompt(source.content(line, end), "$%>"))
    if not isinstance(command, PatchCommand) or command.argument is None:
        reason = command if isinstance(command, str) else "the patch was expected as the command's argument"
        return _refused(source, reason, line, end)
    patch = AnswerText(command.argument)
    first = next((number for number in range(len(patch.lines)) if patch.bare(number)), 0)
    span = source.span(line, end)
    items = in_folder(read_envelope(patch, first).items, command.folder)
    rest = [replace(item, span=(span[1], span[1])) for item in items[1:]]
    return ReadResult((replace(items[0], span=span), *rest), span[1])


def in_folder(items: Sequence[Item], folder: str) -> tuple[Item, ...]:
    """Return the items with paths as seen from outside of `folder`, in which the command runs."""
    return tuple(_item_in_folder(item, folder.rstrip("/")) for item in items) if folder else tuple(items)


def _item_in_folder(item: Item, folder: str) -> Item:
    path = _joined(folder, item.path) if item.path else ""
    if isinstance(item, Edit):
        return replace(item, path=path, new_path=item.new_path and _joined(folder, item.new_path))
    return replace(item, path=path)


def _joined(folder: str, path: str) -> str:
    is_absolute = path.startswith(("/", "\\")) or (path[1:2] == ":" and path[0].isalpha())
    return path if is_absolute or folder == "." else f"{folder}/{path}"


def _first_line(source: AnswerText, line: int, lower_bound: int) -> tuple[int, bool]:
    """Return the first line of the command that ends on `line`, and whether its fence holds nothing else."""
    first = line
    while first > lower_bound and source.bare(first - 1):
        if fence_on(source.lines[first - 1]):
            return first, True
        first -= 1
    first = line
    while first > lower_bound and source.bare(first - 1).endswith(_GOES_ON):
        first -= 1
    return first, False


def _refused(source: AnswerText, message: str, first: int, end: int, at: int | None = None) -> ReadResult:
    item = source.malformed(message, first, end, at=at, origin=Format.ENVELOPE)
    return ReadResult((item,), source.span(first, end)[1])
