"""A definition of the file in whose place all of a shown one comes, and whether it is all of it."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.structure.lazy.doubt.omission import may_omit
from patchpoint.structure.lazy.layout import Placed, Shift
from patchpoint.text.line_diff import matching_blocks


def is_cut_off(texts: TwoTexts, own: Definition, rows: Sequence[int]) -> bool:
    """Return whether a mark that follows the shown lines `rows` may cover the rest of a definition's body."""
    if texts.shown.below(rows[-1] + 1) not in texts.shown.marks:
        return False
    body = list(map(texts.file.words, texts.file.solid(own.start, own.end)))
    last = texts.shown.words(rows[-1])
    return body[-1] != last and last in body[:-1]


def replacing(texts: TwoTexts, own: Definition, rows: Sequence[int], shift: Shift) -> list[Placed]:
    """Return the shown lines `rows`, which take the place of a definition of the file as a whole.

    Raises `UnmergedError` where lines may have been left out of them without a mark.
    """
    file, shown = texts.file, texts.shown
    mine = file.solid(own.start, own.end)
    new = [shift.apply(shown.lines[row], row) for row in rows]
    blocks = matching_blocks(list(map(file.words, mine)), list(map(shown.words, rows)))
    steps: list[tuple[str | None, str | None]] = []
    at = (0, 0)
    for first, given, count in [*blocks, (len(mine), len(rows), 0)]:
        steps += [(file.lines[row], None) for row in mine[at[0] : first]]
        steps += [(None, line) for line in new[at[1] : given]]
        at = (first + count, given + count)
        both = zip(mine[first : at[0]], new[given : at[1]], strict=True)
        steps += [(file.lines[row], line) for row, line in both]
    if may_omit(steps, texts.file.syntax):
        raise UnmergedError(Unmerged.DELETES, own.name, (own,))
    same = {given + n: mine[first + n] for first, given, count in blocks for n in range(count)}
    is_dense = rows[-1] - rows[0] + 1 == len(rows) and mine[-1] - mine[0] + 1 > len(mine)
    placed = [
        Placed(same.get(n) if is_dense else None, row, line)
        for n, (row, line) in enumerate(zip(rows, new, strict=True))
    ]
    placed[0] = Placed(own.start, rows[0], new[0])
    if len(placed) > 1:
        placed[-1] = Placed(own.end - 1, rows[-1], new[-1])
    return placed
