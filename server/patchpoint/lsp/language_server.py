"""A session with all that its features keep: pending edits, what was applied, what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from patchpoint.files import FileError
from patchpoint.landing import recover
from patchpoint.lsp.applications import Applications
from patchpoint.lsp.diagnostics import Diagnostics
from patchpoint.lsp.disk_changes import landing_journal
from patchpoint.lsp.pending_edits import PendingEdits
from patchpoint.lsp.session import Session
from patchpoint.lsp.shown_documents import ShownTexts


class PatchpointServer(Session):
    """What features are given: the session, and what they know in common."""

    def __init__(self) -> None:
        super().__init__()
        self.diagnostics = Diagnostics(self)
        self.pending = PendingEdits(self, self.diagnostics)
        self.applications = Applications(self)
        self.shown = ShownTexts(self)
        self.before_restore: dict[Path, dict[Path, str]] = {}
        """The texts that the last restore in a working tree replaced in buffers, by its root."""

    async def take_up(self, roots: Sequence[Path]) -> None:
        """Take up what the last session in these folders left: landings cut short, pending edits."""
        for root in roots:
            try:
                recovered = await self.run(recover, landing_journal(root))
            except (FileError, OSError) as error:
                self.warn(f"Edits that were cut short could not be taken back: {error}")
                continue
            if recovered.taken_back:
                count = len(recovered.taken_back)
                self.warn(
                    f"Edits were cut short when the server last ended; {count} files are as before them."
                )
        await self.applications.load(roots)
        await self.pending.load(roots)

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """The client opened or closed folders."""
        before = self.roots
        super().change_folders(event)
        self.start(self.take_up([root for root in self.roots if root not in before]))

    def settings_changed(self) -> None:
        """Show or hide what the settings now want."""
        self.diagnostics.publish_again()

    def files_changed(self) -> None:
        """Look again at what depends on files that were changed beside the client's buffers."""
        self.start(self.pending.look_again())
