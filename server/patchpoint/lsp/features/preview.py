"""Showing what edits would change, before anything does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp import answers, arguments
from patchpoint.lsp.features.apply_edits import asked_for, dry_run_answer
from patchpoint.lsp.planning import plan_edits

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.progress import Work


async def preview_edits(
    session: PatchpointServer, given: arguments.ApplyEdits, work: Work
) -> answers.EditsAnswer:
    """A dry run, whose difference is opened in the editor."""
    planned = await plan_edits(session, await asked_for(session, given), work)
    answer = dry_run_answer(session, planned)
    difference = "".join(file.diff for file in answer.files)
    await session.shown.show("preview.diff", difference or _nothing(answer))
    return answer


def _nothing(answer: answers.EditsAnswer) -> str:
    """What a preview says where nothing would change: why."""
    if not answer.edits:
        return "No edit was found in the text.\n"
    return "".join(f"# edit {edit.index + 1}: {edit.status}: {edit.message}\n" for edit in answer.edits)
