"""One review that is shown: its files, their changes, and the documents that they are in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field
from patchpoint.lsp.reviewing.shown_changes import ShownChange
from patchpoint.review.decisions import Review
from patchpoint.schema.uris import document_key, uri_of

if TYPE_CHECKING:
    from patchpoint.review.files import ReviewedFile
    from patchpoint.review.tree import SinceCheckpoint


@dataclass
class OpenReview:
    """A review that is shown."""

    tree: SinceCheckpoint
    record: str
    """The URI of the file with its decisions."""
    files: dict[str, ReviewedFile]
    """The files that differ, by the key of their document."""
    shown: dict[str, list[ShownChange]] = field(default_factory=dict)
    past: dict[str, str] = field(default_factory=dict)
    """The URIs of documents that show what the deleted files were, by the keys of these."""

    @property
    def review(self) -> Review:
        """What has been decided."""
        return self.tree.review

    @review.setter
    def review(self, review: Review) -> None:
        self.tree.review = review

    @property
    def root(self) -> Path:
        """The root of the working tree."""
        return self.tree.root

    @property
    def name(self) -> str:
        """What the checkpoint is called."""
        checkpoint = self.tree.checkpoint
        return f"“{checkpoint.label}”" if checkpoint.label else f"checkpoint {checkpoint.id}"

    def uri(self, file: ReviewedFile) -> str:
        """Return the URI of the document in which a file's changes are: of a deleted one, what it was."""
        return self.past.get(self.key(file), uri_of(self.root / file.path_now))

    def key(self, file: ReviewedFile) -> str:
        """Return the key of the document that shows a file."""
        return document_key(uri_of(self.root / file.path_now))

    def shown_in(self, key: str) -> str:
        """Return the key of the file that a document is about: the deleted one of which it is what it was."""
        return next((gone for gone, past in self.past.items() if document_key(past) == key), key)

    def change(self, hunk: str) -> ShownChange | None:
        """Return the change with this id, as it was last looked at."""
        every = (change for changes in self.shown.values() for change in changes)
        return next((change for change in every if change.hunk.id == hunk), None)

    def keep(self, files: Iterable[ReviewedFile]) -> None:
        """Replace the files by these, each of which has changes or had some."""
        for file in files:
            self.files[self.key(file)] = file
