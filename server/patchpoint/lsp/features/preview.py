"""Previews: what edits would change, shown before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp.applying.planning import plan_edits
from patchpoint.lsp.commands import PREVIEW_EDITS, handles
from patchpoint.lsp.features.apply_edits import dry_run_result, requested_edits
from patchpoint.schema import requests, responses
from patchpoint.text.shown import visible

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(PREVIEW_EDITS)
async def preview_edits(
    session: PatchpointServer, params: requests.ApplyEdits, work: Work
) -> responses.EditsResult:
    """Plan the edits of a request, show the diff in the editor, and return the result of a dry run."""
    planned = await plan_edits(session, await requested_edits(session, params), work)
    result = dry_run_result(session, planned)
    diff = "".join(file.diff for file in result.files)
    warnings = "".join(
        f"# edit {outcome.index + 1}: {note}\n" for outcome in planned.plan.outcomes for note in outcome.notes
    )
    await session.shown.show("preview.diff", visible(warnings + diff if diff else _reasons(result)))
    return result


def _reasons(result: responses.EditsResult) -> str:
    """Return the text of a preview without changes: why each edit makes none."""
    if not result.edits:
        return "No edit was found in the text.\n"
    return "".join(f"# edit {edit.index + 1}: {edit.status.value}: {edit.message}\n" for edit in result.edits)
