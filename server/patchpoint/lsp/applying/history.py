"""The applications that can be reverted: in memory, and in the ledger of the first workspace folder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.lsp.errors import RequestFailed
from patchpoint.patching.plan import PlannedChange
from patchpoint.workspace.history.applications import Application, Origin, application_of
from patchpoint.workspace.history.ledger import KEPT_APPLICATIONS, Ledger
from patchpoint.workspace.history.recorded import revert_times

if TYPE_CHECKING:
    from patchpoint.lsp.applying.planning import PlannedEdits
    from patchpoint.lsp.session.session import Session


class Applications:
    """The newest applications of this session, of earlier ones, and of the command line."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: OrderedDict[str, Application] = OrderedDict()

    async def load(self, roots: Sequence[Path]) -> None:
        """Load the applications in the ledger of the first of these folders."""
        for application in reversed(await self._session.run(_read, roots[0]) if roots else []):
            known = self._kept.setdefault(application.id, application)
            self._kept[application.id] = replace(known, reverted_at=application.reverted_at)

    async def add(
        self,
        planned: PlannedEdits,
        edits: Sequence[str],
        changes: Sequence[PlannedChange],
        reverts: str = "",
        origin: Origin | None = None,
        id_: str = "",
    ) -> str:
        """Record the applied edits and their changes; return the id by which they can be reverted.

        `origin` is where they came from; `reverts` is the id of the application that they revert, if any, and
        `id_` that of the operation in the log.
        """
        chosen = [name for index in planned.asked.chosen if (name := planned.request.id_of(index)) in edits]
        application = application_of(planned.request, changes, edits, chosen, reverts, origin, id_)
        self._kept[application.id] = application
        while len(self._kept) > KEPT_APPLICATIONS:
            self._kept.popitem(last=False)
        if self._session.roots:
            try:
                await self._session.run(_keep, self._session.roots[0], application)
            except OSError as error:
                self._session.log(f"The application could not be saved: {error}")
        return application.id

    def known(self) -> list[Application]:
        """Return the applications that are loaded, newest first."""
        return sorted(self._kept.values(), key=lambda one: one.created_at, reverse=True)

    async def current(self) -> list[Application]:
        """Return the applications, newest first, with those that others made meanwhile."""
        await self.load(self._session.roots)
        return self.known()

    async def find(self, name: str) -> Application:
        """Return the application with the id `name`. Raises `RequestFailed` if none is kept."""
        # The command line may have reverted it meanwhile.
        await self.load(self._session.roots)
        if name not in self._kept:
            raise RequestFailed(
                "no-application",
                f"There is no application {name}; only the newest ones can be reverted.",
            )
        return self._kept[name]

    async def reverted(self, name: str) -> None:
        """Keep that the application with the id `name` has been reverted."""
        times = revert_times({one.id: one.reverts for one in self._kept.values()}, name)
        for each, time in times.items():
            self._kept[each] = replace(self._kept[each], reverted_at=time)
        if self._session.roots:
            try:
                await self._session.run(_keep_reverted, self._session.roots[0], name)
            except OSError as error:
                self._session.log(f"The revert could not be saved: {error}")

    def chosen(self) -> frozenset[str]:
        """Return the ids of the edits that a person put at one of several places recently."""
        return frozenset(name for application in self._kept.values() for name in application.chosen)

    def has(self, edit: str) -> bool:
        """Return whether the edit with the id `edit` was applied by one of the kept applications."""
        return any(edit in application.edits for application in self._kept.values())


def _read(root: Path) -> list[Application]:
    try:
        return Ledger(root).applications()
    except OSError:
        return []


def _keep_reverted(root: Path, name: str) -> None:
    Ledger(root).keep_reverted(name)


def _keep(root: Path, application: Application) -> None:
    Ledger(root).keep_application(application)
