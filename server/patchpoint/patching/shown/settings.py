"""What shown lines likely mean of a file that no grammar reads: settings, JSON, lists of rules or blocks."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.places.called import QUOTED
from patchpoint.patching.places.inserting import put, put_last
from patchpoint.patching.places.places_said import places_said, says, says_a_side
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.json.merge import with_new_members
from patchpoint.structure.keyed.units import is_of_settings, with_units
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.marks import is_left_out, is_mark, may_be_mark
from patchpoint.structure.lazy.merge import keeps_words
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

_XML = (".xml", ".csproj", ".props", ".targets", ".xaml", ".plist", ".svg")
_OPENS = regex(r".*[\[{(]\s*\Z|<[\w:.-]+[^<>]*>\s*\Z")
_NAME = regex(r"[^=:]*?([\w$.\"'-]+)\s*(?:[=:].*)?\Z")
_FIRST_NAME = regex(r"\s*([$@]?[\w.-]+)")
_INSTRUCTION = regex(r"\s*[\w.-]+\s+[^\s=:]")
_CLOSING_TAG = regex(r"</[\w.:-]+>\Z")
_SIGNS = regex(r"[=:\"']")


def units_replaced(code: Code) -> Likely | None:
    """Return the file with what is shown in place of what has its keys there, and new units."""
    is_whole = not code.has_marks and not any(is_left_out(line) and "..." in line for line in code.lines)
    units = with_units(code.file, code.lines, code.path, with_members_joined) if is_whole else None
    is_added = says(code.lead, "more") or bool(places_said(code.lead))
    if units is None or (
        is_added and not is_of_settings(code.path) and not keeps_words(code.file, units.lines)
    ):
        return None  # what is to be added is another one of its kind
    keys, added = (", ".join(f"`{key}`" for key in each) for each in (units.keys, units.added))
    why = f"It shows {keys}, which the file has once." if keys else ""
    new = f"{added} is new." if added else ""
    return Likely.of(units.lines, f"{why} {new}".strip())


def with_members_joined(file: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Return a file with members that it has not in what encloses others.

    What is shown says nothing of the members that are there: so they stay. `None` where it is not there
    exactly once, or has one of the members.
    """
    found = _members_of(file, new)
    if found is None:
        return None
    (first, end), inner = found
    there = {line.strip() for line in file[first:end]}
    if there.issuperset(map(str.strip, inner)) or not _names(without_blank_ends(file[first:end])).isdisjoint(
        _names(inner)
    ):
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
    """Return a file of JSON with new members at the end of the object that words name, or one of its kind."""
    quoted = {name.strip("\"'") for name in QUOTED.findall(code.lead)}
    words = IDENTIFIER.findall(code.lead)
    for names in (quoted, {*words, *(f"{word}s" for word in words)}) if code.is_asked and code.adds else ():
        home, lines = with_new_members(code.file, code.lines, names)
        if home:
            return Likely.of(lines, f"It is new, and goes to the end of `{home}`.")
    return None


def lines_added(code: Code) -> Likely | None:
    """Return a file without a grammar with the lines that it is to get: below their like, or at its end."""
    file, new = code.file, code.new
    if not new or any(is_mark(line) or may_be_mark(line.strip()) for line in code.lines) or code.is_there:
        return None
    if not (code.is_asked and code.adds) or says_a_side(code.lead):
        return None
    first, last = new[0].strip(), new[-1].strip()
    if code.path.lower().endswith(_XML):
        above = next((row for row in range(len(new) - 1, 0, -1) if _has_run(file, new[:row])), 0)
        if above:
            return _below_run(code, above)
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


def _has_run(file: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether a file has some lines, which are an element, once in a row."""
    wanted, own = [line.strip() for line in lines], [line.strip() for line in file]
    is_whole = _CLOSING_TAG.match(wanted[-1]) is not None and wanted[0].startswith(f"<{wanted[-1][2:-1]}")
    runs = (own[row : row + len(wanted)] == wanted for row in range(len(own)))
    return is_whole and sum(runs) == 1


def _below_run(code: Code, count: int) -> Likely | None:
    """Return a file with the rest of some lines below the first `count` ones, which it has."""
    wanted, own = [line.strip() for line in code.new[:count]], [line.strip() for line in code.file]
    start = next(row for row in range(len(own)) if own[row : row + count] == wanted)
    new = moved(code.new[count:], indentation_of(code.new[0]), indentation_of(code.file[start]))
    lines = [*code.file[: start + count], *new, *code.file[start + count :]]
    return Likely.of(lines, f"It goes below the `{wanted[-1][2:-1]}` that it is shown below.")


def _end(lines: Sequence[str], row: int) -> int:
    """Return the next line that is no deeper than a line; 0 if there is none."""
    depth = len(indentation_of(lines[row]))
    below = (at for at in range(row + 1, len(lines)) if lines[at].strip())
    return next((at for at in below if len(indentation_of(lines[at])) <= depth), 0)


def _names(lines: Sequence[str]) -> set[str]:
    """Return what the lines that are as deep as the first are about: the names in front of their values.

    Of one without a sign or a text, that may be its first word as well.
    """
    depth = indentation_of(next(iter(lines), ""))
    words = [line.strip().rstrip(",;") for line in lines if indentation_of(line) == depth]
    tags = {words.partition(">")[0] for words in words if words.startswith("<") and "</" in words[1:]}
    words = [each for each in words if not each.startswith("<") and any(map(str.isalnum, each))]
    firsts = {each.split()[0] for each in words if not _SIGNS.search(each)}
    return {name[1] if (name := _NAME.match(each)) else each for each in words} | firsts | tags
