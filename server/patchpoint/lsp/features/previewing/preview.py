"""Opening a preview: what edits would change, shown before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp.applying.choice import Choice
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.commands import PREVIEW_EDITS, handles
from patchpoint.lsp.features.apply_edits import requested_edits
from patchpoint.lsp.features.previewing.left_out import leave_out
from patchpoint.lsp.features.previewing.show import open_preview
from patchpoint.outcome import Atomic, Status
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


async def plan_preview(
    session: PatchpointServer, request: EditRequest, choice: Choice, work: Work
) -> tuple[PlannedEdits, PlannedEdits, Choice]:
    """Return the plan of all edits, that of those which have a place, and the choice without the others."""
    whole = await plan_edits(session, request, work)
    if request.atomic is Atomic.EDIT:
        return whole, whole, choice
    misplaced = {
        whole.request.id_of(outcome.index)
        for outcome in whole.plan.outcomes
        if outcome.status not in (Status.MATCHED, Status.HELD, Status.ALREADY_APPLIED)
    }
    if not misplaced:
        return whole, whole, choice
    left = await leave_out(session, request, Choice(drop=frozenset(misplaced)), work, whole=whole)
    return (
        whole,
        await plan_edits(session, left.request, work),
        Choice(drop=choice.drop | (misplaced - choice.discard), discard=choice.discard),
    )
