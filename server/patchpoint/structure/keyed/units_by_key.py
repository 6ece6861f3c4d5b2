"""The units of files that are lists of them, each with a key: rules of make, commands of CMake, and others.

A part of such a file says by its keys what it replaces. No grammar reads these files: a unit begins and ends
with lines of a certain form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from patchpoint.dataclass import dataclass
from patchpoint.structure.languages import languages_of
from patchpoint.text.regex import regex

_RULE = regex(r"(?P<key>[\w.%/$()-]+(?:[ ]+[\w.%/$()-]+)*)[ ]*::?(?!=)")
_VARIABLE = regex(r"(?:export[ ]+)?(?P<key>[\w.-]+)[ ]*(?:[:?!]|::)?=")
_COMMAND = regex(r"[ \t]*(?P<key>\w+[ \t]*\([ \t]*[^\s()]*)")
_INSTRUCTION = regex(
    r"(?P<key>FROM[ ]+[^\s:@]+|(?:ENV|ARG)[ ]+\w+|WORKDIR|CMD|ENTRYPOINT|EXPOSE|USER|HEALTHCHECK|SHELL)\b",
)
_ELEMENT = regex(r"[ \t]*(?P<key><(?P<name>[\w:.-]+)(?:[ ]+(?:id|name|key)=[\"'][^\"'<>]*[\"'])?)(?=[\s>/])")
_DATA = (".xml", ".csproj", ".props", ".targets", ".plist", ".xaml")
_PAGES = (".html", ".htm", ".jsx", ".tsx", ".vue", ".svelte")
_TAG = regex(r"<([\w:.-]+)")


@dataclass(frozen=True, slots=True)
class KeyedUnit:
    """One unit of a file: its key, and its lines from `first` up to `end`."""

    key: str
    first: int
    end: int
    depth: int = 0
    """How many characters a block in braces is indented by."""


@dataclass(frozen=True, slots=True)
class UnitsReplaced:
    """The lines of a file with other units in place of those with their keys."""

    lines: tuple[str, ...]
    keys: tuple[str, ...]
    added: tuple[str, ...] = ()


def with_units(file: Sequence[str], shown: Sequence[str], path: str) -> UnitsReplaced | None:
    """Return a file with the units of `shown` in place of its own.

    Rules of make that are new go to its end, and blocks in braces below the last that begin with their word.
    `None` where it is not a list of units, one of them is not the only one of its key on both sides, or it
    would lose much.
    """
    unit_at = _unit_of(path)
    new, own = _units(shown, unit_at, every=True), _units(file, unit_at, every=False)
    if not new or own is None:
        return None
    changes: list[tuple[int, int, list[str]]] = []
    keys: list[str] = []
    added: list[str] = []
    by_key: dict[str, list[KeyedUnit]] = {}
    for one in own:
        by_key.setdefault(one.key, []).append(one)
    if len({each.key for each in new}) < len(new):
        return None
    for each in new:
        places = by_key.get(each.key, [])
        like = None if places else _like(each, own, len(file), unit_at)
        if len(places) + (like is not None) != 1:
            return None
        after = shown[each.first : each.end]
        if like is not None:
            first = file[like.first] if like.first < len(file) else ""
            changes.append((like.end, like.end, ["", *_at_depth_of(first or after[0], after)]))
            added.append(each.key.strip())
        elif _loses(before := file[places[0].first : places[0].end], after):
            return None
        else:
            changes.append((places[0].first, places[0].end, _at_depth_of(before[0], after)))
            keys.append(each.key.strip())
    lines: list[str] = []
    reached = 0
    for start, end, put in sorted(changes, key=lambda change: change[:2]):
        if start < reached:
            return None  # one is in the other
        lines += [*file[reached:start], *put]
        reached = end
    return UnitsReplaced((*lines, *file[reached:]), tuple(keys), tuple(added))


def units_of(lines: Sequence[str], path: str) -> list[KeyedUnit]:
    """Return the units of a file; none where it is not a list of units."""
    return _units(lines, _unit_of(path), every=False) or []


def lacks_blocks(file: Sequence[str], shown: Sequence[str], path: str) -> bool:
    """Return whether a file of blocks in braces has one of those that are shown, and others that are not."""
    if _unit_of(path) is not _block:
        return False
    own, new = ({unit.key for unit in units_of(lines, path)} for lines in (file, shown))
    return bool(own & new and own - new)


def _unit_of(path: str) -> Callable[[Sequence[str], int], KeyedUnit | None]:
    """Return what returns the unit that begins on a line of a file."""
    name = PurePosixPath(path.replace("\\", "/")).name.casefold()
    if name in ("makefile", "gnumakefile") or name.endswith((".mk", ".make")):
        return _make_unit
    if name == "cmakelists.txt" or name.endswith(".cmake"):
        return _command
    if (
        name in ("dockerfile", "containerfile")
        or name.startswith("dockerfile.")
        or name.endswith(".dockerfile")
    ):
        return _instruction
    if name.endswith((*_DATA, *_PAGES)):
        return _element
    return _no_unit if languages_of(path) else _block


def _units(
    lines: Sequence[str], unit_at: Callable[[Sequence[str], int], KeyedUnit | None], *, every: bool
) -> list[KeyedUnit] | None:
    """Return the units of some lines; `None` if `every` line with text has to be in one, and one is not."""
    found: list[KeyedUnit] = []
    row = 0
    while row < len(lines):
        unit = unit_at(lines, row)
        if unit is not None:
            found.append(unit)
        elif every and lines[row].strip():
            return None
        # of a file, what is within an element or a block may be a unit as well
        row = unit.end if unit is not None and (every or unit_at not in (_element, _block)) else row + 1
    return found


def _like(
    new: KeyedUnit,
    own: Sequence[KeyedUnit],
    end: int,
    unit_at: Callable[[Sequence[str], int], KeyedUnit | None],
) -> KeyedUnit | None:
    """Return the unit below which a new one goes, an empty one at the end; `None` where that is not known."""
    if unit_at is _make_unit:
        return None if new.key.endswith("=") else KeyedUnit("", end, end)
    word = new.key.split()[:1]
    alike = [one for one in own if unit_at is _block and one.key.split()[:1] == word]
    return alike[-1] if alike and len({one.depth for one in alike}) == 1 else None


def _no_unit(_lines: Sequence[str], _row: int) -> None:
    return None


def _block(lines: Sequence[str], row: int) -> KeyedUnit | None:
    """Return the block in braces that begins on a line, as configurations have them."""
    head = lines[row].rstrip()
    if not head.endswith("{") or head.strip().startswith(("{", "}")):
        return None
    depth = len(head) - len(head.lstrip())
    for end in range(row + 1, len(lines)):
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            is_end = line.strip() == "}" and len(line) - len(line.lstrip()) == depth
            return KeyedUnit(" ".join(head.split()), row, end + 1, depth) if is_end else None
    return None


def _make_unit(lines: Sequence[str], row: int) -> KeyedUnit | None:
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
    return KeyedUnit(" ".join(rule["key"].split()), row, last)


def _continued(lines: Sequence[str], row: int) -> int:
    """Return the line behind one that goes on where a backslash ends it."""
    while row < len(lines) and lines[row].endswith("\\"):
        row += 1
    return min(row + 1, len(lines))


def _command(lines: Sequence[str], row: int) -> KeyedUnit | None:
    match = _COMMAND.match(lines[row])
    if match is None:
        return None
    depth = 0
    for end in range(row, len(lines)):
        depth += lines[end].count("(") - lines[end].count(")")
        if depth <= 0:
            key = "".join(match["key"].split())
            return KeyedUnit(key.partition("(")[0].casefold() + "(" + key.partition("(")[2], row, end + 1)
    return None


def _instruction(lines: Sequence[str], row: int) -> KeyedUnit | None:
    match = _INSTRUCTION.match(lines[row])
    return KeyedUnit(" ".join(match["key"].split()), row, _continued(lines, row)) if match else None


def _element(lines: Sequence[str], row: int) -> KeyedUnit | None:
    match = _ELEMENT.match(lines[row])
    if match is None:
        return None
    opened = closed = 0
    for end in range(row, len(lines)):
        names = [name for name in _TAG.findall(lines[end]) if name == match["name"]]
        opened += len(names)
        closed += lines[end].count(f"</{match['name']}>")
        if closed >= opened or (end == row and lines[row].rstrip().endswith("/>")):
            is_alone = lines[end].rstrip().endswith(("/>", f"</{match['name']}>"))
            return KeyedUnit(match["key"], row, end + 1) if is_alone else None
    return None


def _loses(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether a unit has less than half of the lines that it had, or lacks an element or block."""
    old, new = ([line.strip() for line in lines if line.strip()] for lines in (before, after))
    if len(new) * 2 < len(old) or not {line for line in old[1:] if line.endswith("{")}.issubset(new):
        return True
    tags = [sorted(_TAG.findall("\n".join(lines))) for lines in (old, new)]
    return any(tags[0].count(name) > tags[1].count(name) for name in set(tags[0]))


def _at_depth_of(first: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a unit at the depth of the one whose first line is given."""
    own, shown = (line[: len(line) - len(line.lstrip(" \t"))] for line in (first, lines[0]))
    if own == shown or not all(line.startswith(shown) for line in lines if line.strip()):
        return list(lines)
    return [own + line[len(shown) :] if line.strip() else line for line in lines]
