"""What gives way next to a mark, although the mark may stand for it, too.

A guard on top of a body, and a mark for the rest: that a line of the guard is one of the body's, too, says
little of where the mark begins. The reading in which what is shown is new, and the mark covers what would
give way, loses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_balanced, is_closing, likeness
from patchpoint.structure.lazy.bindings import head_of
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.regex import IDENTIFIER, regex

_JUMP = regex(r"(?:return|break|continue|pass|raise|throw|goto|yield|exit|die|next|redo)\b")
_BRANCH = regex(r"(?:case|when|default)\b.{0,200}|[^\s=][^=]{0,200}?(?==>|->|(?<!:):(?![:=])\s*\S)")
"""What chooses a branch or a member: before its arrow or colon."""
_ELEMENT = regex(
    r"<(?P<tag>[\w.:-]+)(?:(?=[\s/>])(?:[^<>]{0,400}?\s(?:id|name|href|src|to|key|path|for)=[\"'{](?P<value>[^\"'}]*))?)"
)
"""An element, and the attribute that names one of several."""
_TAG = regex(r"<[^<>]*>")
_STATEMENTS = frozenset({"if", "else", "elif", "for", "while", "let", "const", "var"})
"""Words that say nothing of what a line is about."""
_SHORT_LINE = 7
_LONGEST = 1000
"""So much of a line is compared."""
_SAME_LINE = 0.8
"""A line that is so similar to another is that one, changed."""


def are_alike(paths: Iterable[Path], file: Sequence[Token], shown: Sequence[Token]) -> bool:
    """Return whether readings have one result, where marks cover what gives way next to them.

    Those whose brackets do not match, as they do in others, are none.
    """
    results = {
        tuple(
            (file[i] if step is Step.KEPT else shown[j]).text.strip()
            for step, i, j in with_more_covered(path, file, shown) or path
            if step is not Step.DELETED
        )
        for path in paths
    }
    return len([*filter(is_balanced, results)] or results) == 1


def with_more_covered(path: Path, file: Sequence[Token], shown: Sequence[Token]) -> Path | None:
    """Return a reading in which marks cover what gives way next to them, and what is shown there is new.

    `None` where nothing gives way that a mark may cover.
    """
    reader = _NextToMarks(file, shown)
    found, is_other = list(path), False
    for mark in (j for j, token in enumerate(shown) if token.kind is Kind.MARK):
        for is_above in (True, False):
            first, end = reader.next_to(found, mark, is_above=is_above)
            steps = found[first:end]
            new: Path = [(Step.INSERTED, -1, j) for _, _, j in steps if j >= 0]
            kept: Path = [(Step.KEPT, i, mark) for _, i, _ in steps if i >= 0]
            if is_above and _is_outside(shown[mark].text, (file[i].text for _, i, _ in kept)):
                continue
            is_other_end = not is_above and reader.shares_an_end(steps)
            if (is_other_end or reader.gives_way(steps)) and reader.may_be_new(new, kept, is_above=is_above):
                found[first:end] = [*new, *kept] if is_above else [*kept, *new]
                is_other = True
    return found if is_other else None


def is_sibling(old: str, new: str) -> bool:
    """Return whether lines begin two elements of one kind that name other things, and have other texts."""
    both = [_ELEMENT.match(line.strip()) for line in (old, new)]
    values = [each["value"] if each is not None else "" for each in both]
    is_same = bool(_text_of(old)) and _text_of(old) == _text_of(new)
    return all(values) and values[0] != values[1] and not is_same


class _NextToMarks:
    """Reads what is next to marks of some tokens."""

    def __init__(self, file: Sequence[Token], shown: Sequence[Token]) -> None:
        self._file, self._shown = file, shown
        self._counts = Counter(token.text.strip() for token in file)

    def next_to(self, path: Path, mark: int, *, is_above: bool) -> tuple[int, int]:
        """Return which steps are next to a mark on one side, up to one that says where they are."""
        at = [number for number, (step, _, j) in enumerate(path) if step is Step.KEPT and j == mark]
        behind = next((number for number, (_, _, j) in enumerate(path) if j > mark), len(path))
        start, end = (at[0], at[-1] + 1) if at else (behind, behind)
        if is_above:
            first = next((n + 1 for n in range(start - 1, -1, -1) if path[n][0] is Step.KEPT), 0)
            return start - self._length(path[first:start][::-1], is_below=False), start
        last = next((n for n in range(end, len(path)) if path[n][0] is Step.KEPT), len(path))
        return end, end + self._length(path[end:last], is_below=True)

    def _length(self, steps: Path, *, is_below: bool) -> int:
        """Return how many steps, from a mark on, do not say where in the file they are."""
        is_lossless = not any(
            step is Step.DELETED and not is_closing(self._file[i].text) for step, i, _ in steps
        )
        is_branch, length = False, len(steps)
        for number, (step, i, j) in enumerate(steps):
            if step is Step.SAME:
                words = self._file[i].text.strip()
                is_quoted = not number and not is_closing(words) and (is_below or not _JUMP.match(words))
                if is_quoted or self._is_own(words):
                    length = number
                    break
            if j < 0 or step is Step.SAME:
                continue
            old = self._file[i].text if step is Step.CHANGED else ""
            is_named = bool(self._shown[j].name)
            if is_named or (
                old and not is_branch and _is_other_form(old, self._shown[j].text, is_lossless=is_lossless)
            ):
                length = number
                break
            is_branch = is_branch or bool(_branch(self._shown[j].text))
        # What closes, or opens, what all of this is in stays where it is.
        while length and self._closes(steps[length - 1]) and not self._is_whole(steps[:length]):
            length -= 1
        return length

    def _closes(self, step: tuple[Step, int, int]) -> bool:
        return step[0] is Step.SAME and is_closing(self._file[step[1]].text)

    def _is_whole(self, steps: Path) -> bool:
        """Return whether what is shown closes all that it opens, and nothing else."""
        texts = [self._shown[j].text for _, _, j in steps if j >= 0]
        return is_balanced(texts) and not texts[-1].lstrip().startswith("</")

    def shares_an_end(self, steps: Path) -> bool:
        """Return whether a line of the file closes what is added, and something else there."""
        added = [self._shown[j].text for step, _, j in steps if step is Step.INSERTED]
        is_all_added = all(step is Step.INSERTED or self._closes((step, i, j)) for step, i, j in steps)
        return is_all_added and bool(added) and not is_balanced(added) and self._is_whole(steps)

    def gives_way(self, steps: Path) -> bool:
        """Return whether lines of the file are gone that are no other form of what is shown."""
        kinds = {self._file[i].kind for _, i, _ in steps if i >= 0} | {
            self._shown[j].kind for _, _, j in steps if j >= 0
        }
        if not kinds <= {Kind.LINE}:
            return False
        gone = [
            self._file[i].text
            for step, i, _ in steps
            if step is Step.CHANGED or (step is Step.DELETED and not is_closing(self._file[i].text))
        ]
        new = [self._shown[j].text for _, _, j in steps if j >= 0]
        added = [self._shown[j].text for step, _, j in steps if step in (Step.INSERTED, Step.CHANGED)]
        names = [set(IDENTIFIER.findall("\n".join(lines))) - _STATEMENTS for lines in (gone, new)]
        known = set(map(_branch, gone))
        return bool(gone and added) and (
            names[0] - names[1] != set() or not set(map(_branch, added)) <= {"", *known}
        )

    def may_be_new(self, new: Path, kept: Path, *, is_above: bool) -> bool:
        """Return whether what is shown can be added next to what a mark covers."""
        added, stays = [self._shown[j].text for _, _, j in new], [self._file[i].text for _, i, _ in kept]
        if not is_balanced(added) or all(map(is_closing, added)):
            return False
        above, below = (added[-1], stays[0]) if is_above else (stays[-1], added[0])
        is_at_depth = indentation_of(above) == indentation_of(below)
        return not (
            is_at_depth and _JUMP.match(above.strip()) and not is_closing(below) and not _branch(below)
        )

    def _is_own(self, words: str) -> bool:
        """Return whether a line is much like no other."""
        is_common = is_closing(words) or len(words) < _SHORT_LINE or _JUMP.match(words)
        return not is_common and self._counts[words] == 1


def _is_outside(mark: str, lines: Iterable[str]) -> bool:
    """Return whether a mark is less deep than all of some lines, as what they are in is shown to its end."""
    return bool(mark) and all(len(indentation_of(mark)) < len(indentation_of(line)) for line in lines)


def _is_other_form(old: str, new: str, *, is_lossless: bool) -> bool:
    """Return whether a line is another one, changed."""
    old, new = old.strip(), new.strip()
    if _text_of(old) and _text_of(old) == _text_of(new):
        return True
    if _branch(old) != _branch(new) or _JUMP.match(old):
        return False
    if head_of(old) and head_of(old) == head_of(new):
        return True
    is_more = is_lossless and set(IDENTIFIER.findall(old)) <= set(IDENTIFIER.findall(new))
    return is_more or likeness(old[:_LONGEST], new[:_LONGEST]) >= _SAME_LINE


def _branch(line: str) -> str:
    """Return what tells a branch, a member or an element from others of its kind, if a line begins one."""
    words = line.strip()
    element = _ELEMENT.match(words)
    if element is not None:
        return " ".join(filter(None, (element["tag"], element["value"])))
    found = _BRANCH.match(words)
    return found[0].strip() if found else ""


def _text_of(line: str) -> str:
    """Return what is between the tags of a line."""
    return " ".join(_TAG.sub(" ", line).split()) if line.strip().startswith("<") else ""
