"""Replacements that leave lines out: a mark in them is for lines of the search text."""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.locate.source import plain
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.reasons import refusal
from patchpoint.structure.lazy.definition import UnmergedError
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.text.lines import plain_lines

_DOUBT = "The replacement leaves lines out: they stay as the search text has them."
LEFT_OUT = "`{mark}` leaves lines out of what is to be written, and it is not certain which; send all of it"


def with_left_out(edit: Edit, text: str) -> Edit | Outcome:
    """Return an edit with the lines of its search text that marks in its replacement stand for, in doubt.

    Return why it is refused where that is not certain, and the edit itself where there is none that the file,
    or its search text, has not.
    """
    mark = mark_of_its_own(edit.replace, edit.search, text)
    if not mark:
        return edit
    old, new = (plain_lines(plain(each)) for each in (edit.search, edit.replace))
    try:
        merged = merge_shown(old, new, edit.path)
    except UnmergedError:
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    if any(is_mark(line) and line not in old for line in merged.lines):
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    end = "\n" if edit.replace.endswith("\n") else ""
    return replace(edit, replace="\n".join(merged.lines) + end, doubt=edit.doubt or _DOUBT)


def mark_of_its_own(new: str, search: str, text: str) -> str:
    """Return a mark of what is left out that neither a search text nor the file has, if there is one.

    Dots alone may be code.
    """
    marks = [line.strip() for line in plain_lines(plain(new)) if is_mark(line) and line.strip(" \t.…")]
    if not marks:
        return ""
    known = {line.strip() for each in (search, text) for line in plain_lines(plain(each))}
    return next((mark for mark in marks if mark not in known), "")
