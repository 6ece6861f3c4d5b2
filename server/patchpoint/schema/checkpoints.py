"""Checkpoints, differences and restores in the shapes of the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.record.turns import turn_of, turns_of
from patchpoint.schema.responses import (
    CheckpointData,
    CompanionData,
    FileChangeData,
    HeadData,
    RestoreResult,
    SkippedFileData,
    UnsavedData,
)
from patchpoint.schema.uris import uri_of

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.turns import Turn
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.schema.responses import TranscriptData


def checkpoints_data(checkpoints: Sequence[Checkpoint]) -> tuple[CheckpointData, ...]:
    """Return `checkpoints` in the shape of the protocol; steps have their prompt if it is there."""
    turns = turns_of(checkpoints)
    return tuple(checkpoint_data(one, turns[one.id]) for one in checkpoints)


def checkpoint_data(checkpoint: Checkpoint, turn: Turn | None = None) -> CheckpointData:
    """Return `checkpoint` in the shape of the protocol; its `turn` is known by the others of its session."""
    turn = turn or turn_of(checkpoint)
    return CheckpointData(
        id=checkpoint.id,
        commit=checkpoint.commit,
        tree=checkpoint.tree,
        label=checkpoint.label,
        session=checkpoint.session,
        message=checkpoint.message,
        turn=turn.name,
        prompt=turn.prompt,
        agent=turn.agent,
        number=turn.number,
        created_at=checkpoint.created_at,
        branch=checkpoint.branch,
        head=checkpoint.head,
        root=checkpoint.root,
        files=checkpoint.files,
        skipped=tuple(SkippedFileData(path=left.path, reason=left.reason) for left in checkpoint.left_out),
        companions=tuple(CompanionData(path=each.path, id=each.id) for each in checkpoint.companions),
        unchanged=checkpoint.unchanged,
        pinned=checkpoint.pinned,
        kind=checkpoint.kind,
    )


def file_change_data(
    difference: FileDifference, root: Path, original_uri: str | None = None
) -> FileChangeData:
    """Return the change of one file below `root`; `original_uri` names a document with the file as it was."""
    return FileChangeData(
        uri=uri_of(root / difference.path),
        operation=difference.operation,
        new_uri=uri_of(root / difference.new_path) if difference.new_path else None,
        diff=difference.diff,
        original_uri=original_uri,
    )


def shown_path(path: Path, root: Path) -> str:
    """Return a path relative to `root` with `/` or, where it is not below, as it is."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def restore_result(
    restored: Restored,
    root: Path,
    transcript: TranscriptData | None = None,
    unsaved: Mapping[Path, str] | None = None,
) -> RestoreResult:
    """Return what a restore did below `root` and in other repositories, or would do, and to its chat and the
    `unsaved` documents."""
    parts = restored.parts(root)
    return RestoreResult(
        checkpoint=restored.checkpoint.id,
        safety=restored.safety.id if restored.safety is not None else None,
        written=tuple(uri_of(place / path) for place, one in parts for path in one.written),
        deleted=tuple(uri_of(place / path) for place, one in parts for path in one.deleted),
        created=tuple(uri_of(place / path) for place, one in parts for path in one.created),
        kept=tuple(
            SkippedFileData(path=shown_path(place / left.path, root), reason=left.reason)
            for place, one in parts
            for left in one.kept
        ),
        head=HeadData(from_=restored.head_from, to=restored.head_to),
        dropped=restored.dropped,
        transcript=transcript,
        session_reset=restored.session_reset,
        remark=restored.remark,
        unsaved=tuple(UnsavedData(uri=uri_of(path), text=text) for path, text in (unsaved or {}).items()),
    )
