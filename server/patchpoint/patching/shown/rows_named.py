"""Rows that a name tells: versions of what is required (`requests>=2.28`), cells of tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from patchpoint.text.regex import regex

_VERSION = r"v?\d[\w.*+-]*"
_SIGN = r"===|[=~<>!]=|[<>~^]|(?<=\w)[:@](?=v?\d)|[\"']\)? version\(? ?[\"']"
_NEW = regex(
    rf"(?P<sign>===|[=~<>!]=|[<>~^:@])?\s*(?P<version>{_VERSION})(?:\s*,\s*[=~<>!]{{1,2}}\s*{_VERSION})*"
)
_CELL = regex(
    r"(?<=\|)(?P<quote>)\s*(?P<tick>[`*]{0,2})(?P<value>(?:\\\||[^|\n])*?)(?P=tick)(?P<blank>\s*)(?=\|)"
)
_RULE = regex(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")
_OF_VALUES = regex(
    r"(?i)default|value|standard|vorgabe|wert|défaut|valeur|valor|predeterminado|defecto|padrão|умолчани|значени"
    r"|默认|值|既定|デフォルト|初期|current|version"
)
"""The headings of columns that hold what a name is set to."""
_COLUMNS = 2


def rows_requiring(lines: Sequence[str], name: str) -> Mapping[int, re.Match[str]]:
    """Return where lines require what has a name, each once, with `spec` for the sign and the version."""
    pattern = _pattern(name)
    found = {row: list(pattern.finditer(line)) for row, line in enumerate(lines) if name in line}
    return {row: each[0] for row, each in found.items() if len(each) == 1}


def with_version(found: re.Match[str], name: str, new: str, old: str) -> str | None:
    """Return the line of a requirement with another version, with the sign that it has where none is given.

    It is `None` where the new one is no version, or the line has another one than the `old`.
    """
    bare = new.strip().removeprefix(name).strip()
    wanted, had = (
        _NEW.fullmatch(bare),
        _NEW.fullmatch(old.strip().removeprefix(name).strip()) if old else None,
    )
    is_other = old and (had is None or had["version"] != found["version"])
    if wanted is None or is_other:
        return None
    sign = found["sign"]
    is_kept = wanted["sign"] is None or sign in (":", "@") or "version" in sign
    spec = f"{found['spec'][: -len(found['version'])]}{wanted['version']}" if is_kept else bare
    return f"{found.string[: found.start('spec')]}{spec}{found.string[found.end('spec') :]}"


def is_alone(found: re.Match[str]) -> bool:
    """Return whether a line holds nothing but a requirement, as one of a list does."""
    rest = f"{found.string[: found.start()]}{found.string[found.end() :]}"
    return re.fullmatch(r"\s*(?:-\s+|\w+[ (]\s*)?[\"']?[\"']?\)?,?\s*(?:[#;].*)?", rest) is not None


def cells_of(lines: Sequence[str], name: str, old: str) -> Mapping[int, re.Match[str]]:
    """Return the cell of each row that begins with a name and has a value: the `old` one, if it is given."""
    found = {}
    for row, line in enumerate(lines):
        cells = list(_CELL.finditer(line)) if name in line and line.lstrip().startswith("|") else []
        if not cells or cells[0]["value"].strip() != name:
            continue
        wanted = old.strip("`")
        column = _column(lines, row, len(cells))
        values = (
            [cell for cell in cells[1:] if cell["value"] == wanted] if old else cells[column : column + 1]
        )
        if column and len(values) == 1:
            found[row] = values[0]
    return found


def put_in_cell(found: re.Match[str], value: str) -> str:
    """Return a row with another value in a cell, which stays as wide as it is where that is possible."""
    bare, had = value.strip("`"), found["value"]
    room = len(found["blank"]) - 1
    blank = found["blank"][: len(found["blank"]) - max(0, min(room, len(bare) - len(had)))]
    blank += " " * max(0, len(had) - len(bare)) if room > 0 else ""
    line, end = found.string, found.end("blank")
    return f"{line[: found.start('value')]}{bare}{found['tick']}{blank}{line[end:]}"


@lru_cache(maxsize=16)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w./@-])(?:[\w.-]{{1,80}}:)?{re.escape(name)}(?:\[[\w,-]{{1,80}}\])?"
        rf"(?P<spec>\s{{0,2}}(?P<sign>{_SIGN})\s{{0,2}}(?P<version>{_VERSION}))(?![\w.])"
    )


def _column(lines: Sequence[str], row: int, width: int) -> int:
    """Return which column of a table holds values: the one that is called so, or the second of two; or 0."""
    above = list(takewhile(lambda at: lines[at].lstrip().startswith("|"), range(row - 1, -1, -1)))
    rule = next((at for at in above if _RULE.fullmatch(lines[at])), 0)
    heading = [cell["value"] for cell in _CELL.finditer(lines[rule - 1])] if rule else []
    called = [at for at, title in enumerate(heading) if at and _OF_VALUES.search(title)]
    if len(heading) != width or len(called) > 1:
        return 0
    return called[0] if called else int(width == _COLUMNS)
