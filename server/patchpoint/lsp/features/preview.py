"""Previews: what edits would change, shown before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp.applying.planning import plan_edits
from patchpoint.lsp.commands import PREVIEW_EDITS, handles
from patchpoint.lsp.features.apply_edits import requested_edits, show_preview
from patchpoint.schema import requests, responses

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(PREVIEW_EDITS)
async def preview_edits(
    session: PatchpointServer, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Plan the edits of a request, show the diff in the editor, and return the result of a dry run."""
    return await show_preview(
        session, await plan_edits(session, await requested_edits(session, params, work), work)
    )
