"""Edits in a fence that is itself the content of a file: a page, a patch, a text in a test."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.fences import Fence, FenceKind, outer_fences, without_content
from patchpoint.formats.labels import names_above
from patchpoint.formats.path_forms import path_on_fence
from patchpoint.formats.source import AnswerText, Item

_WRITTEN = (Format.SEARCH_REPLACE, Format.UNIFIED_DIFF, Format.ENVELOPE, Format.TOOL_CALL)
_HOLDERS = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".patch", ".diff")
"""How files end that may have edits of other files in them."""
_OPENING = ("'''", '"""', "`")
"""What a line ends with that begins a text of several lines."""
_OF_FILE = "It is in what the answer shows of {}."
_OF_TEXT = "It is in a text of the code that the answer shows."


def as_content(source: AnswerText, items: Sequence[Item]) -> list[Item]:
    """Return what an answer asks for, edits in doubt that are content of a file which it shows."""
    may_hold = any(ending in source.text for ending in (*_HOLDERS, *_OPENING[:2], "`\n"))
    every = outer_fences(source) if may_hold and any(_is_written(item) for item in items) else []
    found: list[Item] = []
    for item in items:
        why = _why(source, every, item) if every and isinstance(item, Edit) and _is_written(item) else ""
        found.append(replace(item, doubt=why) if why and isinstance(item, Edit) else item)
    return found


def _is_written(item: Item) -> bool:
    return isinstance(item, Edit) and item.format in _WRITTEN and not item.doubt


def _why(source: AnswerText, every: Sequence[Fence], edit: Edit) -> str:
    """Return why an edit may be the content of another file; empty for one that is none."""
    first, last = (source.line_of(max(0, at)) for at in (edit.span[0], edit.span[1] - 1))
    fence = next((one for one in every if one.first < first and last < one.last), None)
    if fence is None:
        return ""
    named = [path_on_fence(fence.info)]
    named = [each for each in named if each] or [
        each.path for each in names_above(source.once(without_content), fence.first, 0)
    ]
    holder = named[0] if len(named) == 1 else ""
    if holder.endswith(_HOLDERS) and holder != edit.path and not edit.path.endswith(f"/{holder}"):
        return _OF_FILE.format(holder)
    above = (source.bare(row) for row in range(fence.first + 1, first))
    is_code = fence.kind() is FenceKind.CODE and bool(fence.info)
    return (
        _OF_TEXT
        if is_code and any(line.endswith(_OPENING) and line.count("`") != 2 for line in above)
        else ""
    )
