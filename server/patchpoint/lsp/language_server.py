"""A session with the state of its features: pending edits, applications, checkpoints, shown documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.filesystem.errors import FileError
from patchpoint.lsp.applying.history import Applications
from patchpoint.lsp.applying.previewed import OpenPreviews, PreviewedEdits
from patchpoint.lsp.checkpoints.hook_calls import HookCalls
from patchpoint.lsp.checkpoints.listing import KnownCheckpoints
from patchpoint.lsp.checkpoints.saves import Saves
from patchpoint.lsp.checkpoints.shown_documents import ShownTexts
from patchpoint.lsp.checkpoints.watch_refs import OutsideChanges
from patchpoint.lsp.errors import stale_proposal
from patchpoint.lsp.pending.diagnostics import Diagnostics
from patchpoint.lsp.pending.edit_blocks import EditBlocks
from patchpoint.lsp.pending.pending_edits import PendingEdits
from patchpoint.lsp.reviewing.open_reviews import OpenReviews
from patchpoint.lsp.session.menus import Menus
from patchpoint.lsp.session.session import Session
from patchpoint.outcome import Outcome, Proposal
from patchpoint.patching.pending import PendingEdit
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint


class PatchpointServer(Session):
    """The session as features get it, with the state that they share."""

    def __init__(self) -> None:
        super().__init__()
        self.diagnostics = Diagnostics(self)
        self.pending = PendingEdits(self, self.diagnostics)
        self.applications = Applications(self)
        self.chosen_before = self.applications.chosen
        self.shown = ShownTexts(self)
        self.menus = Menus()
        self.previewed = PreviewedEdits()
        self.previews = OpenPreviews()
        self.blocks = EditBlocks(self, self.diagnostics, self.applications.has)
        self.checkpoints = KnownCheckpoints(self, self.checkpoints_changed)
        self.reviews = OpenReviews(self, self.diagnostics, self.checkpoints_changed)
        self.saves = Saves(self)
        self.hook_calls = HookCalls(self, self._taken_for_hook)
        self.outside = OutsideChanges(self, self.checkpoints, self._files_of_edits, self.document_changed)
        self.before_restore: dict[Path, tuple[str, dict[Path, str]]] = {}
        """By root of the working tree: the safety checkpoint of this session's last restore, and the former
        texts of the buffers that it changed."""

    async def add_workspace_folders(self, roots: Sequence[Path]) -> None:
        """Load the applications and pending edits of these folders.

        Edits that were interrupted there are rolled back first, unless the workspace is not trusted.
        """
        async with self.pending.loading:
            for root in roots if self.client.trusts_workspace else ():
                await self._roll_back(root)
            await self.applications.load(roots)
            await self.pending.load(roots)
        await self.reviews.resume(roots)

    def on_folders_changed(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Update the workspace folders, and load the state of those that were added."""
        before = self.roots
        super().on_folders_changed(event)
        self.start(self.add_workspace_folders([root for root in self.roots if root not in before]))

    def settings_changed(self) -> None:
        """Refresh the diagnostics and edit blocks, which settings turn on and off."""
        self.diagnostics.republish()
        self.blocks.refresh_all()
        self.reviews.republish()

    def files_changed(self) -> None:
        """Refresh what depends on files, after they were changed on disk."""
        self.edits_changed()
        self.start(self.reviews.refresh_all())

    def edits_changed(self) -> None:
        """Evaluate all edits again, after files were changed."""
        self.blocks.refresh_all()
        self.start(self.pending.refresh())

    def document_changed(self, uri: str) -> None:
        """Schedule a refresh of what depends on a document that was opened, changed, saved or closed."""
        self.pending.schedule_refresh(uri)
        self.blocks.schedule_refresh(uri)
        self.blocks.target_changed(uri)
        self.reviews.schedule_refresh(uri)

    def checkpoints_changed(self) -> None:
        """Ask the client to request its code lenses again."""
        if self.client.code_lens_refresh:
            self.workspace_code_lens_refresh(None)

    async def _roll_back(self, root: Path) -> None:
        try:
            count = await self.run(_roll_back, root)
        except (FileError, OSError) as error:
            self.warn(f"Interrupted edits could not be rolled back: {error}")
            return
        if count:
            self.warn(
                f"Rolled back edits that were interrupted when the server last ended: "
                f"{plural(count, 'file')} restored."
            )

    def _taken_for_hook(self, checkpoint: Checkpoint) -> None:
        self.checkpoints.announce(checkpoint)
        self.checkpoints_changed()

    def _files_of_edits(self) -> list[str]:
        return [
            *(evaluation.uri for evaluation in self.pending),
            *self.blocks.targets(),
            *self.reviews.files(),
        ]

    async def find_edit(self, name: str) -> PendingEdit:
        """Return the edit block in an open document, or else the pending edit, called `name`.

        Raises `RequestFailed` when there is neither.
        """
        await self.pending.loaded()
        return self.blocks.find(name) or self.pending.find(name)

    async def find_proposal(self, name: str) -> tuple[PendingEdit, Proposal]:
        """Return the edit whose proposal has the id `name`, and the proposal as it was shown.

        Raises `RequestFailed` when there is none: its file has changed since, or it is another edit's.
        """
        await self.pending.loaded()
        for evaluation in self.pending:
            proposal = evaluation.outcome.proposal
            if proposal is not None and proposal.id == name:
                return evaluation.pending, proposal
        found = self.blocks.proposal_with(name)
        if found is None:
            raise stale_proposal(name)
        return found

    def shown_outcomes(self, name: str) -> list[Outcome]:
        """Return the outcomes of an edit that the client last got: of its block, and of the pending edit."""
        pending = self.pending.last_outcome(name)
        return [*self.blocks.last_outcomes(name), *([pending] if pending is not None else [])]


def _roll_back(root: Path) -> int:
    """Roll back an interrupted transaction in a folder, and return the number of files that it restored."""
    # Imported in the thread that needs it, since its own imports are slow.
    from patchpoint.workspace.transaction.apply import roll_back_unfinished
    from patchpoint.workspace.unfinished import mark_of, undo_log_directory

    log_directory = undo_log_directory(root)
    return len(roll_back_unfinished(log_directory, mark=mark_of(log_directory)).restored)
