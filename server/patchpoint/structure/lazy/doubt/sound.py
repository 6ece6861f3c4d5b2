"""What a merge has to be: its reading the only one, its text one that parses and has every definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import Indel

from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.definition import (
    CodeText,
    Definition,
    TwoTexts,
    Unmerged,
    UnmergedError,
    indentation_of,
)
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.outline.by_grammar import changed_names
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.regex import regex

_LEAVES = regex(r"[ \t]+(?:return|raise|throw|break|continue)\b(?!.*\s(?:if|unless)\s)")
"""The beginning of a statement after which its block cannot go on."""
_GOES_ON = regex(r"[,+*/&|\\({\[-]\Z")
_LONGEST = 20
"""Lines of such a statement at most."""
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_MAY_FOLLOW = regex(
    r"[ \t]*(?:[)\]}.?:&|+*/#@,\"'`-]|(?:case|default|else|elsif|elif|except|finally|when|rescue|ensure|end|"
    r"def|func|function|class|async|in|fi|done|catch|public|private|protected|static|until|"
    r"while)\b|\w+\s*:(?!=|:))"
)
"""What may come after it at the same depth all the same."""
_LOOP = regex(r"(?:^|;)\s*do(?P<end>ne)?\b")
"""What begins and ends a loop of a shell; the grammar takes a lone end for a command."""
_MOST_READINGS = 6
_MOST_LINES = 100_000
"""So many lines of other readings are judged, in some two seconds."""
_RENAMED = 0.85
"""Two definitions so similar may be one, renamed."""
_LEAST_LINES = 3
"""Shorter ones, such as getters, are much alike."""


class Soundness:
    """What the results of one merge are held against."""

    def __init__(self, texts: TwoTexts, *, parses: bool) -> None:
        """Take both texts, and whether the file `parses`."""
        self._file, self._parses = texts.file, parses
        known, self._doubled, self._names = _known_of(texts.file)
        self._dead_ends = known | dead_ends(texts.shown.lines)
        self._known = texts.shown.known
        self._shown = {each.name for each in texts.shown.root.walk()}

    def may_have(self, part: Sequence[str]) -> bool:
        """Return whether a sound result may have these lines, which follow one another in it."""
        doubled = _doubled_comments(part, self._file.syntax)
        return dead_ends(part) <= self._dead_ends and doubled <= self._doubled

    def holds(self, lines: Sequence[str]) -> bool:
        """Return whether a result is sound."""
        try:
            self.require(lines, ())
        except UnmergedError:
            return False
        return True

    def require(self, lines: Sequence[str], replaced: Sequence[Definition]) -> None:
        """Raise `UnmergedError` unless a result, in which definitions were `replaced`, is sound."""
        gone, new = _changed(self._file, lines)
        first = max(0, self._file.above(shared_ends(self._file.lines, lines)[0]))
        ends = dead_ends([*lines[max(0, first - _LONGEST) : first], *new]) - self._dead_ends
        if ends:
            other = without_old_end(lines, self._dead_ends, self._known)
            readings = [other] if other is not None and self.holds(other) else []
            raise UnmergedError(Unmerged.UNCLEAR, "", replaced, readings)
        if not _doubled_comments(new, self._file.syntax) <= self._doubled:
            raise UnmergedError(Unmerged.DOUBLED, "a comment")
        if _marks_of(new) - _marks_of(gone):
            raise UnmergedError(Unmerged.UNCLEAR, "", replaced)
        if self._file.syntax.family == "shell" and _open_loops(new) != _open_loops(gone):
            raise UnmergedError(Unmerged.BROKEN, "", replaced)
        changed = changed_names(self._file, lines, parses=self._parses)
        if changed is None:
            raise UnmergedError(Unmerged.BROKEN, "", replaced)
        before, after = changed
        for name, count in before.items():
            if after[name] < count:
                raise UnmergedError(Unmerged.LOST, name.rpartition("\0")[2], replaced)
        for name, count in after.items():
            short = name.rpartition("\0")[2]
            is_other = name in self._names or (self._parses and short not in self._shown)
            if count > before[name] and is_other:
                raise UnmergedError(Unmerged.DOUBLED, short, replaced)

    def readings(
        self, result: Sequence[str], others: Iterable[Sequence[str]], replaced: Sequence[Definition]
    ) -> list[Sequence[str]]:
        """Return a result, and those of the `others` that are sound and not but for blank lines the same.

        Raises `UnmergedError` where there are so many others that nobody waits for it.
        """
        found = {tuple(filter(str.strip, result)): result}
        left = _MOST_LINES
        for other in others:
            left -= len(other)
            if len(found) == _MOST_READINGS or left < 0:
                break
            solid = tuple(filter(str.strip, other))
            if solid not in found and self.holds(other):
                found[solid] = other
        if left < 0 and len(found) == 1:
            raise UnmergedError(Unmerged.REPEATS, "", replaced)
        return list(found.values())


@lru_cache(maxsize=2)
def _known_of(file: CodeText) -> tuple[set[tuple[str, str]], set[str], set[str]]:
    """Return what a file has that a result may have, too: dead ends, doubled comments, and names."""
    doubled = _doubled_comments(file.lines, file.syntax)
    return dead_ends(file.lines), doubled, set(file.root.names(lasting_only=True))


def _changed(file: CodeText, lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines in which a file and a result differ, each with the nearest that are not blank."""
    head, tail = shared_ends(file.lines, lines)
    first, end = max(0, file.above(head)), file.below(len(file.lines) - tail) + 1
    return file.lines[first:end], lines[first : len(lines) - len(file.lines) + end]


def _open_loops(lines: Sequence[str]) -> int:
    """Return how many loops of a shell lines begin, less those that they end."""
    found = (each["end"] for line in lines if line.strip()[:1] != "#" for each in _LOOP.finditer(line))
    return sum(-1 if end else 1 for end in found)


def _marks_of(lines: Sequence[str]) -> Counter[str]:
    """Return the lines that read like marks, but for dots that are the body of something in Python."""
    found: Counter[str] = Counter()
    before = ""
    for line in filter(str.strip, lines):
        if is_mark(line):
            is_body = line.strip() == "..." and before.rstrip().endswith(":")
            if not (is_body and indentation_of(before) < indentation_of(line)):
                found[line.rstrip()] += 1
        before = line
    return found


def dead_ends(lines: Sequence[str]) -> set[tuple[str, str]]:
    """Return the beginnings of what ends its block, each with the line that goes on in it at its depth."""
    found: set[tuple[str, str]] = set()
    for row, line in enumerate(lines):
        if not _LEAVES.match(line):
            continue
        end = row + 1
        while end < len(lines) and end < row + _LONGEST and not _is_whole(lines[row:end]):
            end += 1
        below = next((each for each in lines[end:] if each.strip()), None)
        if below is None or not _is_whole(lines[row:end]):
            continue
        if indentation_of(below) == indentation_of(line) and not _MAY_FOLLOW.match(below):
            found.add((line.strip(), below.strip()))
    return found


def require_new(
    texts: TwoTexts, added: Sequence[Definition], paired: Container[Definition], *, may_rename: bool = True
) -> None:
    """Raise `UnmergedError` where what is added may be a definition of the file under another name.

    That is one that is not `paired` with what is shown, and much like it, unless it is known that nothing
    is renamed. An id is in a page once, and so is a head that the outline does not have.
    """
    file, shown = texts.file, texts.shown
    left = [
        each
        for each in file.root.walk()
        if not each.is_text and not (each.is_container and each.children) and each not in paired
    ]
    is_page = file.syntax.family == "html"
    outlined = set() if is_page else {each.start for each in file.root.walk()}
    for new in added:
        last = new.name.rpartition(" ")[2].rpartition(".")[2]
        if any(
            last in line and row not in outlined and header_name(line, file.syntax)[0] == new.name
            for row, line in enumerate(file.lines)
        ):
            raise UnmergedError(Unmerged.DOUBLED, new.name)  # one that shares its lines with others
        if not may_rename:
            continue
        words = _words(shown, new)
        for each in left:
            old = _words(file, each)
            is_long = min(len(words), len(old)) >= _LEAST_LINES
            if is_long and _similarity("\n".join(words), "\n".join(old)) >= _RENAMED:
                raise UnmergedError(Unmerged.RENAMED, new.name, (each,))


def _words(text: CodeText, definition: Definition) -> list[str]:
    rows = text.solid(definition.start, definition.end)
    return [words for words in map(text.words, rows) if not is_closing(words)]


def _similarity(one: str, other: str) -> float:
    return Indel.normalized_similarity(one, other, score_cutoff=_RENAMED)


def without_old_end(
    lines: Sequence[str], known: AbstractSet[tuple[str, str]], shown: Container[str]
) -> list[str] | None:
    """Return lines without one that ends its block right above another one of its kind, which is `shown`.

    `None` where there is not one, or other dead ends than are `known` are left.
    """
    ends = dead_ends(lines) - known
    solid = [row for row, line in enumerate(lines) if line.strip()]
    old = [
        (row, below)
        for row, below in pairwise(solid)
        if (end := lines[row].strip()) not in shown and (end, lines[below].strip()) in ends
    ]
    if len(old) != 1 or any(end.split()[0] != new.split()[0] for end, new in ends):
        return None
    left = [*lines[: old[0][0]], *lines[old[0][1] :]]
    return left if dead_ends(left) <= known else None


def _is_whole(lines: Sequence[str]) -> bool:
    """Return whether lines are a whole statement."""
    text = "\n".join(lines).rstrip()
    is_closed = all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)
    return is_closed and not _GOES_ON.search(text)


def _doubled_comments(lines: Sequence[str], syntax: Syntax) -> set[str]:
    """Return the comments that follow themselves."""
    solid = filter(None, map(str.strip, lines))
    return {
        one
        for one, other in pairwise(solid)
        if one == other and len(one) > 3 and one.startswith(syntax.comments) and any(map(str.isalnum, one))
    }
