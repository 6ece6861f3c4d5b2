"""Undo what Patchpoint did last to a working tree, whatever it was, and redo it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import (
    ChangedSinceError,
    CheckpointError,
    FolderRefusedError,
    NothingToRedoError,
    NothingToUndoError,
    RestoreRefusedError,
    changed_since,
)
from patchpoint.dataclass import dataclass, field, replace
from patchpoint.filesystem.errors import FileError
from patchpoint.operations.choice import NextOperation, Standing, older_to_undo, standings, to_redo, to_undo
from patchpoint.operations.log import Cause, LoggedOperation, OperationKind, OperationLog, working_tree_of
from patchpoint.wording import ago, files_named, plural

if TYPE_CHECKING:
    from patchpoint.checkpoints.options import StoreOptions
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.checkpoints.undo import DoneHere
    from patchpoint.progress import Progress

_NOUNS = {
    OperationKind.APPLY: "edits",
    OperationKind.RESOLVE: "edits",
    OperationKind.REVERT: "the revert",
    OperationKind.REVIEW: "the review",
    OperationKind.RESTORE: "the restore",
    OperationKind.PRUNE: "the deletion",
    OperationKind.UNDO: "the undo",
    OperationKind.REDO: "the redo",
}
_PAST = {OperationKind.UNDO: "undone", OperationKind.REDO: "redone"}

_TRIED = 20
"""How many operations are looked at for one that can be undone in place of one that cannot."""

ANYBODY = None
"""As a session: whoever it was."""
PERSON = ""
"""As a session: none, a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What was taken back or brought back or, in a dry run, would be."""

    operation: LoggedOperation
    last: LoggedOperation
    """The operation, or the undo or redo of it that was the last before this one."""
    kind: OperationKind
    """`UNDO` or `REDO`."""
    root: Path
    """The root of the working tree, which paths are relative to."""
    files: tuple[tuple[str, str], ...] = ()
    """A letter as git has them (`A`, `M`, `D`, `R`), and the path."""
    restored: Restored | None = None
    """Of what was done to checkpointed state: what the restore did."""
    checkpoints: tuple[str, ...] = ()
    """The ids of checkpoints that came back, or were deleted again."""
    missing: tuple[str, ...] = ()
    """The ids of those that are gone for good."""
    passed: tuple[LoggedOperation, ...] = ()
    """Newer operations of others, which stay."""
    opened: Mapping[Path, str] = field(default_factory=dict)
    unsaved: Mapping[str, str] = field(default_factory=dict)
    in_editor: Mapping[Path, str] = field(default_factory=dict)
    """The texts that documents get which are `opened` in an editor, by their files."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest:
    """What to take back, or to bring back."""

    session: str | None = PERSON
    """The session whose last operation is meant; see `PERSON` and `ANYBODY`."""
    named: str = ""
    """The beginning of the operation's id, if it is named."""
    dry_run: bool = False
    by: str = PERSON
    """The session that asks."""
    opened: Mapping[Path, str] = field(default_factory=dict)
    """The texts of documents that are open in an editor, by their files: it changes these itself."""
    unsaved: Mapping[str, str] = field(default_factory=dict)
    """Those of them that are not saved, by their paths from the root: a restore keeps them."""
    options: StoreOptions | None = None


def operations_of(
    folder: Path, options: StoreOptions | None = None, *, recover: bool = True
) -> tuple[Path, list[LoggedOperation]]:
    """Return the root of the working tree that `folder` is in, and what was done to it, newest first.

    An interrupted restore is finished first, unless not to `recover`: nothing is written then.
    """
    done, root = _opened(folder, options) if recover else (None, working_tree_of(folder))
    return root, _known(done, root)


def undo(folder: Path, asked: UndoRequest, progress: Progress) -> Undone:
    """Take back the last operation that is not undone, and nothing else.

    Raises `ChangedSinceError` where something of it has been changed since, `NothingToUndoError`, and what
    else keeps files from being written: nothing was changed then.
    """
    return _carry_out(folder, asked, OperationKind.UNDO, progress)


def redo(folder: Path, asked: UndoRequest, progress: Progress) -> Undone:
    """Bring back what was undone last. Raises `NothingToRedoError`, and what `undo` raises."""
    return _carry_out(folder, asked, OperationKind.REDO, progress)


def _carry_out(folder: Path, asked: UndoRequest, kind: OperationKind, progress: Progress) -> Undone:
    done, root = _opened(folder, asked.options)
    known = _known(done, root)
    choice = _chosen(known, asked, kind)
    standing = choice.standing
    assert standing is not None
    operation, last = standing.operation, standing.last
    cause = Cause(kind=kind, session=asked.by, target=operation.id)
    result = Undone(
        operation=operation,
        last=last,
        kind=kind,
        root=root,
        passed=tuple(each.operation for each in choice.passed),
        opened=asked.opened,
        unsaved=asked.unsaved,
        dry_run=asked.dry_run,
    )
    try:
        return _executed(done, result, last, cause, progress)
    except ChangedSinceError as error:
        which = f"Operation {operation.id} ({said_of(operation, root)})"
        other = ""
        if kind is OperationKind.UNDO and not asked.named:
            other = _other_way(done, known, asked, result, progress)
        raise ChangedSinceError(f"{which} cannot be {_PAST[kind]}: {error}{other}") from error


def _other_way(
    done: DoneHere | None,
    known: Sequence[LoggedOperation],
    asked: UndoRequest,
    blocked: Undone,
    progress: Progress,
) -> str:
    """Return the sentence that names the newest operation that can be undone in place of a `blocked` one."""
    session = _session(known, asked.session) if asked.session else asked.session
    for each in older_to_undo(known, session, blocked.operation)[:_TRIED]:
        cause = Cause(kind=OperationKind.UNDO, session=asked.by, target=each.operation.id)
        check = replace(blocked, operation=each.operation, dry_run=True)
        with suppress(CheckpointError):
            _executed(done, check, each.last, cause, progress)
            said = said_of(each.operation, blocked.root)
            return (
                f" The newest that can be undone is {each.operation.id} ({said}): "
                f"'patchpoint undo {each.operation.id}'."
            )
    return ""


def said_of(operation: LoggedOperation, root: Path) -> str:
    """Return what an operation did and when, in a few words."""
    about = about_of(operation, root)
    when = ago(operation.at, datetime.now(timezone.utc))
    return f"{_NOUNS[operation.cause.kind]}{f' of {about}' if about else ''}, {when}"


def about_of(operation: LoggedOperation, root: Path) -> str:
    """Return what an operation was about, in a few words."""
    if operation.cause.label:
        return f"“{operation.cause.label}”"
    if operation.checkpoints:
        return plural(len(operation.checkpoints), "checkpoint")
    names = [_relative(Path(path), root) for _, path in operation.files()]
    return files_named(list(dict.fromkeys(names)))


def _executed(
    done: DoneHere | None, result: Undone, last: LoggedOperation, cause: Cause, progress: Progress
) -> Undone:
    operation = result.operation
    if "steps" in last.body and not (operation.cause.editor or last.cause.editor):
        return _of_transaction(result, last, cause, progress)
    if done is not None and "restore" in last.body:
        restored = done.take_back(
            last, cause, dry_run=result.dry_run, buffers=result.unsaved, progress=progress
        )
        return replace(result, files=_files_of(restored, result.root), restored=restored)
    if done is not None and ("deleted" in last.body or "revived" in last.body):
        return _of_deletion(done, result, last, cause)
    way = f" 'patchpoint revert {operation.id}' does too." if operation.cause.ledger else ""
    raise NothingToUndoError(
        f"Operation {operation.id} was done in the editor, whose own undo takes it back; nothing was "
        f"changed.{way}"
    )


def _opened(folder: Path, options: StoreOptions | None) -> tuple[DoneHere | None, Path]:
    """Return what was done in a working tree, and its root. No checkpoints are kept of a home directory."""
    from patchpoint.checkpoints.undo import DoneHere

    try:
        done = DoneHere(folder, options)
    except FolderRefusedError:
        return None, working_tree_of(folder)
    return done, done.root


def _known(done: DoneHere | None, root: Path) -> list[LoggedOperation]:
    return OperationLog.at(root).all() if done is None else done.operations()


def _chosen(known: Sequence[LoggedOperation], asked: UndoRequest, kind: OperationKind) -> NextOperation:
    is_undo = kind is OperationKind.UNDO
    if asked.named:
        return NextOperation(standing=_named(known, asked.named, is_undo=is_undo))
    session = asked.session
    if session:
        session = _session(known, session)
    choice = (to_undo if is_undo else to_redo)(known, session)
    if choice.standing is not None:
        return choice
    error = NothingToUndoError if is_undo else NothingToRedoError
    verb = kind.value
    if choice.since is not None:
        raise error(
            f"Nothing to redo: operation {choice.since.id} was done since; see 'patchpoint operations'."
        )
    whose = f" of session '{session}'" if session else " of yours" if choice.passed else ""
    way = ""
    if choice.passed:
        other = choice.passed[0].operation
        way = (
            f" Session '{other.cause.session}' did {other.id} ({other.cause.kind.value}); 'patchpoint {verb} "
            f"{other.id}' takes that {'back' if is_undo else 'up again'}."
            if other.cause.session
            else f" A person did {other.id}."
        )
    elif not known:
        way = " Nothing was done here yet."
    raise error(f"Nothing{whose} to {verb}.{way}")


def _named(known: Sequence[LoggedOperation], name: str, *, is_undo: bool) -> Standing:
    found = [each for each in standings(known) if each.operation.id.startswith(name)]
    if not found:
        raise NothingToUndoError(f"There is no operation '{name}'; 'patchpoint operations' lists them.")
    if len(found) > 1:
        ids = ", ".join(each.operation.id for each in found)
        raise NothingToUndoError(f"'{name}' could be {ids}; give more characters.")
    if found[0].is_undone is is_undo:
        state = "already undone" if is_undo else "not undone"
        raise NothingToUndoError(f"Operation {found[0].operation.id} is {state}; nothing was changed.")
    return found[0]


def _session(known: Sequence[LoggedOperation], name: str) -> str:
    """Return the session that `name` is, or is the beginning of."""
    every = {each.cause.session for each in known}
    found = sorted(each for each in every if each.startswith(name))
    if name in every or len(found) != 1:
        return name
    return found[0]


def _of_transaction(result: Undone, last: LoggedOperation, cause: Cause, progress: Progress) -> Undone:
    from patchpoint.workspace.taking_back import take_back
    from patchpoint.workspace.transaction.inverse import FilesChangedError

    operation, log = result.operation, OperationLog.at(result.root)
    cause = log.newly_named(cause)
    try:
        taken = take_back(log, last, cause, progress, dry_run=result.dry_run, opened=result.opened)
    except FilesChangedError as error:
        names = [_relative(path, result.root) for path in error.paths]
        if error.as_before:
            are = "is as it was" if len(names) == 1 else "are as they were"
            raise ChangedSinceError(
                f"{files_named(names)} {are} before: not saved in the editor, or taken back there. Nothing "
                "was changed; save, or use the editor's undo."
            ) from error
        raise changed_since(names, _instead(operation, result.kind)) from error
    except FileError as error:
        raise RestoreRefusedError(f"{error}. Nothing was changed.") from error
    if not result.dry_run:
        _mark(operation, undone=result.kind is OperationKind.UNDO)
    letters = {"create": "A", "delete": "D", "rename": "R"}
    return replace(
        result,
        in_editor=taken.in_editor,
        files=tuple(
            (letters.get(each.operation.value, "M"), _relative(each.new_path or each.path, result.root))
            for each in taken.changes
        ),
    )


def _instead(operation: LoggedOperation, kind: OperationKind) -> str:
    if kind is OperationKind.REDO:
        return "To keep what is there, apply the edits again."
    return f"To take out only the lines that it wrote, run 'patchpoint revert {operation.id}'."


def _mark(operation: LoggedOperation, *, undone: bool) -> None:
    """Have the ledger know whether an application is reverted. Raises nothing."""
    from patchpoint.workspace.history.ledger import Ledger

    cause = operation.cause
    if cause.ledger:
        with suppress(OSError):
            Ledger(Path(cause.ledger)).keep_reverted(cause.id, reverted=undone)


def _of_deletion(done: DoneHere, result: Undone, last: LoggedOperation, cause: Cause) -> Undone:
    ids = tuple(name.rpartition("/")[2] for name, _ in last.checkpoints)
    if result.dry_run:
        return replace(result, checkpoints=ids)
    if "revived" in last.body:
        return replace(result, checkpoints=done.delete_again(last, cause))
    back = done.bring_back(last, cause)
    return replace(result, checkpoints=back.ids, missing=back.missing)


def _files_of(restored: Restored, root: Path) -> tuple[tuple[str, str], ...]:
    """Return what was done to files, those of other repositories by their paths from `root`, or whole."""
    return tuple(
        (letter, path if place == root else _relative(place / path, root))
        for place, part in restored.parts(root)
        for letter, paths in (("A", part.created), ("M", part.overwritten), ("D", part.deleted))
        for path in paths
    )


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
