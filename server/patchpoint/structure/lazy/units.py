"""The white space that lines are indented with: tabs, or so many spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from patchpoint.structure.lazy.definition import CodeText, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.regex import regex

_WIDTHS = (4, 2, 8)
"""Spaces that a tab may have been written for, the likeliest first."""
_SHORT = 5
_CLEARLY = 2
_ALL_BUT = 9
"""A file is indented in one way if so many lines are for one that is not."""

_MOSTLY = 0.75
"""The blocks of a text are indented by a step if so many are."""
_SEVERAL = 2
"""A line that is deeper by more steps is aligned with something."""
_OPENS_BLOCK = regex(
    r"(?:[{:]|\b(?:do|then|begin)|\|)\s*\Z"
    r"|\A\s*(?:def|class|module|if|unless|while|begin|(?:local[ ]+)?function)\b[^;{]*[^,;{(\[\\]\Z"
)
_CLOSES = regex(r"\s*(?:[)\]}]|end\b|case\b|default\b|public\b|private\b|protected\b|#|//|/?\*|\.{3}|\w+:)")


def in_units_of(file: CodeText, shown: Sequence[str], *, may_scale: bool = False) -> list[str]:
    """Return the shown lines indented by tabs where the file is, or by spaces where it is.

    Where they `may_scale`, blocks that are indented by four spaces become those of two, or the other way
    round.
    Raises `UnmergedError` where lines have tabs for the file's spaces, or spaces for tabs, in a file that has
    both.
    """
    text, exact = CodeText([*shown], file.syntax), file.exact
    own, given = _tabbed(file), _tabbed(text)
    is_tabbed = own is False and any("\t" in indentation_of(line) for line in shown)
    if is_tabbed and not any(line.startswith("\t") for line in file.lines):
        width = _width(shown, file)
        return [line if line in exact else _to_spaces(line, width) for line in shown]
    if own and given is False:
        width = _unit(text)
        return [line if line in exact else _to_tabs(line, width) for line in shown]
    if own is False and given is False and may_scale:
        return _in_steps_of(file, text)
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


def _is_only_deeper(line: str, exact: Iterable[str]) -> bool:
    """Return whether the file has a line at another depth, indented in the same way."""
    words, sign = line.lstrip(), set(indentation_of(line))
    return any(each.lstrip() == words and set(indentation_of(each)) == sign for each in exact)


def _width(shown: Sequence[str], file: CodeText) -> int:
    """Return how many spaces a tab of the shown lines is: as many as bring most lines to where they are.

    Raises `UnmergedError` where that may be several.
    """
    usual, known = _unit(file), _depths(file)

    def agreeing(width: int) -> int:
        return _agreeing(shown, [_to_spaces(line, width) for line in shown], known)

    flattened = {width: _flattened(shown, width) for width in (*_WIDTHS, usual)}
    widths = {width for width, count in flattened.items() if count == min(flattened.values())}
    most = max(map(agreeing, widths))
    best = [width for width in widths if agreeing(width) == most]
    is_mixed = any(" " in indentation_of(line) for line in shown)
    if is_mixed and len(best) == 1 and any(most < agreeing(width) + _CLEARLY for width in widths - {*best}):
        raise UnmergedError(Unmerged.TABS)
    is_close = usual in widths - {*best} and most < agreeing(usual) + _CLEARLY
    if is_close or (len(best) > 1 and (is_mixed or usual not in best)):
        raise UnmergedError(Unmerged.TABS)
    return usual if usual in best else best[0]


def _in_steps_of(file: CodeText, text: CodeText) -> list[str]:
    """Return shown lines whose blocks are indented by another number of spaces as the file's are.

    Lines that the file has, too, are brought to their places by that, or are too few to tell. Raises
    `UnmergedError` where lines of a text, which may be part of a value, would move as well.
    """
    usual, shown = _unit(file), text.lines
    counts, own = _steps_of_blocks(file), _steps_of_blocks(text)
    step = max(own, key=lambda each: (own[each], -each), default=usual)
    is_clear = all(
        some[each] >= _MOSTLY * some.total() for each, some in ((step, own), (usual, counts)) if some
    )
    if usual in own or not own or not is_clear:
        return shown
    known = _depths(file)
    scaled = _scaled(shown, step, usual)
    better = _agreeing(shown, shown, known) - _agreeing(shown, scaled, known)
    if better >= _CLEARLY:
        return shown
    if better > 0 or step not in (*_WIDTHS, 3) or any(line.count("`") % 2 for line in shown):
        raise UnmergedError(Unmerged.TABS)
    return scaled


def _scaled(lines: Sequence[str], step: int, usual: int) -> list[str]:
    """Return lines with each `step` of spaces as `usual` ones.

    What is aligned with something further to the right stays so.
    """
    result: list[str] = []
    open_: list[tuple[int, int]] = []
    above = ""
    for line in lines:
        depth = len(line) - len(line.lstrip(" "))
        if not line.strip():
            result.append(line)
            continue
        while open_ and open_[-1][0] > depth:
            open_.pop()
        around, own = open_[-1] if open_ else (0, 0)
        deeper = depth - around
        if deeper % step == 0 and (deeper <= _SEVERAL * step or is_mark(above)):
            deeper = deeper // step * usual
        open_.append((depth, own + deeper))
        result.append(" " * (own + deeper) + line.lstrip(" "))
        above = line
    return result


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
def _depths(text: CodeText) -> dict[str, set[int]]:
    """Return at which depths a text has which lines."""
    found: dict[str, set[int]] = {}
    for line in text.lines:
        found.setdefault(line.strip(), set()).add(len(indentation_of(line)))
    return found


def _agreeing(shown: Sequence[str], moved: Sequence[str], known: Mapping[str, set[int]]) -> int:
    """Return how many moved lines are deeper or less deep than the file's by the width that most are.

    Only lines that the file has at one depth count; `known` are its depths.
    """
    offsets = Counter(
        min(depths) - len(indentation_of(line))
        for words, line in zip(map(str.strip, shown), moved, strict=True)
        if words and len(depths := known.get(words, set())) == 1
    )
    return max(offsets.values(), default=0)


def _flattened(lines: Sequence[str], width: int) -> int:
    """Return how many blocks are no deeper than the line that opens them, if a tab is so many spaces."""
    above, count = "", 0
    for line in filter(str.strip, lines):
        depth = len(indentation_of(_to_spaces(line, width)))
        if _OPENS_BLOCK.search(above) and not _CLOSES.match(line):
            count += depth <= len(indentation_of(_to_spaces(above, width)))
        above = line
    return count


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


def _to_spaces(line: str, unit: int) -> str:
    indentation = indentation_of(line)
    return indentation.replace("\t", " " * unit) + line[len(indentation) :]


def _wide(line: str, width: int) -> str:
    indentation = indentation_of(line)
    return indentation.expandtabs(width) + line[len(indentation) :]
