"""A working tree, what Patchpoint does to it for persons and sessions, and how it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from patchpoint.edit import Edit, Format, Operation
from patchpoint.headless.apply import CheckpointBefore, FolderRequest, apply_planned, plan_in_folders
from patchpoint.headless.result import ApplyResult
from patchpoint.headless.undo import Undone, UndoRequest, redo, undo
from patchpoint.progress import Silent
from patchpoint.workspace.history.applications import Origin
from patchpoint.workspace.history.ledger import Ledger

Files = dict[str, tuple[int, bytes]]
"""The permission bits (0 for a symbolic link) and the bytes of each file, by its path."""


def files_in(root: Path) -> Files:
    """Every file and link outside of `.git`."""
    found: Files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] == ".git" or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink():
            found[name] = (0, str(path.readlink()).encode())
        else:
            found[name] = (path.stat().st_mode & 0o777, path.read_bytes())
    return found


def replaced(path: str, old: str, new: str) -> Edit:
    """An edit of lines."""
    return Edit(format=Format.SEARCH_REPLACE, path=path, search=old, replace=new)


def created(path: str, text: str) -> Edit:
    """An edit that makes a file."""
    return Edit(format=Format.ENVELOPE, path=path, operation=Operation.CREATE, content=text)


def deleted(path: str) -> Edit:
    """An edit that deletes a file."""
    return Edit(format=Format.ENVELOPE, path=path, operation=Operation.DELETE)


def applied(root: Path, edits: Sequence[Edit], session: str = "", *, checkpoint: bool = True) -> ApplyResult:
    """Apply edits as the command line does."""
    asked = FolderRequest(edits=tuple(edits), roots=(root,), origin=Origin(session=session))
    planned = plan_in_folders(asked, Silent())
    before = CheckpointBefore(session=session or None) if checkpoint else None
    return apply_planned(planned, checkpoint=before, progress=Silent())


def reverted(root: Path) -> ApplyResult:
    """Revert the last application, as the command line does."""
    found = next(one for one in Ledger(root).applications() if one.is_revertible)
    asked = FolderRequest(edits=found.back, roots=(root,), originals=found.originals(), reverts=found.id)
    return apply_planned(plan_in_folders(asked, Silent()), checkpoint=CheckpointBefore(), progress=Silent())


def restored(root: Path, id_: str, session: str = "") -> None:
    """Restore a checkpoint for a session, or a person."""
    CheckpointStore.open(root).restore(id_, by=session)


def undone(root: Path, session: str | None = "", named: str = "") -> Undone:
    """Undo."""
    return undo(root, UndoRequest(session=session, named=named), Silent())


def redone(root: Path, session: str | None = "", named: str = "") -> Undone:
    """Redo."""
    return redo(root, UndoRequest(session=session, named=named), Silent())


Act = Callable[[], object]
