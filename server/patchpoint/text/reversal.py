"""One change of a text taken out of the text that it has become since.

What was before and after the change is known, so nothing is searched for: the lines of the change are carried
along by the difference from then to now. Where somebody has changed them since, or a line that touches them,
or where equal lines leave open which of them the change brought, it stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds

_MOST_PAIRS = 4_000_000
"""Pairs of stretches that are compared: some seconds. Beyond, the files have little to do with each other."""

_Ranges = tuple[Span, Span]
"""A range of lines before, and the one after that took its place."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A stretch of the change that cannot be taken out, since what is there has been changed after it."""

    lines: Span
    """Where it is now, counted from 0; empty where nothing of it is left."""
    removed: str
    """The text that the change removed there."""
    added: str
    """The text that the change put there."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """A text with the stretches of a change taken out, and those that could not be."""

    text: str
    obstacles: tuple[Obstacle, ...]


def reversal(before: str, after: str, now: str) -> Reversal:
    """Return `now` without the change from `before` to `after`; what is taken out already is passed over.

    Lines end at `\\n` alone, so that every other character is kept whatever it is.
    """
    old, new, current = (split_at_line_feeds(text) for text in (before, after, now))
    later = [(_extent(new, current, each), each) for each in changed_ranges(new, current)]
    own = changed_ranges(old, new)
    if len(own) * len(later) > _MOST_PAIRS:
        return Reversal(now, (Obstacle((0, len(current)), before, after),))
    lines = list(current)
    obstacles: list[Obstacle] = []
    for removed, added in reversed(own):
        low, high = _extent(old, new, (removed, added), of_after=True)
        touching = [each for (first, last), each in later if first <= high and low <= last]
        start, end = _now(added, touching, [each for _, each in later])
        if not touching:
            lines[start:end] = old[slice(*removed)]
        elif current[start:end] != old[slice(*removed)]:
            obstacles.append(Obstacle((start, end), _joined(old, removed), _joined(new, added)))
    return Reversal("".join(lines), tuple(reversed(obstacles)))


def _extent(before: Sequence[str], after: Sequence[str], ranges: _Ranges, *, of_after: bool = False) -> Span:
    """Return where a difference may be, in lines of `before` or, with `of_after`, of `after`.

    Lines that only appear, or only go, can be any of several where their neighbours are equal to them.
    """
    (old_start, old_end), (new_start, new_end) = ranges
    low, high = (new_start, new_end) if of_after else (old_start, old_end)
    if old_start != old_end and new_start != new_end:
        return low, high
    lines, start, end = (before, old_start, old_end) if new_start == new_end else (after, new_start, new_end)
    up = down = 0
    while start - up > 0 and lines[start - up - 1] == lines[end - up - 1]:
        up += 1
    while end + down < len(lines) and lines[start + down] == lines[end + down]:
        down += 1
    return low - up, high + down


def _now(lines: Span, touching: Sequence[_Ranges], later: Sequence[_Ranges]) -> Span:
    """Return where `lines` are after the changes `later`, those in `touching` included in the stretch."""
    start = min([lines[0], *(was[0] for was, _ in touching)])
    end = max([lines[1], *(was[1] for was, _ in touching)])
    shift = sum(
        (now[1] - now[0]) - (was[1] - was[0]) for was, now in later if was[1] <= start and was[0] < start
    )
    return start + shift, end + shift + sum((now[1] - now[0]) - (was[1] - was[0]) for was, now in touching)


def _joined(lines: Sequence[str], span: Span) -> str:
    return "".join(lines[slice(*span)])
