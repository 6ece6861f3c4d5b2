"""A preview from its beginning to its end: opened, decided about, and what is kept of it applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.previewed import Preview, with_edits
from patchpoint.lsp.commands import APPLY_PREVIEWED, CHOOSE_PREVIEWED, PREVIEW_EDITS, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import PREVIEW_OUTDATED, apply_request, requested_edits
from patchpoint.lsp.features.previewing.left_out import plan_preview
from patchpoint.lsp.features.previewing.show import open_preview
from patchpoint.review.planned import Choice, carried_over
from patchpoint.schema import requests, responses

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(PREVIEW_EDITS)
async def preview_edits(
    session: PatchpointServer, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Plan the edits of a request, show the diff in the editor, and return the result of a dry run.

    The edits that have no place are dropped to begin with, so that those that have one can be applied.
    """
    request = await requested_edits(session, params, work)
    whole, planned, choice = await plan_preview(
        session, request, Choice.of(params.drop, params.discard), work
    )
    return await open_preview(session, whole, planned, params, choice)


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
        if name not in (edits if params.edit is not None else {one.hunk.id for one in preview.changes}):
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
    choice = carried_over(preview.choice, with_edits(preview.planned), with_edits(planned))
    is_shown = bool(preview.uri)
    await open_preview(session, whole, planned, preview.params, choice, name=preview.id, is_shown=is_shown)


def _state(preview: Preview) -> responses.PreviewResult:
    changes = preview.changes
    kept = sum(map(preview.is_kept, changes))
    return responses.PreviewResult(
        preview=preview.id,
        uri=preview.uri,
        kept=kept,
        dropped=len(changes) - kept,
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
