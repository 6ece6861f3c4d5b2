"""The white space that lines are indented with: tabs, or so many spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from patchpoint.structure.lazy.definition import CodeText, Unmerged, UnmergedError, indentation_of
from patchpoint.text.regex import regex

_WIDTHS = (4, 2, 8)
"""Spaces that a tab may have been written for, the likeliest first."""
_ALL_BUT = 9
"""A file is indented in one way if so many lines are for one that is not."""

_MOSTLY = 0.75
"""The blocks of a text are indented by a step if so many are."""
_OPENS_BLOCK = regex(
    r"(?:[{:]|\b(?:do|then|begin)|\|)\s*\Z"
    r"|\A\s*(?:def|class|module|if|unless|while|begin|(?:local[ ]+)?function)\b[^;{]*[^,;{(\[\\]\Z"
)


def in_units_of(file: CodeText, shown: Sequence[str], *, same_steps: bool = False) -> list[str]:
    """Return the shown lines indented by tabs where the file is, or by spaces where it is.

    Raises `UnmergedError` where lines have tabs and spaces for the file's spaces, and, with `same_steps`,
    where blocks are indented by tabs, or another number of spaces than there.
    """
    text = CodeText([*shown], file.syntax)
    own, given = _tabbed(file), _tabbed(text)
    has_tabs = any("\t" in indentation_of(line) for line in shown)
    if own is False and has_tabs and not any(line.startswith("\t") for line in file.lines):
        if same_steps or any(" " in indentation_of(line) for line in shown):
            raise UnmergedError(Unmerged.TABS)
        return [indentation_of(line).replace("\t", " " * _unit(file)) + line.lstrip("\t") for line in shown]
    if own and given is False:
        unit = _unit(text)
        return [line if line in file.exact else _to_tabs(line, unit) for line in shown]
    if own is False and given is False and same_steps:
        _require_step(file, text)
        return list(shown)
    return list(shown)


def _require_step(file: CodeText, text: CodeText) -> None:
    """Raise `UnmergedError` where the blocks of a text are indented by another step than the file's are."""
    usual, counts, own = _unit(file), _steps_of_blocks(file), _steps_of_blocks(text)
    step = max(own, key=lambda each: (own[each], -each), default=usual)
    is_clear = all(
        some[each] >= _MOSTLY * some.total() for each, some in ((step, own), (usual, counts)) if some
    )
    if own and usual not in own and is_clear:
        raise UnmergedError(Unmerged.TABS)


@lru_cache(maxsize=4)
def _steps_of_blocks(text: CodeText) -> Counter[int]:
    """Return how often a block is indented by how many spaces more than what it is in."""
    found: Counter[int] = Counter()
    around: list[int] = []
    above = ""
    for line in filter(str.strip, text.lines):
        depth = len(indentation_of(line))
        while around and around[-1] >= depth:
            around.pop()
        if around and _OPENS_BLOCK.search(above):
            found[depth - around[-1]] += 1
        around.append(depth)
        above = line
    return found


@lru_cache(maxsize=4)
def _tabbed(text: CodeText) -> bool | None:
    """Return whether lines are indented by tabs; `None` if they are not indented, or in both ways."""
    first = Counter(line[0] for line in text.lines if line[:1] in ("\t", " ") and line.strip())
    tabs, spaces = first["\t"], sum(line.startswith("  ") for line in text.lines)
    if tabs > _ALL_BUT * spaces:
        return True
    return False if spaces > _ALL_BUT * tabs else None


@lru_cache(maxsize=4)
def _unit(text: CodeText) -> int:
    """Return the commonest step of indentation, in spaces."""
    steps: Counter[int] = Counter()
    previous = 0
    for line in text.lines:
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
