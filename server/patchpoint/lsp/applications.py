"""What was applied, so that it can be taken back: in memory, and in the ledger of the first folder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.applications import Application, application_of
from patchpoint.ledger import KEPT_APPLICATIONS, Ledger
from patchpoint.lsp.errors import RequestFailed
from patchpoint.plan import FileChange

if TYPE_CHECKING:
    from patchpoint.lsp.planning import Planned
    from patchpoint.lsp.session import Session


class Applications:
    """The newest applications of this session, of those before it, and of the command line."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: OrderedDict[str, Application] = OrderedDict()

    async def load(self, roots: Sequence[Path]) -> None:
        """Take up what the ledger of the first of these folders has."""
        for application in reversed(await self._session.run(_read, roots[0]) if roots else []):
            self._kept.setdefault(application.id, application)

    async def add(self, planned: Planned, edits: Sequence[str], changes: Sequence[FileChange]) -> str:
        """Note which edits landed and what they changed; answers the name to take them back by."""
        chosen = [name for index in planned.asked.chosen if (name := planned.request.id_of(index)) in edits]
        application = application_of(planned.request, changes, edits, chosen)
        self._kept[application.id] = application
        while len(self._kept) > KEPT_APPLICATIONS:
            self._kept.popitem(last=False)
        if self._session.roots:
            try:
                await self._session.run(_keep, self._session.roots[0], application)
            except OSError as error:
                self._session.log(f"What was applied could not be noted: {error}")
        return application.id

    async def find(self, name: str) -> Application:
        """The application of that name. Raises `RequestFailed`."""
        if name not in self._kept:
            await self.load(self._session.roots)
        if name not in self._kept:
            raise RequestFailed(
                "no-application",
                f"Nothing is known of the application {name}; the newest can be taken back.",
            )
        return self._kept[name]

    def chosen(self) -> frozenset[str]:
        """The ids of the edits that a person put at one of several places, of late."""
        return frozenset(name for application in self._kept.values() for name in application.chosen)

    def has(self, edit: str) -> bool:
        """Whether the edit of that id landed, of late."""
        return any(edit in application.edits for application in self._kept.values())


def _read(root: Path) -> list[Application]:
    try:
        return Ledger(root).applications()
    except OSError:
        return []


def _keep(root: Path, application: Application) -> None:
    Ledger(root).keep_application(application)
