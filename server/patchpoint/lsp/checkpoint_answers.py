"""Checkpoints, what changed since them and what a restore did, in the shapes of the protocol."""

from __future__ import annotations

from pathlib import Path

from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.difference import FileDifference
from patchpoint.checkpoints.restore import Restored
from patchpoint.lsp.answers import (
    CheckpointAnswer,
    FileChangeAnswer,
    HeadAnswer,
    RestoreAnswer,
    SkippedAnswer,
    TranscriptAnswer,
)
from patchpoint.lsp.uris import uri_of


def checkpoint_answer(checkpoint: Checkpoint) -> CheckpointAnswer:
    """One checkpoint."""
    return CheckpointAnswer(
        id=checkpoint.id,
        commit=checkpoint.commit,
        tree=checkpoint.tree,
        label=checkpoint.label,
        session=checkpoint.session,
        message=checkpoint.message,
        created_at=checkpoint.created_at,
        branch=checkpoint.branch,
        head=checkpoint.head,
        root=checkpoint.root,
        files=checkpoint.files,
        skipped=tuple(SkippedAnswer(path=left.path, reason=left.reason) for left in checkpoint.skipped),
        unchanged=checkpoint.unchanged,
        kind=checkpoint.kind.value,
    )


def difference_answer(
    difference: FileDifference, root: Path, original_uri: str | None = None
) -> FileChangeAnswer:
    """What became of one file below `root`; `original_uri` is that of the file as it was."""
    return FileChangeAnswer(
        uri=uri_of(root / difference.path),
        operation=difference.operation.value,
        new_uri=uri_of(root / difference.new_path) if difference.new_path else None,
        diff=difference.diff,
        original_uri=original_uri,
    )


def restore_answer(
    restored: Restored, root: Path, transcript: TranscriptAnswer | None = None
) -> RestoreAnswer:
    """What a restore did below `root`, or would do, and what became of the chat's document."""
    return RestoreAnswer(
        checkpoint=restored.checkpoint.id,
        safety=restored.safety.id if restored.safety is not None else None,
        written=tuple(uri_of(root / path) for path in restored.written),
        deleted=tuple(uri_of(root / path) for path in restored.deleted),
        head=HeadAnswer(from_=restored.head_from, to=restored.head_to),
        dropped=restored.dropped,
        transcript=transcript,
        session_reset=restored.session_reset,
    )
