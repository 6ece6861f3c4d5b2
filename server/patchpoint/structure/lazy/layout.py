"""The shape of merged lines: their depth, the blank lines between them, and what is above a definition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.definition import Definition, indentation_of, is_comment
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_LIKE = 0.6
"""Two comments so similar may be one."""
_VISIBILITY = regex(r"[ \t]*(?P<words>(?:export(?:[ ]+default)?|pub(?:\([^()]*\))?)[ ]+)(?=\w)")
_CLOSING = regex(r"[)\]}][;,]?\Z")
_EXPORT = regex(r"\s*(?:export\b|module\.exports\b|exports\.)")


class Placed(NamedTuple):
    """One line of the result that is not blank, with its numbers in the file and in the shown code.

    A tuple, which is made in a quarter of the time: there is one for each line.
    """

    own: int | None
    given: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Shift:
    """How the indentation of shown lines becomes that of the file's."""

    shown: str = ""
    own: str = ""
    only_first: int = -1
    """The one line that is moved, where a head alone was written without its indentation."""

    def apply(self, line: str, number: int) -> str:
        """Return shown line `number` at its depth in the file."""
        if self.shown == self.own or not line.strip():
            return line
        if self.only_first >= 0 and number > self.only_first:
            return line
        return self.own + line[len(self.shown) :] if line.startswith(self.shown) else line


def shift_between(file: Sequence[str], own: Definition, shown: Sequence[str], given: Definition) -> Shift:
    """Return the shift that brings a shown definition to the depth of the file's."""
    have, wanted = indentation_of(shown[given.start]), indentation_of(file[own.start])
    if len(have) < len(wanted):
        below = [line for line in shown[given.start + 1 : given.end] if line.strip()]
        depths = [(len(indentation_of(line)), line.strip()[:1] in ")]}") for line in below]
        deep = all(
            depth > len(wanted) or (depth == len(wanted) and (closing or line.strip() == "end"))
            for (depth, closing), line in zip(depths, below, strict=True)
        )
        own_below = next((line for line in file[own.start + 1 : own.end] if line.strip()), "")
        own_step = len(indentation_of(own_below)) - len(wanted)
        step = len(indentation_of(below[0])) - len(have) if below else 0
        if below and deep and step > len(wanted) and step != own_step:
            return Shift(have, wanted, given.start)
    return Shift(have, wanted)


def shift_of_lines(
    file: Sequence[str], own: Definition, shown: Sequence[str], given: Definition, marks: frozenset[int]
) -> Shift:
    """Return the shift that brings the first shown line that the file's definition has once to its depth."""
    rows: dict[str, list[int]] = {}
    for row in range(own.start, own.end):
        rows.setdefault(file[row].strip(), []).append(row)
    for row in range(given.start, given.end):
        words = shown[row].strip()
        if words and row not in marks and len(rows.get(words, ())) == 1:
            return Shift(indentation_of(shown[row]), indentation_of(file[rows[words][0]]))
    return Shift()


def laid_out(
    file: Sequence[str], shown: Sequence[str], marks: frozenset[int], placed: Sequence[Placed], around: Span
) -> list[str]:
    """Return the file's lines with those from `around[0]` up to `around[1]` replaced by the placed ones.

    Blank lines between neighbours of the file are the file's; between two shown lines, and around something
    new, they are those of the shown code; next to a mark they are the file's.
    """
    first, end = around
    own = _Blanks(file, frozenset())
    given = _Blanks(shown, marks)
    result = list(file[:first])
    opening = next((row for row in range(first, end) if file[row].strip()), end)
    result += file[first:opening]
    for before, after in zip([None, *placed], placed, strict=False):
        if before is not None:
            result += _blanks(own, given, before, after)
        result.append(after.text)
    closing = next((row for row in range(end - 1, first - 1, -1) if file[row].strip()), first - 1)
    result += file[closing + 1 : end]
    return result + list(file[end:])


def lead_lines(
    file: Sequence[str],
    own: Definition,
    shown: Sequence[str],
    given: Definition,
    shift: Shift,
    syntax: Syntax,
    marks: frozenset[int],
) -> list[Placed]:
    """Return the comments and decorators above a definition.

    Those of a kind that is not shown are the file's: they may have been left out as well as removed.
    """
    mine = [row for row in range(own.lead, own.start) if file[row].strip()]
    theirs = [row for row in range(given.lead, given.start) if shown[row].strip()]

    def kept(rows: Sequence[int]) -> list[Placed]:
        return [Placed(row, None, file[row]) for row in rows]

    if not theirs:
        return kept(mine)
    equal = {file[row].strip(): row for row in mine}
    above = next((row for row in range(given.lead - 1, -1, -1) if shown[row].strip()), None)
    words = [shown[row].strip() for row in theirs]
    cut: list[int] = []
    if (above is None or above in marks) and words == [file[row].strip() for row in mine[-len(words) :]]:
        # the lines above those that are shown are left out with what precedes them
        cut, mine = mine[: -len(words)], mine[-len(words) :]
    new = [Placed(equal.get(shown[row].strip()), row, shift.apply(shown[row], row)) for row in theirs]
    comments = [row for row in mine if is_comment(file[row], syntax.comments)]
    decorators = [row for row in mine if not is_comment(file[row], syntax.comments)]
    first = next(
        (n for n, row in enumerate(theirs) if not is_comment(shown[row], syntax.comments)), len(theirs)
    )
    shows_decorators = first < len(theirs)
    if comments and first == 0:
        # a comment below a decorator is not the documentation above it
        new = [*kept([row for row in comments if file[row].strip() not in words]), *new]
    elif decorators and not shows_decorators:
        new = [*new, *kept(decorators)]
    new = [*kept(cut), *new]
    if new[0].own is None:
        new[0] = Placed(own.lead, new[0].given, new[0].text)
    return new


def visible_head(
    file: Sequence[str], own: Definition, shown: Sequence[str], given: Definition, around: Definition
) -> str:
    """Return the head of a shown definition, with the file's `export` or `pub` if it has none.

    As with decorators, what is nowhere shown may have been left out as well as removed. It was removed if
    nothing else changes, if a definition next to it in `around`, all that is shown, has its own, or if
    another line exports the name. Words such as `public` are seldom left out, and often what changes.
    """
    head = shown[given.start]
    mine, theirs = _VISIBILITY.match(file[own.start]), _VISIBILITY.match(head)
    if mine is None or theirs is not None:
        return head
    depth = len(indentation_of(head))
    bodies = (file[own.start + 1 : own.end], shown[given.start + 1 : given.end])
    old, new = ([line.strip() for line in body if line.strip()] for body in bodies)
    if old == new and file[own.start][mine.end() :].strip() == head.strip():
        return head
    for each in around.walk():
        other = shown[each.start] if not each.is_text else ""
        if len(indentation_of(other)) == depth and _VISIBILITY.match(other):
            return head
    if any(_EXPORT.match(line) and re.search(rf"\b{re.escape(own.name)}\b", line) for line in shown):
        return head
    return f"{head[:depth]}{mine['words']}{head[depth:]}"


def separated_end(
    file: Sequence[str], own: Definition, shown: Sequence[str], given: Definition, marks: frozenset[int]
) -> str:
    """Return the last line of a shown definition, with a comma behind it where the file has one.

    Where the file has none, what is shown alone has none; what others follow may need it.
    """
    line = shown[given.end - 1]
    last, has_comma = line.rstrip(), file[own.end - 1].rstrip().endswith(",")
    if given.end - given.start == 1 or not _CLOSING.search(last) or last.endswith(",") == has_comma:
        return line
    if has_comma:
        return f"{last.removesuffix(';')},"
    below = next((row for row in range(given.end, len(shown)) if shown[row].strip()), len(shown))
    is_last = below == len(shown) or below in marks or shown[below].lstrip().startswith(tuple(")]}"))
    return last.removesuffix(",") if is_last else line


def has_other_comment(
    file: Sequence[str], own: Definition, shown: Sequence[str], given: Definition, syntax: Syntax
) -> bool:
    """Return whether a comment is shown right above a definition, and the file has a like one further above.

    It may be that one, moved or changed, or one more.
    """
    theirs = [line for line in shown[given.lead : given.start] if is_comment(line, syntax.comments)]
    if not theirs or any(is_comment(line, syntax.comments) for line in file[own.lead : own.start]):
        return False
    row = own.lead - 1
    while row >= 0 and not file[row].strip():
        row -= 1
    while row >= 0 and is_comment(file[row], syntax.comments):
        words = file[row].strip()
        if any(Indel.normalized_similarity(words, line.strip()) >= _LIKE for line in theirs):
            return True
        row -= 1
    return False


class _Blanks:
    """The blank lines of a text, and which of its other lines follow each other."""

    def __init__(self, lines: Sequence[str], gaps: frozenset[int]) -> None:
        self._lines = lines
        self._above: dict[int, list[str]] = {}
        self._next: dict[int, int] = {}
        blank: list[str] = []
        last: int | None = None
        for row, line in enumerate(lines):
            if row in gaps:
                last, blank = None, []
            elif line.strip():
                self._above[row] = blank
                if last is not None:
                    self._next[last] = row
                last, blank = row, []
            else:
                blank.append(line)

    def between(self, before: int | None, after: int | None) -> list[str] | None:
        """Return the blank lines between two lines that follow each other; `None` if they do not."""
        if before is None or after is None or self._next.get(before) != after:
            return None
        return self._above[after]

    def above(self, row: int) -> list[str]:
        """Return the blank lines right above a line."""
        return self._above[row]

    def below(self, row: int, text: str) -> list[str]:
        """Return the blank lines right below a line; at the end of a block, those usual for `text`."""
        following = self._next.get(row)
        depth = len(indentation_of(text))
        if following is not None and len(indentation_of(self._lines[following])) >= depth:
            return self._above[following]
        counts = Counter(
            len(blank)
            for row, blank in self._above.items()
            if blank and len(indentation_of(self._lines[row])) == depth
        )
        return [""] * max(counts, key=lambda length: (counts[length], length), default=0)


def _blanks(own: _Blanks, given: _Blanks, before: Placed, after: Placed) -> list[str]:
    blank = own.between(before.own, after.own)
    if blank is None:
        blank = given.between(before.given, after.given)
    if blank is None and before.own is not None and after.own is None:
        blank = own.below(before.own, after.text)
    if blank is None and after.own is not None:
        blank = own.above(after.own)
    return blank or []
