"""Asking the user about edits of files that start programs: such an edit has a question of its own.

A change annotation would not do, for a client that takes annotations need not ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.session.questions import Answer, ask
from patchpoint.workspace.request import to_be_confirmed

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session

APPLY = "Apply"
DO_NOT_APPLY = "Do not apply"

_DECLINED = "you did not confirm the edits"
_CANNOT_ASK = (
    "this editor cannot ask for your confirmation: make the edits yourself, or apply them with `patchpoint "
    "apply --allow-executing-files`"
)


class ConfirmedFiles:
    """What the user has answered in one request, which is planned several times where its files change."""

    def __init__(self, session: Session, *, all_confirmed: bool) -> None:
        self._session = session
        self._all = all_confirmed
        self._remedy: str | None = None
        self._confirmed: set[str] = set()

    async def plan(self, request: EditRequest, work: Work) -> PlannedEdits:
        """Plan a request, having asked about the files that start programs and would be changed.

        Where the user does not confirm that, the edits of all of them are refused. Raises `CancelledError`
        if the work was cancelled before the answer.
        """
        if self._remedy is None:
            planned = await plan_edits(self._session, request, work)
            unconfirmed = _executing(planned).keys() - self._confirmed
            if self._all or not unconfirmed:
                return planned
            self._remedy = await self._ask(planned, work)
            if self._remedy is None:
                self._confirmed |= unconfirmed
                if all(buffer.is_current for buffer in planned.buffers.values()):
                    return planned
                return await self.plan(request, work)
        return await plan_edits(self._session, replace(request, remedy=self._remedy), work)

    async def _ask(self, planned: PlannedEdits, work: Work) -> str | None:
        """Ask the user; return why the edits are not confirmed, or `None` if they are."""
        question = to_be_confirmed(_executing(planned))
        answer = await ask(self._session, question, APPLY, DO_NOT_APPLY, work)
        return {Answer.YES: None, Answer.NO: _DECLINED, Answer.NOT_ASKED: _CANNOT_ASK}[answer]


def _executing(planned: PlannedEdits) -> dict[str, str]:
    """Return the files that a plan changes and that need a confirmation, each with why."""
    executing = planned.request.executing
    names = [name for change in planned.plan.changes for name in (change.path, change.new_path)]
    return {name: executing[name] for name in names if name is not None and name in executing}
