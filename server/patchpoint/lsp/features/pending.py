"""Pending edits: listed, applied at a place that a person chose, discarded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.lsp.applying.planning import CANDIDATE_MOVED, EditRequest, plan_edits
from patchpoint.lsp.commands import ACCEPT_PROPOSAL, DISCARD_EDIT, LIST_PENDING_EDITS, RESOLVE_EDIT, handles
from patchpoint.lsp.errors import RequestFailed, stale_proposal
from patchpoint.lsp.features.apply_edits import apply_request
from patchpoint.lsp.features.edits_result import dry_run_result
from patchpoint.lsp.features.previewing.preview import preview_request
from patchpoint.lsp.pending.pending_edits import PendingEvaluation
from patchpoint.outcome import Atomic, Outcome
from patchpoint.patching.pending import PendingEdit
from patchpoint.patching.proposal import NOTHING_ACCEPTED, Accepted
from patchpoint.schema import requests, responses
from patchpoint.schema.edits import range_data
from patchpoint.schema.uris import name_of
from patchpoint.text.lines import Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(LIST_PENDING_EDITS)
async def list_pending_edits(
    session: PatchpointServer, params: requests.ListPendingEdits, work: Work
) -> responses.PendingEditsResult:
    """Return the pending edits, evaluated against their files as they are now."""
    work.check()
    await session.pending.loaded()
    await session.pending.refresh()
    return session.pending.responses(params.uri)


@handles(RESOLVE_EDIT)
async def resolve_edit(
    session: PatchpointServer, params: requests.ResolveEdit, work: Work
) -> responses.EditsResult:
    """Merge a pending edit into one of its candidates, if that is the place that was shown.

    With `whole`, the lines there are replaced instead. At a candidate of an edit that was not found, and for
    whole lines, that is previewed, and nothing is changed yet. Raises `RequestFailed` when there is no such
    candidate, when the file has changed since, and when the edit cannot be merged there.
    """
    pending = await session.find_edit(params.edit)
    shown = session.shown_outcomes(pending.id)
    evaluation = await session.pending.evaluate(pending)
    place = evaluation.outcome.span
    candidates = evaluation.outcome.candidates
    if candidates:
        if params.candidate > len(candidates):
            raise RequestFailed(
                "no-candidate",
                f"The edit no longer has a candidate {params.candidate}; it has {len(candidates)}.",
            )
        place = candidates[params.candidate - 1].span
    elif params.candidate > 1:
        raise RequestFailed("no-candidate", f"The edit no longer has a candidate {params.candidate}.")
    if not _is_as_shown(session, params, shown, evaluation, place):
        raise RequestFailed(
            CANDIDATE_MOVED,
            f"{name_of(evaluation.uri)} has changed since it was shown, and candidate {params.candidate} is "
            "a different place now; check the candidates and choose again.",
        )
    if params.whole and (not candidates or pending.edit.operation is not Operation.REPLACE):
        raise RequestFailed("no-replacement", "The edit has no lines to replace whole; apply it as it is.")
    request = await rest_request(
        session,
        pending,
        edit_by_file(pending),
        evaluation.table.text if evaluation.table is not None and place is not None else None,
        chosen={0: place} if candidates and place is not None else {},
        whole=frozenset({0} if params.whole else ()),
    )
    if params.dry_run and not params.previewed:
        return dry_run_result(session, await plan_edits(session, request, work))
    is_guess = evaluation.outcome.is_lost and bool(candidates)
    is_guess = is_guess and not candidates[params.candidate - 1].is_quoted
    if params.dry_run or params.whole or is_guess:
        return await preview_request(session, request, work, is_shown=not params.previewed)
    return await apply_request(session, request, requests.ApplyEdits(text=""), work)


@handles(ACCEPT_PROPOSAL)
async def accept_proposal(
    session: PatchpointServer, params: requests.AcceptProposal, work: Work
) -> responses.EditsResult:
    """Make a proposed edit, if its file is as it was when the difference was shown.

    Raises `RequestFailed` where no proposal has the id now.
    """
    pending, shown = await session.find_proposal(params.proposal)
    evaluation = await session.pending.evaluate(pending)
    now = evaluation.outcome.proposal
    if now is None or (now.accepted.before, now.text) != (shown.accepted.before, shown.text):
        raise stale_proposal(params.proposal)
    # without a table there is no file whose text could have been seen
    seen = now.accepted.before if evaluation.table is not None else None
    request = await rest_request(session, pending, edit_by_file(pending), seen, accept=Accepted(every=True))
    if params.previewed:
        return await preview_request(session, request, work, is_shown=False)
    return await apply_request(session, request, requests.ApplyEdits(text=""), work)


def _is_as_shown(
    session: PatchpointServer,
    params: requests.ResolveEdit,
    shown: Sequence[Outcome],
    evaluation: PendingEvaluation,
    place: Span | None,
) -> bool:
    """Return whether the place is the one that was shown: by its range or, without one, by its appearance."""
    if params.range is not None:
        return (
            evaluation.table is not None
            and place is not None
            and range_data(evaluation.table, place, session.client.unit) == params.range
        )
    return not shown or any(_appearance(outcome) == _appearance(evaluation.outcome) for outcome in shown)


def _appearance(outcome: Outcome) -> object:
    """Return what a person sees of an edit's candidates."""
    if outcome.candidates:
        return [(candidate.similarity, candidate.preview) for candidate in outcome.candidates]
    return outcome.matched, outcome.rung, outcome.similarity


@handles(DISCARD_EDIT)
async def discard_edit(
    session: PatchpointServer, params: requests.DiscardEdit, work: Work
) -> responses.DiscardResult:
    """Drop a pending edit or all of them, and return their ids."""
    work.check()
    if params.all:
        await session.pending.loaded()
        return responses.DiscardResult(discarded=tuple(await session.pending.drop(session.pending.ids())))
    name = (await session.find_edit(str(params.edit))).id
    await session.pending.drop([name])
    session.blocks.discard(name)
    return responses.DiscardResult(discarded=(name,))


async def rest_request(
    session: PatchpointServer,
    pending: PendingEdit,
    edit: Edit,
    seen: str | None,
    *,
    chosen: Mapping[int, Span] | None = None,
    whole: frozenset[int] = frozenset(),
    accept: Accepted = NOTHING_ACCEPTED,
) -> EditRequest:
    """Return the request to make a pending edit as `edit`, at a place that was chosen in the text `seen`."""
    return EditRequest(
        edits=(edit,),
        ladder=await session.ladder(),
        atomic=Atomic.EDIT,
        source=pending.source,
        first=pending.index,
        title=pending.title,
        rest_of=pending.id,
        chosen=chosen or {},
        whole=whole,
        accept=accept,
        chosen_in={} if seen is None else {0: seen},
    )


def edit_by_file(pending: PendingEdit) -> Edit:
    """Return a pending edit with its known file as its path, which is then not looked up again."""
    return replace(pending.edit, path=pending.file, format=Format.REQUEST)
