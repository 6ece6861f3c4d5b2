"""Two texts as a file of a review, for what is tested of its hunks."""

from __future__ import annotations

from collections.abc import Collection

from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.decisions import Review


def text_file(path: str, before: str, now: str, *, review: Review | None = None) -> FileChanges:
    """A file that has had one text, and has another now: as a review has it, if one is given."""
    old, new = (FileState(0o100644, text.encode()) for text in (before, now))
    if review is None:
        return FileChanges(path, old, new)
    return FileChanges(path, old, new, split=frozenset(review.split), alignment=review.aligned.get(path))


def without_hunks(path: str, before: str, now: str, ids: Collection[str]) -> str:
    """The text now without these hunks."""
    return text_file(path, before, now).text_without(ids)
