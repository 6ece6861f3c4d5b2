"""Files that are units with keys: what is shown of one takes the place of what has its keys there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import PurePosixPath

from patchpoint.dataclass import dataclass
from patchpoint.structure.languages import languages_of
from patchpoint.text.regex import regex

_MAKE = regex(r"(?i)(?:gnu)?makefile|.*\.(?:mk|make)")
_RULE = regex(r"(?P<key>[\w.%/$()-]+(?:[ ]+[\w.%/$()-]+)*)[ ]*::?(?!=)")
_VARIABLE = regex(r"(?:export[ ]+)?(?P<key>[\w.-]+)[ ]*(?:[:?!]|::)?=")
_COMMAND = regex(r"[ \t]*(?P<key>\w+[ \t]*\([ \t]*[^\s()]*)")
_INSTRUCTION = regex(
    r"(?P<key>FROM[ ]+[^\s:@]+|(?:ENV|ARG)[ ]+\w+|WORKDIR|CMD|ENTRYPOINT|EXPOSE|USER|HEALTHCHECK|SHELL)\b",
)
_ELEMENT = regex(r"[ \t]*(?P<key><(?P<name>[\w:.-]+)(?:[ ]+(?:id|name|key)=[\"'][^\"'<>]*[\"'])?)(?=[\s>/])")
_TAG = regex(r"<([\w:.-]+)")
_TABLE = regex(r"\s*(?P<key>\[[^\[\]]{1,200}\]|\[\[[^\[\]]{1,200}\]\])\s*(?:[#;].*)?\Z")
_SETTING = regex(r"(?P<key>[\w.\"'-]{1,200})\s{0,40}=(?!=)")
_MAPPED = regex(r" *(?P<key>[\w./\"'$-][^:#{}\[\]]{0,200}?):(?:\s.*)?\Z")
_REMARKS = ("#", ";")
_MOST = 2_000
"""Mappings of more lines are not read."""


@dataclass(frozen=True, slots=True)
class KeyedUnit:
    """One unit of a file: its key, and its lines from `first` up to `end`."""

    key: str
    first: int
    end: int
    group: str | None = None
    """What it has in common with those below which it may be added; `None` where it is only replaced."""
    inner: tuple[KeyedUnit, ...] = ()
    """The units of one that has others for its value."""


@dataclass(frozen=True, slots=True)
class UnitsReplaced:
    """The lines of a file with other units in place of those with their keys, and with new ones."""

    lines: tuple[str, ...]
    keys: tuple[str, ...]
    added: tuple[str, ...] = ()


_Join = Callable[[Sequence[str], Sequence[str]], "list[str] | None"]
_Reader = Callable[[Sequence[str], bool], "list[KeyedUnit] | None"]
"""Return the units of some lines; `None` if all lines with text have to be in one, and one is not."""


def with_units(
    file: Sequence[str], shown: Sequence[str], path: str, join: _Join | None = None
) -> UnitsReplaced | None:
    """Return a file with the units of `shown` in place of its own; new ones are below those of their group.

    `join` adds members to a unit that has others.
    `None` where one of both is not a list of units, or has one of them twice, or would lose much.
    """
    for read in _readers_of(path):
        found = _merged(file, shown, read, join)
        if found is not None and (found.keys or read not in (_tables, _mapping)):
            return found
    return None


def units_of(lines: Sequence[str], path: str) -> list[KeyedUnit]:
    """Return the units of a file; none where it is not a list of units."""
    return next(filter(None, (read(lines, False) for read in _readers_of(path))), None) or []


def with_recipe_tabs(shown: Sequence[str], path: str) -> list[str]:
    """Return shown lines of a file of make with tabs before its recipes: pages show spaces in their place."""
    if not _MAKE.fullmatch(PurePosixPath(path).name) or any(line.startswith("\t") for line in shown):
        return list(shown)
    lines: list[str] = []
    in_rule = False
    for line in shown:
        is_deep = line.startswith("  ") and bool(line.strip())
        lines.append(f"\t{line.lstrip()}" if in_rule and is_deep else line)
        if line.strip() and not is_deep:
            in_rule = _RULE.match(line) is not None and _VARIABLE.match(line) is None
    return lines


def lost_key(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return the first key that a table of a file has, and that it has not in what becomes of it."""
    own, left = (
        (_tables(lines, True) for lines in (file, result)) if _tables in _readers_of(path) else (None, None)
    )
    if own is None or left is None:
        return ""
    tables = {one.key: {one.key, *(each.key for each in one.inner)} for one in left}
    every = ((one.key, each.key) for one in own for each in (one.inner or (one,)))
    return next((key for table, key in every if key not in tables.get(table, ())), "")


def is_keyed(path: str) -> bool:
    """Return whether a file of this name has units with keys, as far as that is known of its language."""
    return any(read is not _BLOCKS for read in _readers_of(path))


def is_of_settings(path: str) -> bool:
    """Return whether a file has tables of settings, as of TOML, or a mapping of YAML."""
    return any(read in _readers_of(path) for read in (_tables, _mapping))


def with_changes(
    file: Sequence[str], changes: Sequence[tuple[int, int, Sequence[str]]]
) -> tuple[str, ...] | None:
    """Return a file with other lines from some rows up to others; `None` where one change is in another."""
    lines: list[str] = []
    reached = 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        if start < reached:
            return None
        lines += [*file[reached:start], *new]
        reached = end
    return (*lines, *file[reached:])


def _readers_of(path: str) -> list[_Reader]:
    """Return what may read the units of a file: by its name, or of one of no known language its blocks."""
    name = PurePosixPath(path.replace("\\", "/")).name
    named = [read for pattern, read in _READERS if pattern.fullmatch(name)]
    return named or ([] if languages_of(path) else [_BLOCKS])


def _merged(
    file: Sequence[str], shown: Sequence[str], read: _Reader, join: _Join | None = None
) -> UnitsReplaced | None:
    new, own = read(shown, True), read(file, False)
    if not new or own is None:
        return None
    changes: list[tuple[int, int, Sequence[str]]] = []
    keys: list[str] = []
    added: list[str] = []
    levels = [(own, new)]
    while levels:
        own, new = levels.pop()
        of_level: list[tuple[int, int, Sequence[str]]] = []
        if len({each.key for each in new}) < len(new):
            return None
        for each in new:
            there = [one for one in own if one.key == each.key]
            like = [one for one in own if one.group == each.group is not None]
            lines = shown[each.first : each.end]
            if len(there) == 1 and there[0].inner and each.inner:
                levels.append((list(there[0].inner), list(each.inner)))
                keys.append(each.key)
            elif len(there) == 1:
                before = file[there[0].first : there[0].end]
                lines = (join(before, lines) if join else None) or lines
                if read is not _mapping and _loses(before, lines):
                    return None
                of_level.append((there[0].first, there[0].end, _as_deep_as(before[0], lines)))
                keys.append(each.key)
            elif there or not like:
                return None
            else:
                made = _as_deep_as(file[like[-1].first], lines)
                is_apart = (len(like) > 1 or read is not _mapping) and _are_apart(file, like, made)
                of_level.append((like[-1].end, like[-1].end, [*[""] * is_apart, *made]))
                added.append(each.key)
        changes = [*of_level, *changes]  # of what is added at one place, the inner is above
    result = with_changes(file, changes)
    return UnitsReplaced(result, tuple(keys), tuple(added)) if result is not None else None


def _loses(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether a unit has less than half of its lines, or lacks an element, a block or lines of one."""
    old, new = ([line.strip() for line in lines[1:] if line.strip()] for lines in (before, after))
    words, left = (Counter(line.split()[0] for line in lines) for lines in (old, new))
    is_less = len(new) < len(old) and old[-1] == "}" and bool(words - left)
    blocks = {line for line in old if line.endswith("{")}
    had, has = (Counter(_TAG.findall("\n".join(lines))) for lines in (before, after))
    return is_less or len(new) * 2 + 1 < len(old) or not blocks.issubset(new) or bool(had - has)


def _are_apart(file: Sequence[str], units: Sequence[KeyedUnit], new: Sequence[str]) -> bool:
    """Return whether a blank line is between units, or belongs above the second one."""
    if len(units) > 1:
        return not all(map(str.strip, file[units[-2].end : units[-1].first]))
    return len(new) > 1 and units[0].end - units[0].first > 1


def _as_deep_as(first: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a unit at the depth of the one whose first line is given."""
    own, shown = (line[: _depth(line)] for line in (first, lines[0]))
    return [own + line[len(shown) :] if line.startswith(shown) and line.strip() else line for line in lines]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _listed(
    lines: Sequence[str],
    every: bool,
    unit_at: Callable[[Sequence[str], int], KeyedUnit | None],
    *,
    nest: bool = False,
) -> list[KeyedUnit] | None:
    """Return the units that begin on lines of a certain form; where they `nest`, those in others as well."""
    found: list[KeyedUnit] = []
    row = 0
    while row < len(lines):
        unit = unit_at(lines, row)
        found += [unit] if unit is not None else []
        if unit is None and every and lines[row].strip():
            return None
        row = unit.end if unit is not None and (every or not nest) else row + 1
    return found


def _rule_at(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the rule or variable of make on a line."""
    variable, rule = _VARIABLE.match(lines[row]), _RULE.match(lines[row])
    end = _continued(lines, row)
    if variable is not None:
        return KeyedUnit(f"{variable['key']} =", row, end)
    if rule is None:
        return None
    last = end
    while end < len(lines) and (lines[end].startswith("\t") or not lines[end].strip()):
        end = _continued(lines, end)
        last = end if lines[end - 1].strip() else last
    return KeyedUnit(" ".join(rule["key"].split()), row, last, "")


def _command_at(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the command of CMake on a line, by its name and its first argument."""
    match = _COMMAND.match(lines[row])
    if match is None:
        return None
    opened = accumulate(line.count("(") - line.count(")") for line in lines[row:])
    end = next((at for at, depth in enumerate(opened, row + 1) if depth <= 0), 0)
    name, _, argument = "".join(match["key"].split()).partition("(")
    return KeyedUnit(f"{name.casefold()}({argument}", row, end) if end else None


def _instruction_at(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the instruction on a line that a Dockerfile has once."""
    match = _INSTRUCTION.match(lines[row])
    return KeyedUnit(" ".join(match["key"].split()), row, _continued(lines, row)) if match else None


def _element_at(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the element that begins on a line, by its name and what it is called by."""
    match = _ELEMENT.match(lines[row])
    if match is None:
        return None
    opened = closed = 0
    for end in range(row, len(lines)):
        opened += _TAG.findall(lines[end]).count(match["name"])
        closed += lines[end].count(f"</{match['name']}>")
        if closed >= opened or (end == row and lines[row].rstrip().endswith("/>")):
            is_alone = lines[end].rstrip().endswith(("/>", f"</{match['name']}>"))
            return KeyedUnit(match["key"], row, end + 1) if is_alone else None
    return None


def _block_at(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the block in braces that begins on a line, as configurations have them."""
    head = lines[row].rstrip()
    if not head.endswith("{") or head.strip().startswith(("{", "}")):
        return None
    depth = _depth(head)
    below = (at for at in range(row + 1, len(lines)) if lines[at].strip())
    end = next((at for at in below if _depth(lines[at]) <= depth), 0)
    words = head.split()
    is_closed = end and lines[end].strip() == "}" and _depth(lines[end]) == depth
    return KeyedUnit(" ".join(words), row, end + 1, words[0]) if is_closed else None


def _tables(lines: Sequence[str], _every: bool) -> list[KeyedUnit] | None:
    """Return the tables of settings with their keys; `None` if a line is neither that nor a remark."""
    found: list[KeyedUnit] = []
    row = 0
    while row < len(lines):
        first = row
        table, setting = _TABLE.match(lines[first]), _SETTING.match(lines[first])
        row += 1
        if table is not None:
            found.append(KeyedUnit(table["key"], first, row, "["))
        elif setting is not None:
            depth = _opened(lines[first])
            while row < len(lines) and (depth > 0 or lines[row][:1] in (" ", "\t")) and lines[row].strip():
                depth += _opened(lines[row])
                row += 1
            unit = KeyedUnit(setting["key"], first, row, "")
            if found and found[-1].group == "[":
                around = found.pop()
                unit = KeyedUnit(around.key, around.first, row, "[", (*around.inner, unit))
            found.append(unit)
        elif lines[first].strip() and not lines[first].lstrip().startswith(_REMARKS):
            return None
    return found


def _opened(line: str) -> int:
    """Return how many more brackets a line opens than it closes."""
    return len(re.findall(r"[\[{(]", line)) - len(re.findall(r"[\]})]", line))


def _mapping(lines: Sequence[str], _every: bool) -> list[KeyedUnit] | None:
    """Return the keys of a mapping of YAML; `None` where it is something else, or has one twice."""
    rows = [row for row, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    return list(_mapped(lines, rows)) or None if len(lines) <= _MOST else None


def _mapped(lines: Sequence[str], rows: Sequence[int]) -> tuple[KeyedUnit, ...]:
    """Return the keys of the mapping on some rows, none where they are something else."""
    if not rows:
        return ()
    depth = _depth(lines[rows[0]])
    heads = [at for at, row in enumerate(rows) if _depth(lines[row]) <= depth]
    found = [_MAPPED.match(lines[rows[at]]) for at in heads]
    keys = [match["key"] if match and _depth(match[0]) == depth else "" for match in found]
    if not all(keys) or len(set(keys)) < len(keys):
        return ()
    units: list[KeyedUnit] = []
    for key, at, end in zip(keys, heads, [*heads[1:], len(rows)], strict=True):
        inner = _mapped(lines, rows[at + 1 : end]) if lines[rows[at]].rstrip().endswith(":") else ()
        units.append(KeyedUnit(key, rows[at], rows[end - 1] + 1, "", inner))
    return tuple(units)


def _continued(lines: Sequence[str], row: int) -> int:
    """Return the line behind one that goes on where a backslash ends it."""
    while row < len(lines) and lines[row].endswith("\\"):
        row += 1
    return min(row + 1, len(lines))


_BLOCKS = partial(_listed, unit_at=_block_at, nest=True)
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_MAKE, partial(_listed, unit_at=_rule_at)),
    (regex(r"(?i)cmakelists\.txt|.*\.cmake"), partial(_listed, unit_at=_command_at)),
    (
        regex(r"(?i)(?:docker|container)file(?:\..*)?|.*\.dockerfile"),
        partial(_listed, unit_at=_instruction_at),
    ),
    (
        regex(r"(?i).*\.(?:xml|csproj|props|targets|plist|xaml|html?|jsx|tsx|vue|svelte)"),
        partial(_listed, unit_at=_element_at, nest=True),
    ),
    (regex(r"(?i).*\.(?:toml|ini|cfg|conf|editorconfig|gitconfig|npmrc)"), _tables),
    (regex(r"(?i).*\.conf"), _BLOCKS),
    (regex(r"(?i).*\.ya?ml"), _mapping),
)
"""What files are called, and what reads their units."""
