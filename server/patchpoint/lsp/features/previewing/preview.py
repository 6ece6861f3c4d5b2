"""A preview from its beginning to its end: a review of what is not written yet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.planning import CANDIDATE_MOVED, EditRequest, PlannedEdits
from patchpoint.lsp.applying.previewed import Preview
from patchpoint.lsp.commands import PREVIEW_EDITS, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import PREVIEW_OUTDATED, apply_request, requested_edits
from patchpoint.lsp.features.previewing.left_out import PLACED
from patchpoint.lsp.features.previewing.show import open_preview, plan_preview
from patchpoint.lsp.language_server import PatchpointServer
from patchpoint.lsp.session.progress import Work
from patchpoint.outcome import Status
from patchpoint.review.change_set import changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.planned import PlannedFile, carried_over, choice_of, deciding, of_kind, planned_files
from patchpoint.schema import requests, responses, reviews
from patchpoint.schema.uris import document_key


@handles(PREVIEW_EDITS)
async def preview_edits(
    session: PatchpointServer, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Plan the edits of a request, show the diff in the editor, and return the result of a dry run."""
    request = await requested_edits(session, params, work)
    planned = await plan_preview(session, request, work)
    choice = choice_of(params.drop, params.discard)
    return await open_preview(session, Preview(params=params, planned=planned, choice=choice))


async def preview_request(
    session: PatchpointServer, request: EditRequest, work: Work, *, is_shown: bool
) -> responses.EditsResult:
    """Preview what a pending edit changes at a place that is not known to be meant.

    Unless `is_shown`, the client shows it. Raises `RequestFailed` where the edit cannot be made there.
    """
    planned = await plan_preview(session, request, work)
    (outcome,) = planned.plan.outcomes
    if outcome.is_lost:
        raise RequestFailed("not-merged", f"Nothing was changed. {outcome.message}")
    asked = requests.ApplyEdits(text="", previewed=not is_shown)
    if outcome.status is Status.ALREADY_APPLIED:
        return await apply_request(session, request, asked, work)
    preview = Preview(params=asked, planned=planned, choice={})
    return await open_preview(session, preview, is_shown=is_shown)


async def reviewed(
    session: PatchpointServer, preview: Preview, files: Sequence[PlannedFile] | None = None
) -> reviews.ReviewResult:
    """Return a preview, or these `files` of it, as a review: what it would change, and what was decided."""
    planned, unit = preview.planned, session.client.unit
    data = partial(reviews.review_data, preview, preview.changed, planned.uri, unit, only=files)
    found = await session.run(data, id_of=planned.request.id_of)
    edits = []
    for edit in preview.edits:
        is_open = edit.id not in preview.choice and edit.status not in PLACED
        decided = Decision.OPEN if is_open else preview.choice.get(edit.id, Decision.KEEP)
        edits.append(replace(edit, decision=decided))
    return replace(found, edits=tuple(edits))


async def decide(
    session: PatchpointServer, preview: Preview, params: requests.ReviewHunk, work: Work
) -> reviews.ReviewedFileData:
    """Decide about an edit, a hunk or a file of a preview; return the file as it is decided then.

    An edit without a place is kept at one of its candidates, or as it is proposed: then the preview has its
    changes, too. Raises `RequestFailed` for what the preview does not have.
    """
    chosen = {edit.id: edit.uri for edit in preview.edits if edit.id == params.edit}
    for one in changes_of(preview.changed):
        uri = preview.planned.uri(one.file.path_now)
        if one.hunk.id == params.hunk or (params.uri and document_key(uri) == document_key(params.uri)):
            chosen[one.hunk.id] = uri
    if not chosen:
        wanted = params.edit or params.hunk or params.uri
        raise RequestFailed(
            "not-in-preview", f"The preview has no edit, change or file {wanted}; use one that it lists."
        )
    preview = replace(preview, choice=deciding(preview.choice, chosen, params.decision))
    session.previews.put(preview)
    if params.edit is not None and params.decision is Decision.KEEP:
        preview = await _with_place(session, preview, params.edit, params.candidate, work)
    if preview.uri:
        session.checkpoints_changed()
    uri = next(iter(chosen.values()))
    own = [file for file in preview.changed if preview.planned.uri(file.path_now) == uri]
    found = await reviewed(session, preview, own)
    return found.files[0] if found.files else reviews.ReviewedFileData(uri=uri)


async def finish(
    session: PatchpointServer, preview: Preview, params: requests.FinishReview, work: Work
) -> reviews.FinishedReviewResult:
    """Apply the kept part of a preview.

    Raises `RequestFailed` where that would change something else than was shown: it is shown again first,
    under the same id and with the same decisions.
    """
    tally, result = preview.tally(preview.changed), None
    if not params.dry_run:
        asked = replace(
            preview.params,
            drop=tuple(sorted(of_kind(preview.choice, Decision.OPEN))),
            discard=tuple(sorted(of_kind(preview.choice, Decision.TAKE_BACK))),
            allow_executing_files=params.allow_executing_files or preview.params.allow_executing_files,
            dry_run=False,
            previewed=True,
        )
        try:
            result = await apply_request(session, preview.planned.asked, asked, work)
        except RequestFailed as error:
            request = preview.planned.asked
            if error.data == {"code": CANDIDATE_MOVED}:
                # Places that were chosen in another text are to be chosen again.
                request = replace(request, chosen={}, chosen_in={})
            elif error.data != {"code": PREVIEW_OUTDATED}:
                raise
            await _show_again(session, preview, await plan_preview(session, request, work))
            raise RequestFailed(PREVIEW_OUTDATED, str(error)) from error
        session.previews.drop(preview.id)
        session.checkpoints_changed()
    return reviews.FinishedReviewResult(
        kept=tally.kept,
        taken_back=tally.taken_back,
        open=tally.open,
        summary=result.summary if result is not None else "",
        result=result,
    )


async def _show_again(session: PatchpointServer, preview: Preview, planned: PlannedEdits) -> Preview:
    """Show a preview as it is by another plan, with what was decided about it, and return it."""
    shown, now = changes_of(preview.changed), changes_of(planned_files(planned.plan))
    again = replace(preview, planned=planned, choice=carried_over(preview.choice, shown, now))
    await open_preview(session, again, is_shown=bool(preview.uri))
    return session.previews.find(preview.id) or preview


async def _with_place(
    session: PatchpointServer, preview: Preview, name: str, number: int | None, work: Work
) -> Preview:
    """Return a preview in which an edit goes to the candidate with this number, or else as it is proposed.

    One that has a place stays there. Raises `RequestFailed` where the edit cannot be made there.
    """
    planned, asked = preview.planned, preview.planned.asked
    outcome = preview.outcome(name)
    if number is not None and number > len(outcome.candidates):
        raise RequestFailed("no-candidate", f"The edit has no candidate {number}; use one that is listed.")
    if number is not None:
        request = replace(asked, chosen={**asked.chosen, outcome.index: outcome.candidates[number - 1].span})
    elif outcome.proposal is not None:
        ids = asked.accept.ids | {outcome.proposal.id}
        request = replace(asked, accept=replace(asked.accept, ids=ids))
    else:
        return preview
    text = planned.request.targets[outcome.path].text or ""
    request = replace(request, chosen_in={**asked.chosen_in, outcome.index: text})
    now = await plan_preview(session, request, work)
    made = now.plan.outcomes[outcome.index]
    if not made.matched and made.status is not Status.ALREADY_APPLIED:
        raise RequestFailed("not-merged", f"Nothing was changed. {made.message}")
    return await _show_again(session, preview, now)
