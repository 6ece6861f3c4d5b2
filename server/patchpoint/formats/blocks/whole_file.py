"""Whole files: a path and, in a fence, the complete content.

Most fences in an answer are samples. One counts as a file only where its path is on it or right above it, or
where the sentence above hands the file over; content that leaves parts out is refused. What is not called
whole may create a file; whether it is all of one that exists, or a part, is seen when it is held against it.
"""

from __future__ import annotations

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.blocks.fence_label import code_of
from patchpoint.formats.blocks.lazy import read_fence
from patchpoint.formats.fences import outer_fences
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult


def read_whole_file(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the file that the fence at `sign` holds; `None` when it is a mere sample or holds other edits.

    Where whole files alone are wanted, a path above the fence is enough, and the file may exist.
    """
    return read_fence(scan, sign, Format.WHOLE_FILE)


def read_bare_file(text: str, path: str) -> Item:
    """Read an answer that is the file at `path` and nothing else, or has it in its one fence."""
    source = AnswerText(text)
    found = outer_fences(source)
    if len(found) > 1 or any(not fence.closed for fence in found):
        message = "several fences, or half of one, may be the file; one fence with its content was expected"
        return source.malformed(message, 0, len(source.lines), path=path, origin=Format.WHOLE_FILE)
    return Edit(
        path=path,
        operation=Operation.WRITE,
        content=code_of(source, found[0]) if found else text,
        format=Format.WHOLE_FILE,
        span=(0, len(text)),
    )


def without_samples(items: list[Item]) -> list[Item]:
    """Return the items without fences that only name a file which another item edits: samples of it."""
    edited = {item.path for item in items if item.format not in (Format.WHOLE_FILE, Format.LAZY)}
    return [
        item
        for item in items
        if item.format is not Format.WHOLE_FILE
        or item.path not in edited
        or (isinstance(item, Edit) and item.operation in (Operation.WRITE, Operation.INSERT))
    ]
