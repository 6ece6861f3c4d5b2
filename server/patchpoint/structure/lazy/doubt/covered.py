"""What gives way next to a mark, although the mark may stand for it, too.

A guard on top of a body, and a mark for the rest: that a line of the guard is one of the body's, too, says
little of where the mark begins. The reading in which what is shown is new, and the mark covers what would
give way, loses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_balanced, is_closing
from patchpoint.structure.lazy.bindings import CLOSES, head_of
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
_OPENED, _CLOSED = regex(r"<([\w.:-]+)(?![^<>]*/>)"), regex(r"</([\w.:-]+)")
_GIVING = regex(r"(?!<)(?P<name>[^=(]*[^=(!<>+*/%|&^~?\s-])\s*:?=(?![=>~])(?P<value>.*)")
_DECLARING = frozenset({"let", "const", "var"})
_STATEMENTS = frozenset({"if", "else", "elif", "for", "while"}) | _DECLARING
"""Words that say nothing of what a line is about."""
_END_WORDS = ("end", "fi", "done")
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
    reader = _NextToMarks(file, shown, path)
    found, is_other = list(path), False
    for mark in (j for j, token in enumerate(shown) if token.kind is Kind.MARK):
        for is_above in (True, False):
            for first, end in reader.next_to(found, mark, is_above=is_above):
                steps = found[first:end]
                new, kept = reader.with_mark(steps, mark, is_above=is_above)
                if is_above and _is_outside(shown[mark].text, (file[i].text for _, i, _ in kept)):
                    continue
                is_other_end = not is_above and (reader.shares_an_end(steps) or reader.takes(steps))
                is_doubtful = is_other_end or reader.gives_way(steps)
                if is_doubtful and kept and reader.may_be_new(new, kept, is_above=is_above):
                    found[first:end] = [*new, *kept] if is_above else [*kept, *new]
                    is_other = True
                    break
    return found if is_other else None


def is_sibling(old: str, new: str) -> bool:
    """Return whether lines begin two elements of one kind that name other things, and have other texts."""
    both = [_ELEMENT.match(line.strip()) for line in (old, new)]
    values = [each["value"] if each is not None else "" for each in both]
    is_same = bool(_text_of(old)) and _text_of(old) == _text_of(new)
    return all(values) and values[0] != values[1] and not is_same


class _NextToMarks:
    """Reads what is next to marks of some tokens."""

    def __init__(self, file: Sequence[Token], shown: Sequence[Token], path: Path) -> None:
        self._file, self._shown = file, shown
        self._kept = {i for step, i, _ in path if step is Step.KEPT}
        self._added = {j for step, _, j in path if step is Step.INSERTED}
        self._closed = {tag for token in (*file, *shown) for tag in _CLOSED.findall(token.text)}
        self._counts = Counter(token.text.strip() for token in file)

    def next_to(self, path: Path, mark: int, *, is_above: bool) -> Iterator[tuple[int, int]]:
        """Yield which steps are next to a mark on one side, up to one that says where they are.

        At first without the lines of the file that are shown behind them: these may say it, too.
        """
        at = [number for number, (step, _, j) in enumerate(path) if step is Step.KEPT and j == mark]
        behind = next((number for number, (_, _, j) in enumerate(path) if j > mark), len(path))
        start, end = (at[0], at[-1] + 1) if at else (behind, behind)
        if is_above:
            first = next((n + 1 for n in range(start - 1, -1, -1) if path[n][0] is Step.KEPT), 0)
            steps = path[first:start][::-1]
        else:
            last = next((n for n in range(end, len(path)) if path[n][0] is Step.KEPT), len(path))
            steps = path[end:last]
        longest = length = self._length(steps, is_below=not is_above)
        while length > 1 and steps[length - 1][0] is Step.SAME:
            length -= 1
        for each in range(length, longest + 1):
            yield (start - each, start) if is_above else (end, end + each)

    def with_mark(self, steps: Path, mark: int, *, is_above: bool) -> tuple[Path, Path]:
        """Return what is new next to a mark, and what the mark covers; what only gets deeper is neither."""
        moved = [*filter(self._is_moved, steps)]
        last = max((i for _, i, _ in moved), default=-1)
        if not is_above or any(0 <= each[1] < last and each not in moved for each in steps):
            moved = []
        new: Path = [
            each if each in moved else (Step.INSERTED, -1, each[2]) for each in steps if each[2] >= 0
        ]
        return new, [(Step.KEPT, i, mark) for step, i, j in steps if i >= 0 and (step, i, j) not in moved]

    def _length(self, steps: Path, *, is_below: bool) -> int:
        """Return how many steps, from a mark on, do not say where in the file they are."""
        is_lossless = not any(
            step is Step.DELETED and not is_closing(self._file[i].text) for step, i, _ in steps
        )
        inside = self._inside(steps, is_below=is_below, is_lossless=is_lossless)
        is_branch = is_frame = False
        length = len(steps)
        for number, (step, i, j) in enumerate(steps):
            if step is Step.SAME:
                words = self._file[i].text.strip()
                is_quoted = not number and not _is_end(words) and (is_below or not _JUMP.match(words))
                is_frame = is_frame or (is_quoted and self._is_replaced(steps))
                if (is_quoted and not is_frame) or (self._is_own(words) and not self._is_taken(i, j)):
                    length = number
                    break
            if j < 0 or step is Step.SAME:
                continue
            old = self._file[i].text if step is Step.CHANGED else ""
            is_named = bool(self._shown[j].name)
            if is_named or (
                old
                and not is_branch
                and number not in inside
                and (is_below or is_lossless or not self._is_moved((step, i, j)))
                and _is_other_form(old, self._shown[j].text, is_lossless=is_lossless)
            ):
                length = number
                break
            is_branch = is_branch or bool(_branch(self._shown[j].text))
        if is_frame and length <= len(self._inner(steps)):
            length = 0
        # What closes, or opens, what all of this is in stays where it is.
        while length and self._closes(steps[length - 1]) and not self._is_whole(steps[:length]):
            length -= 1
        return length

    def _inside(self, steps: Path, *, is_below: bool, is_lossless: bool) -> set[int]:
        """Return the steps that are in a block whose first line is new, or no other form of the file's."""
        found, depth = set(), None
        for number in range(len(steps)) if is_below else reversed(range(len(steps))):
            step, i, j = steps[number]
            if j < 0:
                continue
            new = self._shown[j].text
            if depth is not None and len(indentation_of(new)) > depth:
                found.add(number)
            elif step is Step.INSERTED or (
                step is Step.CHANGED and not _is_other_form(self._file[i].text, new, is_lossless=is_lossless)
            ):
                depth = len(indentation_of(new))
            else:
                depth = None
        return {number for number in found if not self._is_moved(steps[number])}

    def _is_moved(self, step: tuple[Step, int, int]) -> bool:
        """Return whether a line has the same words at another depth."""
        is_changed = step[0] is Step.CHANGED
        return is_changed and self._file[step[1]].text.strip() == self._shown[step[2]].text.strip()

    def _closes(self, step: tuple[Step, int, int]) -> bool:
        return step[0] is Step.SAME and is_closing(self._file[step[1]].text)

    def _is_whole(self, steps: Path) -> bool:
        """Return whether what is shown closes all that it opens, and nothing else."""
        texts = [self._shown[j].text for _, _, j in steps if j >= 0]
        return is_balanced(texts) and self._has_whole_elements(texts)

    def _has_whole_elements(self, texts: Sequence[str]) -> bool:
        """Return whether lines have as many ends of elements as beginnings of those that have an end."""
        opened, closed = (
            Counter(tag for text in texts for tag in each.findall(text)) for each in (_OPENED, _CLOSED)
        )
        return all(opened[tag] == closed[tag] for tag in self._closed)

    def shares_an_end(self, steps: Path) -> bool:
        """Return whether a line of the file closes what is added, and something else there."""
        added = [self._shown[j].text for step, _, j in steps if step is Step.INSERTED]
        is_all_added = all(step is Step.INSERTED or self._closes((step, i, j)) for step, i, j in steps)
        return is_all_added and bool(added) and not is_balanced(added) and self._is_whole(steps)

    def takes(self, steps: Path) -> bool:
        """Return whether what is added takes a line away from a block of the file that stays."""
        return any(step is Step.SAME and self._is_taken(i, j) for step, i, j in steps)

    def _is_taken(self, i: int, j: int) -> bool:
        """Return whether the file has a line at the same depth, but in a block that a mark covers."""
        is_same = self._file[i].text == self._shown[j].text
        return is_same and _head(self._file, i) in self._kept and _head(self._shown, j) in self._added

    def _is_replaced(self, steps: Path) -> bool:
        """Return whether all that is in the block that the first line opens is something else.

        So says nothing of where it is a line that is there several times, nor one without a like line in it.
        """
        inner = self._inner(steps)
        is_other = not any(
            step is Step.SAME and not _is_end(self._file[i].text.strip()) for step, i, _ in inner
        )
        kinds = {step for step, _, _ in inner}
        is_own = self._is_own(self._file[steps[0][1]].text.strip())
        return (
            is_other
            and ({Step.DELETED, Step.INSERTED} <= kinds or Step.CHANGED in kinds)
            and not (is_own and Step.CHANGED in kinds)
        )

    def _inner(self, steps: Path) -> Path:
        """Return the steps that are in the block that the first line opens."""
        texts = [(self._shown[j] if j >= 0 else self._file[i]).text for _, i, j in steps]
        depth = len(indentation_of(texts[0]))
        end = next(
            (n for n, text in enumerate(texts) if n and len(indentation_of(text)) <= depth), len(steps)
        )
        return steps[1:end]

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
        words = [IDENTIFIER.findall(" ".join(lines)) for lines in (gone, new)]
        # In place of one line its words are as often; in place of several they may be fewer.
        lost = set(words[0]) - set(words[1]) if len(gone) > 1 else Counter(words[0]) - Counter(words[1])
        known = set(map(_branch, gone))
        return bool(gone and added) and (
            not set(lost) <= _STATEMENTS or not set(map(_branch, added)) <= {"", *known}
        )

    def may_be_new(self, new: Path, kept: Path, *, is_above: bool) -> bool:
        """Return whether what is shown can be added next to what a mark covers."""
        added, stays = [self._shown[j].text for _, _, j in new], [self._file[i].text for _, i, _ in kept]
        if not (is_balanced(added) and self._has_whole_elements(added)) or all(map(is_closing, added)):
            return False
        behind = "".join(token.text for token in self._shown[new[-1][2] + 1 :][:1])
        is_within = (
            behind.strip().startswith(_END_WORDS) and is_closing(behind) and not _is_deeper(added[0], behind)
        )
        if behind and (_is_deeper(behind, added[-1]) or is_within):
            return False
        above, below = (added[-1], stays[0]) if is_above else (stays[-1], added[0])
        is_at_depth = indentation_of(above) == indentation_of(below)
        return not (
            is_at_depth and _JUMP.match(above.strip()) and not is_closing(below) and not _branch(below)
        )

    def _is_own(self, words: str) -> bool:
        """Return whether a line is much like no other."""
        is_common = _is_end(words) or len(words) < _SHORT_LINE or _JUMP.match(words)
        return not is_common and self._counts[words] == 1


def _is_end(words: str) -> bool:
    """Return whether a line closes what others opened, and may say with what."""
    return is_closing(words) or words.startswith(CLOSES[:3])


def _head(tokens: Sequence[Token], at: int) -> int:
    """Return the nearest line above another that is less deep; -1 if there is none."""
    depth = len(indentation_of(tokens[at].text))
    rows = range(at - 1, -1, -1)
    return next((n for n in rows if tokens[n].text and len(indentation_of(tokens[n].text)) < depth), -1)


def _is_deeper(line: str, other: str) -> bool:
    """Return whether a line is deeper than another one."""
    return len(indentation_of(line)) > len(indentation_of(other))


def _is_outside(mark: str, lines: Iterable[str]) -> bool:
    """Return whether a mark is less deep than all of some lines, as what they are in is shown to its end."""
    return bool(mark) and all(_is_deeper(line, mark) for line in lines)


def _is_other_form(old: str, new: str, *, is_lossless: bool) -> bool:
    """Return whether a line is another one, changed."""
    old, new = old.strip(), new.strip()
    if _text_of(old) and _text_of(old) == _text_of(new):
        return True
    if _branch(old) != _branch(new) or _JUMP.match(old):
        return False
    if _given(old) and _given(old) == _given(new):
        return True
    return is_lossless and Counter(IDENTIFIER.findall(old)) <= Counter(IDENTIFIER.findall(new))


def _given(line: str) -> Sequence[str]:
    """Return what a line gives a value that is not made from its old one, as the only thing that it does."""
    found = _GIVING.match(line)
    name, value = (IDENTIFIER.findall(found[part]) for part in ("name", "value")) if found else ([], [])
    return (
        () if not name or name[0] in _STATEMENTS - _DECLARING or name[-1] in value else head_of(line) or name
    )


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
