"""What the commands answer in JSON, in the shapes of the protocol."""

from __future__ import annotations

import json
from pathlib import Path

from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.difference import FileDifference
from patchpoint.checkpoints.restore import Restored
from patchpoint.cli.terminal import Terminal
from patchpoint.lsp.answers import (
    CheckpointAnswer,
    FileChangeAnswer,
    HeadAnswer,
    RestoreAnswer,
    SkippedAnswer,
)
from patchpoint.lsp.decode import encode


def answer_json(terminal: Terminal, answer: object) -> None:
    """One answer as one JSON object; `answer` is a dataclass of `patchpoint.lsp.answers`."""
    terminal.line(json.dumps(encode(answer), ensure_ascii=False, indent=2))


def checkpoint_answer(checkpoint: Checkpoint) -> CheckpointAnswer:
    """A checkpoint as the protocol has it."""
    return CheckpointAnswer(
        id=checkpoint.id,
        commit=checkpoint.commit,
        tree=checkpoint.tree,
        label=checkpoint.label or None,
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


def difference_answer(difference: FileDifference, root: Path) -> FileChangeAnswer:
    """What became of one file, `root` being the working tree's folder."""
    new_path = difference.new_path
    return FileChangeAnswer(
        uri=(root / difference.path).as_uri(),
        operation=difference.operation.value,
        new_uri=(root / new_path).as_uri() if new_path is not None else None,
        diff=difference.diff,
    )


def restore_answer(restored: Restored, root: Path) -> RestoreAnswer:
    """What a restore did, or would do."""
    return RestoreAnswer(
        checkpoint=restored.checkpoint.id,
        safety=restored.safety.id if restored.safety else None,
        written=tuple((root / path).as_uri() for path in restored.written),
        deleted=tuple((root / path).as_uri() for path in restored.deleted),
        head=HeadAnswer(from_=restored.head_from, to=restored.head_to),
        dropped=restored.dropped,
        transcript=None,
        session_reset=restored.session_reset,
    )
