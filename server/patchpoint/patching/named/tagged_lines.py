"""Lines that an edit names by number and tag: changed where the tags are those of the file's lines.

A tag has eight bits, and equal lines have equal ones. So the first or the last line has to be the only one of
its text in the file; a line that is there more than once could be another one of them by now.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.edit import Side, Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.line_tags import LineReference, has_tag, line_reference, tag_of
from patchpoint.patching.named.unplaced import Placed, UnplacedError
from patchpoint.text.lines import Span


def with_tagged_lines(
    lines: Sequence[str], target: Target, new: Sequence[str], at: Span | None = None
) -> Placed:
    """Return the lines with `new` at the ones that `target` names; of several alike, at the lines `at`.

    Raises `UnplacedError` where a tag is not that of the line, or does not tell it from others.
    """
    first = _line(lines, target.name)
    last = _line(lines, target.last) if target.last else first
    if last.number < first.number:
        why = f"its last line, {last.number}, is above its first"
        raise UnplacedError(Reason.NOT_PLACED, {"name": f"line {first.number}", "why": why})
    if at is not None and first == last:
        first = last = LineReference(at[0] + 1, first.tag)
    elif at is None and all(_twins(lines, one.number) for one in {first, last}):
        twins = sorted((first.number - 1, *_twins(lines, first.number)))
        places = [(number, number + 1) for number in twins]
        raise UnplacedError(Reason.TAG_SHARED, {"line": first.number}, places)
    start, end = first.number - 1, last.number
    if target.side is Side.BEFORE:
        end = start
    elif target.side is Side.AFTER:
        start = end
    is_alone = not _twins(lines, first.number) and not _twins(lines, last.number)
    certain = at is not None or (first != last and is_alone)
    note = "" if certain else f"Placed by the tag of line {first.number} alone."
    return Placed((*lines[:start], *new, *lines[end:]), (start, end), note, certain)


def _line(lines: Sequence[str], name: str) -> LineReference:
    reference = line_reference(name)
    if reference is None:
        why = "expected a line with its tag, such as 12#KT"
        raise UnplacedError(Reason.NOT_PLACED, {"name": repr(name), "why": why})
    if not 1 <= reference.number <= len(lines):
        raise UnplacedError(Reason.NO_SUCH_LINE, {"line": reference.number, "length": len(lines)})
    line = lines[reference.number - 1]
    if not has_tag(line, reference):
        name, tag = (f"{reference.number}{one}" for one in (reference.tag, tag_of(line, reference)))
        raise UnplacedError(Reason.TAG_DIFFERS, {"line": reference.number, "name": name, "tag": tag})
    return reference


def _twins(lines: Sequence[str], number: int) -> list[int]:
    """Return the 0-based numbers of the other lines that read like line `number`, white space aside."""
    words = lines[number - 1].split()
    return [other for other, line in enumerate(lines) if other != number - 1 and line.split() == words]
