r"""What differs between a file's text at a checkpoint and its text now, as hunks; and the text without some.

A hunk is one block of changed lines without context. As git does, lines are counted by `\n` alone: a `\r` is
part of its line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from patchpoint.dataclass import dataclass, replace
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds

_ID_DIGITS = 12
"""Hexadecimal digits of an id: 48 bits, of which two in a million hunks are equal once in 560 times."""


class HunkMovedError(Exception):
    """The text has changed since a hunk was shown, so that it no longer has this hunk."""

    def __init__(self, path: str, hunk: str) -> None:
        super().__init__(
            f"{path} no longer has change {hunk}: it has changed since that was shown. List its changes "
            "again."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One block of lines that differ. Lines are counted from 0, and the end of a range is exclusive."""

    id: str
    """A hash of the path, of the lines before and now, and of where they were at the checkpoint, which never
    changes: so the same hunk has the same id wherever edits of other lines move it."""
    old: Span
    """The lines at the checkpoint; empty where lines were only added, after the one before."""
    new: Span
    """The lines now; empty where lines were only removed."""
    removed: str
    """The text of the lines at the checkpoint."""
    added: str
    """The text of the lines now."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which lines are which in a text of which hunks were reverted or edited.

    A new difference may pair equal lines otherwise, and would ask again what was decided.
    """

    text: str
    """Tells the text from all others."""
    places: tuple[tuple[str, int, int, int, int], ...]
    """Of each hunk the id, and the first and the end of its lines before and of those now."""

    def hunks(self, path: str, before: str, now: str) -> tuple[Hunk, ...]:
        """Return the hunks that turn `before` into `now`; none where these are not the texts."""
        if self.text != id_of(path, "file", now):
            return ()
        old, new = split_at_line_feeds(before), split_at_line_feeds(now)
        for lines, at in ((old, 1), (new, 3)):
            ends = [0, *(int(end) for place in self.places for end in place[at : at + 2]), len(lines)]
            if ends != sorted(ends):
                return ()
        found = tuple(_hunk(id_, (old, new), ((a, b), (c, d)), (0, 0)) for id_, a, b, c, d in self.places)
        return found if reversed_in(now, found) == before else ()


def hunks_of(path: str, before: str, now: str, at: tuple[int, int] = (0, 0)) -> tuple[Hunk, ...]:
    """Return the hunks that turn `before` into `now`, in order. `path` makes their ids those of one file.

    Of parts of longer texts, `at` is where these begin.
    """
    old, new = split_at_line_feeds(before), split_at_line_feeds(now)
    found = (_hunk("", (old, new), lines, at) for lines in _lowered(changed_ranges(old, new), old, new))
    return tuple(replace(one, id=id_of(path, str(one.old[0]), one.removed, one.added)) for one in found)


def _hunk(
    id_: str, sides: tuple[Sequence[str], Sequence[str]], lines: tuple[Span, Span], at: tuple[int, int]
) -> Hunk:
    """Return the hunk of these lines of both sides, which begin `at` these lines of longer texts."""
    removed, added = ("".join(side[slice(*span)]) for side, span in zip(sides, lines, strict=True))
    old, new = ((span[0] + first, span[1] + first) for span, first in zip(lines, at, strict=True))
    return Hunk(id=id_, old=old, new=new, removed=removed, added=added)


def id_of(*parts: str) -> str:
    """Return an id: the first of these `parts` is the path, and "file" is the second of a file as a whole."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:_ID_DIGITS]


def reversed_in(now: str, hunks: Iterable[Hunk], texts: Mapping[str, str] | None = None) -> str:
    """Return `now` with hunks that it has reversed: their lines are those of before again.

    `texts` are, by their ids, put in the place of some instead.
    """
    lines, others = split_at_line_feeds(now), texts or {}
    # Of parts at one place, what was last is put there first.
    for hunk in sorted(hunks, key=lambda hunk: (hunk.new, hunk.old), reverse=True):
        lines[slice(*hunk.new)] = [others.get(hunk.id, hunk.removed)]
    return "".join(lines)


def parts_of(path: str, hunk: Hunk) -> tuple[Hunk, ...]:
    """Return a hunk in parts that are decided about one by one, from top to bottom.

    They are its lines, each with the one in whose place it is, where there are as many as before; of lines
    that were only added or only removed, the paragraphs, if they are several; else what went and what came.
    """
    old, new = split_at_line_feeds(hunk.removed), split_at_line_feeds(hunk.added)
    if len(old) == len(new):
        places = [((at, at + 1), (at, at + 1)) for at in range(len(old))]
    elif old and new:
        places = [((0, len(old)), (0, 0)), ((len(old), len(old)), (0, len(new)))]
    else:
        ends = [at + 1 for at, line in enumerate((*old, *new)) if not line.strip()]
        inner = [end for end in ends if end < len(old) + len(new)] or range(1, len(old) + len(new))
        spans = list(pairwise((0, *inner, len(old) + len(new))))
        places = [(span, (0, 0)) if old else ((0, 0), span) for span in spans]
    at = hunk.old[0], hunk.new[0]
    return tuple(
        _hunk(id_of(path, "part", hunk.id, str(number)), (old, new), lines, at)
        for number, lines in enumerate(places)
    )


def without_lines(hunk: Hunk, removed: Collection[int], added: Collection[int]) -> str:
    """Return what the lines of a hunk become when some of them alone are reverted.

    `removed` are the lines at the checkpoint that come back, `added` the lines now that go, each counted from
    0 within the hunk. Where the hunk has as many lines as before, a line that comes back is where it was;
    else it is above those that stay.
    """
    old, new = split_at_line_feeds(hunk.removed), split_at_line_feeds(hunk.added)
    back = [line if at in removed else "" for at, line in enumerate(old)]
    stay = ["" if at in added else line for at, line in enumerate(new)]
    kept = chain(*zip(back, stay, strict=True)) if len(old) == len(new) else chain(back, stay)
    lines = [line for line in kept if line]
    ending = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    # The last line of a file may have no ending, and is then no longer the last.
    ended = [line if line.endswith("\n") else line + ending for line in lines[:-1]]
    return "".join((*ended, *lines[-1:]))


def _lowered(
    changes: Sequence[tuple[Span, Span]], old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[Span, Span]]:
    """Yield the changes, each addition or removal as low as equal lines allow, as git shows it.

    So the same change is in the same place, however it was found. One line to the next change is left.
    """
    firsts = [*(removed[0] for removed, _ in changes[1:]), len(old) + 1]
    for (removed, added), following in zip(changes, firsts, strict=False):
        is_added, room, down = removed[0] == removed[1], following - removed[1] - 1, 0
        lines, (start, end) = (new, added) if is_added else (old, removed)
        if is_added or added[0] == added[1]:
            while down < room and end + down < len(lines) and lines[start + down] == lines[end + down]:
                down += 1
        yield (removed[0] + down, removed[1] + down), (added[0] + down, added[1] + down)
