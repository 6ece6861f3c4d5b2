"""A whole request against texts that are held in memory: no folder is read and none is written."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats import parse_edits
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.path_names import problem_by_sight
from patchpoint.path_search import files_meant
from patchpoint.plan import Atomic, FileChange, FileOperation, Item, Refused, plan_edits


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a request did: the files as they stand after it, and an outcome for each edit."""

    files: Mapping[str, str | None]
    """Every file that was given or made, by path; `None` for one that is gone."""
    outcomes: tuple[Outcome, ...]
    changes: tuple[FileChange, ...]
    """What became of each file that changed."""


def apply_edits(
    files: Mapping[str, str],
    request: str | Sequence[Edit | Malformed],
    *,
    atomic: str = "all",
    ladder: Ladder | None = None,
) -> Report:
    """Apply `request`, raw model output or edits, to `files` (path to text); nothing is read or written.

    Where there is but one file, an edit that names none is meant for it.
    `atomic` says what one edit that does not match holds back: `"all"`, its `"file"`, or the `"edit"` alone.
    Raises `TypeError` or `ValueError` for arguments of the wrong kind and for nothing else.
    """
    if not isinstance(files, Mapping):
        raise TypeError(f"files must be a mapping from path to text, not {type(files).__name__}")
    only = next(iter(files)) if len(files) == 1 else ""
    edits = parse_edits(request, path=only) if isinstance(request, str) else list(request)
    if not all(isinstance(edit, (Edit, Malformed)) for edit in edits):
        raise TypeError("request must be a str or a sequence of Edit")
    made = {path for edit in edits if isinstance(edit, Edit) and (path := _made_by(edit))}
    items = [_named(edit, files, made) if isinstance(edit, Edit) else edit for edit in edits]
    plan = plan_edits(items, files, atomic=Atomic(atomic), ladder=ladder)
    after: dict[str, str | None] = dict(files)
    for change in plan.changes:
        after[change.path] = None
    for change in plan.changes:
        if change.operation is not FileOperation.DELETE:
            after[change.new_path or change.path] = change.after
    outcomes = tuple(
        replace(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
        for outcome in plan.outcomes
    )
    return Report(files=after, outcomes=outcomes, changes=plan.changes)


def _made_by(edit: Edit) -> str | None:
    """The path of the file that an edit brings into being, if it does."""
    if edit.operation is Operation.RENAME:
        return _normal(edit.new_path or "")
    if edit.operation in (Operation.CREATE, Operation.WRITE):
        return _normal(edit.path)
    return None


def _named(edit: Edit, files: Mapping[str, str], made: set[str]) -> Item:
    """The edit with its paths as `files` spells them, or why it is refused."""
    for path in (edit.path, *([edit.new_path or ""] if edit.operation is Operation.RENAME else [])):
        problem = problem_by_sight(path, edit.format is Format.TOOL_CALL or path in files)
        if problem is None and _normal(path).startswith(("../", "/..")):
            return Refused(edit, f"{path!r} leaves the folder; name a file inside it")
        if problem is not None:
            return Refused(edit, f"{path!r} {problem[1]}")
    if edit.new_path:
        edit = replace(edit, new_path=_spelt(edit.new_path, files))
    path = _spelt(edit.path, files)
    if path in files or path in made or edit.operation not in (Operation.REPLACE, Operation.BETWEEN):
        return replace(edit, path=path)
    meant, _ = files_meant(path, files)
    if len(meant) > 1:
        return Refused(edit, f"{edit.path!r} could mean {', '.join(sorted(meant))}; write the whole path")
    return replace(edit, path=meant[0] if meant and edit.search else path)


def _spelt(path: str, files: Mapping[str, str]) -> str:
    return path if path in files else _normal(path)


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))
