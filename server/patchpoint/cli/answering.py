"""What the commands answer in JSON: the shapes of the protocol, positions counted in characters."""

from __future__ import annotations

import json
from pathlib import Path

from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.difference import FileDifference
from patchpoint.checkpoints.restore import Restored
from patchpoint.cli.outcomes import Done
from patchpoint.cli.terminal import Terminal
from patchpoint.edit import Edit, Malformed
from patchpoint.lsp.answers import (
    CandidateAnswer,
    CheckpointAnswer,
    EditsAnswer,
    FileChangeAnswer,
    HeadAnswer,
    OutcomeAnswer,
    RestoreAnswer,
    SkippedAnswer,
)
from patchpoint.lsp.arguments import Position, Range
from patchpoint.lsp.decode import encode
from patchpoint.outcome import Outcome
from patchpoint.pending import edit_id
from patchpoint.plan import FileChange, Refused
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.positions import Unit, position_at


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


def edits_answer(done: Done) -> EditsAnswer:
    """What a request did, or would do."""
    return EditsAnswer(
        applied=not done.dry_run and bool(done.changes),
        application=done.application.id if done.application else None,
        edits=tuple(_outcome_answer(done, outcome) for outcome in done.outcomes),
        files=tuple(_change_answer(done, change) for change in done.changes),
        checkpoint=checkpoint_answer(done.checkpoint) if done.checkpoint else None,
    )


def _outcome_answer(done: Done, outcome: Outcome) -> OutcomeAnswer:
    before, after = done.table_before(outcome.path), done.table_after(outcome.path)
    candidates = outcome.candidates if before is not None else ()
    return OutcomeAnswer(
        id=_id_of(done, outcome.index),
        index=outcome.index,
        uri=_uri(done, outcome.path),
        status=outcome.status.value,
        rung=outcome.rung.value if outcome.rung else None,
        similarity=outcome.similarity,
        range=_range(before, outcome.span),
        new_range=_range(after, outcome.new_span),
        candidates=tuple(
            CandidateAnswer(range=found, similarity=one.similarity, preview=one.preview)
            for one in candidates
            if (found := _range(before, one.span)) is not None
        ),
        message=" ".join((outcome.message, *outcome.notes)).strip(),
        feedback=outcome.feedback,
    )


def _id_of(done: Done, index: int) -> str:
    item = done.request.items[index]
    edit = item.edit if isinstance(item, Refused) else item
    if isinstance(edit, Malformed):
        edit = Edit(path=edit.path, search=edit.message, line=edit.line)
    target = done.request.targets.get(edit.path)
    place = target.resolved if target is not None else None
    return edit_id(str(place.path) if place is not None else edit.path, edit)


def _change_answer(done: Done, change: FileChange) -> FileChangeAnswer:
    return FileChangeAnswer(
        uri=_uri(done, change.path),
        operation=change.operation.value,
        new_uri=_uri(done, change.new_path) if change.new_path is not None else None,
        diff=done.diff(change),
    )


def _uri(done: Done, name: str) -> str:
    target = done.request.targets.get(name)
    return target.resolved.path.as_uri() if target is not None and target.resolved is not None else ""


def _range(table: LineTable | None, span: Span | None) -> Range | None:
    if table is None or span is None:
        return None
    start, end = (position_at(table, offset, Unit.UTF_32) for offset in span)
    return Range(Position(start.line, start.character), Position(end.line, end.character))
