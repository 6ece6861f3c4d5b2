"""Lines of the file that the search text leaves out right where the edit changes something.

Nobody quoted them, so they are neither deleted nor cut off from what they belong to: new text goes where the
depth of the lines leaves one place for it, and otherwise nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.locate.source import SourceText, indentation
from patchpoint.text.lines import Span

_CLOSING = re.compile(r"[)\]}]|</|end\b|fi\b|done\b|esac\b")
_GOING_ON = re.compile(r"\}?\s*(?:else|elif|elsif|except|finally|catch|rescue|ensure|when)\b")
_OPENING = re.compile(r"(?:[:{(\[]|\bthen|\bdo|=>|->)\s*(?:(?:#|//).*)?$")
_COMMENT = re.compile(
    r"(?:#(?!(?:include|define|undef|if|ifdef|ifndef|el|end|pragma|error|import|line|region)\b)|//|/\*"
    r"|\*(?=[\s/*]|$)|--|;|<!--|%)"
)
_DECORATION = re.compile(r"@\w|#\[|\[\w+.*\]$|template\s*<")

_ASSIGNMENT = re.compile(r"((?:(?:const|let|var|final|static)\s+)?[\w.]+)\s*(?::[^=]*)?=(?!=)")
_TYPE = re.compile(r"\b(?:class|struct|interface|enum|trait|impl|union|record|message|protocol)\b")

TAB_COLUMNS = 4


def depth(line: str) -> int:
    """Return the column that a line begins at."""
    return len(indentation(line).expandtabs(TAB_COLUMNS))


def insertion_point(source: SourceText, gap: Span, new: Sequence[str]) -> int | None:
    """Return the line before which `new` goes, in a gap that has lines which are not blank.

    `None` when the depth of the lines leaves several places, or none, and where the next line closes a block
    that begins in the gap. A whole comment right above the next line belongs to that.
    """
    solid = [number for number in range(*gap) if source.stripped[number]]
    if not any(line.strip() for line in new):
        return None
    above = _solid_above(source, gap[0])
    after_remark = above is not None and _COMMENT.match(source.stripped[above])
    before_remark = gap[1] < len(source.lines) and _COMMENT.match(source.stripped[gap[1]])
    together = solid == list(range(gap[0], gap[1])) and not after_remark and not before_remark
    if together and all(_is_remark(source.stripped[line]) for line in solid):
        return gap[0] if fits(source, gap[0], new) else None
    if _order_is_free(source, gap, new) and fits(source, gap[0], new):
        return gap[0]
    slots = [gap[0], *(line + 1 for line in solid)]
    fitting = [slot for slot in slots if fits(source, slot, new)]
    if len(fitting) != 1:
        return None
    if fitting[0] == slots[-1] and new[0].strip():
        return gap[1]
    return None if _closes_gap(source, fitting[0], gap[1]) else fitting[0]


def _closes_gap(source: SourceText, start: int, line: int) -> bool:
    """Return whether a line closes what one from `start` on opens: it was quoted as closing another."""
    if line >= len(source.lines) or not (
        _CLOSING.match(source.stripped[line]) or _GOING_ON.match(source.stripped[line])
    ):
        return False
    column = depth(source.lines[line])
    return any(source.stripped[n] and depth(source.lines[n]) <= column for n in range(start, line))


def _order_is_free(source: SourceText, gap: Span, new: Sequence[str]) -> bool:
    """Return whether the gap is between members of a type, set apart by blank lines, and `new` is another.

    Members may be in any order: a new one goes where it was quoted to go, behind the one before it.
    """
    blank = not source.stripped[gap[0]] or (gap[0] > 0 and not source.stripped[gap[0] - 1])
    apart = blank and (not new[0].strip() or not new[-1].strip())
    above = _solid_above(source, gap[0])
    if not apart or above is None:
        return False
    column = depth(source.lines[above])
    parent = next(
        (n for n in range(above, -1, -1) if source.stripped[n] and depth(source.lines[n]) < column), None
    )
    return parent is not None and _TYPE.search(source.stripped[parent]) is not None


def fits(source: SourceText, slot: int, new: Sequence[str]) -> bool:
    """Return whether new text before line `slot` leaves the lines around it in the blocks they are in."""
    depths = [depth(line) for line in new if line.strip()]
    if not depths:
        return True
    above, below = _solid_above(source, slot), _solid_below(source, slot)
    if below is None:
        return True
    next_depth, text = depth(source.lines[below]), source.stripped[below]
    if above is not None:
        last = source.lines[above]
        if _DECORATION.match(last.strip()):
            return False
        if next_depth > depth(last) and depths[0] < next_depth:
            return False  # the line above would lose its body
        if depths[0] > depth(last) and not opens(last):
            return False  # it would be in no block
    if next_depth > min(depths):
        return False  # the lines below would be in another block
    if _CLOSING.match(text) or _GOING_ON.match(text):
        return depths[-1] > next_depth or _GOING_ON.match(new[-1].strip()) is not None
    return True


def is_earlier_version(gap: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether each line of a gap gives a value to what a new line gives another, in the same order.

    The new lines then replace those of the gap, which nobody quoted since they were thought to be new.
    """
    said = iter([target for line in new if (target := _target(line)) is not None])
    old = [line for line in gap if line.strip()]
    targets = [_target(line) for line in old]
    return bool(old) and all(target is not None and target in said for target in targets)


def _target(line: str) -> tuple[int, str] | None:
    """Return the depth of an assignment and what it assigns to; `None` if a line is none."""
    match = _ASSIGNMENT.match(line.strip())
    return (depth(line), match[1]) if match else None


def body_end(source: SourceText, header: int) -> int | None:
    """Return one past the last line of the block that line `header` opens; `None` if it opens none.

    The line that closes the block, and the branches that follow it, are part of it.
    """
    below = _solid_below(source, header + 1)
    if below is None or depth(source.lines[below]) <= depth(source.lines[header]):
        return None
    end = below
    for number in range(below, len(source.lines)):
        text = source.stripped[number]
        if not text:
            continue
        if depth(source.lines[number]) > depth(source.lines[header]):
            end = number + 1
        elif depth(source.lines[number]) == depth(source.lines[header]) and (
            _CLOSING.match(text) or _GOING_ON.match(text)
        ):
            end = number + 1
            if not _GOING_ON.match(text) and not opens(text):
                break
        else:
            break
    return end


def same_seam(quoted: str, new: str) -> bool:
    """Return whether a line may take the place of another next to lines that nobody quoted.

    They must follow the new line as they followed the old one: as its body, or at its depth.
    """
    return opens(quoted) == opens(new)


def opens(line: str) -> bool:
    """Return whether what follows a line may be inside of it."""
    return bool(_OPENING.search(line.strip()))


def _is_remark(line: str) -> bool:
    """Return whether a line is a comment; a rule such as `-----` belongs to the line above as much."""
    return bool(_COMMENT.match(line)) and any(map(str.isalnum, line))


def _solid_above(source: SourceText, slot: int) -> int | None:
    return next((number for number in range(slot - 1, -1, -1) if source.stripped[number]), None)


def _solid_below(source: SourceText, slot: int) -> int | None:
    return next((number for number in range(slot, len(source.lines)) if source.stripped[number]), None)
