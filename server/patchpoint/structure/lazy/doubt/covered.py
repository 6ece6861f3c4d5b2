"""What gives way next to a mark, although the mark may stand for it, too.

Where a mark ends is shown by a line that the file has once, or by another form of one of its lines. Up to
that, the reading in which what is shown is new, and the mark covers what would give way, loses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_balanced, is_closing
from patchpoint.structure.lazy.bindings import CLOSES, head_of
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.regex import IDENTIFIER, regex

JUMP = regex(r"(?:return|break|continue|pass|raise|throw|goto|yield|exit|die|next|redo)\b")
"""What is left by a statement, and often by several."""
_BRANCH = regex(r"(?:case|when|default)\b.{0,200}|[^\s=][^=]{0,200}?(?==>|->|(?<!:):(?![:=])\s*\S)")
"""What chooses a branch or a member: before its arrow or colon."""
_ELEMENT = regex(
    r"<(?P<tag>[\w.:-]+)(?:(?=[\s/>])(?:[^<>]{0,400}?\s(?:id|name|href|src|to|key|path|for)=[\"'{](?P<value>[^\"'}]*))?)"
)
"""An element, and the attribute that names one of several."""
_TAG = regex(r"<[^<>]*>")
_OPENED, _CLOSED = regex(r"<([\w.:-]+)(?![^<>]*/>)"), regex(r"</([\w.:-]+)")
_ASKS = frozenset({"if", "else", "elif", "for", "while"})
_STATEMENTS = _ASKS | {"let", "const", "var"}
"""Words that say nothing of what a line is about."""
_END_WORDS = ("end", "fi", "done")
_SHORT_LINE = 7


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
            start, end = _next_to(found, mark, is_above=is_above)
            steps = found[start:end][::-1] if is_above else found[start:end]
            longest = length = reader.length(steps)
            while length > 1 and steps[length - 1][0] is Step.SAME:
                length -= 1
            for each in range(length, longest + 1):
                first, last = (end - each, end) if is_above else (start, start + each)
                new: Path = [(Step.INSERTED, -1, j) for _, _, j in found[first:last] if j >= 0]
                kept: Path = [
                    (Step.KEPT, i, mark)
                    for _, i, _ in found[first:last]
                    if i >= 0 and not reader.is_moved(i, new)
                ]
                if reader.gives_way(found[first:last]) and reader.may_be_new(new, kept, is_above=is_above):
                    found[first:last] = [*new, *kept] if is_above else [*kept, *new]
                    is_other = True
                    break
    return found if is_other else None


def is_sibling(old: str, new: str) -> bool:
    """Return whether lines begin two elements of one kind that name other things, and have other texts."""
    both = [_ELEMENT.match(line.strip()) for line in (old, new)]
    values = [each["value"] if each is not None else "" for each in both]
    is_same = bool(_text_of(old)) and _text_of(old) == _text_of(new)
    return all(values) and values[0] != values[1] and not is_same


def _next_to(path: Path, mark: int, *, is_above: bool) -> tuple[int, int]:
    """Return which steps are between a mark and the next one above or below it."""
    at = [number for number, (step, _, j) in enumerate(path) if step is Step.KEPT and j == mark]
    behind = next((number for number, (_, _, j) in enumerate(path) if j > mark), len(path))
    start, end = (at[0], at[-1] + 1) if at else (behind, behind)
    if is_above:
        return next((n + 1 for n in range(start - 1, -1, -1) if path[n][0] is Step.KEPT), 0), start
    return end, next((n for n in range(end, len(path)) if path[n][0] is Step.KEPT), len(path))


class _NextToMarks:
    """Reads what is next to marks of some tokens."""

    def __init__(self, file: Sequence[Token], shown: Sequence[Token]) -> None:
        self._file, self._shown = file, shown
        self._closed = {tag for token in (*file, *shown) for tag in _CLOSED.findall(token.text)}
        self._counts = Counter(token.text.strip() for token in file)

    def length(self, steps: Path) -> int:
        """Return how many steps, from a mark on, do not say where in the file they are."""
        inside = self._inside(sorted(steps, key=lambda step: step[2]))
        telling = (n for n, step in enumerate(steps) if step[2] not in inside and self._says_where(step))
        length = 0 if self._is_quoted(steps) else next(telling, len(steps))
        # What closes, or opens, what all of this is in stays where it is.
        while length and self._closes(steps[length - 1]) and not self._is_whole(steps[:length]):
            length -= 1
        return length

    def _is_quoted(self, steps: Path) -> bool:
        """Return whether the line next to a mark is one of the file's, and begins or ends no block."""
        if not steps or steps[0][0] is not Step.SAME:
            return False
        line, lines = self._shown[steps[0][2]].text, [self._shown[j].text for _, _, j in steps[1:] if j >= 0]
        is_alone = not any(_is_deeper(other, line) for other in lines[:1])
        return is_alone and not (is_closing(line) or JUMP.match(line.strip()))

    def _says_where(self, step: tuple[Step, int, int]) -> bool:
        """Return whether a shown line says where in the file it is."""
        kind, i, j = step
        if j < 0:
            return False
        new = self._shown[j]
        if new.kind is not Kind.LINE:
            return True
        if kind is Step.SAME:
            return self._is_own(new.text.strip())
        is_changed = kind is Step.CHANGED and not is_closing(new.text)
        return is_changed and _is_other_form(self._file[i].text, new.text)

    def _inside(self, steps: Path) -> set[int]:
        """Return the shown lines of some steps that are in a block whose first line is new."""
        found: set[int] = set()
        head: tuple[Step, int] | None = None
        for step in (each for each in steps if each[2] >= 0):
            own = len(indentation_of(self._shown[step[2]].text))
            if head is None or own <= head[1]:
                is_new = step[0] in (Step.INSERTED, Step.CHANGED) and not self._says_where(step)
                head = (step[0], own) if is_new else None
            elif step[0] is not Step.SAME or head[0] is Step.INSERTED:
                found.add(step[2])
        return found

    def gives_way(self, steps: Path) -> bool:
        """Return whether lines of the file are gone that are no other form of what is shown."""
        tokens = [self._file[i] for _, i, _ in steps if i >= 0] + [
            self._shown[j] for _, _, j in steps if j >= 0
        ]
        if any(token.kind is not Kind.LINE for token in tokens):
            return False
        gone = [
            self._file[i].text
            for step, i, _ in steps
            if step is Step.CHANGED or (step is Step.DELETED and not is_closing(self._file[i].text))
        ]
        new = [self._shown[j].text for step, _, j in steps if j >= 0]
        added = [self._shown[j].text for step, _, j in steps if step in (Step.INSERTED, Step.CHANGED)]
        words = [IDENTIFIER.findall(" ".join(lines)) for lines in (gone, new)]
        # In place of one line its words are as often; in place of several they may be fewer.
        lost = set(words[0]) - set(words[1]) if len(gone) > 1 else Counter(words[0]) - Counter(words[1])
        known = {"", *map(_branch, gone)}
        is_lost = bool(gone and added) and not (
            set(lost) <= _STATEMENTS and known.issuperset(map(_branch, added))
        )
        inside = self._inside(sorted(steps, key=lambda step: step[2]))
        return is_lost or any(
            step is Step.SAME and j in inside and not is_closing(self._shown[j].text) for step, _, j in steps
        )

    def may_be_new(self, new: Path, kept: Path, *, is_above: bool) -> bool:
        """Return whether what is shown can be added next to what a mark covers."""
        added, stays = [self._shown[j].text for _, _, j in new], [self._file[i].text for _, i, _ in kept]
        if not (stays and self._is_balanced(added)) or all(map(is_closing, added)):
            return False
        behind = "".join(token.text for token in self._shown[new[-1][2] + 1 :][:1])
        is_end = behind.strip().startswith(_END_WORDS) and is_closing(behind)
        if behind and (_is_deeper(behind, added[-1]) or (is_end and not _is_deeper(added[0], behind))):
            return False
        above, below = (added[-1], stays[0]) if is_above else (stays[-1], added[0])
        is_at_depth = indentation_of(above) == indentation_of(below)
        return not (
            is_at_depth and JUMP.match(above.strip()) and not is_closing(below) and not _branch(below)
        )

    def is_moved(self, i: int, new: Path) -> bool:
        """Return whether a line of the file is among the new ones, and deeper."""
        own = self._file[i].text
        lines = (self._shown[j].text for _, _, j in new)
        is_deeper = any(line.strip() == own.strip() and _is_deeper(line, own) for line in lines)
        return is_deeper and not is_closing(own)

    def _closes(self, step: tuple[Step, int, int]) -> bool:
        return step[0] is Step.SAME and is_closing(self._file[step[1]].text)

    def _is_whole(self, steps: Path) -> bool:
        """Return whether what is shown closes all that it opens, and nothing else."""
        return self._is_balanced([self._shown[j].text for _, _, j in steps if j >= 0])

    def _is_balanced(self, texts: Sequence[str]) -> bool:
        """Return whether lines close the brackets that they open, and the elements that have an end."""
        opened, closed = (
            Counter(tag for text in texts for tag in each.findall(text)) for each in (_OPENED, _CLOSED)
        )
        return is_balanced(texts) and all(opened[tag] == closed[tag] for tag in self._closed)

    def _is_own(self, words: str) -> bool:
        """Return whether a line is much like no other."""
        is_common = is_closing(words) or words.startswith(CLOSES[:3]) or len(words) < _SHORT_LINE
        return not (is_common or JUMP.match(words)) and self._counts[words] == 1


def _is_deeper(line: str, other: str) -> bool:
    """Return whether a line is deeper than another one."""
    return len(indentation_of(line)) > len(indentation_of(other))


def _is_other_form(old: str, new: str) -> bool:
    """Return whether a line is another one, changed: the same name with another value, or more words."""
    old, new = old.strip(), new.strip()
    if _branch(old) != _branch(new) or JUMP.match(old):
        return False
    head = head_of(old)
    is_same = bool(head) and head == head_of(new) and head[0] not in _ASKS
    return is_same or Counter(IDENTIFIER.findall(old)) <= Counter(IDENTIFIER.findall(new))


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
