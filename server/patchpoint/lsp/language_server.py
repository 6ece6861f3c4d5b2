"""A session with all that its features keep: pending edits, what was applied, what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from patchpoint.files import FileError
from patchpoint.lsp.applications import Applications
from patchpoint.lsp.diagnostics import Diagnostics
from patchpoint.lsp.edit_blocks import EditBlocks
from patchpoint.lsp.known_checkpoints import KnownCheckpoints
from patchpoint.lsp.outside_changes import OutsideChanges
from patchpoint.lsp.pending_edits import PendingEdits
from patchpoint.lsp.session import Session
from patchpoint.lsp.shown_documents import ShownTexts
from patchpoint.outcome import Outcome
from patchpoint.pending import PendingEdit


class PatchpointServer(Session):
    """What features are given: the session, and what they know in common."""

    def __init__(self) -> None:
        super().__init__()
        self.diagnostics = Diagnostics(self)
        self.pending = PendingEdits(self, self.diagnostics)
        self.applications = Applications(self)
        self.chosen_before = self.applications.chosen
        self.shown = ShownTexts(self)
        self.blocks = EditBlocks(self, self.diagnostics, self.applications.has)
        self.checkpoints = KnownCheckpoints(self, self.checkpoints_changed)
        self.outside = OutsideChanges(self, self.checkpoints, self._files_of_edits, self.document_changed)
        self.before_restore: dict[Path, dict[Path, str]] = {}
        """The texts that the last restore in a working tree replaced in buffers, by its root."""

    async def take_up(self, roots: Sequence[Path]) -> None:
        """Take up what the last session in these folders left: landings cut short, pending edits."""
        for root in roots:
            try:
                count = await self.run(_take_back, root)
            except (FileError, OSError) as error:
                self.warn(f"Edits that were cut short could not be taken back: {error}")
                continue
            if count:
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
        """Show or hide, find or not, what the settings now want."""
        self.diagnostics.publish_again()
        self.blocks.read_again()

    def files_changed(self) -> None:
        """Look again at what depends on files that were changed beside the client's buffers."""
        self.blocks.read_again()
        self.start(self.pending.look_again())

    def document_changed(self, uri: str) -> None:
        """Look again, when it is quiet, at what depends on a document that was opened, changed or closed."""
        self.pending.stir(uri)
        self.blocks.stir(uri)
        self.blocks.target_changed(uri)

    def checkpoints_changed(self) -> None:
        """Let the client ask for its lenses again."""
        if self.client.code_lens_refresh:
            self.workspace_code_lens_refresh(None)

    def _files_of_edits(self) -> list[str]:
        return [*(look.uri for look in self.pending), *self.blocks.targets()]

    def find_edit(self, name: str) -> PendingEdit:
        """The edit block in an open document, or else the pending edit, of that id; or `RequestFailed`."""
        return self.blocks.find(name) or self.pending.find(name)

    def shown_outcomes(self, name: str) -> list[Outcome]:
        """What the client was last told that an edit comes to: where it is written, and in its file."""
        pending = self.pending.shown(name)
        return [*self.blocks.shown(name), *([pending] if pending is not None else [])]


def _take_back(root: Path) -> int:
    """Take back a landing in a folder that was cut short; answers how many files it was about."""
    # Loaded in the thread that wants it: what it stands on takes long to load.
    from patchpoint.disk import journal_folder
    from patchpoint.landing import recover

    return len(recover(journal_folder(root)).taken_back)
