"""What shown lines likely mean of a file that no grammar reads: settings, JSON, lists of rules or blocks."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.shown.below_its_like import lines_like
from patchpoint.patching.shown.next_to_line import is_there, with_lines_at
from patchpoint.patching.shown.places_said import PlaceSaid, Relation, is_question, says, says_a_side
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.json.members import with_members
from patchpoint.structure.lazy.definition import Definition, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.structure.tables import with_keys
from patchpoint.structure.units_by_key import with_units
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_FIRST_NAME = regex(r"\s*([\w.-]+)")
_VALUE = regex(r"\s*(?P<name>[\w.-]{1,100})(?:\[[\w,-]{1,100}\])?\s{0,20}(?:[=~<>!]=|[=:>])\s*\S")
_INSTRUCTION = regex(r"\s*[\w.-]+\s+[^\s=:]")


def units_replaced(code: Code) -> Likely | None:
    """Return the file with what is shown in place of what has its keys there."""
    units = None if any(map(is_mark, code.lines)) else with_units(code.file, code.lines, code.path)
    if units is None:
        return None
    keys, added = (", ".join(f"`{key}`" for key in each) for each in (units.keys, units.added))
    why = f"It shows {keys}, which the file has once." if keys else ""
    new = f"{added} is new." if added else ""
    return Likely(Merged(units.lines), f"{why} {new}".strip())


def keys_set(code: Code) -> Likely | None:
    """Return a file of settings with those of its tables that are shown."""
    is_meant = (code.is_asked or not code.lead) and not any(map(is_mark, code.lines))
    found = with_keys(code.file, code.lines, code.path) if is_meant else None
    return Likely(Merged(found[0]), _gives(found[1])) if found is not None and found[1] else None


def members_added(code: Code) -> Likely | None:
    """Return a file of JSON with the members that it is to get."""
    asks = code.is_asked and says(code.lead, "adds") and not is_question(code.lead)
    found = with_members(code.file, code.lines, code.lead) if asks else None
    return Likely(Merged(found[0]), found[1]) if found is not None else None


def values_set(code: Code) -> Likely | None:
    """Return a file without a grammar with other values, or versions, of names that it has once each.

    Names that it has not are new, below the last that it has. `None` where it has none of them, or has parts.
    """
    new = [line for line in code.lines if line.strip()]
    lines, names, added = list(code.file), [], []
    rows: dict[str, list[int]] = {}
    for row, line in enumerate(lines):
        value = _VALUE.match(line)
        if value is not None:
            rows.setdefault(value["name"], []).append(row)
    is_change = code.is_asked and not is_question(code.lead) and not says(code.lead, "adds")
    last = -1
    for line in new if is_change else ():
        value = _VALUE.match(line)
        like = rows.get(value["name"], []) if value is not None else []
        if value is None or len(like) > 1 or value["name"] in names:
            return None
        if like:
            lines[like[0]] = indentation_of(lines[like[0]]) + line.strip()
            names.append(value["name"])
            last = max(last, like[0])
        else:
            added.append(line.strip())
    is_flat = all(_VALUE.match(line) or line.startswith("#") for line in lines if line.strip())
    if not names or (added and not (is_flat and all(line == line.lstrip() for line in lines))):
        return None
    why = f"{_gives(names)} What it does not have is new." if added else _gives(names)
    return Likely(Merged((*lines[: last + 1], *added, *lines[last + 1 :])), why)


def lines_added(code: Code) -> Likely | None:
    """Return a file without a grammar with the lines that it is to get: below their like, or at its end."""
    file, new, lead = code.file, without_blank_ends(code.lines), code.lead
    if not new or any(map(is_mark, new)) or is_there(file, new):
        return None
    if not (code.is_asked and says(lead, "adds")) or is_question(lead) or says_a_side(lead):
        return None
    found = lines_like(file, Definition.of_text(file), new, code.path, lead, may_add=False)
    if found is not None:
        return Likely(Merged(tuple(found[0])), found[1])
    names = {name[1] for line in new if (name := _FIRST_NAME.match(line))}
    rows = [row for row, line in enumerate(file) if (name := _FIRST_NAME.match(line)) and name[1] in names]
    if not rows:
        lines = with_lines_at(
            code.file, code.lines, code.path, PlaceSaid(Relation.LAST, code.path, is_closed=False)
        )
        why = "It is to be added, and nothing says where: it goes to the end."
        return Likely(Merged(tuple(lines)), why) if lines is not None else None
    # An instruction such as `ENV A=1` has its like; a key that is there already would be there twice.
    depths = {indentation_of(file[row]) for row in rows}
    if len(names) != 1 or len(depths) != 1 or not all(map(_INSTRUCTION.match, (new[0], file[rows[-1]]))):
        return None
    like = file[rows[-1]].strip()
    end = next((row + 1 for row in range(rows[-1], len(file)) if not file[row].endswith("\\")), None)
    if end is None:
        return None
    lines = [*file[:end], *moved(new, indentation_of(new[0]), depths.pop()), *file[end:]]
    return Likely(Merged(tuple(lines)), f"It goes below what is like it, `{like}`.")


def _gives(names: Sequence[str]) -> str:
    return f"It gives {', '.join(f'`{name}`' for name in names)} another value."
