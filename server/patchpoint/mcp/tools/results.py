"""What the tools return as data: what a model or a program goes on with, and no more.

Paths are relative to the first folder, where they are below it. A field with its default is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.outcome import Rung, Status
from patchpoint.schema.checkpoints import shown_path
from patchpoint.text.file_operation import FileOperation

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.headless.result import ApplyResult
    from patchpoint.headless.undo import Undone
    from patchpoint.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What is written once it is accepted."""

    id: str
    why: str
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditDone:
    """What became of an edit."""

    status: Status
    path: str
    line: int | None = None
    """From 1, in the file before."""
    rung: Rung | None = None
    """How it was found, if not exactly."""
    code: str | None = None
    """Why it was refused."""
    message: str = ""
    """Why it was refused, and remarks."""
    feedback: str = ""
    """What to send instead, where that is more."""
    proposal: Proposed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDone:
    """A file that was changed, or that differs."""

    path: str
    operation: FileOperation = FileOperation.UPDATE
    new_path: str | None = None
    new_sha256: str | None = None
    """What to expect of it in the next call."""
    diff: str = ""
    """Of a dry run, or a comparison."""
    original_uri: str | None = None
    """The resource with the file as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsDone:
    """What became of the edits of a call."""

    applied: bool
    """Whether anything was written."""
    application: str | None = None
    """What revert_edits takes."""
    checkpoint: str | None = None
    """The id of the checkpoint that was taken before."""
    edits: tuple[EditDone, ...] = ()
    files: tuple[FileDone, ...] = ()
    remarks: tuple[str, ...] = ()
    """What was not read as an edit, and what went wrong besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointDone:
    """A checkpoint."""

    id: str
    created_at: str
    files: int
    label: str = ""
    session: str | None = None
    turn: str | None = None
    """The message of the chat that it precedes, or belongs to."""
    prompt: str | None = None
    """What the user asked in that message, if it is not the label."""
    root: str | None = None
    """Its working tree, where there are several."""
    skipped: tuple[str, ...] = ()
    """The files that it does not hold, each with why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointsDone:
    """Checkpoints, newest first."""

    checkpoints: tuple[CheckpointDone, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffDone:
    """The files that differ."""

    files: tuple[FileDone, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreDone:
    """What a restore did or, in a dry run, would do."""

    checkpoint: str
    safety: str | None = None
    """The checkpoint with the files as they were before."""
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """What was left as it is, each with why."""
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDone:
    """Something that Patchpoint did."""

    id: str
    kind: str
    at: str
    undone: bool = False
    session: str | None = None
    """Whose it is; a person's has none."""
    label: str = ""
    target: str | None = None
    """Of an undo or a redo: the operation that it is about."""
    files: tuple[str, ...] = ()
    """`A` created, `M` changed, `D` deleted, `R` renamed, and the path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsDone:
    """What Patchpoint did, newest first."""

    operations: tuple[OperationDone, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoDone:
    """What was undone or redone or, in a dry run, would be."""

    operation: str
    kind: str
    """`undo` or `redo`."""
    dry_run: bool = False
    files: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """What was left as it is, each with why."""
    passed: tuple[str, ...] = ()
    """Newer operations of others, which stay."""


def edits_done(done: ApplyResult) -> EditsDone:
    """Return what became of the edits of a request."""
    from patchpoint.schema.edits import reading_remark
    from patchpoint.workspace.digests import digests_of

    remark = reading_remark(done.turn, done.unplaced)
    return EditsDone(
        applied=not done.dry_run and bool(done.changes),
        application=done.application.id if done.application else None,
        checkpoint=done.checkpoint.id if done.checkpoint else None,
        edits=tuple(_edit(done, one) for one in done.outcomes),
        files=tuple(
            FileDone(
                path=change.path,
                operation=change.operation,
                new_path=change.new_path,
                new_sha256=digests_of(change, done.request)[1],
                diff=done.diff(change) if done.dry_run else "",
            )
            for change in done.changes
        ),
        remarks=tuple(filter(None, (remark, *done.warnings, *(one.message for one in done.unplaced)))),
    )


def _edit(done: ApplyResult, outcome: Outcome) -> EditDone:
    from patchpoint.patching.reasons import OUTCOME_CODES

    table = done.table_before(outcome.path)
    fine = outcome.matched or outcome.status in (Status.APPLIED, Status.REVERTED, Status.ALREADY_APPLIED)
    shown = outcome.proposal
    return EditDone(
        status=outcome.status,
        path=outcome.path,
        line=table.line_of(outcome.span[0]) + 1 if table is not None and outcome.span is not None else None,
        rung=None if outcome.rung is Rung.EXACT else outcome.rung,
        code=None if outcome.reason is None else OUTCOME_CODES.get(outcome.reason),
        message=" ".join(outcome.notes if fine else (outcome.message, *outcome.notes)).strip(),
        feedback="" if fine or outcome.feedback == outcome.message else outcome.feedback,
        proposal=None if shown is None else Proposed(id=shown.id, why=shown.why, diff=shown.diff),
    )


def checkpoints_done(found: Sequence[Checkpoint]) -> CheckpointsDone:
    """Return checkpoints, each with what was asked before it."""
    from patchpoint.checkpoints.record.turns import turns_of

    turns = turns_of(found)
    several = len({one.root for one in found}) > 1
    return CheckpointsDone(
        checkpoints=tuple(
            CheckpointDone(
                id=one.id,
                created_at=one.created_at,
                files=one.files,
                label=one.label or "",
                session=one.session,
                turn=turns[one.id].name,
                prompt=None if turns[one.id].prompt == one.label else turns[one.id].prompt,
                root=one.root if several else None,
                skipped=tuple(f"{left.path} ({left.reason})" for left in one.left_out),
            )
            for one in found
        )
    )


def difference_done(one: FileDifference, original_uri: str | None) -> FileDone:
    """Return what differs in one file; `original_uri` is the resource with it as it was."""
    return FileDone(
        path=one.path,
        operation=one.operation,
        new_path=one.new_path or None,
        diff=one.diff,
        original_uri=original_uri,
    )


def restore_done(done: Restored, root: Path) -> RestoreDone:
    """Return what a restore did below `root` and in other repositories, or would do."""
    parts = done.parts(root)
    return RestoreDone(
        checkpoint=done.checkpoint.id,
        safety=done.safety.id if done.safety is not None else None,
        written=tuple(shown_path(place / path, root) for place, one in parts for path in one.written),
        deleted=tuple(shown_path(place / path, root) for place, one in parts for path in one.deleted),
        kept=kept_by(done, root),
        remark=done.remark,
    )


def kept_by(done: Restored, root: Path) -> tuple[str, ...]:
    """Return what a restore leaves as it is, each with why."""
    return tuple(
        f"{shown_path(place / left.path, root)} ({left.reason})"
        for place, one in done.parts(root)
        for left in one.kept
    )


def undo_done(done: Undone) -> UndoDone:
    """Return what was undone or redone."""
    return UndoDone(
        operation=done.operation.id,
        kind=done.kind.value,
        dry_run=done.dry_run,
        files=tuple(f"{mark} {path}" for mark, path in done.files),
        kept=() if done.restored is None else kept_by(done.restored, done.root),
        passed=tuple(one.id for one in done.passed),
    )
