"""A definition of the file in whose place all of a shown one comes, and whether it is all of it."""

from __future__ import annotations

from collections.abc import Container, Sequence

from patchpoint.structure.lazy.definition import Definition, Unmerged, UnmergedError
from patchpoint.structure.lazy.doubt.omission import may_omit
from patchpoint.structure.lazy.layout import Placed, Shift
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.line_diff import matching_blocks


def is_cut_off(
    file: Sequence[str], own: Definition, shown: Sequence[str], rows: Sequence[int], marks: Container[int]
) -> bool:
    """Return whether a mark that follows the shown lines `rows` may cover the rest of a definition's body."""
    below = next((row for row in range(rows[-1] + 1, len(shown)) if shown[row].strip()), -1)
    if below not in marks:
        return False
    body = [line.strip() for line in file[own.start : own.end] if line.strip()]
    last = shown[rows[-1]].strip()
    return body[-1] != last and last in body[:-1]


def replacing(
    file: Sequence[str],
    own: Definition,
    shown: Sequence[str],
    rows: Sequence[int],
    shift: Shift,
    syntax: Syntax,
) -> list[Placed]:
    """Return the shown lines `rows`, which take the place of a definition of the file as a whole.

    Raises `UnmergedError` where lines may have been left out of them without a mark.
    """
    mine = [row for row in range(own.start, own.end) if file[row].strip()]
    blocks = matching_blocks([file[row].strip() for row in mine], [shown[row].strip() for row in rows])
    steps: list[tuple[str | None, str | None]] = []
    at = (0, 0)
    for first, given, count in [*blocks, (len(mine), len(rows), 0)]:
        steps += [(file[row], None) for row in mine[at[0] : first]]
        steps += [(None, shift.apply(shown[row], row)) for row in rows[at[1] : given]]
        at = (first + count, given + count)
        both = zip(mine[first : at[0]], rows[given : at[1]], strict=True)
        steps += [(file[one], shift.apply(shown[other], other)) for one, other in both]
    if may_omit(steps, syntax):
        raise UnmergedError(Unmerged.DELETES, own.name, (own,))
    same = {given + n: first + n for first, given, count in blocks for n in range(count)}
    is_dense = rows[-1] - rows[0] + 1 == len(rows) and mine[-1] - mine[0] + 1 > len(mine)
    placed = [
        Placed(mine[same[n]] if is_dense and n in same else None, row, shift.apply(shown[row], row))
        for n, row in enumerate(rows)
    ]
    placed[0] = Placed(own.start, rows[0], placed[0].text)
    if len(placed) > 1:
        placed[-1] = Placed(own.end - 1, rows[-1], placed[-1].text)
    return placed
