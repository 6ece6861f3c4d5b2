"""Cases to weigh guards with: an edit of a text, and what is right to become of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from patchpoint import Ladder, apply_edit
from patchpoint.outcome import Outcome


class Judgement(Enum):
    """What became of an edit."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An edit of `text`. Without `right` and `region` nothing may be written."""

    group: str
    """The set that it is counted in."""
    kind: str
    name: str
    text: str
    search: str
    replace: str
    path: str = ""
    replace_all: bool = False
    right: tuple[str, ...] = ()
    """The texts that are right to write."""
    region: tuple[int, int] | None = None
    """The half-open range of 0-based lines that may change, where only that is known. White space and
    blank lines are then not looked at in `right`, either."""
    slack: int = 1
    """So many lines more than `region` may change at either end."""

    def outcome(self, ladder: Ladder) -> Outcome:
        """Return the outcome with a ladder."""
        return apply_edit(
            self.text,
            self.search,
            self.replace,
            replace_all=self.replace_all,
            ladder=ladder,
            path=self.path,
        )

    def judgement(self, after: str | None) -> Judgement:
        """Return what a text is worth that was written; `None` if nothing was."""
        if after in self.right:
            return Judgement.RIGHT
        if after is None or after == self.text:
            return Judgement.REFUSED
        if self.region is None:
            return Judgement.WRONG
        if any(_solid(after) == _solid(right) for right in self.right):
            return Judgement.RIGHT
        first, end = changed_lines(self.text, after)
        is_within = first >= self.region[0] - self.slack and end <= self.region[1] + self.slack
        return Judgement.RIGHT if is_within else Judgement.WRONG


def changed_lines(before: str, after: str) -> tuple[int, int]:
    """Return the half-open range of 0-based lines of `before` in which `after` differs."""
    one, other = before.splitlines(), after.splitlines()
    shorter = min(len(one), len(other))
    ahead = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    left = shorter - ahead
    behind = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    return ahead, len(one) - behind


def _solid(text: str) -> list[str]:
    return ["".join(line.split()) for line in text.splitlines() if line.strip()]
