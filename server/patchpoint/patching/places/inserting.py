"""New lines next to others of a file: as deep as these, with commas and blank lines as they have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.structure.imports import are_imports, imports_of, leading_imports, united, with_first_imports
from patchpoint.structure.lazy.bindings import BOUND, end_of_block
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_NO_COMMA = (",", ";", "(", "[", "{")
_DOCUMENTS = (".md", ".markdown")
_OF_FILE = regex(r"\s*(?:#|//|/?\*|--|<|['\"@]|package\b|namespace\b)")
"""What goes above the imports of a file."""
_FEW = 2
HEADING = regex(r"(#{1,6})\s")
_LEAVES = regex(r"\s*(?:return|raise|throw)\b")
_DOCUMENTATION = ('"""', "'''", 'r"""')
_CLOSER = regex(r"\s*[\])}]")
_TABLE = regex(r"\[")
"""What ends a list or a block, and what a table."""
_COMMENTS = ("#", "//", "/*")


def put(
    file: Sequence[str], row: int, new: Sequence[str], like: int, *, is_listed: bool = False
) -> list[str]:
    """Return a file with new lines above a row, as deep as the line `like`, with commas as there."""
    above, below = list(file[:row]), list(file[row:])
    depth = indentation_of(file[like])
    added = moved(new, indentation_of(new[0]), depth)
    is_listed = is_listed or any(line.endswith(",") for line in (added[-1], file[like], file[like - 1]))
    if is_listed and row > like and above[-1].strip() and not above[-1].endswith(_NO_COMMA):
        added[-1] = added[-1].removesuffix(",")
        above[-1] += ","
    elif file[like].endswith(",") and not added[-1].endswith(_NO_COMMA):
        added[-1] += ","
    return [*above, *added, *below]


def put_below(file: Sequence[str], row: int, new: Sequence[str]) -> list[str]:
    """Return a file with new lines below what begins on a row."""
    return put_behind(file, end_of_block(file, row), new, row)


def put_behind(file: Sequence[str], end: int, new: Sequence[str], row: int) -> list[str]:
    """Return a file with new lines above the row `end`, which is behind what begins on another one."""
    is_apart = end > row + 1 and not "".join(file[row - 1 : row]).strip()
    is_apart = is_apart and len(new) > 1
    is_deep = len(new) > _FEW and any(line[:1].isspace() for line in new)
    is_outer = end > row + 1 and not indentation_of(file[row])
    is_apart = is_apart or ((is_deep or is_outer) and file[end : end + 1] == [""])
    lines = put(file, end, new, row)
    return [*lines[:end], *[""] * is_apart, *lines[end:]]


def put_above(file: Sequence[str], row: int, new: Sequence[str], *, is_apart: bool = False) -> list[str]:
    """Return a file with new lines above a row; several, or some apart, are as far as what was above it."""
    last = len(without_blank_ends(["x", *file[:row]])) - 2
    blank = row - last - 1 if len(new) > 1 or is_apart else 0
    # what closes something is less deep than what is in it
    is_inside = file[row].strip().startswith("</") and len(indentation_of(new[0])) > len(
        indentation_of(file[row])
    )
    lines = put(file, row, new, last if is_inside else row)
    end = row + len(new)
    return [*lines[:end], *[""] * blank, *lines[end:]]


def put_last(file: Sequence[str], new: Sequence[str], path: str) -> list[str]:
    """Return a file with new lines at its end."""
    end = max((row + 1 for row, line in enumerate(file) if line.strip()), default=0)
    return [*file[:end], *_blank_between(file[:end], new, path), *new, *file[end:]]


def put_first(file: Sequence[str], new: Sequence[str], path: str) -> list[str] | None:
    """Return a file with new lines at its top: imports among its own, and the rest below these."""
    if are_imports(new, path):
        return united(file, new, path) or with_first_imports(file, new, path)
    end = leading_imports(new, path)
    lines = united(file, new[:end], path) if end else list(file)
    own = imports_of(lines or (), path)
    if lines is not None and own and (end or not _OF_FILE.match(new[0])):
        at = own[-1].end
        blank = [""] if lines[at : at + 1] != [""] else []
        return [*lines[:at], "", *without_blank_ends(new[end:]), *blank, *lines[at:]]
    first = 1 if file and file[0].startswith(("#!", "<?php")) else 0
    blank = _blank_between(new, file[first:], path)
    return [*file[:first], *new, *blank, *file[first:]]


def put_inside(file: Sequence[str], new: Sequence[str], rows: Span, *, is_first: bool) -> list[str] | None:
    """Return a file with lines at the beginning or at the end of what is on some rows.

    `None` where that has no body, begins with what says something of it, or is left before its end.
    """
    start, end = rows
    if HEADING.match(file[start]) and not is_first:
        end = max(row + 1 for row in range(start, end) if file[row].strip())
        return [*file[:end], "", *new, *file[end:]]
    depth = len(indentation_of(file[start]))
    body = [
        row for row in range(start + 1, end) if len(indentation_of(file[row])) > depth and file[row].strip()
    ]
    like = min(body, key=lambda row: len(indentation_of(file[row])), default=None)
    is_list = file[start].rstrip().endswith(("[", "{", "(")) and BOUND.search(file[start]) is not None
    if like is None or (is_first and like > body[0]):
        return None
    if is_first:
        return _put_first_inside(file, new, like, end)
    return None if _LEAVES.match(file[body[-1]]) else put(file, body[-1] + 1, new, like, is_listed=is_list)


def with_line_of(lines: Sequence[str], name: str, member: str) -> list[str] | None:
    """Return the lines with one more member at the end of the one list, table or block of a name.

    It is `None` where there is not one on several lines, or its members are not like the new one.
    """
    bare = re.escape(name.strip("`\"' []{}:="))
    head = re.compile(rf"\s*(?:\[{bare}\]|[\"']?{bare}[\"']?\s*(?:[:=]\s*)?[\[({{])\s*(?:#.*|//.*)?")
    rows = [row for row, line in enumerate(lines) if head.fullmatch(line)] if bare else []
    if len(rows) != 1:
        return None
    first = rows[0] + 1
    is_table = lines[rows[0]].strip()[:1] == "["
    ends = _TABLE if is_table else _CLOSER
    end = next(
        (row for row in range(first, len(lines)) if ends.match(lines[row])), len(lines) if is_table else 0
    )
    own = [row for row in range(first, end) if lines[row].strip()]
    if not own or any(line.strip().rstrip(",") == member.strip().rstrip(",") for line in lines[first:end]):
        return None
    last = own[-1]
    depth = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    if _kind_of(lines[last]) != _kind_of(member) or lines[last].strip().startswith(_COMMENTS):
        return None
    above, is_listed = lines[last].rstrip(), lines[rows[0]].rstrip()[-1:] in ("[", "(")
    has_comma = above.endswith(",") or (is_listed and len(own) == 1)
    is_split = not is_table and (is_listed or any(lines[row].rstrip().endswith(",") for row in own[:-1]))
    before = [f"{above}," if is_split and not above.endswith(",") else lines[last]]
    new = f"{depth}{member.strip().rstrip(',')}{',' if has_comma and not is_table else ''}"
    return [*lines[:last], *before, new, *lines[last + 1 :]]


def _put_first_inside(file: Sequence[str], new: Sequence[str], row: int, stop: int) -> list[str] | None:
    """Return a file with lines above the first ones of something, or below the text that it begins with.

    It ends above the row `stop`. They are apart from a text, and from what goes on over several lines.
    """
    words = file[row].strip()
    above: list[str] = []
    if words.startswith(_DOCUMENTATION):
        sign = words.lstrip("r")[:3]
        ends = (at + 1 for at in range(row, len(file)) if file[at].rstrip().endswith(sign))
        at = next((end for end in ends if end > row + 1 or words.count(sign) > 1), None)
        row = next((below for below in range(at or len(file), len(file)) if file[below].strip()), len(file))
        if row == len(file):
            return None
        above = [""] * (not file[row - 1].strip())
    is_long = end_of_block(file, row) > row + 1 or file[row].strip().startswith(("@", "#[", "/*", "//"))
    apart = is_long and "" in file[row:stop]
    lines = put(file, row, new, row)
    end = row + len(new)
    return [*lines[:end], *(above or [""] * apart), *lines[end:]]


def put_section_first(file: Sequence[str], new: Sequence[str], level: int) -> list[str] | None:
    """Return a document with a section above the first of its level, or at the end of the one above it."""
    levels = {row: len(found[1]) for row, line in enumerate(file) if (found := HEADING.match(line))}
    row = next((row for row, each in levels.items() if each == level), None)
    if row is not None:
        return [*file[:row], *new, "", *file[row:]]
    if not levels or min(levels.values()) >= level:
        return None
    end = next((row for row, each in levels.items() if each > level), len(file))
    above = [*file[:end], *([""] if file[end - 1].strip() else [])]
    return [*above, *new, *([""] if end < len(file) else []), *file[end:]]


def _blank_between(above: Sequence[str], below: Sequence[str], path: str) -> list[str]:
    """Return the blank lines between two parts of a file: none between lines that begin alike."""
    if not above or not below or not above[-1].strip() or not below[0].strip():
        return []
    is_code = bool(syntaxes_of(path))
    new = above if len(above) < len(below) else below
    has_parts = not all(map(str.strip, new))
    is_alike = above[-1].split()[0] == below[0].split()[0] and not has_parts
    is_alike = is_alike or (not is_code and all(map(str.strip, (*above, *below))))
    is_line = is_code and not path.lower().endswith(_DOCUMENTS) and min(len(above), len(below)) == 1
    return [] if is_alike or is_line else [""]


def _kind_of(line: str) -> str:
    """Return what kind of member a line is, by its first sign, and the sign of what it sets."""
    words = line.strip()
    return words[:1] if not words[:1].isalpha() else "=" if "=" in words else " " if " " in words else "a"
