"""Shown JSON merged into its file, by the names of the members: an object at a time, whatever their order.

A member that both have is set to the value that is shown; one that the file has not goes below the member
shown before it. What is not shown stays where a mark says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from functools import lru_cache

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.json.scan import JsonError, Member, Shape, Value, blank_end, scan
from patchpoint.structure.lazy.definition import Assumption, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.marks import is_left_out, is_mark, may_be_mark
from patchpoint.text.splice import Splice, apply_splices

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
    given_text, given = scanned(_with_commented_marks(shown, is_any=Assumption.GAPS in assumed))
    if own.shape is not Shape.OBJECT or given.shape is not Shape.OBJECT:
        raise UnmergedError(Unmerged.LANGUAGE)
    known = {member.key for member in own.members}
    if not known & {member.key for member in given.members} and Assumption.LAST not in assumed:
        raise UnmergedError(Unmerged.NO_HOME)
    merge = _Merge(text, given_text, Assumption.GAPS in assumed)
    merge.objects(own, given)
    splices = sorted(merge.splices, key=lambda splice: (splice.start, splice.end))
    return tuple(apply_splices(text, splices).split("\n"))


def with_new_members(
    file: Sequence[str], shown: Sequence[str], names: Container[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the one object of a file that has one of some names, and the lines with new members at its end.

    The name is empty where that is not one, or has a member that is shown, or where either is no JSON.
    """
    try:
        own, (text, given) = scan("\n".join(file)), scanned(shown)
        homes = [each for each in own.members if each.value.shape is Shape.OBJECT and each.key in names]
        known = {each.key for home in homes for each in home.value.members}
        if len(homes) != 1 or not known.isdisjoint(each.key for each in given.members):
            return "", ()
        bare = text[given.start + 1 : given.end - 1].strip("\n")
        wrapped = f'"{homes[0].key}": {{\n{bare}\n}}'.split("\n")
        return homes[0].key, merged_json(file, wrapped, (Assumption.GAPS, Assumption.LAST))
    except (JsonError, UnmergedError):
        return "", ()


@dataclass(frozen=True)
class _Merge:
    """One merge: what is put in the place of which part of the file."""

    text: str
    given_text: str
    keeps_all: bool
    splices: list[Splice] = field(default_factory=list)

    def objects(self, own: Value, given: Value) -> None:
        """Merge what is shown of one object into that of the file."""
        for value in (own, given):
            twice = [key for key, count in Counter(each.key for each in value.members).items() if count > 1]
            if twice:
                raise UnmergedError(Unmerged.SEVERAL, twice[0])
        shown = {member.key for member in given.members}
        left = [member for member in own.members if member.key not in shown]
        between = self._between(given)
        if left and not self.keeps_all and not any(map(is_mark, between)):
            raise UnmergedError(Unmerged.LOST, left[0].key)
        by_key = {each.key: each for each in own.members}
        # what is all new is below a mark of the others, or without one below what is there
        is_last = own.members and by_key.keys().isdisjoint(shown) and not is_mark(between[-1])
        at = own.members[-1] if is_last else None
        new: list[Member] = []
        for member in given.members:
            there = by_key.get(member.key)
            if there is None:
                new.append(member)
                continue
            self._insert(own, at, new)
            at, new = there, []
            self._set(there, member)
        self._insert(own, at, new)

    def _set(self, own: Member, given: Member) -> None:
        """Set a member of the file to the value that is shown."""
        old, new = own.value, given.value
        if old.shape is new.shape is Shape.OBJECT:
            self.objects(old, new)
        elif old != new:
            self._require_all(given, Unmerged.UNCLEAR)
            if old.members or len(old.items) > len(new.items):
                raise UnmergedError(Unmerged.DELETES, own.key)
            shown = self._at_depth(given, _depth_at(self.text, own.start))
            self.splices.append(Splice(old.start, old.end, shown))

    def _insert(self, own: Value, at: Member | None, new: Sequence[Member]) -> None:
        """Put new members into an object: below a member, or first."""
        if not new:
            return
        text = self.text
        is_inline = "\n" not in text[own.start : own.end] and bool(own.members)
        around = _depth_at(text, own.start)
        depth = _depth_at(text, own.members[0].start) if own.members else around + _unit(text)
        texts: list[str] = []
        for one in new:
            self._require_all(one, Unmerged.LEFT_OUT_OF_NEW)
            name = self.given_text[one.start : blank_end(self.given_text, one.value.start)]
            texts.append(f"{' ' if is_inline else chr(10) + depth}{name}{self._at_depth(one, depth)}")
        if not own.members:
            self.splices.append(Splice(own.start + 1, own.end - 1, f"{','.join(texts)}\n{around}"))
            return
        start = own.start + 1 if at is None else at.value.end
        comma = blank_end(text, start)
        if at is not None and text[comma : comma + 1] != ",":
            self.splices.append(Splice(start, start, "".join(f",{each}" for each in texts)))
            return
        if at is not None:
            start = comma + 1
            line = text.find("\n", start)
            if not is_inline and 0 <= line <= blank_end(text, start):
                start = line  # a comment behind the comma belongs to the line
        self.splices.append(Splice(start, start, "".join(f"{each}," for each in texts)))

    def _at_depth(self, given: Member, wanted: str) -> str:
        """Return the value of a shown member, its lines below a depth of the file and in its units."""
        have = _depth_at(self.given_text, given.start)
        first, *rest = self.given_text[given.value.start : given.value.end].split("\n")
        unit, own = _unit(self.given_text), _unit(self.text)
        deeper = [indentation_of(line).removeprefix(have).replace(unit, own) for line in rest]
        lines = [wanted + deep + line.lstrip(" \t") for deep, line in zip(deeper, rest, strict=True)]
        return "\n".join([first, *lines])

    def _require_all(self, given: Member, reason: Unmerged) -> None:
        """Raise `UnmergedError` for a value that marks leave something out of."""
        lines = self.given_text[given.value.start : given.value.end].split("\n")
        if any(is_mark(line) or (may_be_mark(line) and line.lstrip()[:1] == "/") for line in lines):
            raise UnmergedError(reason, given.key)

    def _between(self, given: Value) -> list[str]:
        """Return what is between the members of an object, the last being what is below a mark or them."""
        ends = [given.start + 1, *(member.value.end for member in given.members)]
        starts = [*(member.start for member in given.members), given.end - 1]
        spans = zip(ends, starts, strict=True)
        parts = [
            [part.strip(" \t,") for part in self.given_text[end:start].split("\n")] for end, start in spans
        ]
        found = [next(filter(is_mark, part), "") for part in parts]
        return found if given.members else [*found, ""]


def _depth_at(text: str, offset: int) -> str:
    """Return the indentation of the line of an offset."""
    return indentation_of(text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0])


def scanned(shown: Sequence[str]) -> tuple[str, Value]:
    """Return the text of shown JSON, with braces around it where it has none, and its value.

    Raises `UnmergedError` where it is no JSON.
    """
    text = "\n".join(shown)
    for each in (text, "{\n" + text + "\n}"):
        try:
            return each, scan(each)
        except JsonError:
            continue
    raise UnmergedError(Unmerged.LANGUAGE)


def _with_commented_marks(shown: Sequence[str], *, is_any: bool) -> list[str]:
    """Return shown lines with marks such as `...` as comments, which JSON with comments may have.

    With `is_any`, each comment that begins with dots is one, whatever it says.
    """
    return [
        f"{indentation_of(line)}// ..."
        if (is_any and is_left_out(line))
        or (is_mark(line.rstrip(" \t,")) and not line.lstrip().startswith(("//", "/*")))
        else line
        for line in shown
    ]


@lru_cache(maxsize=8)
def _unit(text: str) -> str:
    """Return the indentation of the first line that has one; two blanks for a text without."""
    return next((indentation_of(line) for line in text.split("\n") if line[:1] in (" ", "\t")), "  ")
