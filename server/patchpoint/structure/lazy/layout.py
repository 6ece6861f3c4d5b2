"""The shape of merged lines: their depth, the blank lines between them, and what is above a definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Indel

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.definition import (
    CodeText,
    Definition,
    TwoTexts,
    Unmerged,
    UnmergedError,
    head_end,
    indentation_of,
)
from patchpoint.text.lines import Span, positions
from patchpoint.text.regex import WORD, regex

_LIKE = 0.6
"""Two comments so similar may be one."""
_VISIBILITY = regex(r"[ \t]*(?P<words>(?:export(?:[ ]+default)?|pub(?:\([^()]*\))?)[ ]+)(?=\w)")
_TYPES_ARE_OPTIONAL = frozenset({"python", "javascript"})
_DOCSTRING = regex(r"\s*[rR]?(?P<sign>\"{3}|'{3})")
_ARROW = regex(r"[-=]>")
_OF_TYPE = regex(r"\[[^\[\]]*\]|<[^<>]*>")
_BANNER = regex(r"([-=*#~_/])\1{9}")
"""A rule above or below the title of a section."""
_DIRECTIVE = regex(
    r"(?://|#|/?\*|--)(?:[a-z]+:[a-z]"
    r"|\s*(?:@ts-|eslint-|prettier-|noqa|nolint|type:|pylint:|pragma\b|fmt:|region\b))"
)
"""A comment for a tool."""
_SEVERAL = 2


class Placed(NamedTuple):
    """One line of the result that is not blank, with its numbers in the file and in the shown code.

    A tuple, which is made in a quarter of the time: there is one for each line.
    """

    own: int | None
    given: int | None
    text: str
    goes_on: bool = False
    """Whether all lines of the file from the one placed before it on are kept as they are."""


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


def shift_between(texts: TwoTexts, own: Definition, given: Definition) -> Shift:
    """Return the shift that brings a shown definition to the depth of the file's."""
    file, shown = texts.file, texts.shown
    have, wanted = indentation_of(shown.lines[given.start]), indentation_of(file.lines[own.start])
    below = shown.solid(given.start + 1, given.end)
    if len(have) < len(wanted) and below:
        deep = all(
            shown.depth(row) > len(wanted)
            or (shown.depth(row) == len(wanted) and (words[0] in ")]}" or words == "end"))
            for row in below
            if (words := shown.words(row))
        )
        own_below = file.solid(own.start + 1, own.end)
        own_step = (file.depth(own_below[0]) if own_below else 0) - len(wanted)
        step = shown.depth(below[0]) - len(have)
        if deep and step > len(wanted) and step != own_step:
            return Shift(have, wanted, given.start)
    return Shift(have, wanted)


def shift_of_lines(texts: TwoTexts, own: Definition, given: Definition) -> Shift:
    """Return the shift that brings the first shown line that the file's definition has once to its depth."""
    file, shown = texts.file, texts.shown
    rows = positions(map(file.words, range(own.start, own.end)), own.start)
    for row in shown.code(given.start, given.end):
        same = rows.get(shown.words(row), ())
        if len(same) == 1:
            return Shift(indentation_of(shown.lines[row]), indentation_of(file.lines[same[0]]))
    return Shift()


def laid_out(texts: TwoTexts, placed: Sequence[Placed], around: Span) -> list[str]:
    """Return the file's lines with those from `around[0]` up to `around[1]` replaced by the placed ones.

    Blank lines between neighbours of the file are the file's; between two shown lines, and around something
    new, they are those of the shown code; next to a mark they are the file's.
    """
    first, end = around
    file = texts.file
    own, given = _blanks_of(file), _Blanks(texts.shown)
    result = file.lines[: min(file.below(first), end)]
    for before, after in zip([None, *placed], placed, strict=False):
        if before is not None:
            between = slice((before.own or 0) + 1, after.own)
            result += file.lines[between] if after.goes_on else _blanks(own, given, before, after)
        result.append(after.text)
    return result + file.lines[max(file.above(end), first - 1) + 1 :]


def kept_run(file: CodeText, within: Span) -> list[Placed]:
    """Return the first and the last line of the file within a range in which all are kept."""
    first, last = file.below(within[0]), file.above(within[1])
    rows = sorted({first, last}) if first <= last else ()
    return [Placed(row, None, file.lines[row], row > first) for row in rows]


def lead_lines(texts: TwoTexts, own: Definition, given: Definition, shift: Shift) -> list[Placed]:
    """Return the comments and decorators above a definition.

    Those of a kind that is not shown are the file's: they may have been left out as well as removed. So are
    directives for tools, the banner of a section, and the rest of a comment that begins as it is shown.
    """
    file, shown = texts.file, texts.shown
    mine = file.solid(own.lead, own.start)
    theirs = shown.solid(given.lead, given.start)

    def kept(rows: Sequence[int]) -> list[Placed]:
        return [Placed(row, None, file.lines[row]) for row in rows]

    if not theirs or _is_of_another(texts, own, theirs):
        return kept(mine)
    equal = {file.words(row): row for row in mine}
    above = shown.above(given.lead)
    words = list(map(shown.words, theirs))
    cut: list[int] = []
    if (above < 0 or above in shown.marks) and words == list(map(file.words, mine[-len(words) :])):
        # the lines above those that are shown are left out with what precedes them
        cut, mine = mine[: -len(words)], mine[-len(words) :]
    new = [Placed(equal.get(shown.words(row)), row, shift.apply(shown.lines[row], row)) for row in theirs]
    banner = max((n + 1 for n, row in enumerate(mine) if _BANNER.search(file.lines[row])), default=0)
    if banner < len(mine) and not any(_BANNER.search(shown.lines[row]) for row in theirs):
        cut, mine = [*cut, *mine[:banner]], mine[banner:]
    comments = [row for row in mine if file.is_comment(row) and not _DIRECTIVE.search(file.lines[row])]
    decorators = [row for row in mine if row not in comments]
    if list(map(file.words, mine[: len(words)])) == words and mine[len(words) :] and comments == mine:
        return [*kept(cut), *kept(mine)]
    if comments and not shown.is_comment(theirs[0]):
        # a comment below a decorator is not the documentation above it
        left = [row for row in comments if file.words(row) not in words]
        if left and new[0].own is None:
            new[0] = Placed(left[-1] + 1, new[0].given, new[0].text, True)
        new = [*kept(left), *new]
    elif decorators and all(map(shown.is_comment, theirs)):
        new = [*new, *kept(decorators)]
    new = [*kept(cut), *new]
    if new[0].own is None:
        new[0] = Placed(own.lead, new[0].given, new[0].text)
    return new


def _is_of_another(texts: TwoTexts, own: Definition, theirs: Sequence[int]) -> bool:
    """Return whether comments that are shown above a definition are further above in the file."""
    file, shown = texts.file, texts.shown
    words = list(map(shown.words, theirs))
    if not all(map(shown.is_comment, theirs)) or len(theirs) < _SEVERAL:
        return False
    rows = file.solid(0, own.lead)
    there = list(map(file.words, rows))
    return any(there[at : at + len(words)] == words for at in range(len(there) - len(words) + 1))


def visible_head(texts: TwoTexts, own: Definition, given: Definition) -> str:
    """Return the head of a shown definition, with the file's `export` or `pub` if it has none.

    As with decorators, what is nowhere shown is left out as well as removed. Words such as `public` are
    seldom left out, and often what changes. Raises `UnmergedError` where it is shown elsewhere.
    """
    head = texts.shown.lines[given.start]
    mine = _VISIBILITY.match(texts.file.lines[own.start])
    if mine is None or _VISIBILITY.match(head):
        return head
    word = mine["words"].strip()
    if any(word[: len("pub")] in line for line in texts.shown.lines):
        raise UnmergedError(Unmerged.LOST, f"`{word}`", (own,))
    depth = texts.shown.depth(given.start)
    return f"{head[:depth]}{mine['words']}{head[depth:]}"


def separated_end(texts: TwoTexts, own: Definition, given: Definition) -> str:
    """Return the last line of a shown definition, with a comma behind it where the file has one."""
    line = texts.shown.lines[given.end - 1].rstrip()
    has_comma = texts.file.lines[own.end - 1].rstrip().endswith(",")
    is_closed = given.end - given.start > 1 and line.removesuffix(";").endswith((")", "]", "}"))
    return f"{line.removesuffix(';')}," if has_comma and is_closed else texts.shown.lines[given.end - 1]


def fuller_head(texts: TwoTexts, own: Definition, given: Definition) -> tuple[int, int] | None:
    """Return where the heads of two definitions end, in the file and in what is shown, if the file's stays.

    It does where the shown one only lacks what a class is derived from, or types in a language that does not
    need them: as with `export`, these may have been left out. The names of parameters, their values, and
    words such as `static` seldom are, and where a function needs its types, other ones are what changes.
    """
    file, shown = texts.file, texts.shown
    ends = head_end(file.lines, own), head_end(shown.lines, given)
    heads = " ".join(file.lines[own.start : ends[0]]), " ".join(shown.lines[given.start : ends[1]])
    mine, theirs = map(WORD.findall, heads)
    left = iter(mine)
    if file.syntax.is_data or mine == theirs or not theirs or not all(word in left for word in theirs):
        return None
    before = [WORD.findall(head.partition("(")[0]) for head in heads]
    bare = [_OF_TYPE.sub("", _ARROW.sub("", head)) for head in heads]
    is_same = all(bare[0].count(sign) == bare[1].count(sign) for sign in ",=")
    is_optional = file.syntax.family in _TYPES_ARE_OPTIONAL and before[0][: len(before[1])] == before[1]
    return ends if mine[0] == theirs[0] and (own.is_container or (is_optional and is_same)) else None


def behind_docstring(texts: TwoTexts, own: Definition, given: Definition, ends: tuple[int, int]) -> int:
    """Return the row behind the docstring of the file's definition if nothing is shown for it.

    Otherwise it is where the head ends. The heads are up to `ends`, in the file and in what is shown.
    """
    file, shown = texts.file, texts.shown
    first, other = file.below(ends[0]), shown.below(ends[1])
    if ends != (head_end(file.lines, own), head_end(shown.lines, given)) or file.syntax.family != "python":
        return ends[0]
    quoted = _DOCSTRING.match(file.lines[first]) if first < own.end else None
    is_there = other < given.end and (other in shown.marks or _DOCSTRING.match(shown.lines[other]))
    if quoted is None or is_there:
        return ends[0]
    rest = file.lines[first][quoted.end() :], *file.lines[first + 1 : own.end]
    return next((row + 1 for row, line in enumerate(rest, first) if quoted["sign"] in line), ends[0])


def has_other_comment(texts: TwoTexts, own: Definition, given: Definition) -> bool:
    """Return whether a comment is shown right above a definition, and the file has a like one further above.

    It may be that one, moved or changed, or one more.
    """
    file, shown = texts.file, texts.shown
    theirs = [shown.words(row) for row in range(given.lead, given.start) if shown.is_comment(row)]
    if not theirs or any(map(file.is_comment, range(own.lead, own.start))):
        return False
    row = file.above(own.lead)
    while row >= 0 and file.is_comment(row):
        if any(Indel.normalized_similarity(file.words(row), words) >= _LIKE for words in theirs):
            return True
        row -= 1
    return False


class _Blanks:
    """The blank lines of a text, and which of its other lines follow each other."""

    def __init__(self, text: CodeText) -> None:
        self._text = text
        self._above: dict[int, list[str]] = {}
        self._next: dict[int, int] = {}
        every = [each for each in text.root.walk() if not each.is_text]
        self._leads = {each.lead for each in every}
        self._ends = {each.end - 1 for each in every if each.end - each.start > 1}
        blank: list[str] = []
        last: int | None = None
        for row, line in enumerate(text.lines):
            if row in text.marks:
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

    def above(self, row: int | None) -> list[str]:
        """Return the blank lines right above a line; none where it is not of this text, or a mark."""
        return self._above.get(row, []) if row is not None else []

    def begins(self, row: int | None) -> bool:
        """Return whether a definition begins on a line."""
        return row in self._leads

    def below(self, row: int, text: str, *, begins: bool) -> list[str]:
        """Return the blank lines right below a line; at the end of a block, those usual for `text`.

        Where it `begins` a definition, these are the ones above others; one below the only one there is.
        """
        following = self._next.get(row)
        depth = len(indentation_of(text))
        if following is not None and self._text.depth(following) >= depth:
            return self._above[following]
        rows = [row for row, blank in self._above.items() if blank and self._text.depth(row) == depth]
        leads = [row for row in rows if row in self._leads] if begins else []
        counts = Counter(len(self._above[row]) for row in leads or rows)
        if not counts and begins and row in self._ends and not self._text.syntax.is_data:
            below = (self._next.get(end) for end in self._ends)
            return [] if any(each in self._leads and not self._above[each] for each in below) else [""]
        return [""] * max(counts, key=lambda length: (counts[length], length), default=0)


_blanks_of = lru_cache(maxsize=2)(_Blanks)
"""Those of a file, which are the same for all code that is merged into it."""


def _blanks(own: _Blanks, given: _Blanks, before: Placed, after: Placed) -> list[str]:
    blank = own.between(before.own, after.own)
    if blank is None:
        blank = given.between(before.given, after.given)
    if blank is None and before.own is not None and after.own is None:
        blank = own.below(before.own, after.text, begins=given.begins(after.given)) or given.above(
            after.given
        )
    if blank is None and after.own is not None:
        blank = own.above(after.own)
    return blank or []
