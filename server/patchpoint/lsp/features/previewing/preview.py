"""Opening a preview: what edits would change, shown before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp.applying.choice import Choice
from patchpoint.lsp.commands import PREVIEW_EDITS, handles
from patchpoint.lsp.features.apply_edits import requested_edits
from patchpoint.lsp.features.previewing.left_out import plan_preview
from patchpoint.lsp.features.previewing.show import open_preview
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
    choice = Choice(drop=frozenset(params.drop), discard=frozenset(params.discard))
    whole, planned, choice = await plan_preview(session, request, choice, work)
    return await open_preview(session, whole, planned, params, choice)
