"""What an answer asks to remove by its name: a definition, a rule, an import, a value, or a whole line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.edit import Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.definition import definition_named
from patchpoint.patching.named.unplaced import Placed, UnplacedError
from patchpoint.structure.imports import imports_of
from patchpoint.structure.keyed.units_by_key import units_of
from patchpoint.structure.lazy.bindings import end_of_block, head_of
from patchpoint.structure.lazy.definition import CodeText, Definition
from patchpoint.text.lines import Span

_ENDS = "'\";"


def without_named(lines: Sequence[str], path: str, target: Target, at: Span | None = None) -> Placed:
    """Return the lines without what `target` names, a name path or all of a line.

    Of several, the one with the lines `at` is meant. Raises `UnplacedError` where there is none or several.
    """
    try:
        file, own = definition_named(lines, path, target, at)
    except UnplacedError as error:
        if error.reason is not Reason.NOT_PLACED:
            raise
        spans = next(filter(None, (list(each) for each in _found(lines, path, target.name))), [])
        if at in spans or len(spans) == 1:
            first, end = at if at in spans and at is not None else spans[0]
            above = [row for row in range(first) if lines[row].strip()]
            start = above[-1] + 1 if above and end == len(lines) else first
            end = end if above else _behind_blank_lines(lines, end)
            return Placed((*lines[:start], *lines[end:]), (first, end))
        if not spans:
            raise
        raise UnplacedError(Reason.SEVERAL, {}, spans) from None
    first, end = _with_blank_lines(file, own)
    return Placed((*lines[:first], *lines[end:]), (own.lead, own.end))


def _found(lines: Sequence[str], path: str, name: str) -> Iterator[Iterator[Span]]:
    """Yield the spans of what has a name in a file, by each way of having one."""
    yield (
        (unit.first, _behind_blank_lines(lines, unit.end))
        for unit in units_of(lines, path)
        if unit.key in (name, f"{name} =")
    )
    yield ((each.first, each.end) for each in imports_of(lines, path) if _is_import_of(each.text, name))
    yield ((row, end_of_block(lines, row)) for row, line in enumerate(lines) if head_of(line)[-1:] == (name,))
    said = name.rstrip(";,")
    wanted = (said, f"{said.replace('/', '.')}()")
    yield ((row, row + 1) for row, line in enumerate(lines) if line.strip().rstrip(";,") in wanted)


def _is_import_of(statement: str, name: str) -> bool:
    """Return whether a statement imports one name, and no other."""
    words = statement.rstrip(_ENDS).split()
    return "," not in statement and name in (words[-1].strip(_ENDS), *words[1:2])


def _behind_blank_lines(lines: Sequence[str], row: int) -> int:
    return next((n for n in range(row, len(lines)) if lines[n].strip()), row)


def _with_blank_lines(file: CodeText, own: Definition) -> Span:
    """Return the lines of a definition with the blank lines that part it from one of its neighbours."""
    first, end, depth = own.lead, own.end, file.depth(own.start)
    above, below = file.above(first), file.below(end)
    is_first = above < 0 or file.depth(above) < depth
    is_last = below == len(file.lines) or file.depth(below) < depth
    # of the blank lines above and below, the more stay between others
    if is_first or (not is_last and first - above - 1 >= below - end):
        return first, below
    return above + 1, end
