"""Files that are units with keys: what is shown of one takes the place of what has its keys there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from patchpoint.dataclass import dataclass
from patchpoint.structure.languages import languages_of
from patchpoint.text.regex import regex

_MOST = 2_000
"""Files of more lines are not read."""
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_CLOSES = (")", "]", "}", ">", "/>", "- ")
"""What a line begins with that is no deeper than the first one of its unit."""
_REMARKS = ("#", ";")
_OPENS = regex(r"<[\w:.-]+|\S.*\{[ \t]*$", re.MULTILINE)
"""What has others in it: an element, or a block in braces."""


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


@dataclass(frozen=True, slots=True)
class _Form:
    """One kind of files: what they are called, and what the first line of a unit is, with its `key`."""

    name: re.Pattern[str]
    heads: tuple[re.Pattern[str], ...]
    adds: int = 0
    """How many of the heads are of units of which new ones are added."""
    is_settings: bool = False
    """Whether each line of a file is of a unit, which may have others in it, or a remark."""
    is_within: bool = False
    """Whether units are looked for in others, too, and are added next to those with the same first word."""
    is_call: bool = False
    """Whether a unit ends with its brackets, whatever is deeper below it."""


_Join = Callable[[Sequence[str], Sequence[str]], "list[str] | None"]
_Change = tuple[int, int, Sequence[str]]
_TABLE = regex(r"\s*(?P<key>\[[^\[\]]{1,200}\]|\[\[[^\[\]]{1,200}\]\])\s*(?:[#;].*)?\Z")
_MAKE = _Form(
    regex(r"(?i)(?:gnu)?makefile|.*\.(?:mk|make)"),
    (
        regex(r"(?P<key>[\w.%/$()-]+(?: +[\w.%/$()-]+)*) *::?(?!=)"),
        regex(r"(?:export +)?(?P<key>[\w.-]+) *(?:[:?!]|::)?="),
    ),
    adds=1,
)
_BLOCKS = _Form(regex(r"(?i).*\.conf"), (regex(r"\s*(?P<key>[^\s{}].*)\{\s*\Z"),), adds=1, is_within=True)
_FORMS = (
    _MAKE,
    _Form(
        regex(r"(?i)cmakelists\.txt|.*\.cmake"),
        (regex(r"[ \t]*(?P<key>\w+[ \t]*\([ \t]*[^\s()]*)"),),
        is_call=True,
    ),
    _Form(
        regex(r"(?i)(?:docker|container)file(?:\..*)?|.*\.dockerfile"),
        (
            regex(
                r"(?P<key>FROM +[^\s:@]+|(?:ENV|ARG) +\w+|WORKDIR|CMD|ENTRYPOINT|EXPOSE|USER|HEALTHCHECK"
                r"|SHELL)\b"
            ),
        ),
    ),
    _Form(
        regex(r"(?i).*\.(?:xml|csproj|props|targets|plist|xaml|html?|jsx|tsx|vue|svelte)"),
        (regex(r"[ \t]*(?P<key><[\w:.-]+(?: +(?:id|name|key)=[\"'][^\"'<>]*[\"'])?)(?=[\s>/])"),),
        is_within=True,
    ),
    _Form(
        regex(r"(?i).*\.(?:toml|ini|cfg|conf|editorconfig|gitconfig|npmrc)"),
        (_TABLE, regex(r"\s*(?P<key>[\w.\"'-]{1,200})\s{0,40}=(?!=)")),
        adds=2,
        is_settings=True,
    ),
    _BLOCKS,
    _Form(
        regex(r"(?i).*\.ya?ml"),
        (regex(r" *(?P<key>(?!- )[\w./\"'$-][^:#{}\[\]]{0,200}?):(?:\s.*)?\Z"),),
        adds=1,
        is_settings=True,
    ),
)


def with_units(
    file: Sequence[str], shown: Sequence[str], path: str, join: _Join | None = None
) -> UnitsReplaced | None:
    """Return a file with the units of `shown` in place of its own; new ones are below those of their group.

    `join` adds members to a unit that has others.
    `None` where one of both is not a list of units, or has one of them twice, or would lose much.
    """
    for form in _forms_of(path):
        own, new = _units(file, form, every=form.is_settings), _units(shown, form, every=True)
        found = _merged(file, own, shown, new, form, join) if own is not None and new else None
        changes, keys, added = found or ([], [], [])
        lines = with_changes(file, changes)
        if lines is not None and (keys or (added and not form.is_settings)):
            return UnitsReplaced(lines, tuple(keys), tuple(added))
    return None


def units_of(lines: Sequence[str], path: str) -> list[KeyedUnit]:
    """Return the units of a file; none where it is not a list of units."""
    found = (_units(lines, form, every=form.is_settings) for form in _forms_of(path))
    return next(filter(None, found), None) or []


def with_recipe_tabs(shown: Sequence[str], path: str) -> list[str]:
    """Return shown lines of a file of make with tabs before its recipes: pages show spaces in their place."""
    if _MAKE not in _forms_of(path) or any(line.startswith("\t") for line in shown):
        return list(shown)
    lines: list[str] = []
    in_rule = False
    for line in shown:
        is_deep = line.startswith("  ") and bool(line.strip())
        lines.append(f"\t{line.lstrip()}" if in_rule and is_deep else line)
        if line.strip() and not is_deep:
            in_rule = _MAKE.heads[0].match(line) is not None
    return lines


def lost_key(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return the first key that a table of a file has, and that it has not in what becomes of it."""
    for form in _forms_of(path):
        if _TABLE in form.heads:
            own, left = (_units(lines, form, every=True) or [] for lines in (file, result))
            there = {(one.key, each.key) for one in left for each in (one, *one.inner)}
            every = ((one.key, each.key) for one in own for each in (one.inner or (one,)))
            return next((key for table, key in every if (table, key) not in there), "") if left else ""
    return ""


def doubled_keys(lines: Sequence[str]) -> set[str]:
    """Return the lines of YAML that give a key of a mapping a value a second time, but for those of texts."""
    found: set[str] = set()
    open_keys: list[tuple[int, set[str]]] = []
    text = -1
    for line in lines:
        depth, words = len(line) - len(line.lstrip()), line.strip()
        if not words or words.startswith("#") or (0 <= text < depth):
            continue
        text = -1
        while words.startswith("- "):
            open_keys = [each for each in open_keys if each[0] <= depth]
            depth, words = depth + len(words) - len(words[2:].lstrip()), words[2:].lstrip()
            open_keys = [each for each in open_keys if each[0] < depth]
        key, colon, value = words.partition(":")
        if not colon or (value and not value.startswith(" ")):
            continue
        open_keys = [each for each in open_keys if each[0] <= depth]
        if not open_keys or open_keys[-1][0] < depth:
            open_keys.append((depth, set()))
        if key in open_keys[-1][1]:
            found.add(line.strip())
        open_keys[-1][1].add(key)
        text = depth if value.strip().rstrip("+-0123456789") in ("|", ">") else -1
    return found


def is_keyed(path: str) -> bool:
    """Return whether a file of this name has units with keys, as far as that is known of its language."""
    return any(form.name.fullmatch(_name(path)) for form in _FORMS)


def is_of_settings(path: str) -> bool:
    """Return whether a file has tables of settings, as of TOML, or a mapping of YAML."""
    return any(form.is_settings for form in _forms_of(path))


def with_changes(file: Sequence[str], changes: Sequence[_Change]) -> tuple[str, ...] | None:
    """Return a file with other lines from some rows up to others; `None` where one change is in another."""
    lines: list[str] = []
    reached = 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        if start < reached:
            return None
        lines += [*file[reached:start], *new]
        reached = end
    return (*lines, *file[reached:])


def _name(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name


def _forms_of(path: str) -> list[_Form]:
    """Return what may read the units of a file: by its name, or of one of no known language its blocks."""
    named = [form for form in _FORMS if form.name.fullmatch(_name(path))]
    return named or ([] if languages_of(path) else [_BLOCKS])


def _merged(
    file: Sequence[str],
    own: Sequence[KeyedUnit],
    shown: Sequence[str],
    new: Sequence[KeyedUnit],
    form: _Form,
    join: _Join | None,
) -> tuple[list[_Change], list[str], list[str]] | None:
    """Return the changes that put new units into a file, with the keys of those replaced, and added."""
    changes: list[_Change] = []
    keys: list[str] = []
    added: list[str] = []
    if len({each.key for each in new}) < len(new):
        return None
    for each in new:
        there = [one for one in own if one.key == each.key]
        like = [one for one in own if one.group == each.group is not None]
        lines = shown[each.first : each.end]
        if len(there) > 1 or not (there or like):
            return None
        if not there:
            made = _as_deep_as(file[like[-1].first], lines)
            is_apart = len(like) == 1 and len(lines) > 1 and not form.is_settings
            if len(like) > 1:
                is_apart = not all(map(str.strip, file[like[-2].end : like[-1].first]))
            changes.append((like[-1].end, like[-1].end, [*[""] * is_apart, *made]))
            added.append(each.key)
            continue
        keys.append(each.key)
        one = there[0]
        before = file[one.first : one.end]
        if one.inner and each.inner:
            inner = _merged(file, one.inner, shown, each.inner, form, join)
            if inner is None:
                return None
            # of what is added at one place, the inner is above
            changes, keys, added = inner[0] + changes, keys + inner[1], added + inner[2]
            continue
        lines = (join(before, lines) if join else None) or lines
        if (not form.is_settings or _TABLE.match(before[0])) and _loses(before, lines):
            return None
        changes.append((one.first, one.end, _as_deep_as(before[0], lines)))
    return changes, keys, added


def _loses(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether a unit has fewer lines, or lacks an element or a block."""
    old, new = (Counter(_OPENS.findall("\n".join(lines))) for lines in (before, after))
    return sum(map(bool, after)) < sum(map(bool, before)) or bool(old - new)


def _as_deep_as(first: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a unit at the depth of the one whose first line is given."""
    own, shown = (line[: _depth(line)] for line in (first, lines[0]))
    return [own + line[len(shown) :] if line.startswith(shown) and line.strip() else line for line in lines]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _units(
    lines: Sequence[str], form: _Form, *, every: bool, first: int = 0, end: int = _MOST
) -> list[KeyedUnit] | None:
    """Return the units from a line up to another; `None` if `every` line has to be of one, and one is not."""
    if len(lines) > _MOST:
        return None
    found: list[KeyedUnit] = []
    blank = ("", *_REMARKS) if form.is_settings else ("",)
    row, end = first, min(end, len(lines))
    while row < end:
        unit = _unit_at(lines, row, end, form)
        if unit is not None:
            found.append(unit)
        elif every and lines[row].strip()[:1] not in blank:
            return None
        row = unit.end if unit is not None and (every or not form.is_within) else row + 1
    is_one_level = len({_depth(lines[unit.first]) for unit in found}) <= 1
    return found if is_one_level or not form.is_settings else None


def _unit_at(lines: Sequence[str], row: int, last: int, form: _Form) -> KeyedUnit | None:
    """Return the unit that begins on a line; `None` if none does, or it is not closed."""
    heads = ((number, head.match(lines[row])) for number, head in enumerate(form.heads))
    number, match = next(((number, match) for number, match in heads if match), (0, None))
    if match is None:
        return None
    key = " ".join(match["key"].split())
    name = key[1:].partition(" ")[0] if key.startswith("<") else ""
    is_table = form.heads[number] is _TABLE
    end = row + 1
    for at in range(row + 1, last):
        line = lines[at].strip()
        is_deep = _depth(lines[at]) > _depth(lines[row]) or lines[at - 1].endswith("\\")
        if not line or (line.startswith(_REMARKS) and not is_deep):
            continue
        closes = _depth(lines[at]) == _depth(lines[row]) and line.startswith((f"</{name}>", *_CLOSES))
        if form.is_call and _is_closed("\n".join(lines[row:at]), ""):
            break
        if _TABLE.match(line) if is_table else not (is_deep or closes):
            break
        end = at + 1
    if not form.is_settings and not _is_closed("\n".join(lines[row:end]).rstrip(), name):
        return None
    group = key.split()[0] if form.is_within else str(number)
    is_parent = form.is_settings and (is_table or lines[row].rstrip().endswith(":"))
    inner = _units(lines, form, every=True, first=row + 1, end=end) if is_parent else None
    return KeyedUnit(key, row, end, group if number < form.adds else None, tuple(inner or ()))


def _is_closed(text: str, name: str) -> bool:
    """Return whether what a unit opens ends in it: the element of a name, or else brackets."""
    if text.endswith("/>") and name:
        return True
    pairs = ((f"<{name}", f"</{name}>"),) if name else _BRACKETS
    return text.endswith(f"</{name}>" if name else "") and all(
        text.count(one) <= text.count(other) for one, other in pairs
    )
