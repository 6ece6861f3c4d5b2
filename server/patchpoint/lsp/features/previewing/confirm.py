"""What nobody can know to be meant: it is shown first, and the user is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.lsp.applying.executing_files import DO_NOT_APPLY
from patchpoint.lsp.applying.planning import EditRequest, plan_edits
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.previewing.show import show_preview
from patchpoint.lsp.session.questions import Answer, ask

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work

CHANGE = "Change"
REPLACE = "Replace"


async def confirm_shown(
    session: PatchpointServer, request: EditRequest, question: str, yes: str, work: Work
) -> None:
    """Show what an edit would change at a place that is not known to be meant, and ask whether it may.

    Raises `RequestFailed` unless the user agrees, where the editor cannot ask, and where there is nothing to
    be shown.
    """
    planned = await plan_edits(session, request, work)
    outcome = planned.plan.outcomes[0]
    if outcome.is_lost:
        raise RequestFailed("not-merged", f"Nothing was changed. {outcome.message}")
    await show_preview(session, planned)
    answer = await ask(session, question, yes, DO_NOT_APPLY, work)
    if answer is Answer.NO:
        raise RequestFailed("not-confirmed", "Cancelled; nothing was changed.")
    if answer is Answer.NOT_ASKED:
        raise RequestFailed(
            "not-confirmed",
            "Nothing was changed: the edit was not found, and this editor cannot ask whether to apply it "
            "anyway; make the change shown yourself.",
        )
