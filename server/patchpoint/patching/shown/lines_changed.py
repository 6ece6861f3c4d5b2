"""A few lines shown that name no definition: they take the place of the lines that they are like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise

from patchpoint.dataclass import replace
from patchpoint.formats.sentences.sentence import reading
from patchpoint.patching.places.called import definitions_of, last_name
from patchpoint.patching.places.places_said import is_question, says, says_a_side
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.bindings import head_of, member_name
from patchpoint.structure.lazy.definition import Assumption, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_MOST_LINES = 12
_LONGEST = 1000
"""A longer line is compared with none."""
_ALIKE = 0.6
"""Of one, what a line shares at least with the one in whose place it is."""
_VERY_ALIKE = 0.75
"""So much where nothing asks for a change."""
_TELLING = 8
"""So many characters has at least one of the lines by which a place is known."""
_MARGIN = 0.08
"""By so much any other place is less like the lines."""
_MACRO = regex(r"#define\s+\w+(?!\()")
_SIGN = regex(r"[^\w\s./-]")
"""What no name and no path has."""
_REMARK = regex(r"//|/?\*|#(?!\w)")
_BEGINS = regex(r"(?:- )?[\w$@#<.\[-]*[^\W_]+")


def lines_changed(code: Code) -> Likely | None:
    """Return the file with the lines shown in place of as many that they are like, and no others are.

    Each of them is like the one in whose place it is, and begins as it does. `None` where the words above
    them ask for something new.
    """
    file, new = code.file, code.new
    if not 0 < len(new) <= _MOST_LINES or code.has_marks or not all(map(str.strip, new)):
        return None
    if max(map(len, new)) > _LONGEST or code.is_there:
        return None
    if is_question(code.lead) or says(code.lead, "more") or says_a_side(code.lead):
        return None
    wanted, lines = [line.strip() for line in new], [line.strip() for line in file]
    named = [_name(line, code.path) for line in wanted]
    named_ranges = ranges_named(code, code.lead or code.above)
    within = named_ranges or [(0, len(file))]
    scores = sorted(
        (
            (_likeness(lines[row : row + len(new)], wanted), row)
            for row in {row for first, end in within for row in range(first, end - len(new) + 1)}
            if all(_name(line, code.path) == name for line, name in zip(lines[row:], named, strict=False))
        ),
        reverse=True,
    )
    if not scores or (len(scores) > 1 and scores[0][0] - scores[1][0] < _MARGIN):
        return None
    score, row = scores[0]
    old, known = lines[row : row + len(new)], set(lines)
    changed = [(line, other) for line, other in zip(old, wanted, strict=True) if line != other]
    is_known = code.is_asked or bool(named_ranges) or len(changed) < len(new)
    if score < (_ALIKE if is_known else _VERY_ALIKE) or any(other in known for _, other in changed):
        return None
    depths = map(indentation_of, file[row : row + len(new)])
    replaced = (depth + line for depth, line in zip(depths, wanted, strict=True))
    like = f"It is like `{changed[0][0]}`, and like no other line."
    why = like if len(changed) == 1 else "They are like the lines in whose place they are."
    return Likely(Merged((*file[:row], *replaced, *file[row + len(new) :])), why)


def in_place_of_quoted(code: Code) -> Likely | None:
    """Return the file with code in the place of what the words above it quote: *instead of `x = 1`*.

    The file has that once, or each time is meant. Code of one line may be in the place of a part of one.
    """
    words = [word for word in reading(code.lead).words if word.kinds.isdisjoint(("article", "fill", "all"))]
    quoted = {
        behind.text.strip("` ")
        for word, behind in pairwise(words)
        if word.kinds & {"replace", "instead"} and "code" in behind.kinds
    }
    old = next(iter(quoted), "")
    if len(quoted) != 1 or code.has_marks or not code.new or not _SIGN.search(old) or says(code.lead, "not"):
        return None
    lines = [line.strip() for line in code.file]
    rows = [row for row, line in enumerate(lines) if line == old]
    is_part = not rows and len(code.new) == 1
    apart = re.compile(rf"(?<!\w){re.escape(old)}" if old[0].isalnum() else re.escape(old))
    rows = rows or [row for row, line in enumerate(lines) if is_part and len(apart.findall(line)) == 1]
    if not rows or (len(rows) > 1 and not reading(code.lead).has("all")) or code.is_there:
        return None
    result, first = list(code.file), code.new[0].strip()
    for row in reversed(rows):
        depth = indentation_of(result[row])
        new = moved(code.new, indentation_of(code.new[0]), depth)
        result[row : row + 1] = [apart.sub(lambda _: first, result[row])] if is_part else new
    return Likely.of(result, f"It is put in the place of `{old}`.")


def with_values_above(code: Code) -> Likely | None:
    """Return the file with new names, and their values, right above what they are shown above.

    New fields that a class is shown with go above its first member.
    """
    shown, own, first = definitions_of(code.lines, code.path), code.own, 0
    while len(shown.children) == 1 and shown.children[0].is_container:
        named = [each for each in own.children if each.name == shown.children[0].name]
        if len(named) != 1:
            return None
        shown, own, first = shown.children[0], named[0], shown.children[0].start + 1
    below = [each for each in own.children if shown.children and each.name == shown.children[0].name]
    if not below or (code.has_marks and not first):
        return None
    end = shown.children[0].lead
    depth = indentation_of(code.lines[shown.children[0].start])
    given = [line for line in code.lines[first:end] if line.strip() != "{" and not is_mark(line)]
    above = [*without_blank_ends(given), ""] if first else list(dropwhile(_is_blank, given))
    solid = [line for line in above if line.strip() and indentation_of(line) == depth]
    heads = {
        _value_of(line, is_field=first > 0)
        for line in solid
        if not (is_closing(line) or _REMARK.match(line.strip()))
    }
    known = {_value_of(line, is_field=first > 0) for line in code.file[own.start : own.end]}
    rest = replace(code, lines=[*code.lines[:first], *code.lines[end:]])
    merged = rest.merged() or rest.merged(assumed=(Assumption.GAPS,))
    at = own.children[0].lead if first else below[0].lead
    if not heads or () in heads or not heads.isdisjoint(known) or merged is None:
        return None
    if list(merged.lines[:at]) != code.file[:at]:
        return None
    new = moved(above, depth, indentation_of(code.file[below[0].start]))
    lines = [*merged.lines[:at], *new, *merged.lines[at:]]
    return Likely.of(lines, f"What is new above `{last_name(below[0].name)}` goes above it.")


def _is_blank(line: str) -> bool:
    return not line.strip()


def _value_of(line: str, *, is_field: bool) -> tuple[str, ...]:
    """Return the words before the value that a statement or a macro gives a name; none for another line."""
    if is_field:
        return (member_name(line) or line.strip(),)
    return tuple(line.split()[:2]) if _MACRO.match(line) else head_of(line)


def _likeness(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the least that a line is like the one in whose place it is, from 0 to 1."""
    return min(
        # what goes on as the other ends, or gives the same name a value, says more than that
        _VERY_ALIKE + _MARGIN
        if (line and other.startswith(line)) or () != head_of(line, keys=True) == head_of(other, keys=True)
        else likeness(line[: 2 * _LONGEST], other)
        for line, other in zip(old, new, strict=True)
    )


def _name(line: str, path: str) -> object:
    """Return what a line is about: the name that it gives a value or defines, or else its first word."""
    for syntax in syntaxes_of(path)[:1]:
        if name := header_name(line, syntax)[0]:
            return name
    first = _BEGINS.match(line)
    return head_of(line, keys=True) or (first[0] if first is not None else "")
