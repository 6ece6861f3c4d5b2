"""What shown lines likely mean of a file that no grammar reads: settings, JSON, lists of rules or blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from patchpoint.patching.left_out import commented_away, lines_gone
from patchpoint.patching.merging.members import members_lost, with_list_shown
from patchpoint.patching.shown.below_its_like import lines_like
from patchpoint.patching.shown.called import definition_called, last_name, named_elsewhere
from patchpoint.patching.shown.next_to_line import is_there, with_lines_at
from patchpoint.patching.shown.places_said import PlaceSaid, Relation, is_question, says, says_a_side
from patchpoint.patching.shown.reading import Code, Likely, with_remarks_as_marks
from patchpoint.structure.json.members import with_members
from patchpoint.structure.keyed.mappings import with_mappings
from patchpoint.structure.keyed.tables import with_keys
from patchpoint.structure.keyed.units_by_key import with_units
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.bindings import head_of
from patchpoint.structure.lazy.definition import Definition, indentation_of, moved
from patchpoint.structure.lazy.doubt.remarks import only_adds_remarks, unbound_name
from patchpoint.structure.lazy.marks import is_mark, may_be_mark
from patchpoint.structure.lazy.merge import Merged, keeps_words
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_FIRST_NAME = regex(r"\s*([$@]?[\w.-]+)")
_VALUE = regex(r"\s*(?P<name>[$@]?[\w.-]{1,100})(?:\[[\w,-]{1,100}\])?\s{0,20}(?:[=~<>!]=|[=:>])\s*\S")
_INSTRUCTION = regex(r"\s*[\w.-]+\s+[^\s=:]")
_ENCLOSES = regex(r".*[\[{(]\s*\Z|<[\w:.-]+[^<>]*>\s*\Z")
_CLOSES = regex(r"[\]})]+[,;]?\s*\Z|</[\w:.-]+>\s*\Z")
_WORD = regex(r"[\w$.-]+")
_ELEMENT = regex(r"</?(?P<tag>[\w.:-]+)[^<>]*>(?P<end>.*</[\w.:-]+>\Z)?")
_XML = (".xml", ".csproj", ".props", ".targets", ".xaml", ".plist", ".svg")
_YAML = (".yaml", ".yml")
_MOST_NAMED = 4
_LONG = 60
_OTHERS = frozenset({"another", "second", "third", "variant", "mock", "stub", "overload"})
"""Words for one more of what is there."""
_TEXTS = regex(r"\"[^\"]*\"|'[^']*'")
_SEVERAL = 2
_OF_REMARKS = regex(r"(?i)comment|docstring|document|annotat|kommentar|коммент|注释|コメント|remark|typo")
_LISTED = (",", "[", "(", "{")


def units_replaced(code: Code) -> Likely | None:
    """Return the file with what is shown in place of what has its keys there."""
    units = None if any(map(is_mark, code.lines)) else with_units(code.file, code.lines, code.path)
    if units is None or (says(code.lead, "adds") and not keeps_words(code.file, units.lines)):
        return None  # what is to be added is another one of its kind
    keys, added = (", ".join(f"`{key}`" for key in each) for each in (units.keys, units.added))
    why = f"It shows {keys}, which the file has once." if keys else ""
    new = f"{added} is new." if added else ""
    return Likely(Merged(units.lines), f"{why} {new}".strip())


def members_joined(code: Code) -> Likely | None:
    """Return the file with members that it has not in what encloses them, which shows no others."""
    is_meant = code.is_asked or not code.lead
    found = with_members_joined(code.file, code.lines) if is_meant and not is_question(code.lead) else None
    if found is None:
        return None
    return Likely(Merged(tuple(found[0])), f"What `{found[1]}` has stays, and what is shown is added to it.")


def members_of_list(code: Code) -> Likely | None:
    """Return the file with a list of members as it is shown, and what is not shown of it."""
    if not code.is_asked or is_json(code.path) or any(map(is_mark, code.lines)):
        return None
    lines = with_list_shown(code.file, code.lines, code.path)
    if lines is None:
        return None
    return members_left_out(code, lines) or Likely(Merged(tuple(lines)), "Every member is shown, or named.")


def doubted(code: Code, merged: Merged) -> Likely | None:
    """Return what code likely means that is merged, where the words above it, or what it lacks, differ.

    It is the file as it is where that is not known.
    """
    if is_document(code):
        stays = Likely(
            Merged(tuple(code.file)), "It is a document of its own, and nothing says where it goes."
        )
        return document_added(code) or stays
    replaced = [(each.start, each.end) for each in merged.replaced]
    named = named_elsewhere(code.file, code.path, code.lead, replaced, code.lines)
    if named:
        at = definition_called(outline_of_file(code.file, code.path)[0].root, named)
        if at is not None and at.is_container and at.children and not any(map(is_mark, code.lines)):
            lines = _below(code.file, at.children[-1], without_blank_ends(code.lines))
            return Likely(Merged(tuple(lines)), f"The answer names `{named}`: it goes to its end.")
        own = last_name(merged.replaced[0].name)
        why = f"This would change `{own}`, which is not in `{named}` that the answer names."
        return Likely(Merged(tuple(code.file)), why)
    if merged.replaced and not merged.added and _is_another(code, merged):
        own = last_name(merged.replaced[0].name)
        return Likely(
            merged, f"The answer adds something, and `{own}`, which is there, would give way to it."
        )
    once = with_values_once(code.file, merged.lines)
    if once != tuple(merged.lines):
        return Likely(Merged(once), "A name that has a value there gets another one.")
    return left_out(code, merged.lines)


def _below(file: Sequence[str], member: Definition, new: Sequence[str]) -> list[str]:
    """Return a file with new lines, as deep as a member of something, below it."""
    shifted = moved(new, indentation_of(new[0]), indentation_of(file[member.start]))
    return [*file[: member.end], "", *shifted, *file[member.end :]]


def _is_another(code: Code, merged: Merged) -> bool:
    """Return whether words ask for something more, and do not name what gives way to it."""
    if not merged.whole or not says(code.lead, "more") or says(code.lead, "remove replace change rename"):
        return False
    words = {word.casefold() for word in _WORD.findall(code.lead)}
    names = {part.casefold() for each in merged.replaced for part in _WORD.findall(last_name(each.name))}
    return words.isdisjoint(names) or not words.isdisjoint(_OTHERS) or _is_decorated_otherwise(code, merged)


def _is_decorated_otherwise(code: Code, merged: Merged) -> bool:
    """Return whether what is shown has a decorator of the same name with another value, such as a path."""
    shown = {line.strip() for line in code.lines}
    names = {line.partition("(")[0] for line in shown if line.startswith("@") and "(" in line}
    own = (line.strip() for each in merged.replaced for line in code.file[each.lead : each.end])
    return any(line not in shown and line.partition("(")[0] in names for line in own if line[:1] == "@")


def left_out(code: Code, result: Sequence[str]) -> Likely | None:
    """Return the file that code likely means which leaves something out, given the `result` without that.

    `None` where it leaves nothing out that the words above it do not name.
    """
    line = commented_away(code.file, result, code.path)
    unbound = "" if line else unbound_name(code.file, result, code.path)
    if line or unbound:
        found = with_remarks_as_marks(code, lines_gone(code.file, result, code.path))
        if found is not None:
            return found
    if unbound:
        return Likely(
            Merged(tuple(result)), f"`{unbound}` is used, and nothing would give it a value any more."
        )
    if only_adds_remarks(code.file, result) and not _OF_REMARKS.search(code.lead):
        return Likely(Merged(tuple(result)), "Only comments are new.")
    if line:
        line = line if len(line) <= _LONG else f"{line[: _LONG - 3]}..."
        return Likely(
            Merged(tuple(result)), f"`{line}` would go, and only a comment or a stub is in its place."
        )
    found = members_left_out(code, result)
    if found is None and says(code.lead, "more") and not says(code.lead, "remove replace change rename"):
        gone = lines_gone(code.file, result, code.path)
        fewer = sum(map(bool, map(str.strip, code.file))) - sum(map(bool, map(str.strip, result)))
        if len(gone) >= _SEVERAL or fewer > 0:
            return Likely(Merged(tuple(result)), f"It is to add, and {max(len(gone), fewer)} lines would go.")
    return found


def members_left_out(code: Code, result: Sequence[str]) -> Likely | None:
    """Return the file that code likely means which leaves out members, given the `result` without them.

    `None` where it leaves out none, and where the words above it name them all.
    """
    lost = members_lost(code.file, result, code.path)
    mapped = keys_of_mapping(code) if lost is not None else None
    if mapped is not None and list(mapped.merged.lines) != list(result):
        return mapped
    if lost is None or set(lost.names) <= set(_WORD.findall(code.lead)):
        return None
    names, is_one = ", ".join(f"`{name}`" for name in lost.names[:_MOST_NAMED]), len(lost.names) == 1
    if lost.is_replaced and not says(code.lead, "more"):
        return Likely(Merged(tuple(result)), f"{names} {'is' if is_one else 'are'} not shown, and would go.")
    return Likely(
        Merged(lost.kept), f"{names} {'is not shown, and stays' if is_one else 'are not shown, and stay'}."
    )


def keys_of_mapping(code: Code) -> Likely | None:
    """Return a file of YAML with the keys that are shown of it, at each depth, and all others."""
    if not code.path.lower().endswith(_YAML) or any(map(is_mark, code.lines)):
        return None
    lines = with_mappings(code.file, code.lines)
    return Likely(Merged(lines), "What is not shown stays.") if lines is not None else None


def with_members_joined(file: Sequence[str], shown: Sequence[str]) -> tuple[list[str], str] | None:
    """Return the lines of a file with members that it has not in what encloses others, and its first line.

    What is shown says nothing of the members that are there: so they stay. `None` where it is not there
    exactly once, or has one of the members, by a line or its first word.
    """
    new = without_blank_ends(shown)
    if len(new) < 3 or not _ENCLOSES.match(new[0].strip()) or not _CLOSES.match(new[-1].strip()):
        return None
    rows = [row for row, line in enumerate(file) if line.strip() == new[0].strip()]
    inner = [line for line in new[1:-1] if not (is_mark(line) or may_be_mark(line.strip()))]
    inner = without_blank_ends(inner)
    if len(rows) != 1 or not inner or _end(new, 0) != len(new):
        return None
    row, end = rows[0], _end(file, rows[0])
    own = list(file[row + 1 : end - 1])
    top = indentation_of(inner[0])
    if end - row < 3 or not any(map(str.strip, own)) or file[end - 1].strip() != new[-1].strip():
        return None
    if not all(line.startswith(top) for line in inner if line.strip()):
        return None
    if not _names(own, file[row + 1]).isdisjoint(_names(inner, inner[0])):
        return None
    depth = next(indentation_of(line) for line in own if line.strip())
    own = without_blank_ends(own)
    added = moved(inner, top, depth)
    if any(line.rstrip().endswith(",") for line in own) or (len(own) == 1 and added[-1].endswith(",")):
        own[-1] = own[-1] if own[-1].rstrip().endswith(_LISTED) else own[-1].rstrip() + ","
    return [*file[: row + 1], *own, *added, *file[end - 1 :]], new[0].strip()


def keys_set(code: Code) -> Likely | None:
    """Return a file of settings with those of its tables that are shown."""
    is_meant = (code.is_asked or not code.lead) and not any(map(is_mark, code.lines))
    found = with_keys(code.file, code.lines, code.path, with_members_joined) if is_meant else None
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
        value = _VALUE.match(line) or _commented_out(line)
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


def are_values(file: Sequence[str], shown: Sequence[str]) -> bool:
    """Return whether nothing is shown but lines that give names a value which the file gives once each."""
    found = Counter(value["name"] for line in file if (value := _VALUE.match(line)))
    values = [_VALUE.match(line) or _commented_out(line) for line in shown if line.strip()]
    names = [value["name"] if value else "" for value in values]
    return bool(names) and all(found[name] == 1 for name in names)


def _element_added(file: Sequence[str], new: Sequence[str]) -> Likely | None:
    """Return a file of XML with an element below the last of its kind, if all of them are as deep."""
    opened = _ELEMENT.match(new[0].strip())
    if opened is None or opened["end"] or new[-1].strip() != f"</{opened['tag']}>":
        return None
    rows = [row for row, line in enumerate(file) if line.strip() == new[-1].strip()]
    if not rows or len({indentation_of(file[row]) for row in rows}) > 1:
        return None
    depth = indentation_of(file[rows[-1]])
    shifted = moved(new, indentation_of(new[0]), depth)
    lines = (*file[: rows[-1] + 1], *shifted, *file[rows[-1] + 1 :])
    return Likely(Merged(lines), f"It is to be added, and goes below the last `{opened['tag']}`.")


def _commented_out(line: str) -> re.Match[str] | None:
    """Return the value that a remark would give a name, were it none."""
    words = line.strip()
    return _VALUE.match(words.lstrip("#; ")) if words.startswith(("#", ";")) else None


def is_document(code: Code) -> bool:
    """Return whether code is a document of YAML in a file that has no several."""
    first = next((line.rstrip() for line in code.lines if line.strip()), "")
    return code.path.lower().endswith(_YAML) and first == "---" and "---" not in map(str.rstrip, code.file)


def document_added(code: Code) -> Likely | None:
    """Return a file of YAML with one more document at its end, where that is what is shown."""
    new = without_blank_ends(code.lines)
    if not says(code.lead, "adds last"):
        return None
    lines = tuple(without_blank_ends(code.file))
    return Likely(Merged((*lines, *new)), "It is a document of its own, and goes to the end.")


def with_values_once(file: Sequence[str], result: Sequence[str]) -> tuple[str, ...]:
    """Return what becomes of a file without a line whose name a new line right there gives another value."""
    lines = list(result)
    for (first, end), (row, new_end) in reversed(changed_ranges(file, result)):
        if end > first or new_end - row != 1 or row == 0:
            continue
        above, below = result[row - 1], result[row]
        head = head_of(below)
        is_same = bool(head) and head == head_of(above) and indentation_of(below) == indentation_of(above)
        is_whole = not above.rstrip().endswith((",", "(", "[", "{", "\\"))
        if is_same and is_whole and _WORD.findall(_TEXTS.sub("''", below)).count(head[-1]) == 1:
            del lines[row - 1]
    return tuple(lines)


def lines_added(code: Code) -> Likely | None:
    """Return a file without a grammar with the lines that it is to get: below their like, or at its end."""
    file, new, lead = code.file, without_blank_ends(code.lines), code.lead
    if not new or any(is_mark(line) or may_be_mark(line.strip()) for line in new) or is_there(file, new):
        return None
    if not (code.is_asked and says(lead, "adds")) or is_question(lead) or says_a_side(lead):
        return None
    found = lines_like(file, Definition.of_text(file), new, code.path, lead, may_add=False)
    if found is not None:
        return Likely(Merged(tuple(found[0])), found[1])
    if code.path.lower().endswith(_XML):
        return _element_added(file, new)
    names = {name[1] for line in new if (name := _FIRST_NAME.match(line))}
    rows = [row for row, line in enumerate(file) if (name := _FIRST_NAME.match(line)) and name[1] in names]
    if not rows:
        lines = with_lines_at(
            code.file, code.lines, code.path, PlaceSaid(Relation.LAST, code.path, is_closed=False)
        )
        why = "It is to be added, and nothing says where: it goes to the end."
        return Likely(Merged(tuple(lines)), why) if lines is not None else None
    # An instruction such as `ENV A=1` has its like; a key that is there already would be there twice.
    if not indentation_of(new[0]):
        rows = [row for row in rows if not indentation_of(file[row])] or rows
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


def _end(lines: Sequence[str], row: int) -> int:
    """Return the row behind the line that closes what a line opens; that of the line if none does."""
    depth = len(indentation_of(lines[row]))
    rows = (n for n in range(row + 1, len(lines)) if lines[n].strip())
    end = next((n for n in rows if len(indentation_of(lines[n])) <= depth), row)
    return end + 1 if len(indentation_of(lines[end])) == depth and _CLOSES.match(lines[end].strip()) else row


def _names(lines: Sequence[str], first: str) -> set[str]:
    """Return what lines at the depth of the first are about: all of them, and the names in their front."""
    depth = indentation_of(first)
    found: set[str] = set()
    for line in lines:
        words = line.strip().rstrip(",;")
        element = _ELEMENT.match(words)
        if not words or indentation_of(line) != depth or (element and not element["end"]):
            continue
        found |= {f"<{element['tag']}"} if element else set()
        sign = next((sign for sign in words if sign in ":="), "")
        names = _WORD.findall(words.partition(sign)[0]) if sign else []
        # A name is in front of its type or, behind that, of its value.
        found |= {words, *(f"={name}" for name in (names[:1] if sign == ":" else names[-1:]))}
    return found
