"""What the full screen of a review asks of the program behind it."""

from __future__ import annotations

from typing import Protocol

from patchpoint.review.change_set import ListedChange
from patchpoint.review.sitting import Sitting


class ScreenError(Exception):
    """What was asked was not done: a sentence for the person who asked."""


class Behind(Protocol):
    """The review that a full screen shows. Every method raises `ScreenError` where it changed nothing."""

    def record(self, before: Sitting, after: Sitting) -> None:
        """Write down what was decided between two moments of a sitting, so that a kill loses none of it."""

    def rewrite(self, change: ListedChange, text: str) -> Sitting:
        """Write `text` in the place of a change's lines, keep that, and return the review as it is then."""

    def revert_lines(self, change: ListedChange, text: str, removed: str, added: str) -> Sitting:
        """As `rewrite`, where lines of a change are reverted: `added` went, `removed` came back.

        What is left of the change is undecided.
        """

    def split(self, change: ListedChange) -> Sitting:
        """Return the review with each part of a change as a change of its own, at the first of them."""

    def look_again(self) -> Sitting:
        """Return the review as the files are now."""
