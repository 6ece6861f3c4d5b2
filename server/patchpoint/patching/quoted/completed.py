"""An edit with the lines that its texts leave out, and without what is no part of the file in them."""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import QUOTING, Edit, Format, Operation
from patchpoint.locate.omissions import HAS_REMARK, HAS_STRAY, MAY_LEAVE_OUT
from patchpoint.locate.source import SourceText, indentation, plain
from patchpoint.outcome import Outcome
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import regex

_WRITTEN = (Format.SEARCH_REPLACE, Format.TOOL_CALL)
"""Formats in which a model writes all of what comes in the place of what it quotes."""
_OF_HUNKS = (Format.UNIFIED_DIFF, Format.ENVELOPE)
_MAKE = regex(r"(?i)(?:^|/)(?:gnu)?makefile\Z|\.mk\Z")
_ADDED = "`{line}` has no sign, and the file does not have it: it is taken to be added."


def completed_edit(edit: Edit, source: SourceText) -> Edit | Outcome:
    """Return an edit as it is meant, in doubt where its texts say something else; or why it is refused."""
    if edit.format in _OF_HUNKS and edit.search and not edit.splits:
        edit = _with_lost_signs(edit, source)
    is_put = edit.operation is not Operation.MERGE and edit.format is not Format.REQUEST
    if is_put and (HAS_STRAY.search(edit.replace) or _MAKE.search(edit.path)):
        from patchpoint.patching.quoted.stray import without_stray

        edit = without_stray(edit, source)
    if edit.search and edit.format in QUOTING and MAY_LEAVE_OUT.search(edit.search + edit.replace):
        from patchpoint.patching.left_out import with_left_out

        complete = with_left_out(edit, source.text)
        if isinstance(complete, Outcome):
            return complete
        edit = complete
    if edit.search and edit.format in _WRITTEN and not edit.splits and HAS_REMARK.search(edit.replace):
        from patchpoint.patching.shown.judged import with_lines_kept

        edit = with_lines_kept(edit)
    return edit


def _with_lost_signs(edit: Edit, source: SourceText) -> Edit:
    """Return a hunk in which lines without a sign are added that are next to added ones, and in no file.

    Without them, its other lines are in the file as they are; with them, they are not.
    """
    if plain(edit.search) in source.plain:
        return edit
    old, new = (plain_lines(plain(each)) for each in (edit.search, edit.replace))
    quoted = set(old)
    added = [row for row, line in enumerate(new) if line not in quoted]
    lost: set[str] = set()
    for row in added:
        for step in (1, -1):
            at = row + step
            while 0 <= at < len(new) and new[at].strip() and new[at].strip() not in source.stripped:
                if new[at] in quoted:
                    lost.add(new[at])
                at += step
    rest = [line for line in old if line not in lost]
    text = "".join(f"{line}\n" for line in rest)
    if not lost or not "".join(rest).strip() or text not in source.plain:
        return edit
    # the first space of a line without a sign was taken for one
    depths = {indentation(line) for line in new if line not in lost}
    made = [
        f" {line}" if line in lost and indentation(line) not in depths and line[:1] == " " else line
        for line in new
    ]
    first = next(line for line in old if line in lost)
    doubt = edit.doubt or _ADDED.format(line=first.strip())
    return replace(edit, search=text, replace="".join(f"{line}\n" for line in made), doubt=doubt)
