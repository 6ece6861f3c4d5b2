"""Entries of a list, a table or a record that is shown with marks: each takes the place of its like.

    DEFAULTS = {
        # ...
        "encoding": "utf-8-sig",
        # ...
    }

An entry that the file has by its name is changed, any other is new: next to the one that it is shown next to,
or at the end where marks are around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.patching.merging.members import REMARKS, Enclosed, blocks_of
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_OPENS_VALUE = regex(r"[{(\[]")
_BEFORE_SECOND = regex(r"[^,;]{1,200}")
_OPENS_LIST = ("{", "[", "(")


@dataclass(frozen=True, slots=True)
class EntriesShown:
    """The lines of a file with entries as they are shown, and what changed and new ones are called."""

    lines: tuple[str, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(slots=True)
class _Entry:
    """One entry that is shown: its lines, and what is shown right above it."""

    name: str
    lines: list[str]
    above: str | None
    """The name of the entry above it; empty for the head, `None` for a mark."""
    is_above_mark: bool = False
    is_apart: bool = False
    """Whether a blank line is above it."""


def with_entries_shown(file: Sequence[str], shown: Sequence[str], path: str) -> EntriesShown | None:
    """Return a file with entries as they are shown of what it has once.

    `None` where anything else is shown, where no line is a mark, or where two entries have one name.
    """
    code = without_blank_ends(shown)
    marks = {row for row, line in enumerate(code) if is_mark(line)}
    bare = ["" if row in marks else line for row, line in enumerate(code)]
    given = next(blocks_of(bare, path), None)
    if not marks or given is None or given.first or not _is_all(code, given, marks):
        return None
    own = [each for each in blocks_of(file, path) if each.name[-1] == given.name[-1]]
    if len(own) != 1 or not code[given.head].strip().endswith(_OPENS_LIST):
        return None
    members = (*own[0].members, *given.members)
    if any(_OPENS_VALUE.search(name) for name, _, _ in members) or not _are_distinct(own[0], given):
        own[0], given = _with_first_values(own[0], file), _with_first_values(given, code)
    if not _are_distinct(own[0], given):
        return None
    return _joined(file, code, own[0], _entries(code, given, marks), path)


def _are_distinct(own: Enclosed, given: Enclosed) -> bool:
    """Return whether each name that is shown is that of one entry at most in both."""
    names, shown = (Counter(name for name, _, _ in each.members) for each in (own, given))
    return all(names[name] <= 1 == shown[name] for name in shown)


def _with_first_values(block: Enclosed, lines: Sequence[str]) -> Enclosed:
    """Return a block whose entries are called by all before their second value: `path("a"`, `{ id: 1`."""
    named = (
        _BEFORE_SECOND.match(" ".join(map(str.strip, lines[first:end]))) for _, first, end in block.members
    )
    members = tuple(
        ("".join(found[0].split()) if found is not None else name, first, end)
        for found, (name, first, end) in zip(named, block.members, strict=True)
    )
    return replace(block, members=members)


def _is_all(code: Sequence[str], given: Enclosed, marks: set[int]) -> bool:
    """Return whether code is the lines of its entries, marks and remarks, in brackets, and no more."""
    rows = {row for _, first, end in given.members for row in range(first, end)}
    left = [
        line
        for row, line in enumerate(code[given.head + 1 : -1], given.head + 1)
        if line.strip() and row not in rows and row not in marks and not line.strip().startswith(REMARKS)
    ]
    is_closed = is_closing(code[-1]) and indentation_of(code[-1]) == indentation_of(code[0])
    return is_closed and not left


def _entries(code: Sequence[str], given: Enclosed, marks: set[int]) -> list[_Entry]:
    """Return the entries that are shown, each with the remarks above it."""
    entries: list[_Entry] = []
    reached = given.head + 1
    above: str | None = ""
    for name, first, end in given.members:
        between = [row for row in range(reached, first) if code[row].strip()]
        if not marks.isdisjoint(between):
            if entries:
                entries[-1].is_above_mark = True
            reached, above = max(row for row in between if row in marks) + 1, None
        entries.append(_Entry(name, list(code[reached:end]), above, is_apart=not code[reached].strip()))
        reached, above = end, name
    entries[-1].is_above_mark = not marks.isdisjoint(range(reached, len(code)))
    return entries


def _joined(
    file: Sequence[str], code: Sequence[str], own: Enclosed, entries: Sequence[_Entry], path: str
) -> EntriesShown | None:
    """Return the file with the entries in its block."""
    parts = [[*file[first:end]] for _, first, end in own.members]
    order = [name for name, _, _ in own.members]
    depth = indentation_of(parts[0][0])
    changed: list[str] = []
    added: list[str] = []
    for each in entries:
        lines = moved(without_blank_ends(each.lines), indentation_of(each.lines[-1]), depth)
        lines = moved(lines, indentation_of(lines[0]), depth)
        is_marked = any(map(is_mark, lines))
        if is_marked and each.name not in order:
            return None
        if each.name in order:
            at = order.index(each.name)
            inner = with_entries_shown(parts[at], lines, path) if is_marked else None
            if is_marked and inner is None:
                return None
            lines = list(inner.lines) if inner is not None else lines
            is_remarked = lines[0].strip().startswith(REMARKS)
            if is_remarked and any(line.strip() not in map(str.strip, file) for line in lines[:1]):
                return None
            parts[at] = [line for line in lines if not line.strip().startswith(REMARKS)]
            changed.append(each.name)
            continue
        at = _place(each, entries, order)
        blank = [""] if each.is_apart else []
        parts.insert(at, [*blank, *lines] if at else [*lines, *blank])
        order.insert(at, each.name)
        added.append(each.name)
    _with_separators(parts, [file[end - 1] for _, _, end in own.members])
    head = moved(code[:1], indentation_of(code[0]), indentation_of(file[own.first]))
    body = _with_between(file, own, order, parts)
    above = (*file[: own.first], *head, *file[own.first + 1 : own.members[0][1]], *body)
    result = (*above, *file[own.members[-1][2] :])
    return EntriesShown(result, tuple(changed), tuple(added)) if [*result] != [*file] else None


def _place(entry: _Entry, entries: Sequence[_Entry], order: Sequence[str]) -> int:
    """Return where a new entry goes among those that there are."""
    if entry.above is not None:
        return order.index(entry.above) + 1 if entry.above else 0
    at = entries.index(entry) + 1
    below = entries[at] if at < len(entries) and not entry.is_above_mark else None
    return order.index(below.name) if below is not None and below.name in order else len(order)


def _with_separators(parts: list[list[str]], ends: Sequence[str]) -> None:
    """Give each of the entries the comma, or none, that those of the file have at their ends."""
    signs = [end.rstrip()[-1:] for end in ends]
    if "," not in signs[:-1] and signs[-1] != ",":
        return
    for lines in parts[:-1]:
        end = max(row for row, line in enumerate(lines) if line.strip())
        last = lines[end].rstrip()
        if not last.endswith((",", ";")):
            lines[end] = f"{last},"
    if signs[-1] != ",":
        parts[-1][-1] = parts[-1][-1].rstrip().removesuffix(",")


def _with_between(
    file: Sequence[str], own: Enclosed, order: Sequence[str], parts: Sequence[Sequence[str]]
) -> list[str]:
    """Return the lines of entries, with what the file has above each of its own."""
    above: dict[str, Sequence[str]] = {}
    reached = own.members[0][1]
    for name, first, end in own.members:
        above[name] = file[reached:first]
        reached = end
    return [line for name, lines in zip(order, parts, strict=True) for line in (*above.get(name, ()), *lines)]
