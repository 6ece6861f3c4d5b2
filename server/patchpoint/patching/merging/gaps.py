"""Lines of the file that the search text leaves out right where the edit changes something.

Nobody quoted them, so they are neither deleted nor cut off from what they belong to: new text goes where the
depth of the lines leaves one place for it, and otherwise nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.locate.evidence.comparison import only_place
from patchpoint.locate.evidence.names import begins_comment, is_remark
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText, depth
from patchpoint.locate.verdict import Find
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.lines import Span
from patchpoint.text.regex import TOKEN, WORD, regex

_CLOSING = regex(r"[)\]}]|</|end\b|fi\b|done\b|esac\b")
_GOING_ON = regex(r"\}?\s*(?:else|elif|elsif|except|finally|catch|rescue|ensure|when)\b")
_OPENING = regex(r"(?:[:{(\[]|\bthen|\bdo|=>|->)\s*(?:(?:#|//).*)?$")
_CONDITIONAL = regex(r"#\s*(?:if|ifdef|ifndef|elif|else|endif)\b")
_DECORATION = regex(r"@\w|#\[|\[\w+.*\]$|template\s*<")

_ASSIGNMENT = regex(r"((?:(?:const|let|var|final|static)\s+)?[\w.]+)\s*(?::[^=]*)?=(?!=)")
_TYPE = regex(r"\b(?:class|struct|interface|enum|trait|impl|union|record|message|protocol)\b")

LEAST_WORDS = 3
LEAST_NAMES = 2
"""A line with fewer words and signs, or fewer words, never counts as one that a new line extends."""


def insertion_point(source: SourceText, gap: Span, new: Sequence[str]) -> int | None:
    """Return the line before which `new` goes, in a gap that has lines which are not blank.

    `None` when the depth of the lines leaves several places, or none. A comment belongs to the next line, and
    to the comment that it goes on with.
    """
    solid = [number for number in range(*gap) if source.stripped[number]]
    if not any(line.strip() for line in new) or any(_CONDITIONAL.match(source.stripped[n]) for n in solid):
        return None
    above = source.solid_above(gap[0])
    after_remark = above is not None and begins_comment(source.stripped[above])
    before_remark = gap[1] < len(source.lines) and begins_comment(source.stripped[gap[1]])
    together = solid == list(range(gap[0], gap[1])) and not (after_remark and before_remark)
    if together and all(is_remark(source.stripped[line]) for line in solid):
        slot = gap[1] if after_remark else gap[0]
        return slot if fits(source, slot, new) else None
    if _order_is_free(source, gap, new) and fits(source, gap[0], new):
        return gap[0]
    slots = [gap[0], *(line + 1 for line in solid)]
    fitting = [slot for slot in slots if fits(source, slot, new)]
    if len(fitting) != 1:
        return None
    if fitting[0] == slots[-1] and new[0].strip():
        return gap[1]
    return fitting[0]


def _order_is_free(source: SourceText, gap: Span, new: Sequence[str]) -> bool:
    """Return whether the gap is between members of a type, set apart by blank lines, and `new` is another.

    Members may be in any order: a new one goes where it was quoted to go, behind the one before it.
    """
    blank = not source.stripped[gap[0]] or (gap[0] > 0 and not source.stripped[gap[0] - 1])
    apart = blank and (not new[0].strip() or not new[-1].strip())
    above = source.solid_above(gap[0])
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
    above, below = source.solid_above(slot), source.solid_below(slot)
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


def is_earlier_version(gap: Sequence[str], new: Sequence[str], quoted: Collection[str]) -> bool:
    """Return whether the lines of a gap were written by an earlier version of the edit.

    The new lines then replace those of the gap, which nobody quoted since they were thought to be new. Either
    each line of the gap gives a value to what a new line gives another, or is a comment that begins as a new
    one does; or most of them are new lines, at their depth and none of those that are `quoted` (stripped),
    in the same order, and a new line has most of the words of each other one.
    """
    old = [line.rstrip() for line in gap if line.strip()]
    said = iter([target for line in new if (target := _target(line)) is not None])
    targets = [_target(line) for line in old]
    if old and all(target is not None and target in said for target in targets):
        return True
    fresh = [line.rstrip() for line in new if line.strip()]
    for equal, i1, i2, _, _ in line_opcodes(old, fresh):
        for line in () if equal else old[i1:i2]:
            words = Counter(WORD.findall(line))
            if not any(2 * (words & Counter(WORD.findall(other))).total() > words.total() for other in fresh):
                return False
    news = [line for line in old if line in fresh and line.strip() not in quoted]
    return len(news) >= 2 and 2 * sum(map(len, news)) >= sum(map(len, old))


def _target(line: str) -> tuple[int, str] | None:
    """Return the depth of an assignment and what it assigns to, or of a comment and how it begins."""
    text = line.strip()
    match = _ASSIGNMENT.match(text)
    if match:
        return depth(line), match[1]
    words = text.split()
    return (depth(line), " ".join(words[:4])) if len(words) > 4 and is_remark(text) else None


def merged_gap(gap: Sequence[str], new: Sequence[str]) -> list[tuple[int | None, list[str]]] | None:
    """Return the lines of a gap and the new ones together where they share lines; `None` if they share none.

    Each entry is a line of the gap (by number), or new lines.
    """
    old = [line.rstrip() for line in gap]
    opcodes = line_opcodes(old, [line.rstrip() for line in new])
    solid = any(old)
    if not any(equal and (any(old[i1:i2]) or not solid) for equal, i1, i2, _, _ in opcodes):
        return None
    merged: list[tuple[int | None, list[str]]] = []
    for equal, i1, i2, j1, j2 in opcodes:
        if equal:
            merged += [(number, []) for number in range(i1, i2)]
            continue
        merged.append((None, list(new[j1:j2])))
        rewritten = i2 - i1 == j2 - j1 and all(map(extends, new[j1:j2], old[i1:i2]))
        if not rewritten:
            merged += [(number, []) for number in range(i1, i2)]
    return merged


def extends(new: str, old: str) -> bool:
    """Return whether a new line has all words of an old one in the same order, and perhaps more.

    It begins with the same word: a short line may be part of any other.
    """
    words, named, others = TOKEN.findall(old), WORD.findall(old), WORD.findall(new)
    if len(words) < LEAST_WORDS or len(named) < LEAST_NAMES or named[0] not in others[:1]:
        return False
    said = iter(TOKEN.findall(new))
    return all(word in said for word in words)


def body_end(source: SourceText, header: int) -> int:
    """Return one past the last line of the block below line `header`, with what closes it."""
    top, end = depth(source.lines[header]), header + 1
    for row in range(header + 1, len(source.lines)):
        text, deep = source.stripped[row], depth(source.lines[row])
        if text and (deep < top or (deep == top and not _CLOSING.match(text))):
            break
        end = row + 1 if text else end
    return end


def opens(line: str) -> bool:
    """Return whether what follows a line may be inside of it."""
    return bool(_OPENING.search(line.strip()))


def cuts_unquoted(
    find: Find, hunk: SearchHunk, stretch: Span, new: Sequence[str], is_left_out: Callable[[int], bool]
) -> bool:
    """Return whether lines that nobody quoted would be cut off from their neighbours by a change.

    They are in the stretch of the file that the hunk changes, or between that and its neighbours. So it is,
    too, where remarks are among lines that become fewer. `is_left_out` says which search lines are marks of
    lines that were left out.
    """
    source, quote, partner = find.source, find.quote, find.partners
    quoted = [line for line in hunk.solid if line in partner]
    marks = range(max(0, hunk.quoted[0] - 1), min(hunk.quoted[1] + 1, len(quote.stripped)))
    if not quoted or any(map(is_left_out, marks)):
        return False
    taken = {number for line in quoted for number in range(*partner[line])}
    brought = {line.strip() for line in new}
    first, last = min(taken), max(taken)
    unquoted = [
        number
        for number in range(*stretch)
        if source.stripped[number] and number not in taken and source.stripped[number] not in brought
    ]
    if not unquoted:
        return False
    wanted = [line for line in new if line.strip()]
    inside = any(first < number < last for number in unquoted)
    becomes_fewer = inside and 0 < len(wanted) < len(quoted)
    if all(is_remark(source.stripped[number]) for number in unquoted) and not becomes_fewer:
        texts = {line: quote.stripped[line] for line in quoted}
        if all(only_place(source, text) == partner[line][0] for line, text in texts.items()):
            return False
    old = [quote.search_lines[line] for line in quoted]
    if len(old) == len(wanted) and all(map(_is_version, old, wanted)):
        return False
    if inside:
        return True
    if not wanted:
        return _is_movable(hunk) or (unquoted[-1] > last and _heads(source, last))
    ends = ((unquoted[0] < first, first, 0), (unquoted[-1] > last, last, -1))
    return any(
        is_next and not (_is_version(old[at], wanted[at]) or _is_in_new(source.lines[row], wanted[at]))
        for is_next, row, at in ends
    )


def _is_in_new(line: str, new: str) -> bool:
    """Return whether a new line is one of the file's, or has all its words and more, and is as deep."""
    return depth(line) == depth(new) and (line.strip() == new.strip() or extends(new, line))


def _is_movable(hunk: SearchHunk) -> bool:
    """Return whether a deletion could as well be that of the equal lines before or after it."""
    start, end = hunk.quoted
    lines = hunk.quote.stripped
    before = start > 0 and lines[start - 1] == lines[end - 1]
    after = end < len(lines) and lines[end] == lines[start]
    return before or after


def _heads(source: SourceText, line: int) -> bool:
    """Return whether the line below is deeper than `line`: it would lose its header."""
    below = source.solid_below(line + 1)
    return below is not None and depth(source.lines[below]) > depth(source.lines[line])


def _is_version(old: str, new: str) -> bool:
    """Return whether a line may take the place of another next to lines that nobody quoted."""
    return (
        depth(old) == depth(new)
        and opens(old) == opens(new)
        and line_similarity(old.strip(), new.strip()) >= SIMILAR_LINE
    )
