"""Edits in a fence that is itself the content of a file: a page, a patch, a text in a test."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.fences import FenceKind, outer_fences, without_content
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
    if not any(ending in source.text for ending in (*_HOLDERS, *_OPENING[:2], "`\n")):
        return list(items)
    return [
        replace(item, doubt=_why(source, item))
        if isinstance(item, Edit) and item.format in _WRITTEN and not item.doubt
        else item
        for item in items
    ]


def _why(source: AnswerText, edit: Edit) -> str:
    """Return why an edit may be the content of another file; empty for one that is none."""
    first, last = (source.line_of(max(0, at)) for at in (edit.span[0], edit.span[1] - 1))
    fence = next((one for one in outer_fences(source) if one.first < first and last < one.last), None)
    if fence is None:
        return ""
    above = names_above(source.once(without_content), fence.first, 0)
    on_fence = path_on_fence(fence.info)
    named = [on_fence] if on_fence else [each.path for each in above]
    if len(named) == 1 and named[0].endswith(_HOLDERS) and not f"/{edit.path}".endswith(f"/{named[0]}"):
        return _OF_FILE.format(named[0])
    rows = map(source.bare, range(fence.first + 1, first))
    is_text = any(line.endswith(_OPENING) and line.count("`") != 2 for line in rows)
    return _OF_TEXT if is_text and fence.kind() is FenceKind.CODE and fence.info else ""
