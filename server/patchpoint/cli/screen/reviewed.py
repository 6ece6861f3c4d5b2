"""The review behind a full screen: what is decided there is recorded, and what is edited there is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.cli.restoring.reviewing import Reviewing
from patchpoint.cli.screen.asked import ScreenError
from patchpoint.cli.screen.full_screen import FullScreen
from patchpoint.dataclass import replace
from patchpoint.filesystem.lock import LockBusyError
from patchpoint.review.change_set import ListedChange
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Review
from patchpoint.review.hunks import parts_of
from patchpoint.review.sitting import Sitting, Verdict, changed_verdicts


def show_review(at_work: Reviewing) -> None:
    """Show a review on the full screen until the person ends it."""
    behind = _Reviewed(at_work)
    at_work.is_watched = False
    try:
        FullScreen(behind.sitting(), behind).run()
    finally:
        at_work.is_watched = True


class _Reviewed:
    """As `Behind`, for the review that is at work."""

    def __init__(self, at_work: Reviewing) -> None:
        self._at_work = at_work

    def sitting(self) -> Sitting:
        """Return the changes as they are now, with all that is decided."""
        at_work = self._at_work
        waiting = at_work.waiting()
        notes = at_work.review.notes
        verdicts = {id_: Verdict(Decision.OPEN, note) for id_, note in notes.items()}
        verdicts |= {id_: Verdict(Decision.TAKE_BACK, one.because) for id_, one in waiting.items()}
        verdicts |= {id_: Verdict(Decision.KEEP, notes.get(id_, "")) for id_ in at_work.review.kept}
        return Sitting.of(at_work.named, verdicts)

    def record(self, before: Sitting, after: Sitting) -> None:
        """As `Behind.record`."""

        def recorded(review: Review) -> Review:
            for verdict, changes in changed_verdicts(before, after).items():
                for change in changes:
                    decided, why, ids = verdict.decision, verdict.because, [change.hunk.id]
                    review = review.deciding(decided, change.file, ids, why, waiting=True)
            return review

        with _refusals():
            self._at_work.update(recorded)

    def rewrite(self, change: ListedChange, text: str) -> Sitting:
        """As `Behind.rewrite`."""
        with _refusals():
            self._write(change, text)
            left = _left(self._at_work, change)
            self._at_work.update(lambda review: review.deciding(Decision.KEEP, change.file, left))
        return self.sitting()

    def revert_lines(self, change: ListedChange, text: str, removed: str, added: str) -> Sitting:
        """As `Behind.revert_lines`."""
        with _refusals():
            self._write(change, text)
            self._at_work.update(
                lambda review: review.without_lines(change.file, change.hunk, removed, added)
            )
        left = _left(self._at_work, change)
        return self.sitting().at_id(left[0]) if left else self.sitting()

    def split(self, change: ListedChange) -> Sitting:
        """As `Behind.split`."""
        parts = parts_of(change.file.path, change.hunk)
        with _refusals():
            self._at_work.update(lambda review: replace(review, split=(*review.split, change.hunk.id)))
            self._at_work.look_again()
        return self.sitting().at_id(parts[0].id)

    def look_again(self) -> Sitting:
        """As `Behind.look_again`."""
        with _refusals():
            self._at_work.look_again()
        return self.sitting()

    def _write(self, change: ListedChange, text: str) -> None:
        id_ = change.hunk.id
        self._at_work.tree.take_back({change.file.path: [id_]}, {id_: text})
        self._at_work.update(lambda review: review.rewriting(change.file, {id_: text}))
        self._at_work.look_again()


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise what keeps a review from being changed as `ScreenError`."""
    try:
        yield
    except (CheckpointError, LockBusyError, OSError) as error:
        raise ScreenError(str(error)) from error


def _left(at_work: Reviewing, change: ListedChange) -> list[str]:
    """Return the ids of what a change of before is now: the changes of the same lines of the checkpoint."""
    first, end = change.hunk.old
    return [
        hunk.id
        for file in at_work.files
        if file.path == change.file.path
        for hunk in file.hunks
        if hunk.old[0] <= end and first <= hunk.old[1]
    ]
