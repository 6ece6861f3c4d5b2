"""Shown code made ready to be merged: its lines in the file's units, its marks, its definitions."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import Definition, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.headers import outline_by_headers
from patchpoint.structure.lazy.layout import in_units_of
from patchpoint.structure.lazy.marks import ellipses_of_python, marks_among
from patchpoint.structure.lazy.outline import outline
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.structure.problem import UnjudgedError, require_judgeable

MAX_CHARACTERS = 300_000
"""Longer texts are not merged: nobody waits for them to be parsed."""


def prepared(
    shown: Sequence[str], file: Sequence[str], path: str, syntax: Syntax
) -> tuple[list[str], frozenset[int]]:
    """Return the shown lines, indented as the file is, and the numbers of those that are marks.

    Raises `UnmergedError` where it is not certain what is a mark.
    """
    lines = in_units_of(file, _without_path(shown, file, path))
    marks = marks_among(lines, file)
    if _is_within_comment(lines, marks, file, syntax):
        raise UnmergedError(Unmerged.ELLIPSIS)
    if syntax.family == "python":
        marks, is_open = ellipses_of_python(lines, marks, file)
        if is_open:
            raise UnmergedError(Unmerged.ELLIPSIS)
    return _without_repeats(lines, marks, file, syntax)


def outline_of_shown(lines: Sequence[str], syntax: Syntax, marks: frozenset[int]) -> Definition:
    """Return the definitions of shown code, which need not parse as it is."""
    try:
        require_judgeable("\n".join(lines), MAX_CHARACTERS)
    except UnjudgedError:
        raise UnmergedError(Unmerged.LANGUAGE) from None
    solid = [line for number, line in enumerate(lines) if line.strip() and number not in marks]
    depth = min((len(indentation_of(line)) for line in solid), default=0)
    sign = "..." if syntax.family == "python" else syntax.comments[0] + " "
    if syntax.comments[0] == "/*":
        sign = "/* */"
    masked = list(lines)
    below = ""
    for number in range(len(lines) - 1, -1, -1):
        if number in marks:
            own = indentation_of(lines[number])
            # A mark that is less deep than what follows it is within the same block.
            masked[number] = (below if len(below) > len(own) else own) + sign
        elif lines[number].strip():
            below = indentation_of(lines[number])
    flat = [line[depth:] if not line[:depth].strip() else line for line in masked]
    for home in (("", ""), *syntax.homes):
        found = outline(flat, syntax, marks, home=home)
        if found is not None and not _ends_early(found, flat, marks):
            return found
    if syntax.family == "python" and marks:
        for number in marks:
            flat[number] = "#"
        found = outline(flat, syntax, marks)
        if found is not None and not _ends_early(found, flat, marks):
            return found
    return outline_by_headers(lines, syntax, marks)


def _ends_early(level: Definition, lines: Sequence[str], marks: frozenset[int]) -> bool:
    """Return whether a definition is followed by a line that is deeper than its head."""
    for each in level.walk():
        if each.is_text:
            continue
        rows = (row for row in range(each.end, len(lines)) if lines[row].strip() and row not in marks)
        row = next(rows, None)
        if row is not None and len(indentation_of(lines[row])) > len(indentation_of(lines[each.start])):
            return True
    return False


def _is_within_comment(
    lines: Sequence[str], marks: frozenset[int], file: Sequence[str], syntax: Syntax
) -> bool:
    """Return whether dots alone are in the middle of a comment that is new: they may be part of it."""
    known = {line.strip() for line in file}
    for number in marks:
        around = [lines[n].strip() for n in (number - 1, number + 1) if 0 <= n < len(lines)]
        if len(around) == 2 and not any(map(str.isalnum, lines[number])):
            is_comment = all(line.startswith(syntax.comments) and line not in known for line in around)
            if is_comment and not {number - 1, number + 1} & marks:
                return True
    return False


def _without_path(shown: Sequence[str], file: Sequence[str], path: str) -> list[str]:
    """Return the shown lines without a first comment that only names the file."""
    lines = list(shown)
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return lines
    words = lines[first].strip()
    name = path.replace("\\", "/").rpartition("/")[2]
    bare = words.lstrip("#/*-;<!% \t").rstrip("*/->: \t").strip("`*'\" ")
    is_comment = words[:1] in "#/-;<%*" and not words.startswith(("#!", "#include"))
    if is_comment and name and bare.endswith(name) and words not in map(str.strip, file):
        del lines[: first + 1]
    return lines


def _without_repeats(
    lines: list[str], marks: frozenset[int], file: Sequence[str], syntax: Syntax
) -> tuple[list[str], frozenset[int]]:
    """Return the shown lines and marks without comments that are written twice in a row."""
    words = [line.strip() for line in lines]
    own = [line.strip() for line in file]
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and end not in marks and words[end].startswith(syntax.comments):
            end += 1
        half = (end - at) // 2
        is_twice = half and (end - at) % 2 == 0 and words[at : at + half] == words[at + half : end]
        if is_twice and any(map(str.isalnum, "".join(words[at:end]))):
            block = words[at:end]
            if not any(own[n : n + len(block)] == block for n, line in enumerate(own) if line == block[0]):
                del lines[at : at + half], words[at : at + half]
                marks = frozenset(n if n < at else n - half for n in marks)
                end -= half
        at = max(end, at + 1)
    return lines, marks
