"""What became of edits, in the shapes of the protocol; positions count characters."""

from __future__ import annotations

from patchpoint.cli.outcomes import Done
from patchpoint.lsp.answers import CandidateAnswer, EditsAnswer, FileChangeAnswer, OutcomeAnswer
from patchpoint.lsp.arguments import Position, Range
from patchpoint.lsp.checkpoint_answers import checkpoint_answer
from patchpoint.outcome import Outcome
from patchpoint.plan import FileChange
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.positions import Unit, position_at


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
        id=done.request.id_of(outcome.index),
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
