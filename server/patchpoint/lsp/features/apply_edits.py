"""Applying what a model wrote: parse and plan the edits, take a checkpoint, change the files, report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import ONLY_TURN, Edit, Malformed, Unplaced
from patchpoint.formats import read_answer
from patchpoint.formats.answer import ALL_TURNS
from patchpoint.lsp.applying.apply import AppliedEdits, apply_plan
from patchpoint.lsp.applying.chat_documents import message_at
from patchpoint.lsp.applying.executing_files import ConfirmedFiles
from patchpoint.lsp.applying.missed_changes import UnconfirmedChange, wait_until_shown
from patchpoint.lsp.applying.open_documents import is_applied
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, place_unnamed, plan_edits
from patchpoint.lsp.applying.previewed import Preview
from patchpoint.lsp.commands import APPLY_EDITS, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.edits_result import dry_run_result, last_answer, result_of
from patchpoint.lsp.features.previewing.left_out import (
    LeftOut,
    as_pending,
    discarded_edits,
    leave_out,
    left_overs,
    with_left_out,
)
from patchpoint.lsp.features.previewing.show import open_preview, plan_preview, preview_text
from patchpoint.lsp.session.positions import span_of
from patchpoint.operations.log import Cause, OperationKind
from patchpoint.outcome import Outcome, Rung, Status
from patchpoint.patching.answers.pieces import to_be_placed, with_placed
from patchpoint.patching.pending import PENDING
from patchpoint.paths.repositories import recorded_folders
from patchpoint.progress import CancelledError
from patchpoint.review.planned import choice_of
from patchpoint.schema import requests, responses
from patchpoint.schema.edits import edit_from_data
from patchpoint.schema.uris import name_of, named, path_of
from patchpoint.text.lines import Span
from patchpoint.workspace.history.applications import Origin
from patchpoint.workspace.history.refusals import with_repeat_feedback
from patchpoint.workspace.label import label_before, title_of

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work

PREVIEW_OUTDATED = "preview-outdated"
"""The code of a refusal to apply what would change something else than was shown."""


@handles(APPLY_EDITS)
async def apply_edits(
    session: PatchpointServer, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Apply the edits of a request or, in a dry run, return what they would change."""
    request = await requested_edits(session, params, work)
    if params.dry_run:
        return await _dry_run(session, request, params, work)
    return await apply_request(session, request, params, work)


async def _dry_run(
    session: PatchpointServer, request: EditRequest, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Return what the edits that are not dropped would change, and what was decided about each hunk.

    Where the client shows that as a preview, it can be decided about, unless something was dropped already.
    """
    choice = choice_of(params.drop, params.discard)
    if params.previewed and not choice:
        planned = await plan_preview(session, request, work)
        preview = Preview(params=params, planned=planned, choice=choice)
        return await open_preview(session, preview, is_shown=False)
    left = await leave_out(session, request, choice, work)
    planned = await plan_edits(session, left.request, work)
    if params.previewed:
        session.previewed.remember(planned)
    planned = replace(planned, plan=replace(planned.plan, outcomes=left.completed(planned.plan.outcomes)))
    return dry_run_result(session, planned, choice)


async def requested_edits(session: PatchpointServer, params: requests.ApplyEdits, work: Work) -> EditRequest:
    """Return the edits of a request, with the user's settings for the options that it leaves out.

    Code in a text that names no file is for `params.file` or for the one file that has a place for it; in a
    text with other edits, if those show code as well. Raises `RequestFailed` when a document that it names is
    not open, or the text has no such turn.
    """
    edits: Sequence[Edit | Malformed]
    unplaced: tuple[Unplaced, ...] = ()
    turn = ONLY_TURN
    title = ""
    is_answer = params.edits is None and (params.document is None or params.document.range is None)
    text = ""
    source = params.document.uri if params.document is not None else ""
    ladder = await session.ladder(params.min_similarity, params.min_margin)
    if params.edits is not None:
        edits = [edit_from_data(data) for data in params.edits]
    else:
        text, span = (
            (params.text or "", None) if params.document is None else _written_in(session, params.document)
        )
        read = partial(
            read_answer,
            format=params.format,
            turn=params.turn if span is None else ALL_TURNS,
            include=params.include,
        )
        try:
            answer = await session.run(read, text)
        except ValueError as error:
            raise RequestFailed("no-such-turn", f"Nothing was applied: {error}.") from error
        turn = answer.turn
        title = title_of(text) if turn.count == 1 and span is None else ""
        edits = [edit for edit in answer.items if span is None or _overlap(edit.span, span)]
        unplaced = tuple(one for one in answer.unplaced if span is None or _overlap(one.span, span))
        if params.file is not None:
            shown = [one for one in unplaced if one.edit is not None and not one.is_between]
            meant = [replace(one.edit, path=params.file) for one in shown if one.edit is not None]
            edits = sorted((*edits, *meant), key=lambda edit: edit.span)
            unplaced = tuple(one for one in unplaced if one not in shown)
        elif not edits:
            placing = await place_unnamed(session, unplaced, source, ladder, work)
            edits, unplaced = placing.edits, placing.left
        else:
            pieces, named = to_be_placed(edits, unplaced), {edit.path for edit in edits}
            placing = await place_unnamed(session, pieces, source, ladder, work, named)
            edits, left = with_placed(edits, unplaced, placing)
            unplaced = tuple(left)
    return EditRequest(
        edits=tuple(edits),
        ladder=ladder,
        atomic=params.atomic or session.settings.atomic,
        base=path_of(params.base_uri) if params.base_uri is not None else None,
        source=source,
        expected=params.expected,
        unplaced=unplaced,
        turn=turn,
        title=title,
        is_answer=is_answer,
        answer=text if is_answer else "",
    )


def _written_in(session: PatchpointServer, part: requests.DocumentPart) -> tuple[str, Span | None]:
    """Return the text of an open document and the requested span of it; `None` is all of it.

    Raises `RequestFailed` when the document is not open, or is a preview or a comparison.
    """
    document = session.documents.find(part.uri)
    if document is None:
        raise RequestFailed(
            "not-open", f"{named(part.uri)} is not open; open it, or send its text as `text`."
        )
    if document.is_shown:
        raise RequestFailed(
            "not-an-answer",
            f"{name_of(part.uri)} only previews edits; apply them from the model's answer.",
        )
    if part.range is None:
        return document.text, None
    return document.text, span_of(document.table, part.range, session.client.unit)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


async def apply_request(
    session: PatchpointServer,
    request: EditRequest,
    params: requests.ApplyEdits,
    work: Work,
    *,
    reverts: str = "",
) -> responses.EditsResult:
    """Plan, take a checkpoint if one is due, apply the changes, and keep the edits that failed.

    `reverts` is the id of the application that the edits revert, if they revert one.
    """
    left = await leave_out(session, request, choice_of(params.drop, params.discard), work)
    request = left.request
    confirmed = ConfirmedFiles(session, all_confirmed=params.allow_executing_files)
    planned = await confirmed.plan(request, work)
    await _check_preview(session, planned, params)
    left, planned = left.applied_to(planned)
    checkpoint = None
    if planned.plan.changes:
        label = label_before(planned.plan, reverting=bool(reverts))
        checkpoint = await _checkpoint_before(session, planned, params, label, work)
        if not all(buffer.is_current for buffer in planned.buffers.values()):
            planned = await confirmed.plan(request, work)
            await _check_preview(session, planned, params)
            left, planned = left.applied_to(planned)
    cause = _cause(session, planned, params, reverts)
    target = params.target or session.settings.target
    applied = await apply_plan(session, planned, target, work, cause)
    applied = replace(applied, outcomes=left.completed(applied.outcomes))
    if request.answer:
        session.pending.last_answer = last_answer(planned, applied.outcomes)
    await _remember(session, planned, applied, left)
    applied = replace(
        applied,
        outcomes=await session.run(
            with_repeat_feedback,
            planned.request,
            applied.outcomes,
            lambda name: session.pending.attempts(name) - 1,
        ),
    )
    application = None
    if applied.changes:
        applied_ids = [
            planned.request.id_of(one.index) for one in applied.outcomes if one.status is Status.APPLIED
        ]
        application = await session.applications.add(
            planned, applied_ids, applied.changes, reverts, _origin(session, planned, params), cause.id
        )
    if reverts:
        if all(one.status in (Status.APPLIED, Status.ALREADY_APPLIED) for one in applied.outcomes):
            await session.applications.reverted(reverts)
        applied = _as_reverted(applied)
    decided = (one.index for one in applied.outcomes if one.index not in request.without)
    session.previewed.forget(map(planned.request.id_of, decided))
    result = result_of(session, planned, applied, checkpoint, application)
    result = with_left_out(result, left, planned, applied.outcomes)
    _log(session, applied.outcomes)
    _tell_to_reload(session, planned, applied)
    if result.applied:
        session.notify("patchpoint/didApplyEdits", result)
        session.files_changed()
    for late in applied.unconfirmed:
        session.start(_check_when_seen(session, planned, applied, late))
    return result


def _cause(
    session: PatchpointServer, planned: PlannedEdits, params: requests.ApplyEdits, reverts: str
) -> Cause:
    kind = OperationKind.RESOLVE if planned.asked.chosen else OperationKind.APPLY
    return Cause(
        kind=OperationKind.REVERT if reverts else kind,
        session=_origin(session, planned, params).session,
        ledger=str(session.roots[0]) if session.roots else "",
    )


def _as_reverted(applied: AppliedEdits) -> AppliedEdits:
    outcomes = tuple(
        replace(one, status=Status.REVERTED) if one.status is Status.APPLIED else one
        for one in applied.outcomes
    )
    return replace(applied, outcomes=outcomes)


async def _check_when_seen(
    session: PatchpointServer, planned: PlannedEdits, applied: AppliedEdits, late: UnconfirmedChange
) -> None:
    """Wait until the client shows a buffer, and keep the edits that it reported and did not make."""
    made = await wait_until_shown(session, late.buffer)
    lost = [index for index in late.edits if not is_applied(applied.outcomes[index], late.buffer, made)]
    if lost:
        session.warn(
            f"The editor reported that it changed {name_of(late.buffer.document.uri)}, but the change is "
            "missing. The edit is pending again; the rest of its request stays applied."
        )
        await session.pending.add([kept for index in lost if (kept := as_pending(planned, index))])


async def _check_preview(
    session: PatchpointServer, planned: PlannedEdits, params: requests.ApplyEdits
) -> None:
    """Check that a plan changes what was shown of it in a preview, if it was; else show it again.

    Raises `RequestFailed` where it changes something else.
    """
    moved = session.previewed.changed(planned)
    if not moved:
        return
    session.previewed.remember(planned)
    if not params.previewed:
        await session.shown.show("preview.diff", preview_text(planned)[0])
    raise RequestFailed(
        PREVIEW_OUTDATED,
        f"Nothing was applied: {', '.join(moved)} changed since the preview was shown. Check the new "
        "preview, and apply again.",
    )


async def _checkpoint_before(
    session: PatchpointServer, planned: PlannedEdits, params: requests.ApplyEdits, label: str, work: Work
) -> Checkpoint | None:
    """Take a checkpoint called `label` if the request or else the settings want one; return it, if any.

    When it cannot be taken, a request with `checkpoint: true` fails before any change; otherwise the user is
    warned.
    """
    wanted = session.settings.checkpoint_before_apply if params.checkpoint is None else params.checkpoint
    if not wanted:
        return None
    from patchpoint.checkpoints import CheckpointKind
    from patchpoint.lsp.features.checkpoints import take_checkpoints

    try:
        taken = await take_checkpoints(
            session,
            await session.run(_folders_of, planned),
            CheckpointKind.BEFORE_APPLY,
            work,
            label,
            *_anchor(session, params),
        )
    except CancelledError:
        raise
    except Exception as error:
        if params.checkpoint:
            raise
        # No fault of checkpoints may keep a person from editing.
        session.warn(f"No checkpoint was taken before the edits: {error}")
        return None
    return taken[0] if taken else None


def _anchor(session: PatchpointServer, params: requests.ApplyEdits) -> tuple[str | None, str | None]:
    """Return the session and message given, or else those of the chat message that contains the edits."""
    if params.session is not None or params.document is None or params.document.range is None:
        return params.session, params.message
    text, span = _written_in(session, params.document)
    message = message_at(text, span[0] if span is not None else 0)
    return (params.document.uri, message.name) if message is not None else (None, None)


def _origin(session: PatchpointServer, planned: PlannedEdits, params: requests.ApplyEdits) -> Origin:
    chat, message = _anchor(session, params)
    asked = planned.asked
    return Origin(
        source=asked.source,
        session=chat or "",
        message=message or "",
        title=asked.title,
        is_rest=bool(asked.rest_of),
    )


def _folders_of(planned: PlannedEdits) -> list[Path]:
    """Return the workspace folders in which a plan changes files, and the repositories inside them.

    Those whose checkpoints hold the changed files come first.
    """
    targets = [planned.target(change).resolved for change in planned.plan.changes]
    return list(recorded_folders((target.root, target.path) for target in targets if target is not None))


async def _remember(
    session: PatchpointServer, planned: PlannedEdits, applied: AppliedEdits, left: LeftOut
) -> None:
    """Keep the edits that were not applied, and drop pending ones that now were."""
    kept = list(left_overs(left, planned, applied.outcomes).values())
    gone = discarded_edits(left, planned, applied.outcomes)
    done: list[str] = list(gone)
    for outcome in applied.outcomes:
        if planned.request.id_of(outcome.index) in gone:
            continue
        if outcome.status not in PENDING:
            done.append(planned.request.id_of(outcome.index))
        elif (pending := as_pending(planned, outcome.index)) is not None:
            kept.append(pending)
    if any(outcome.status is Status.APPLIED for outcome in applied.outcomes):
        # Put at a place that a person pointed to, it is an edit with another id.
        done.append(planned.asked.rest_of)
    await session.pending.drop(done)
    for name in gone:
        session.blocks.discard(name)
    if kept:
        await session.pending.add(kept)


def _tell_to_reload(session: PatchpointServer, planned: PlannedEdits, applied: AppliedEdits) -> None:
    """Tell the user which documents are older than their files, where the editor did not reload them before.

    One that applies edits itself is given a moment to see what was written to disk.
    """
    outdated = session.documents.buffers().outdated
    files = [planned.target(change) for change in applied.changes]
    names = [
        file.name
        for file in files
        if file.resolved is not None
        and not outdated.isdisjoint((file.resolved.path, file.resolved.target))
        and not (session.client.apply_edit and file.is_open)
    ]
    if names:
        session.show_message(f"Changed on disk: {', '.join(names)}. Reload the buffers.")


def _log(session: PatchpointServer, outcomes: Sequence[Outcome]) -> None:
    """Log every edit that was applied without an exact match, and trace those that were not applied."""
    for outcome in outcomes:
        if outcome.status is Status.APPLIED and outcome.rung not in (None, Rung.EXACT):
            rung = outcome.rung.value if outcome.rung else ""
            session.log(f"Edit {outcome.index + 1} of {outcome.path} was found by {rung}.")
        elif outcome.status is not Status.APPLIED:
            session.trace_line(f"Edit {outcome.index + 1} of {outcome.path}: {outcome.message}")
