"""The stores of checkpoints, as the client's user wants them kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import Checkpoint, CheckpointStore, SnapshotOptions
from patchpoint.lsp import answers

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

_MEBIBYTE = 1024 * 1024


def open_store(session: Session, root: Path) -> CheckpointStore:
    """The checkpoints of a folder. Raises `CheckpointError`."""
    settings = session.settings
    options = SnapshotOptions(
        max_file_size=int(settings.max_file_size_mib * _MEBIBYTE), exclude=settings.exclude
    )
    return CheckpointStore.open(root, options=options, keep=settings.keep)


def checkpoint_answer(checkpoint: Checkpoint) -> answers.CheckpointAnswer:
    """A checkpoint as commands answer it."""
    return answers.CheckpointAnswer(
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
        skipped=tuple(
            answers.SkippedAnswer(path=left.path, reason=left.reason) for left in checkpoint.skipped
        ),
        unchanged=checkpoint.unchanged,
        kind=checkpoint.kind.value,
    )
