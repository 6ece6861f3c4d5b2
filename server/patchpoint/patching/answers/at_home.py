"""Edits whose paths are of another machine, with the files that they mean."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.patching.plan import Item, Refused


class FilesMeant(Protocol):
    """What a path means: files, and whether that is sure."""

    @property
    def files(self) -> Sequence[str]:
        """Return the files that it may be."""
        ...

    @property
    def is_sure(self) -> bool:
        """Return whether it is one file, by more than its name."""
        ...


_Find = Callable[[Mapping[str, bool], Collection[str]], Mapping[str, FilesMeant]]
TextOf = Callable[[str], str | None]
"""Returns the text of a file, `None` where it is not there."""
_MUST_BE_THERE = (
    Operation.REPLACE,
    Operation.BETWEEN,
    Operation.INSERT,
    Operation.MERGE,
    Operation.PLACE,
    Operation.DELETE,
    Operation.RENAME,
    Operation.CHMOD,
)
_READ_AS = "`{}` is no path of this project; it was read as {}."


def all_at_home(
    edits: Sequence[Edit | Malformed], files: Collection[str], text_of: TextOf, find: _Find
) -> list[Item]:
    """Return edits with the paths of `files` that theirs mean.

    `find` returns what paths mean, each of which is given with whether its file must be there.
    """
    meant = find(_paths_asked(edits), files)
    return [_at_home(edit, meant, text_of) if isinstance(edit, Edit) else edit for edit in edits]


def _paths_asked(edits: Sequence[Edit | Malformed]) -> dict[str, bool]:
    """Return the paths of edits, each with whether its file must be there."""
    asked: dict[str, bool] = {}
    for edit in edits:
        if isinstance(edit, Edit):
            is_made = edit.operation is Operation.REPLACE and not edit.search and not edit.splits
            must = edit.operation in _MUST_BE_THERE and not is_made
            asked[edit.path] = asked.get(edit.path, False) or must
            if edit.operation is Operation.RENAME and edit.new_path:
                asked.setdefault(edit.new_path, False)
    return asked


def _at_home(edit: Edit, meant: Mapping[str, FilesMeant], text_of: TextOf) -> Edit | Refused:
    """Return an edit with the paths that are `meant` by its own: files, and whether that is sure.

    It is a proposal, unless that is sure and its file has the text that it replaces. Of several files, the
    one that has this text is meant; else it is refused, with all of them named.
    """
    one, to = meant.get(edit.path), meant.get(edit.new_path or "")
    files, new = one.files if one is not None else (), to.files if to is not None else ()
    if len(files) > 1:
        files = [file for file in files if edit.search and edit.search in (text_of(file) or "")] or files
    several = next((each for each in (files, new) if len(each) > 1), ())
    if several:
        why = f"{edit.path!r} could mean {', '.join(sorted(several))}; write the path in this project"
        return Refused(edit, why)
    path = files[0] if files else edit.path
    new_path = new[0] if new else edit.new_path
    if (path, new_path) == (edit.path, edit.new_path):
        return edit
    is_exact = (
        one is not None
        and one.is_sure
        and not new
        and bool(edit.search)
        and edit.search in (text_of(path) or "")
    )
    named = _READ_AS.format(edit.path if files else edit.new_path, path if files else new_path)
    doubt = edit.doubt or ("" if is_exact else named)
    remark = edit.remark or ("" if doubt else named)
    return replace(edit, path=path, new_path=new_path, doubt=doubt, remark=remark)
