"""Applying what a model wrote: read, placed, guarded by a checkpoint, made, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Malformed
from patchpoint.formats import parse_edits
from patchpoint.lsp import answers, arguments
from patchpoint.lsp.application import Applied, apply_plan
from patchpoint.lsp.chat_documents import message_at
from patchpoint.lsp.convert import edit_of, outcome_answer, span_of
from patchpoint.lsp.editor_changes import is_made
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.planning import Asked, Planned, plan_edits
from patchpoint.lsp.unseen_edits import UnseenChange, when_seen
from patchpoint.lsp.uris import name_of, path_of
from patchpoint.outcome import Outcome, Rung, Status
from patchpoint.pending import PENDING, PendingEdit, digest_of
from patchpoint.plan import Atomic
from patchpoint.progress import CancelledError
from patchpoint.refusals import told_again
from patchpoint.text.diff import unified_diff
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.progress import Work


async def apply_edits(
    session: PatchpointServer, given: arguments.ApplyEdits, work: Work
) -> answers.EditsAnswer:
    """Apply the edits of a request, or, in a dry run, say what would become of them."""
    asked = await asked_for(session, given)
    if given.dry_run:
        return dry_run_answer(session, await plan_edits(session, asked, work))
    return await carry_out(session, asked, given, work)


async def asked_for(session: PatchpointServer, given: arguments.ApplyEdits) -> Asked:
    """The edits of a request, with the options that it leaves out as the client's user chose them."""
    edits: Sequence[Edit | Malformed]
    source = given.document.uri if given.document is not None else ""
    if given.edits is not None:
        edits = [edit_of(data) for data in given.edits]
    else:
        text, span = (
            (given.text or "", None) if given.document is None else _written_in(session, given.document)
        )
        edits = await session.run(parse_edits, text, given.format.value)
        edits = [edit for edit in edits if span is None or _overlap(edit.span, span)]
    return Asked(
        edits=tuple(edits),
        ladder=session.ladder(given.min_similarity, given.min_margin),
        atomic=Atomic((given.atomic or session.settings.atomic).value),
        base=path_of(given.base_uri) if given.base_uri is not None else None,
        source=source,
    )


def _written_in(session: PatchpointServer, part: arguments.DocumentPart) -> tuple[str, Span | None]:
    """The text of a document, and the part of it that is meant. Raises `RequestFailed`."""
    document = session.documents.find(part.uri)
    if document is None:
        raise RequestFailed("not-open", f"{part.uri} is not open; open it, or send its text as `text`.")
    if part.range is None:
        return document.text, None
    return document.text, span_of(document.table, part.range, session.client.unit)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


async def carry_out(
    session: PatchpointServer, asked: Asked, given: arguments.ApplyEdits, work: Work
) -> answers.EditsAnswer:
    """Plan, take the checkpoint that is due, make the changes, and keep what could not land."""
    planned = await plan_edits(session, asked, work)
    checkpoint = None
    if planned.plan.changes:
        checkpoint = await _checkpoint_before(session, planned, given, work)
        if not all(buffer.is_still_so for buffer in planned.buffers.values()):
            planned = await plan_edits(session, asked, work)
    applied = await apply_plan(session, planned, given.target or session.settings.target, work)
    await _remember(session, planned, applied)
    applied = replace(
        applied,
        outcomes=await session.run(
            told_again, planned.request, applied.outcomes, lambda name: session.pending.attempts(name) - 1
        ),
    )
    application = None
    if applied.changes:
        landed = [
            planned.request.id_of(one.index) for one in applied.outcomes if one.status is Status.APPLIED
        ]
        application = await session.applications.add(planned, landed, applied.changes)
    answer = _answer(session, planned, applied, checkpoint, application)
    _log(session, applied.outcomes)
    if answer.applied:
        session.notify("patchpoint/didApplyEdits", answer)
        session.files_changed()
    for late in applied.unseen:
        session.start(_look_when_seen(session, planned, applied, late))
    return answer


async def _look_when_seen(
    session: PatchpointServer, planned: Planned, applied: Applied, late: UnseenChange
) -> None:
    """When the client shows a buffer at last, keep the edits that it only said that it made."""
    made = await when_seen(session, late.buffer)
    lost = [index for index in late.edits if not is_made(applied.outcomes[index], late.buffer, made)]
    if lost:
        session.warn(
            f"The editor said that it changed {name_of(late.buffer.document.uri)}, and the change is not "
            "there as it was asked for. The edit is pending again; the rest of its request stands."
        )
        await session.pending.add([kept for index in lost if (kept := _as_pending(planned, index))])


def dry_run_answer(session: PatchpointServer, planned: Planned) -> answers.EditsAnswer:
    """What a plan would do."""
    would_be = Applied(outcomes=planned.plan.outcomes, changes=planned.plan.changes)
    return _answer(session, planned, would_be, None, None)


async def _checkpoint_before(
    session: PatchpointServer, planned: Planned, given: arguments.ApplyEdits, work: Work
) -> Checkpoint | None:
    """The checkpoint that the request asks for, or else the settings.

    One that was asked for must exist before anything changes; one that is a habit is missed with a warning.
    """
    wanted = session.settings.checkpoint_before_apply if given.checkpoint is None else given.checkpoint
    if not wanted:
        return None
    from patchpoint.checkpoints import Kind
    from patchpoint.lsp.features.checkpoints import take

    try:
        taken = await take(
            session,
            roots_of(planned),
            Kind.BEFORE_APPLY,
            work,
            "Before edits were applied",
            *_anchor(session, given),
        )
    except CancelledError:
        raise
    except Exception as error:
        if given.checkpoint:
            raise
        # Whatever is wrong with checkpoints must not keep a person from editing.
        session.warn(f"No checkpoint was taken before the edits: {error}")
        return None
    return taken[0] if taken else None


def _anchor(session: PatchpointServer, given: arguments.ApplyEdits) -> tuple[str | None, str | None]:
    """The chat message that the checkpoint precedes: the one named, or the one that the edits stand in."""
    if given.session is not None or given.document is None or given.document.range is None:
        return given.session, given.message
    text, span = _written_in(session, given.document)
    message = message_at(text, span[0] if span is not None else 0)
    return (given.document.uri, message.name) if message is not None else (None, None)


def roots_of(planned: Planned) -> list[Path]:
    """The workspace folders that a plan changes something in."""
    targets = [planned.target(change).resolved for change in planned.plan.changes]
    return list(dict.fromkeys(target.root for target in targets if target is not None))


async def _remember(session: PatchpointServer, planned: Planned, applied: Applied) -> None:
    """Keep the edits that could not land, and forget those that were kept and now did."""
    kept: list[PendingEdit] = []
    done: list[str] = []
    for outcome in applied.outcomes:
        if outcome.status not in PENDING:
            done.append(planned.request.id_of(outcome.index))
        elif (pending := _as_pending(planned, outcome.index)) is not None:
            kept.append(pending)
    await session.pending.drop(done)
    if kept:
        await session.pending.add(kept)


def _as_pending(planned: Planned, index: int) -> PendingEdit | None:
    """An edit as one that is kept, if there is a file that it could be for."""
    edit = planned.request.edit_at(index)
    if not isinstance(edit, Edit) or edit.path not in planned.request.targets:
        return None
    text = planned.request.targets[edit.path].text
    return PendingEdit(
        id=planned.request.id_of(index),
        file=planned.request.place_of(edit.path),
        edit=edit,
        source=planned.asked.source,
        seen=digest_of(text) if text is not None else "",
    )


def _answer(
    session: PatchpointServer,
    planned: Planned,
    done: Applied,
    checkpoint: Checkpoint | None,
    application: str | None,
) -> answers.EditsAnswer:
    from patchpoint.lsp.checkpoint_answers import checkpoint_answer

    befores = {name: _table(target.text) for name, target in planned.request.targets.items()}
    afters = {change.path: _table(change.after) for change in done.changes}
    unit = session.client.unit
    return answers.EditsAnswer(
        applied=application is not None,
        application=application,
        edits=tuple(
            outcome_answer(
                outcome,
                planned.request.id_of(outcome.index),
                planned.uri(outcome.path),
                befores.get(outcome.path),
                afters.get(outcome.path),
                unit,
            )
            for outcome in done.outcomes
        ),
        files=tuple(
            answers.FileChangeAnswer(
                uri=planned.uri(change.path),
                operation=change.operation.value,
                new_uri=planned.uri(change.new_path) if change.new_path is not None else None,
                diff=unified_diff(change.before, change.after, change.path, change.new_path),
            )
            for change in done.changes
        ),
        checkpoint=checkpoint_answer(checkpoint) if checkpoint is not None else None,
    )


def _table(text: str | None) -> LineTable | None:
    return LineTable.of(text) if text is not None else None


def _log(session: PatchpointServer, outcomes: Sequence[Outcome]) -> None:
    """Name in the log every edit that landed somewhere else than exactly where it was quoted."""
    for outcome in outcomes:
        if outcome.status is Status.APPLIED and outcome.rung not in (None, Rung.EXACT):
            rung = outcome.rung.value if outcome.rung else ""
            session.log(f"Edit {outcome.index + 1} of {outcome.path} was found by {rung}.")
        elif outcome.status is not Status.APPLIED:
            session.trace_line(f"Edit {outcome.index + 1} of {outcome.path}: {outcome.message}")
