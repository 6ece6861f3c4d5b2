"""What makes one reading of what is between two pairs doubtful.

Lines that would be added may be the file's own, and something new may have no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_closing
from patchpoint.structure.lazy.bindings import names_of_members
from patchpoint.structure.lazy.definition import CodeText, Definition, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.doubt.covered import JUMP
from patchpoint.structure.lazy.doubt.omission import Steps, may_omit, stretches
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR
from patchpoint.text.regex import regex

_EACH = 2
_SHORT = 7
"""A line of so few characters is much like others."""
_VALUE = regex(r"\d+|\"[^\"]*\"|'[^']*'")
"""What is another one where a value changes."""


@dataclass(frozen=True)
class Piece:
    """What is between two pairs of definitions: its tokens, and a reading of them."""

    text: CodeText
    """The whole file."""
    level: Definition
    """The definition of the file that it is in."""
    around: Definition
    """The definition of the file whose members are shown."""
    file: Sequence[Token]
    shown: Sequence[Token]
    path: Path
    edges: tuple[bool, bool]
    """Whether a definition of the file that is shown, too, comes right before and right after."""
    is_new: bool = False
    """Whether it is assumed that what is shown is new, although the file has lines of it."""

    def require_certain(self) -> None:
        """Raise `UnmergedError` where the reading is doubtful."""
        if _begins_differently(self.file, self.shown, self.path):
            raise UnmergedError(Unmerged.UNCLEAR)
        if may_omit(self._steps(), self.text.syntax):
            places = () if self.level.is_text else (self.level,)
            raise UnmergedError(Unmerged.DELETES, self.level.name, places)
        if self._may_rename() or self._splits_members() or (not self.is_new and self._adds_what_is_there()):
            raise UnmergedError(
                Unmerged.UNCLEAR, self.level.name, () if self.level.is_text else (self.level,)
            )

    def _may_rename(self) -> bool:
        """Return whether a head takes the place of one with another name next to a mark, and may be new."""
        syntax = self.text.syntax
        for step, i, j in self.path:
            if step is Step.CHANGED and self._is_near(j):
                old, new = (
                    header_name(self.file[i].text, syntax)[0],
                    header_name(self.shown[j].text, syntax)[0],
                )
                if old and new and old != new:
                    return True
        return False

    def _adds_what_is_there(self) -> bool:
        """Return whether a line would be added that the file has already, and that stays."""
        level, text, path = self.level, self.text, self.path
        gone = {self.file[i].first for step, i, _ in path if step in (Step.DELETED, Step.CHANGED)}
        given = names_of_members(text, level, self.shown)
        covered = [self.file[i] for step, i, _ in path if step is Step.KEPT]
        for at, j in ((at, j) for at, (step, _, j) in enumerate(path) if step is Step.INSERTED):
            line = self.shown[j].text
            others = (
                next((i for step, i, _ in each if step is Step.KEPT), -1)
                for each in (path[at::-1], path[at:])
            )
            nearest = [self.file[i].text for i in others if i >= 0]
            is_kept = line in nearest and not (is_closing(line) or JUMP.match(line.strip()))
            is_end = is_closing(line) and text.syntax.is_data and self.shown[j - 1].kind is Kind.MARK
            is_member = bool(given[j]) and given.count(given[j]) == 1 and given[j] in self._members(gone)
            is_lead = self._is_near(j + 1) and DECORATOR.match(line) is not None
            is_other = self._is_near(j) and len(line.strip()) > _SHORT and text.has_line_outside(level, line)
            if is_kept or is_end or is_member or is_lead or is_other:
                return True
        kept = {text.lines[row].rstrip() for token in covered for row in range(token.first, token.end)}
        forms = {_VALUE.sub("0", line) for line in kept}
        for j, is_between in self._added():
            token, words = self.shown[j], self.shown[j].text.strip()
            depth = len(indentation_of(token.text))
            if is_between:
                row = text.only_row(words)
                is_in = row is not None and row not in gone and level.start <= row < level.end
                if is_in and row is not None and text.depth(row) == depth:
                    return True
            elif is_closing(words):
                if not level.is_text and depth < text.depth(level.start):
                    return True
            else:
                is_value = self._is_near(j) and _VALUE.sub("0", token.text) in forms - {token.text}
                if is_value or token.text in kept or text.has_words_outside(self.around, words):
                    return True
        return False

    def _is_near(self, j: int) -> bool:
        """Return whether a shown token is next to a mark."""
        around = self.shown[max(0, j - 1) : j + 2]
        return j == len(self.shown) or any(token.kind in (Kind.MARK, Kind.IMPLIED) for token in around)

    def _added(self) -> Iterator[tuple[int, bool]]:
        """Yield the shown lines that are new, and whether they are between two lines that stay.

        Between such lines, those are left out that no others give way to.
        """
        run: list[int] = []
        above, is_for_others = "", False
        for step, i, j in [*self.path, (Step.KEPT, -1, -1)]:
            is_moved = step is Step.CHANGED and self.file[i].text.strip() == self.shown[j].text.strip()
            if step is Step.INSERTED or (step is Step.CHANGED and not is_moved):
                token = self.shown[j]
                run += [j] if token.kind is Kind.LINE else []
            if step in (Step.DELETED, Step.CHANGED):
                is_for_others = True
            elif step is not Step.INSERTED:
                below = self.file[i].text if step is Step.SAME else ""
                is_between = bool(above and below) and not (is_closing(above) and is_closing(below))
                yield from ((each, is_between) for each in run if is_for_others or not is_between)
                run, above, is_for_others = [], below, False

    def _members(self, gone: AbstractSet[int]) -> list[str]:
        """Return the names of the members that a definition has, but for what is gone."""
        rows = (row for row in range(self.level.start + 1, self.level.end) if row not in gone)
        lines = [Token(Kind.LINE, self.text.lines[row]) for row in rows]
        return names_of_members(self.text, self.level, lines) if not self.level.is_text else []

    def _splits_members(self) -> bool:
        """Return whether a member gives way where marks may stand for it."""
        if not any(token.kind is Kind.MARK for token in self.shown):
            return False
        names, given = (names_of_members(self.text, self.level, each) for each in (self.file, self.shown))
        gone = (names[i] for step, i, _ in self.path if step is Step.DELETED)
        return any(name and name not in given for name in gone)

    def _steps(self) -> Steps:
        file, shown = self.file, self.shown
        return [
            (None, None)
            if step is Step.KEPT
            else (file[i].text if i >= 0 else None, shown[j].text if j >= 0 else None)
            for step, i, j in self.path
        ]

    def lacks_members(self) -> bool:
        """Return whether lines right within a class are gone with nothing in their place."""
        if self.level.is_text or not self.level.is_container:
            return False
        return any(
            stretch.gone and not stretch.new and not all(is_closing(line) for line in stretch.gone)
            for stretch in stretches(self._steps())
        )

    def tells_place(self) -> bool:
        """Return whether something new is next to what tells its place, if definitions are left out there.

        That is a definition of the file, or a line but for those that a class or file begins with and
        the last of a class.
        """
        kept = [i for step, i, _ in self.path if step is Step.KEPT and self.file[i].kind is Kind.BLOCK]
        if not kept:
            return True
        shown, path, edges = self.shown, self.path, self.edges
        new = {j for step, _, j in path if step is Step.INSERTED and shown[j].kind is Kind.BLOCK}
        opening = 0
        while not edges[0] and opening < len(shown) and shown[opening].kind in (Kind.LINE, Kind.IMPLIED):
            opening += 1
        for j in new:
            low, high = j, j
            while low in new:
                low -= 1
            while high in new:
                high += 1
            above = shown[low].kind if low >= 0 else None
            below = shown[high].kind if high < len(shown) else None
            if above is Kind.MARK and below is Kind.MARK and len(kept) == _EACH:
                continue  # the only place at which each mark covers one
            is_below = below is Kind.LINE and not is_closing(shown[high].text)
            if not (
                (edges[0] if above is None else above is Kind.LINE and low >= opening)
                or (edges[1] if below is None else is_below)
            ):
                return False
        return True


def _begins_differently(file: Sequence[Token], shown: Sequence[Token], path: Path) -> bool:
    """Return whether a text without a mark at its beginning begins with what the file does not have.

    It may take the place of the lines above, or go below them.
    """
    if shown[0].kind is not Kind.IMPLIED:
        return False
    covered = [i for step, i, j in path if step is Step.KEPT and j == 0]
    first = next((step for step, _, j in path if j == 1), None)
    return (
        first is not Step.SAME
        and shown[1].kind is Kind.LINE
        and any(file[i].kind is Kind.LINE for i in covered)
    )
