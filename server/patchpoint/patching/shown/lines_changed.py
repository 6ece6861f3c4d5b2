"""A few lines shown that name no definition: they take the place of the lines that they are like."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from patchpoint.dataclass import replace
from patchpoint.formats.sentences.sentence import readings
from patchpoint.patching.places.called import definitions_of, last_name
from patchpoint.patching.places.places_said import is_question, says, says_a_side, says_result
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.bindings import end_of_block, head_of
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_MOST_LINES = 12
_LONGEST = 1000
"""A longer line is compared with none."""
_DECORATORS = ("@", "#[")
_ALIKE = 0.6
"""Of one, what a line shares at least with the one in whose place it is."""
_VERY_ALIKE = 0.75
"""So much where nothing asks for a change."""
_MARGIN = 0.08
"""By so much any other place is less like the lines."""
_HEAD_AND_END = 2
_VALUES = regex(r"\d+|\"[^\"]*\"|'[^']*'")
_QUOTED = regex(r"[\"'`]")
"""What tells the block that a call begins from others."""
_OPENS = regex(r"(?:[{(\[]|\bin|\bdo(?: \|[^|]*\|)?)\s*\Z")
_MACRO = regex(r"#define\s+\w+(?!\()")
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
    is_addition = says(code.lead, "more") or says_a_side(code.lead)
    if is_question(code.lead) or (is_addition and not says_result(code.lead)):
        return None
    wanted, lines = [line.strip() for line in new], [line.strip() for line in file]
    named = [_name(line, code.path) for line in wanted]
    within = ranges_named(code, code.lead) or [(0, len(file))]
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
    is_known = code.is_asked or len(changed) < len(new)
    if score < (_ALIKE if is_known else _VERY_ALIKE) or any(other in known for _, other in changed):
        return None
    depths = map(indentation_of, file[row : row + len(new)])
    replaced = (depth + line for depth, line in zip(depths, wanted, strict=True))
    like = f"It is like `{changed[0][0]}`, and like no other line."
    why = like if len(changed) == 1 else "They are like the lines in whose place they are."
    return Likely(Merged((*file[:row], *replaced, *file[row + len(new) :])), why)


def block_changed(code: Code) -> Likely | None:
    """Return the file with a block as it is shown, which the file has once with the same first line.

    Its last line closes it, and what one mark at its end is for stays. `None` where nothing asks for it,
    or only for something more.
    """
    file, new = code.file, code.lines
    new = without_blank_ends(new)
    rows = [row for row, line in enumerate(file) if new and line.strip() == new[0].strip()]
    is_block = len(new) > _HEAD_AND_END and len(rows) == 1 and is_closing(new[-1]) and _OPENS.search(new[0])
    if not is_block or is_question(code.lead) or says(code.lead, "not"):
        return None
    row, end = rows[0], end_of_block(file, rows[0])
    if (
        not is_closing(file[end - 1])
        or end - row <= _HEAD_AND_END
        or len(indentation_of(new[-1])) > len(indentation_of(new[0]))
    ):
        return None
    shown = moved(new, indentation_of(new[0]), indentation_of(file[row]))
    marks = [at for at, line in enumerate(shown) if is_mark(line)]
    if marks and (
        marks != [len(shown) - _HEAD_AND_END] or not _are_new(shown[1:-_HEAD_AND_END], file[row:end])
    ):
        return None
    if marks:
        lines = [*file[: row + 1], *shown[1:-_HEAD_AND_END], *file[row + 1 :]]
        return Likely.of(lines, f"It goes to the beginning of `{file[row].strip()}`.")
    inner = (
        {line.strip() for line in lines if not is_closing(line)} for lines in (shown[1:], file[row + 1 : end])
    )
    is_same = _QUOTED.search(file[row]) is not None or not set.isdisjoint(*inner)
    if not is_same or not _is_asked(code.lead):
        return None
    return Likely.of([*file[:row], *shown, *file[end:]], f"All of `{file[row].strip()}` is shown.")


def _are_new(lines: Sequence[str], block: Sequence[str]) -> bool:
    """Return whether none of some lines, but for those that close something, is in a block.

    Nor is one that only has another value.
    """
    known = {_VALUES.sub("0", line.strip()) for line in block}
    return bool(lines) and all(
        is_closing(line) or not line.strip() or _VALUES.sub("0", line.strip()) not in known for line in lines
    )


def _is_asked(lead: str) -> bool:
    """Return whether words call code a change, or the one to use; so does none of them."""
    every = readings(lead)
    return not lead or any(one.has("replace change becomes do") and not one.has("old never") for one in every)


def head_decorated(code: Code) -> Likely | None:
    """Return the file with decorators or attributes above the head of a definition, which ends the code."""
    new = code.new
    if len(new) < 2 or not all(line.lstrip().startswith(_DECORATORS) for line in new[:-1]):
        return None
    rows = [row for row, line in enumerate(code.file) if line.strip() == new[-1].strip()]
    if len(rows) != 1:
        return None
    row = rows[0]
    depth = indentation_of(code.file[row])
    there = {line.strip() for line in code.file[max(0, row - _MOST_LINES) : row]}
    added = [depth + line.strip() for line in new[:-1] if line.strip() not in there]
    if not added:
        return None
    return Likely(
        Merged((*code.file[:row], *added, *code.file[row:])), "It shows what is new above the head."
    )


def with_values_above(code: Code) -> Likely | None:
    """Return the file with new names, and their values, right above what they are shown above."""
    shown = definitions_of(code.lines, code.path).children
    known = {each.name for each in code.own.children}
    if not shown or shown[0].name not in known or code.has_marks:
        return None
    above = code.lines[: shown[0].lead]
    words = [line for line in above if line.strip() and not line[:1].isspace() and not is_closing(line)]
    heads = {_value_of(line) for line in words if not _REMARK.match(line)}
    merged = replace(code, lines=code.lines[shown[0].lead :]).merged()
    if merged is None or not heads or () in heads or not heads.isdisjoint(map(_value_of, code.file)):
        return None
    own = definitions_of(merged.lines, code.path).children
    at = next(each.lead for each in own if each.name == shown[0].name)
    new = dropwhile(lambda line: not line.strip(), above)
    lines = [*merged.lines[:at], *new, *merged.lines[at:]]
    return Likely.of(lines, f"What is new above `{last_name(shown[0].name)}` goes right above it.")


def _value_of(line: str) -> tuple[str, ...]:
    """Return the words before the value that a statement or a macro gives a name; none for another line."""
    return tuple(line.split()[:2]) if _MACRO.match(line) else head_of(line)


def _likeness(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the least that a line is like the one in whose place it is, from 0 to 1."""
    return min(
        # What goes on as the other ends says more than that.
        _VERY_ALIKE + _MARGIN
        if other.startswith(line) or _is_value(line, other)
        else likeness(line[: 2 * _LONGEST], other)
        for line, other in zip(old, new, strict=True)
    )


def _is_value(line: str, other: str) -> bool:
    """Return whether a line gives the name of another one a value, too."""
    return line != other and bool(_head(line)) and _head(line) == _head(other)


def _name(line: str, path: str) -> object:
    """Return what a line is about: the name that it gives a value or defines, or else its first word."""
    for syntax in syntaxes_of(path)[:1]:
        if name := header_name(line, syntax)[0]:
            return name
    first = _BEGINS.match(line)
    return _head(line) or (first[0] if first is not None else "")


def _head(line: str) -> tuple[str, ...]:
    return head_of(line, keys=True)
