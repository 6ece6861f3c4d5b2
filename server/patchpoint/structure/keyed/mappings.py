"""Mappings of YAML, by the depth of their lines: what is shown of one is some of its keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_HEAD = regex(r"(?P<depth> *)(?P<key>[\w./\"'$-][^:#{}\[\]]{0,200}?):(?P<value>\s.*)?\Z")
_MOST = 2_000
"""Of more lines it is not found out."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A key, and its lines from `first` up to `end`; `inner` has the keys of a value that is a mapping."""

    key: str
    depth: int
    first: int
    end: int
    inner: tuple[_Key, ...]


def with_mappings(file: Sequence[str], shown: Sequence[str]) -> tuple[str, ...] | None:
    """Return the lines of a file with the keys that are shown: their values for its own, and new ones last.

    `None` where one of both is no mapping, has a key twice, or they have no key in common.
    """
    if len(file) + len(shown) > _MOST:
        return None
    own, new = _entries(file, 0, len(file)), _entries(shown, 0, len(shown))
    if not own or not new or not {each.key for each in own} & {each.key for each in new}:
        return None
    changes: list[tuple[int, int, list[str]]] = []
    _merge(file, shown, own, new, changes)
    lines = list(file)
    # of two that are added at one place, the one further out was found last, and goes below
    numbered = ((first, end, number, made) for number, (first, end, made) in enumerate(changes))
    for first, end, _, made in sorted(numbered, key=lambda each: each[:3], reverse=True):
        lines[first:end] = made
    return tuple(lines)


def _merge(
    file: Sequence[str],
    shown: Sequence[str],
    own: Sequence[_Key],
    new: Sequence[_Key],
    changes: list[tuple[int, int, list[str]]],
) -> None:
    by_key = {each.key: each for each in own}
    added: list[str] = []
    is_apart = len(own) > 1 and not all(map(str.strip, file[own[0].end : own[1].first]))
    for each in new:
        there = by_key.get(each.key)
        made = _moved(shown[each.first : each.end], own[0].depth - each.depth)
        if there is None:
            added += ["", *made] if is_apart else made
        elif there.inner and each.inner:
            _merge(file, shown, there.inner, each.inner, changes)
        elif made != list(file[there.first : there.end]):
            changes.append((there.first, there.end, made))
    if added:
        changes.append((own[-1].end, own[-1].end, added))


def _entries(lines: Sequence[str], first: int, end: int) -> tuple[_Key, ...]:
    """Return the keys of a mapping, none where it is something else, or has one twice."""
    rows = [row for row in range(first, end) if _is_said(lines[row])]
    depth = len(lines[rows[0]]) - len(lines[rows[0]].lstrip(" ")) if rows else 0
    heads = [row for row in rows if len(lines[row]) - len(lines[row].lstrip(" ")) <= depth]
    found = [_HEAD.match(lines[row]) for row in heads]
    keys = [match["key"] if match and len(match["depth"]) == depth else "" for match in found]
    if not all(keys) or max(Counter(keys).values(), default=0) > 1:
        return ()
    entries: list[_Key] = []
    for key, row, behind in zip(keys, heads, [*heads[1:], end], strict=True):
        said = [at for at in range(row, behind) if _is_said(lines[at])]
        is_nested = len(said) > 1 and lines[row].rstrip().endswith(":")
        inner = _entries(lines, row + 1, said[-1] + 1) if is_nested else ()
        entries.append(_Key(key, depth, row, said[-1] + 1, inner))
    return tuple(entries)


def _is_said(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _moved(lines: Sequence[str], by: int) -> list[str]:
    """Return lines deeper by so many spaces, without blank ones around them."""
    ends = without_blank_ends(list(lines))
    return [" " * by + line if by > 0 and line.strip() else line[max(0, -by) :] for line in ends]
