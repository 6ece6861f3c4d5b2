"""Deciding about a preview: edits and hunks are kept or dropped, and what is kept is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.choice import carried_over, hunks_of_plan
from patchpoint.lsp.applying.previewed import Preview, with_edits
from patchpoint.lsp.commands import APPLY_PREVIEWED, CHOOSE_PREVIEWED, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import PREVIEW_OUTDATED, apply_request
from patchpoint.lsp.features.previewing.left_out import plan_preview
from patchpoint.lsp.features.previewing.show import open_preview
from patchpoint.schema import requests, responses

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(CHOOSE_PREVIEWED)
async def choose_previewed(
    session: PatchpointServer, params: requests.ChoosePreviewed, work: Work
) -> responses.PreviewResult:
    """Keep or drop an edit or a hunk of a preview; return what is kept of it now."""
    work.check()
    preview = session.previews.find(params.preview)
    name = params.edit if params.edit is not None else params.hunk
    if name is not None and params.decision is not None:
        edits = {preview.whole.request.id_of(one.index) for one in preview.whole.plan.outcomes}
        if name not in (edits if params.edit is not None else {hunk.id for hunk in preview.hunks}):
            raise RequestFailed(
                "not-in-preview", f"The preview has no edit or hunk {name}; use one of its ids."
            )
        preview = replace(preview, choice=preview.choice.deciding([name], params.decision))
        session.previews.put(preview)
        if preview.uri:
            session.checkpoints_changed()
    return _state(preview)


@handles(APPLY_PREVIEWED)
async def apply_previewed(
    session: PatchpointServer, params: requests.ApplyPreviewed, work: Work
) -> responses.EditsResult:
    """Apply the kept part of a preview.

    Raises `RequestFailed` where that would change something else than was shown: it is shown again first,
    under the same id and with the same decisions.
    """
    preview = session.previews.find(params.preview)
    asked = replace(
        preview.params,
        drop=tuple(sorted(preview.choice.drop)),
        discard=tuple(sorted(preview.choice.discard)),
        allow_executing_files=params.allow_executing_files or preview.params.allow_executing_files,
        dry_run=False,
        previewed=True,
    )
    try:
        result = await apply_request(session, preview.request, asked, work)
    except RequestFailed as error:
        if error.data == {"code": PREVIEW_OUTDATED}:
            await _show_again(session, preview, work)
        raise
    session.previews.drop(preview.id)
    session.checkpoints_changed()
    return result


async def _show_again(session: PatchpointServer, preview: Preview, work: Work) -> None:
    """Show what a preview would change now, with what was decided about it."""
    whole, planned, _ = await plan_preview(session, preview.request, preview.choice, work)
    choice = carried_over(
        preview.choice,
        with_edits(preview.planned, preview.hunks),
        with_edits(planned, hunks_of_plan(planned.plan)),
    )
    await open_preview(
        session,
        whole,
        planned,
        preview.params,
        choice,
        name=preview.id,
        is_shown=bool(preview.uri),
    )


def _state(preview: Preview) -> responses.PreviewResult:
    kept = sum(preview.is_kept(hunk) for hunk in preview.hunks)
    return responses.PreviewResult(
        preview=preview.id,
        uri=preview.uri,
        kept=kept,
        dropped=len(preview.hunks) - kept,
        edits=tuple(
            responses.PreviewedEditData(
                id=edit.id,
                uri=edit.uri,
                status=edit.status,
                message=edit.message,
                decision=preview.choice.decision(edit.id),
            )
            for edit in preview.edits
        ),
        files=tuple(
            replace(
                file,
                hunks=tuple(replace(one, decision=preview.choice.decision(one.id)) for one in file.hunks),
            )
            for file in preview.files
        ),
    )
