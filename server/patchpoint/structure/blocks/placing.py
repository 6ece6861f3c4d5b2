"""In which levels of a file blocks are that are shown, and what of them is new there."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.names import BlockKind, is_function
from patchpoint.structure.blocks.pairing import Text, levels_with, total
from patchpoint.structure.blocks.tree import Block
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.lines import Span

_MARGIN = 0.5
"""By so much any other level has less of what is shown."""
_SAME_DEPTH, _MEANT = 0.6, 2
_MOST_GROUPS = 8
_BARE = ("{", "[", "<?xml")


@dataclass(frozen=True, slots=True)
class ShownLevels:
    """What is shown of each level of a file, marks among it."""

    parts: dict[int, Sequence[Block]]
    """By the row of the head of the level; -1 is the file."""
    is_whole: bool = False
    """The first and the last line of the file are shown as the first and the last."""


def levels_shown(file: Text, shown: Text, within: Sequence[Span], *, every: bool) -> ShownLevels | None:
    """Return what is shown of which levels of a file; `None` where no block is in one level alone.

    Of several levels, those `within` some rows of the file are meant, or `every` one of them.
    """
    parts, left = shown.root.parts, shown.parts(shown.root)
    if not left:
        return None
    if _is_whole(file, shown, left):
        return ShownLevels({-1: parts}, is_whole=True)
    first = shown.words(left[0])
    if len(left) == 1 and first.startswith(_BARE) and first in map(file.words, file.root.parts):
        return ShownLevels({-1: parts})
    homes: dict[int, int] = {}
    levels: dict[int, list[Block]] = {}
    for _ in range(_MOST_GROUPS):
        rest = [part for part in left if part.first not in homes]
        chosen = _best(file, shown, rest, within, levels, every=every)
        if not chosen:
            break
        # each of several levels gets all that is shown of one
        own = levels.get(chosen[0][0].first, [])
        for level, rows in chosen:
            homes |= dict.fromkeys(rows, level.first)
            levels.setdefault(level.first, own)
    if not homes:
        return None
    _share(shown, parts, homes, levels)
    return ShownLevels({row: tuple(each) for row, each in levels.items()})


def _is_whole(file: Text, shown: Text, left: Sequence[Block]) -> bool:
    """Return whether the first and the last line of a file are those of what is shown, without marks."""
    ends = [(each[0], each[-1]) for each in (left, file.root.parts)]
    same = [[text.words(end) for end in each] for text, each in zip((shown, file), ends, strict=True)]
    are_lines = not any(end.parts for each in ends for end in each)
    return len(left) > 1 and not shown.marks and are_lines and same[0] == same[1]


def _best(
    file: Text,
    shown: Text,
    parts: Sequence[Block],
    within: Sequence[Span],
    known: dict[int, list[Block]],
    *,
    every: bool,
) -> list[tuple[Block, list[int]]]:
    """Return the level, or each, that has the most of some blocks, with the rows of those."""
    found: list[tuple[float, Block, list[int]]] = []
    for level in levels_with(shown, parts, file):
        points, pairs = total(shown, parts, file, level.parts)
        if not points:
            continue
        rows = [parts[one].first for one in pairs]
        is_meant = any(first <= max(level.first, 0) < end for first, end in within)
        depths = [indentation_of(shown.lines[rows[0]]), indentation_of(file.lines[level.parts[0].first])]
        same_depth = depths[0] == depths[1]
        only_sets = all(
            shown.names[parts[one].first].kind is BlockKind.KEY
            and shown.words(parts[one]) != file.words(level.parts[other])
            for one, other in pairs.items()
        )
        # a variable of a function has nothing to do with one outside
        if not (only_sets and not same_depth and not is_meant and is_function(file.lines, level)):
            found.append((points + _MEANT * is_meant + _SAME_DEPTH * same_depth, level, rows))
    most, _, meant = max(found, key=lambda each: each[0], default=(0.0, None, []))
    best = [
        (level, rows)
        for points, level, rows in found
        if points > most - _MARGIN and not set(meant).isdisjoint(rows)
    ]
    if len(best) > 1 and not every:
        near = [each for each in best if each[0].first in known]
        return near if len(near) == 1 else []
    return best


def _share(
    shown: Text, parts: Sequence[Block], homes: dict[int, int], levels: dict[int, list[Block]]
) -> None:
    """Give each level what is shown of it: a new block is where the one next to it is."""
    home: int | None = None
    waiting: list[Block] = []
    for at, part in enumerate(parts):
        if part.first in homes:
            home = homes[part.first]
            levels[home] += [*waiting, part]
            waiting = []
            continue
        follows = at > 0 and parts[at - 1].first not in shown.marks
        if home is not None and not waiting and (follows or part.first in shown.marks):
            levels[home].append(part)
        else:
            waiting.append(part)
    if home is not None:
        levels[home] += waiting
