"""Steps that another program has done at our request, noted as a transaction would have written them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.read import identity_of
from patchpoint.filesystem.user_state import write_private
from patchpoint.operations.log import Cause, OperationLog
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind


@dataclass(frozen=True, slots=True)
class NotedStep:
    """A step, and the bytes that it overwrote or deleted."""

    step: FileStep
    old: bytes


def noted(
    kind: StepKind,
    root: Path,
    path: Path,
    old: bytes | None,
    new: bytes | None,
    *,
    mode: int = 0,
    new_path: Path | None = None,
) -> NotedStep:
    """Return the step that made `new` of the file's bytes `old`, `mode` being its permission bits."""
    step = FileStep(
        kind=kind, root=str(root), path=str(path), new_path=str(new_path) if new_path is not None else ""
    )
    if old is not None:
        was = identity_of(old)
        step = replace(step, old_size=was.size, old_digest=was.digest, old_mode=mode)
    if new is not None:
        made = identity_of(new)
        step = replace(step, new_size=made.size, new_digest=made.digest)
    if kind is StepKind.WRITE:
        step = replace(step, new_mode=mode)
    return NotedStep(step, old or b"")


def note_steps(log: OperationLog, cause: Cause, noted_steps: Sequence[NotedStep]) -> None:
    """Enter steps into the log: of an operation that is there already, after those that it has.

    Raises `OSError`: then the log is as it was.
    """
    known = log.read(cause)
    body = dict(known.body) if known is not None else {}
    place = log.old(cause)
    old = place.read_bytes() if known is not None and place.exists() else b""
    steps = list(body.get("steps", ()))
    for one in noted_steps:
        steps.append(asdict(replace(one.step, old_at=len(old))))
        old += one.old
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(place, old)
    log.record(cause, {**body, "steps": steps, "folders": body.get("folders", [])})
