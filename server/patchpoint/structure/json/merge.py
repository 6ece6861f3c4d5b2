"""Shown JSON merged into its file, by the names of the members: an object at a time, whatever their order.

A member that both have is set to the value that is shown; one that the file has not goes below the member
shown before it. What is not shown stays where a mark says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.json.scan import JsonError, Member, Shape, Value, blank_end, scan
from patchpoint.structure.lazy.definition import Assumption, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.marks import is_mark, may_be_mark

_MOST_CHARACTERS = 1_000_000


def merged_json(
    file: Sequence[str], shown: Sequence[str], assumed: Container[Assumption] = ()
) -> tuple[str, ...]:
    """Return the file's lines with the JSON merged into them that is shown.

    It may be members without the braces around them, and have comments and trailing commas; what is not shown
    is kept where it is `assumed` that it stays, and members that are all new go to the end where that is
    `assumed` of them. Raises `UnmergedError` where that is not certain, and where
    either is no JSON.
    """
    text = "\n".join(file)
    if len(text) > _MOST_CHARACTERS:
        raise UnmergedError(Unmerged.TOO_LARGE)
    try:
        own = scan(text)
    except JsonError:
        raise UnmergedError(Unmerged.LANGUAGE) from None
    given_text, given = _scanned(_with_commented_marks(shown))
    if own.shape is not Shape.OBJECT or given.shape is not Shape.OBJECT:
        raise UnmergedError(Unmerged.LANGUAGE)
    known = {member.key for member in own.members}
    if not known & {member.key for member in given.members} and Assumption.LAST not in assumed:
        raise UnmergedError(Unmerged.NO_HOME)
    merge = _Merge(text, given_text, Assumption.GAPS in assumed, Assumption.LAST in assumed)
    merge.objects(own, given)
    return tuple(merge.result().split("\n"))


@dataclass
class _Merge:
    """One merge: what is put in the place of which part of the file."""

    text: str
    given_text: str
    keeps_all: bool
    is_last: bool
    """Whether members that are all new go to the end of their object."""
    splices: list[tuple[int, int, str]] = field(default_factory=list)

    def result(self) -> str:
        """Return the file with all that was put into it."""
        text = self.text
        for start, end, new in reversed(self.splices):
            text = text[:start] + new + text[end:]
        return text

    def objects(self, own: Value, given: Value) -> None:
        """Merge what is shown of one object into that of the file."""
        for value in (own, given):
            twice = [key for key, count in Counter(each.key for each in value.members).items() if count > 1]
            if twice:
                raise UnmergedError(Unmerged.SEVERAL, twice[0])
        shown = {member.key for member in given.members}
        left = [member for member in own.members if member.key not in shown]
        if left and not self.keeps_all and not self._has_mark(given):
            raise UnmergedError(Unmerged.LOST, left[0].key)
        at: Member | None = None
        if self.is_last and own.members and shown.isdisjoint(member.key for member in own.members):
            at = own.members[-1]
        new: list[Member] = []
        changed: list[tuple[Member, Member]] = []
        inserted: list[tuple[Member | None, list[Member]]] = []
        by_key = {each.key: each for each in own.members}
        for member in given.members:
            there = by_key.get(member.key)
            if there is None:
                new.append(member)
                continue
            inserted.append((at, new))
            at, new = there, []
            changed.append((there, member))
        inserted.append((at, new))
        self.splices += [self._insertion(own, at, new) for at, new in inserted if new]
        for there, member in changed:
            self._member(there, member)
        self.splices.sort(key=lambda each: each[:2])

    def _member(self, own: Member, given: Member) -> None:
        old, new = own.value, given.value
        if old.shape is new.shape is Shape.OBJECT:
            self.objects(old, new)
            return
        if _loaded(old) == _loaded(new):
            return
        if self._has_mark_within(new):
            raise UnmergedError(Unmerged.UNCLEAR, own.key)
        if old.members or len(old.items) > len(new.items):
            raise UnmergedError(Unmerged.DELETES, own.key)
        self.splices.append((old.start, old.end, self._at_depth_of(own.start, given.start, new)))

    def _insertion(self, own: Value, at: Member | None, new: Sequence[Member]) -> tuple[int, int, str]:
        """Return where new members go, and as what: below a member, or first."""
        for member in new:
            if self._has_mark_within(member.value):
                raise UnmergedError(Unmerged.LEFT_OUT_OF_NEW, member.key)
        is_inline = "\n" not in self.text[own.start : own.end] and bool(own.members)
        depth = self._depth_within(own)
        between = " " if is_inline else f"\n{depth}"
        texts = [self._text_of(member, depth) for member in new]
        if at is None:
            if not own.members:
                around = _depth_at(self.text, own.start)
                return own.start + 1, own.end - 1, f"\n{depth}" + f",\n{depth}".join(texts) + f"\n{around}"
            return own.start + 1, own.start + 1, "".join(f"{between}{text}," for text in texts)
        comma = blank_end(self.text, at.value.end)
        if self.text[comma : comma + 1] != ",":
            return at.value.end, at.value.end, "".join(f",{between}{text}" for text in texts)
        end = comma + 1
        line = self.text.find("\n", end)
        line = len(self.text) if line < 0 else line
        if not is_inline and blank_end(self.text, end) >= line:
            end = line  # a comment behind the comma belongs to the line
        return end, end, "".join(f"{between}{text}," for text in texts)

    def _text_of(self, member: Member, depth: str) -> str:
        name = self.given_text[member.start : blank_end(self.given_text, member.value.start)]
        value = self.given_text[member.value.start : member.value.end]
        return name + self._shifted(value, _depth_at(self.given_text, member.start), depth)

    def _at_depth_of(self, own: int, given: int, value: Value) -> str:
        """Return a shown value with its lines at the depth of the file's."""
        depths = _depth_at(self.given_text, given), _depth_at(self.text, own)
        return self._shifted(self.given_text[value.start : value.end], *depths)

    def _shifted(self, value: str, have: str, wanted: str) -> str:
        """Return a value of several lines with the units of the file."""
        first, *rest = value.split("\n")
        unit, own = _unit(self.given_text), _unit(self.text)
        lines = [first]
        for line in rest:
            deeper = indentation_of(line).removeprefix(have)
            levels = len(deeper) // len(unit) if deeper.strip(unit) == "" else 0
            lines.append(wanted + (own * levels if levels else deeper) + line.lstrip(" \t"))
        return "\n".join(lines)

    def _depth_within(self, own: Value) -> str:
        """Return the indentation of the members of an object."""
        if own.members:
            return _depth_at(self.text, own.members[0].start)
        return _depth_at(self.text, own.start) + _unit(self.text)

    def _has_mark(self, given: Value) -> bool:
        """Return whether there is a mark among the members of an object."""
        return any(map(is_mark, self._remarks(given)))

    def _has_mark_within(self, given: Value) -> bool:
        lines = self.given_text[given.start : given.end].split("\n")
        return any(is_mark(line) or (may_be_mark(line) and line.lstrip()[:1] == "/") for line in lines)

    def _remarks(self, given: Value) -> Iterator[str]:
        """Yield the lines between the members of an object."""
        ends = [given.start + 1, *(member.value.end for member in given.members)]
        starts = [*(member.start for member in given.members), given.end - 1]
        for end, start in zip(ends, starts, strict=True):
            yield from (part.strip(" \t,") for part in self.given_text[end:start].split("\n"))


def _depth_at(text: str, offset: int) -> str:
    """Return the indentation of the line of an offset."""
    return indentation_of(text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0])


def _scanned(shown: Sequence[str]) -> tuple[str, Value]:
    """Return the text of shown JSON, with braces around it where it has none, and its value."""
    text = "\n".join(shown)
    for each in (text, "{\n" + text + "\n}"):
        try:
            return each, scan(each)
        except JsonError:
            continue
    raise UnmergedError(Unmerged.LANGUAGE)


def _with_commented_marks(shown: Sequence[str]) -> list[str]:
    """Return shown lines with marks such as `...` as comments, which JSON with comments may have."""
    return [
        f"{indentation_of(line)}// ..."
        if is_mark(line.rstrip(" \t,")) and not line.lstrip().startswith(("//", "/*"))
        else line
        for line in shown
    ]


@lru_cache(maxsize=8)
def _unit(text: str) -> str:
    """Return the indentation of the first line that has one; two blanks for a text without."""
    return next((indentation_of(line) for line in text.split("\n") if line[:1] in (" ", "\t")), "  ")


def _loaded(value: Value) -> object:
    """Return a value without its places."""
    if value.shape is Shape.OBJECT:
        return value.shape, [(member.key, _loaded(member.value)) for member in value.members]
    if value.shape is Shape.LIST:
        return value.shape, [_loaded(item) for item in value.items]
    return type(value.scalar), value.scalar
