"""Tables of settings, `[name]` with a key and a value on each line, as TOML and INI have them.

What is shown of a table is some of its keys: the others stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

_SUFFIXES = (".toml", ".ini", ".cfg", ".conf", ".editorconfig", ".gitconfig", ".npmrc")
_HEADER = regex(r"\s*\[[^\[\]]{1,200}\]\s*(?:[#;].*)?\Z")
_KEY = regex(r"(?P<key>[\w.\"'-]{1,200})\s{0,40}=(?!=)")
_REMARKS = ("#", ";")
_OPENING, _CLOSING = "[{(", "]})"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key of a table, and its lines from `first` up to `end`."""

    table: str
    key: str
    first: int
    end: int


def with_keys(
    file: Sequence[str],
    shown: Sequence[str],
    path: str,
    join: Callable[[Sequence[str], Sequence[str]], tuple[list[str], str] | None],
) -> tuple[tuple[str, ...], list[str]] | None:
    """Return the lines of a file with the keys of the tables that are shown, and what differs of these.

    New keys go to the end of their table; `join` adds members to a value that has others. `None` where it is
    no such file, where a table or key is not there exactly once, where a value would lose most of its lines,
    and where something else is shown.
    """
    own, new = (_entries(lines) for lines in (file, shown)) if path.endswith(_SUFFIXES) else (None, None)
    tables = Counter(line.strip() for line in file if _HEADER.match(line))
    if not own or not new or any(tables[each.table] != 1 for each in new):
        return None
    if len({(each.table, each.key) for each in new}) < len(new):
        return None
    by_table: dict[str, list[_Entry]] = {}
    for one in own:
        by_table.setdefault(one.table, []).append(one)
    by_key = {(one.table, one.key): one for one in own}
    counts = Counter((one.table, one.key) for one in own)
    changes: list[tuple[int, int, Sequence[str]]] = []
    keys: list[str] = []
    for each in new:
        lines = shown[each.first : each.end]
        inside, there = by_table.get(each.table), by_key.get((each.table, each.key))
        if not inside or counts[each.table, each.key] > 1:
            return None
        start, end = (there.first, there.end) if there is not None else (inside[-1].end, inside[-1].end)
        if end - start > 2 * len(lines):
            return None
        joined = join(file[start:end], lines)
        lines = joined[0] if joined is not None else lines
        if list(file[start:end]) != list(lines):
            changes.append((start, end, lines))
            keys.append(each.key)
    result: list[str] = []
    reached = 0
    for start, end, lines in sorted(changes, key=lambda change: change[:2]):
        result += [*file[reached:start], *lines]
        reached = end
    return (*result, *file[reached:]), keys


def lost_key(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return the first key that a table of a file has, and that it has not in what becomes of it."""
    own, left = (_entries(lines) for lines in (file, result)) if path.endswith(_SUFFIXES) else (None, None)
    if own is None or left is None:
        return ""
    names = {(each.table, each.key) for each in left}
    return next((each.key for each in own if (each.table, each.key) not in names), "")


def _entries(lines: Sequence[str]) -> list[_Entry] | None:
    """Return the keys of all tables; `None` if a line is neither that of one nor a header or remark."""
    found: list[_Entry] = []
    table = ""
    row = 0
    while row < len(lines):
        words, first = lines[row].strip(), row
        key = _KEY.match(lines[row])
        row += 1
        if _HEADER.match(lines[first]) or words.startswith("[["):
            table = words
        elif key is not None:
            depth = _depth(words)
            while row < len(lines) and (depth > 0 or lines[row][:1] in (" ", "\t")) and lines[row].strip():
                depth += _depth(lines[row])
                row += 1
            found.append(_Entry(table, key["key"], first, row))
        elif words and not words.startswith(_REMARKS):
            return None
    return found


def _depth(line: str) -> int:
    """Return how many more brackets a line opens than it closes."""
    return sum((sign in _OPENING) - (sign in _CLOSING) for sign in line)
