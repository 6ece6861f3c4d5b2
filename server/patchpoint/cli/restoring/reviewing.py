"""A review at work: the files as they are, what is decided about them, and doing it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.cli.stores import watching
from patchpoint.dataclass import dataclass
from patchpoint.progress import Progress, Silent
from patchpoint.review.change_set import FileChanges
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Review, TakenBack
from patchpoint.review.records import ReviewRecords
from patchpoint.review.tree import SinceCheckpoint


@dataclass(slots=True)
class Reviewing:
    """A review at work."""

    tree: SinceCheckpoint
    records: ReviewRecords
    paths: tuple[str, ...]
    files: tuple[FileChanges, ...]
    is_watched: bool = True
    """Whether progress is shown on the terminal; not where a full screen is on it."""

    @property
    def review(self) -> Review:
        """What has been decided."""
        return self.tree.review

    @property
    def named(self) -> tuple[FileChanges, ...]:
        """The files that the options name, or all."""
        paths = [b"" if path == "." else os.fsencode(path) for path in self.paths]
        return tuple(
            file
            for file in self.files
            if is_within(os.fsencode(file.path), paths) or is_within(os.fsencode(file.path_now), paths)
        )

    def look_again(self) -> None:
        """Read the files and the decisions as they are now."""
        since = self.tree.checkpoint.id
        self.tree.review = self.records.read(since) or Review(since=since)
        with self._watching() as progress:
            self.files = self.tree.files(progress=progress)

    def decide(
        self, decision: Decision, chosen: Mapping[str, Sequence[str]], because: str | None = None
    ) -> None:
        """Decide about changes, by the path of their file at the checkpoint."""
        files = {file.path: file for file in self.files}
        if decision is Decision.TAKE_BACK:
            with self._watching() as progress:
                self.tree.take_back(chosen, progress=progress)

        def changed(review: Review) -> Review:
            for path, ids in chosen.items():
                review = review.deciding(decision, files[path], ids, because)
            return review

        self.update(changed)

    def keep(self, path: str, id_: str) -> None:
        """Keep a change of the file that was at `path`."""
        self.decide(Decision.KEEP, {path: [id_]})

    def revert_later(self, path: str, id_: str, because: str) -> None:
        """Record that a change is to be reverted, by `revert_waiting`."""
        file = self.file(path)
        self.update(lambda review: review.deciding(Decision.TAKE_BACK, file, [id_], because, waiting=True))

    def update(self, change: Callable[[Review], Review]) -> None:
        """Make a change to the review, and record it."""
        self.tree.review = self.records.update(self.tree.checkpoint.id, change)

    def file(self, path: str) -> FileChanges:
        """Return the file that was at `path` at the checkpoint."""
        return next(file for file in self.files if file.path == path)

    def waiting(self) -> dict[str, TakenBack]:
        """Return, by their ids, the changes that are decided to be reverted, and are not yet."""
        return self.review.waiting(self.files)

    def revert_waiting(self) -> bool:
        """Revert the changes that wait for it, all at once; return whether there were any."""
        waiting = self.waiting()
        every = {file.path: [hunk.id for hunk in file.hunks if hunk.id in waiting] for file in self.files}
        every = {path: ids for path, ids in every.items() if ids}
        if every:
            self.decide(Decision.TAKE_BACK, every)
            self.look_again()
        return bool(every)

    @contextmanager
    def _watching(self) -> Iterator[Progress]:
        if self.is_watched:
            with watching() as progress:
                yield progress
        else:
            yield Silent()
