"""The white space that lines are indented with: tabs, or so many spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.structure.lazy.definition import Unmerged, UnmergedError, indentation_of

_WIDTHS = (4, 2, 8)
"""Spaces that a tab may have been written for, the likeliest first."""
_SHORT = 5
_CLEARLY = 2
_ALL_BUT = 9
"""A file is indented in one way if so many lines are for one that is not."""


def in_units_of(file: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Return the shown lines indented by tabs where the file is, or by spaces where it is.

    Raises `UnmergedError` where lines have tabs for the file's spaces, or spaces for tabs, in a file that has
    both.
    """
    own, given = _tabbed(file), _tabbed(shown)
    exact = {line.rstrip() for line in file}
    has_tabs = any(line.startswith("\t") for line in file)
    if own is False and not has_tabs and any("\t" in indentation_of(line) for line in shown):
        width = _width(shown, file)
        return [line if line in exact else _to_spaces(line, width) for line in shown]
    if own and given is False:
        width = _unit(shown)
        return [line if line in exact else _to_tabs(line, width) for line in shown]
    new = [words for line in shown if (words := line.rstrip()) not in exact and words[:1] in ("\t", " ")]
    sought = {words.lstrip(" \t") for words in new}
    if not sought:
        return list(shown)
    near = [line for line in exact if line.lstrip(" \t") in sought and len(line.strip()) > _SHORT]
    alike = {(width, _wide(line, width)) for width in _WIDTHS for line in near}
    for words in new:
        if any(
            (width, _wide(words, width)) in alike and not _is_only_deeper(words, exact) for width in _WIDTHS
        ):
            raise UnmergedError(Unmerged.TABS)
    return list(shown)


def is_other_kind(old: str, new: str) -> bool:
    """Return whether one of two lines has tabs for the other's spaces."""
    before, after = indentation_of(old), indentation_of(new)
    if before == after or ("\t" in before) == ("\t" in after):
        return False
    return any(before.expandtabs(width) == after.expandtabs(width) for width in _WIDTHS)


def _is_only_deeper(line: str, exact: set[str]) -> bool:
    """Return whether the file has a line at another depth, indented in the same way."""
    words, sign = line.lstrip(), set(indentation_of(line))
    return any(each.lstrip() == words and set(indentation_of(each)) == sign for each in exact)


def _width(shown: Sequence[str], file: Sequence[str]) -> int:
    """Return how many spaces a tab of the shown lines is: as many as bring most lines to where they are.

    Raises `UnmergedError` where that may be several.
    """
    depths: dict[str, set[int]] = {}
    for line in file:
        depths.setdefault(line.strip(), set()).add(len(indentation_of(line)))
    known = [(line, min(depths[line.strip()])) for line in shown if len(depths.get(line.strip(), ())) == 1]
    usual = _unit(file)

    def agreeing(width: int) -> int:
        offsets = Counter(
            depth - len(indentation_of(_to_spaces(line, width))) for line, depth in known if line.strip()
        )
        return max(offsets.values(), default=0)

    widths = {*_WIDTHS, usual}
    most = max(map(agreeing, widths))
    best = [width for width in widths if agreeing(width) == most]
    is_mixed = any(" " in indentation_of(line) for line in shown)
    if is_mixed and len(best) == 1 and any(most < agreeing(width) + _CLEARLY for width in widths - {*best}):
        raise UnmergedError(Unmerged.TABS)
    is_close = usual not in best and most < agreeing(usual) + _CLEARLY
    if is_close or (len(best) > 1 and (is_mixed or usual not in best)):
        raise UnmergedError(Unmerged.TABS)
    return usual if usual in best else best[0]


def _tabbed(lines: Sequence[str]) -> bool | None:
    """Return whether lines are indented by tabs; `None` if they are not indented, or in both ways."""
    first = Counter(line[0] for line in lines if line[:1] in ("\t", " ") and line.strip())
    tabs, spaces = first["\t"], sum(line.startswith("  ") for line in lines)
    if tabs > _ALL_BUT * spaces:
        return True
    return False if spaces > _ALL_BUT * tabs else None


def _unit(lines: Sequence[str]) -> int:
    """Return the commonest step of indentation, in spaces."""
    steps: Counter[int] = Counter()
    previous = 0
    for line in lines:
        if line.strip():
            depth = len(line) - len(line.lstrip(" "))
            if depth > previous:
                steps[depth - previous] += 1
            previous = depth
    usual = [step for step, _ in steps.most_common() if step in (*_WIDTHS, 3)]
    return usual[0] if usual else _WIDTHS[0]


def _to_tabs(line: str, unit: int) -> str:
    depth = len(line) - len(line.lstrip(" "))
    return "\t" * (depth // unit) + " " * (depth % unit) + line[depth:]


def _to_spaces(line: str, unit: int) -> str:
    indentation = indentation_of(line)
    return indentation.replace("\t", " " * unit) + line[len(indentation) :]


def _wide(line: str, width: int) -> str:
    indentation = indentation_of(line)
    return indentation.expandtabs(width) + line[len(indentation) :]
