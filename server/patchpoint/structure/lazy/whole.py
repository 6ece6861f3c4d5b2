"""A definition of the file in whose place all of a shown one comes, and whether it is all of it."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.structure.lazy.doubt.omission import may_omit
from patchpoint.structure.lazy.layout import Placed, Shift
from patchpoint.text.line_diff import line_opcodes


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
    steps: list[tuple[str | None, str | None]] = []
    same: dict[int, int] = {}
    for is_equal, i1, i2, j1, j2 in line_opcodes(list(map(file.words, mine)), list(map(shown.words, rows))):
        old = [file.lines[row] for row in mine[i1:i2]]
        if is_equal:
            steps += zip(old, new[j1:j2], strict=True)
            same.update(zip(range(j1, j2), mine[i1:i2], strict=True))
        else:
            steps += [(line, None) for line in old]
            steps += [(None, line) for line in new[j1:j2]]
    if may_omit(steps, texts.file.syntax):
        raise UnmergedError(Unmerged.DELETES, own.name, (own,))
    is_dense = rows[-1] - rows[0] + 1 == len(rows) and mine[-1] - mine[0] + 1 > len(mine)
    placed = [
        Placed(same.get(n) if is_dense else None, row, line)
        for n, (row, line) in enumerate(zip(rows, new, strict=True))
    ]
    placed[0] = Placed(own.start, rows[0], new[0])
    if len(placed) > 1:
        placed[-1] = Placed(own.end - 1, rows[-1], new[-1])
    return placed
