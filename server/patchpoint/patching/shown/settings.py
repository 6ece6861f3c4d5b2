"""What shown lines likely mean of a file that no grammar reads: settings, JSON, lists of rules or blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from patchpoint.dataclass import replace
from patchpoint.patching.places.inserting import put, put_last
from patchpoint.patching.places.places_said import places_said, says, says_a_side
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.json.members import with_members
from patchpoint.structure.keyed.units import UnitsReplaced, is_of_settings, with_units, with_values
from patchpoint.structure.lazy.alignment import likeness
from patchpoint.structure.lazy.bindings import end_of_block, member_name
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.marks import is_mark, may_be_mark
from patchpoint.structure.lazy.merge import keeps_words
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_FIRST_NAME = regex(r"\s*([$@]?[\w.-]+)")
_INSTRUCTION = regex(r"\s*[\w.-]+\s+[^\s=:]")
_OPENS = regex(r".*[\[{(]\s*\Z|<[\w:.-]+[^<>]*>\s*\Z")
_CLOSING_TAG = regex(r"</[\w.:-]+>\Z")
_NAME = regex(r"[^=:]*?([\w$.\"'-]+)\s*(?:[=:].*)?\Z")
_KEYED = regex(
    r"(?!case\b)(?P<key>[A-Za-z_][\w.-]{0,80})\s{1,40}(?P<value>[^\s=:({<](?:[^={}:]|:(?!\s)){0,200})\Z"
)
"""A statement without a sign between its key and its value."""
_DECLARES = regex(
    r"(?:[A-Za-z_][\w<>?,]{0,80}\s{1,40}){1,5}(?!(?:on|off|yes|no|true|false)\b)[A-Za-z_]\w*(?:\(.*\))?;"
)
"""What is of that form, too, but gives a field a type."""
_LITTLE = 0.6
_XML = (".xml", ".csproj", ".props", ".targets", ".xaml", ".plist", ".svg")
_YAML = (".yaml", ".yml")


def units_replaced(code: Code) -> Likely | None:
    """Return the file with what is shown in place of what has its keys there, and new units."""
    is_added = says(code.lead, "more") or bool(places_said(code.lead))
    units = with_units(code.file, code.lines, code.path, _join_of(code)) if not code.has_marks else None
    if units is None or (is_added and not keeps_words(code.file, units.lines)):
        return None  # what is to be added is another one of its kind
    return Likely.of(units.lines, _why(units))


def keys_of_settings(code: Code) -> Likely | None:
    """Return a file of tables, or of YAML, with the keys that are shown of it, and all others."""
    units = (
        with_units(code.file, code.lines, code.path, with_members_joined)
        if is_of_settings(code.path)
        else None
    )
    return Likely.of(units.lines, _why(units)) if units is not None and not code.has_marks else None


def values_set(code: Code) -> Likely | None:
    """Return a file with other values of names that it has once each; new ones go below those that it has."""
    units = with_values(code.file, code.lines) if code.is_asked and code.is_change and not code.adds else None
    return Likely.of(units.lines, _why(units)) if units is not None else None


def members_set(code: Code) -> Likely | None:
    """Return a file with other forms of members that are shown by themselves, with marks around them.

    The file has the name of each once. `None` where anything else is shown.
    """
    new = [line.strip() for line in code.lines if line.strip() and not is_mark(line)]
    names = list(map(member_name, new))
    rows = {name: [row for row, line in enumerate(code.file) if member_name(line) == name] for name in names}
    is_clear = code.has_marks and code.is_change and all(names) and len(rows) == len(names)
    if not new or not is_clear or any(len(each) != 1 for each in rows.values()):
        return None
    lines = list(code.file)
    for name, line in zip(names, new, strict=True):
        row = rows[name][0]
        if end_of_block(code.file, row) != row + 1:
            return None
        lines[row] = indentation_of(lines[row]) + line
    return Likely.of(lines, f"The file has {', '.join(f'`{name}`' for name in names)} once.")


def are_values(file: Sequence[str], shown: Sequence[str]) -> bool:
    """Return whether nothing is shown but lines that give names a value which the file gives once each."""
    units = with_values(file, shown)
    return units is not None and not units.added


def _join_of(code: Code) -> Callable[[Sequence[str], Sequence[str]], list[str] | None]:
    is_function = any("(" in line for line in code.new[:1])
    is_added = code.only_adds or bool(places_said(code.lead))
    return with_members_joined if is_added or is_function else with_members_set


def with_members_set(file: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Return a file with statements in place of those of their keys, and new ones, in what encloses others.

    Where the block has none of their keys once, all are new to it.
    """
    found = _members_of(file, new)
    if found is None:
        return None
    (first, end), inner = found
    own = [row for row in range(first, end) if _is_as_deep(file[row], file[first])]
    keys, shown = (
        [_key_of(line) if _is_as_deep(line, lines[0]) else "" for line in lines]
        for lines in ([file[row] for row in own], inner)
    )
    lines, rest = list(file), []
    for key, line in zip(shown, inner, strict=True):
        row = own[keys.index(key)] if key and keys.count(key) == shown.count(key) == 1 else None
        if row is None or not _is_set_to(file[row].strip(), line.strip()):
            rest.append(line)
        elif row + 1 < end and len(indentation_of(file[row + 1])) > len(indentation_of(file[row])):
            return None
        else:
            lines[row] = indentation_of(file[row]) + line.strip()
    if lines == list(file):
        return with_members_joined(file, new)
    known = {line.strip() for line in file[first:end]} - {""}
    if rest and not known.isdisjoint(map(str.strip, inner)):
        return None  # what is shown next to others goes there
    others, new_others = ([line for line in each if not _key_of(line)] for each in (file[first:end], rest))
    if not _names(without_blank_ends(others)).isdisjoint(_names(without_blank_ends(new_others))):
        return None
    rest = without_blank_ends(rest)
    return put(lines, max(row for row in range(end) if file[row].strip()) + 1, rest, first) if rest else lines


def _is_as_deep(line: str, other: str) -> bool:
    return bool(line.strip()) and indentation_of(line) == indentation_of(other)


def _key_of(line: str) -> str:
    words = line.strip()
    keyed = _KEYED.match(words) if not _DECLARES.match(words) else None
    return keyed["key"] if keyed else ""


def _is_set_to(line: str, other: str) -> bool:
    """Return whether a statement gives a key another value, and is not one more with another first word."""
    values = [words.rstrip(";").split()[1:] for words in (line, other)]
    if any(sign in line + other for sign in "\"'"):
        return likeness(*map(" ".join, values)) >= _LITTLE
    is_ended = line.endswith(";")  # else its key may be the name of a field, with its type behind it
    return not is_ended or min(map(len, values)) == 1 or values[0][0] == values[1][0]


def with_members_joined(file: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Return a file with members that it has not in what encloses others.

    What is shown says nothing of the members that are there: so they stay. `None` where it is not there
    exactly once, or has one of the members.
    """
    found = _members_of(file, new)
    if found is None:
        return None
    (first, end), inner = found
    if not _names(without_blank_ends(file[first:end])).isdisjoint(_names(inner)):
        return None
    return put(file, max(row for row in range(end) if file[row].strip()) + 1, inner, first)


def _members_of(file: Sequence[str], new: Sequence[str]) -> tuple[Span, list[str]] | None:
    """Return the rows of what is in the one block of a file that is shown, and what is shown in it."""
    rows = [row for row, line in enumerate(file) if new and line.strip() == new[0].strip()]
    end = _end(file, rows[0]) if len(rows) == 1 and _OPENS.match(new[0].strip()) else 0
    if not end or _end(new, 0) != len(new) - 1 or file[end].strip() != new[-1].strip():
        return None
    inner = [line for line in new[1:-1] if not (is_mark(line) or may_be_mark(line.strip()))]
    inner = without_blank_ends(inner)
    first = next((row for row in range(rows[0] + 1, end) if file[row].strip()), end)
    return ((first, end), inner) if inner and first < end else None


def members_added(code: Code) -> Likely | None:
    """Return a file of JSON with the members that it is to get; `None` if it has them at any depth."""
    file, lines = ([line.rstrip(", \t") for line in each] for each in (code.file, code.lines))
    if replace(code, file=file, lines=lines).is_there:
        return None
    found = with_members(code.file, code.lines, code.lead) if code.is_asked and code.adds else None
    return Likely.of(*found) if found is not None else None


def is_document(code: Code) -> bool:
    """Return whether code is a document of YAML in a file that has no several."""
    first = next((line.rstrip() for line in code.lines if line.strip()), "")
    return code.path.lower().endswith(_YAML) and first == "---" and "---" not in map(str.rstrip, code.file)


def document_added(code: Code) -> Likely | None:
    """Return a file of YAML with one more document at its end, where that is what is shown."""
    lines = [*without_blank_ends(code.file), *code.new] if says(code.lead, "adds last") else None
    return Likely.of(lines, "It is a document of its own, and goes to the end.")


def lines_added(code: Code) -> Likely | None:
    """Return a file without a grammar with the lines that it is to get: below their like, or at its end."""
    file, new = code.file, code.new
    if not new or any(is_mark(line) or may_be_mark(line.strip()) for line in code.lines) or code.is_there:
        return None
    if not (code.is_asked and code.adds) or says_a_side(code.lead):
        return None
    first, last = new[0].strip(), new[-1].strip()
    if code.path.lower().endswith(_XML):
        rows = [row for row, line in enumerate(file) if line.strip() == last and _CLOSING_TAG.match(last)]
        row = rows[-1] if rows and first.startswith(f"<{last[2:-1]}") else None
        return Likely.of(
            put(file, row + 1, new, row) if row is not None else None,
            f"It is to be added, and goes below the last `{last[2:-1]}`.",
        )
    names = {name[1] for line in new if (name := _FIRST_NAME.match(line))}
    rows = [row for row, line in enumerate(file) if (name := _FIRST_NAME.match(line)) and name[1] in names]
    if not rows:
        at_end = put_last(file, new, code.path)
        return Likely.of(at_end, "It is to be added, and nothing says where: it goes to the end.")
    # An instruction such as `ENV A=1` has its like; a key that is there already would be there twice.
    rows = [row for row in rows if indentation_of(file[row]) == indentation_of(new[0])]
    if len(names) != 1 or not rows or not all(map(_INSTRUCTION.match, (new[0], file[rows[-1]]))):
        return None
    end = next((row for row in range(rows[-1], len(file)) if not file[row].endswith("\\")), None)
    lines = put(file, end + 1, new, rows[-1]) if end is not None else None
    return Likely.of(lines, f"It goes below what is like it, `{file[rows[-1]].strip()}`.")


def _why(units: UnitsReplaced) -> str:
    keys, added = (", ".join(f"`{key}`" for key in each) for each in (units.keys, units.added))
    why = f"It shows {keys}, which the file has once." if keys else ""
    new = f"{added} is new." if added else ""
    return f"{why} {new}".strip()


def _end(lines: Sequence[str], row: int) -> int:
    """Return the next line that is no deeper than a line; 0 if there is none."""
    depth = len(indentation_of(lines[row]))
    below = (at for at in range(row + 1, len(lines)) if lines[at].strip())
    return next((at for at in below if len(indentation_of(lines[at])) <= depth), 0)


def _names(lines: Sequence[str]) -> set[str]:
    """Return what the lines that are as deep as the first are about: the names in front of their values."""
    depth = indentation_of(next(iter(lines), ""))
    words = [line.strip().rstrip(",;") for line in lines if indentation_of(line) == depth]
    tags = {words.partition(">")[0] for words in words if words.startswith("<") and "</" in words[1:]}
    words = [each for each in words if not each.startswith("<") and any(map(str.isalnum, each))]
    return {name[1] if (name := _NAME.match(each)) else each for each in words} | tags
