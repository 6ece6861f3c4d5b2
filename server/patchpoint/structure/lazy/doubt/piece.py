"""What makes one reading of what is between two pairs doubtful.

Lines that would be added may be the file's own, and something new may have no place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_closing
from patchpoint.structure.lazy.bindings import names_of_members
from patchpoint.structure.lazy.definition import CodeText, Definition, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.doubt.omission import Steps, may_omit, stretches
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR
from patchpoint.text.regex import regex

_SHORT_LINE_OF_DATA = 3
_EACH = 2
_VALUE = regex(r"\d+|\"[^\"]*\"|'[^']*'")
"""What is another one where a value changes."""
_GOES_ON = tuple("([{,=\\+")
"""What a line ends with that another one goes on."""
_SHORT_LINE = 7
"""A line of so few characters is much like others."""


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
        is_open = _is_loose(self.path, self.file)
        is_open = is_open or (not self.is_new and _may_be_moved(self.path, self.file, self.shown))
        if is_open or _begins_differently(self.file, self.shown, self.path):
            raise UnmergedError(Unmerged.UNCLEAR)
        if may_omit(self._steps(), self.text.syntax):
            places = () if self.level.is_text else (self.level,)
            raise UnmergedError(Unmerged.DELETES, self.level.name, places)
        if self._may_rename() or (not self.is_new and self._is_elsewhere()):
            raise UnmergedError(Unmerged.UNCLEAR)
        self._require_no_namesake()
        self._require_members()
        self._require_whole_members()
        if not self.is_new:
            self._require_new()
        _require_no_twin(self.file, self.path)

    def _may_rename(self) -> bool:
        """Return whether a head takes the place of one that has another name, next to a mark.

        It may as well be new, and the mark cover the other one.
        """
        near = {Kind.MARK, Kind.IMPLIED}
        for step, i, j in self.path:
            around = self.shown[max(0, j - 1) : j + 2]
            if step is Step.CHANGED and any(token.kind in near for token in around):
                old, _ = header_name(self.file[i].text, self.text.syntax)
                new, _ = header_name(self.shown[j].text, self.text.syntax)
                if old and new and old != new:
                    return True
        return False

    def _require_no_namesake(self) -> None:
        """Raise `UnmergedError` where a field, property or key would be added that the level has already."""
        level, file, shown = self.level, self.file, self.shown
        given = names_of_members(self.text, level, shown)
        added = {given[j] for step, _, j in self.path if step is Step.INSERTED} - {""}
        new = {name for name in added if given.count(name) == 1}
        if level.is_text or not new:
            return
        gone = {file[i].first for step, i, _ in self.path if step in (Step.DELETED, Step.CHANGED)}
        rows = (row for row in range(level.start + 1, level.end) if row not in gone)
        lines = [Token(Kind.LINE, self.text.lines[row]) for row in rows]
        twice = new & set(names_of_members(self.text, level, lines))
        if twice:
            raise UnmergedError(Unmerged.DOUBLED, min(twice))

    def _require_members(self) -> None:
        """Raise `UnmergedError` where a member of the file would go next to marks that may stand for it."""
        if not any(token.kind is Kind.MARK for token in self.shown):
            return
        names, given = (names_of_members(self.text, self.level, each) for each in (self.file, self.shown))
        gone = {names[i] for step, i, _ in self.path if step is Step.DELETED} - {""}
        if not gone <= set(given):
            raise UnmergedError(
                Unmerged.UNCLEAR, self.level.name, () if self.level.is_text else (self.level,)
            )

    def _require_whole_members(self) -> None:
        """Raise `UnmergedError` where the first line of a member gives way, and the rest of it would stay."""
        own = [each for each in self.path if each[1] >= 0]
        for (step, i, j), (after, k, _) in pairwise(own):
            is_whole = step is Step.CHANGED and self.shown[j].name and after is Step.KEPT
            if is_whole and not self.shown[j].text.rstrip().endswith(_GOES_ON):
                old, rest = (indentation_of(self.file[n].text) for n in (i, k))
                if self.file[k].kind is Kind.LINE and len(rest) > len(old):
                    raise UnmergedError(Unmerged.UNCLEAR)

    def _is_elsewhere(self) -> bool:
        """Return whether lines give way to one that is at its depth elsewhere in the level, once, and stays.

        It is that line which is shown, and not another version of those: what a quoted line says of its place
        (`patchpoint.locate.evidence.guards`), a shown one says, too.
        """
        changes = [each for each in stretches(self._steps()) if each.gone and each.new]
        gone = {line.strip() for change in changes for line in change.gone}
        shown = Counter(token.text.strip() for token in self.shown if token.kind is Kind.LINE)
        lines, level = self.text.lines, self.level
        named = {token.text for token in self.shown if token.name}
        for line in (line for change in changes for line in change.new):
            row = self.text.only_row(line.strip())
            if row is None or line in named or line.strip() in gone or shown[line.strip()] > 1:
                continue
            depth = indentation_of(lines[row])
            is_in = level.start <= row < level.end
            if is_in and any(indentation_of(other) == depth for change in changes for other in change.gone):
                return True
        return False

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

    def _require_new(self) -> None:
        """Raise `UnmergedError` where a line would be added that the file has already."""
        level, file, shown, path = self.level, self.file, self.shown, self.path
        short = _SHORT_LINE_OF_DATA if self.text.syntax.is_data else _SHORT_LINE
        for step, _, j in path:
            is_last = j + 1 == len(shown) or shown[j + 1].kind in (Kind.MARK, Kind.IMPLIED)
            if step is Step.INSERTED and is_last and DECORATOR.match(shown[j].text):
                raise UnmergedError(Unmerged.UNCLEAR)
            is_end = j > 0 and shown[j - 1].kind is Kind.MARK and is_closing(shown[j].text)
            if step is Step.INSERTED and is_end and self.text.syntax.is_data:
                # the end of what the mark covers, which is not there twice
                raise UnmergedError(Unmerged.UNCLEAR)
        open_ = _unbounded(file, path)
        lines = [shown[j].text.strip() for step, _, j in path if step is Step.INSERTED and j in open_]
        self._require_no_copy(lines, short)
        for step, _, j in path:
            next_to_mark = any(token.kind is Kind.MARK for token in shown[max(0, j - 1) : j + 2])
            is_known = step is Step.INSERTED and self.text.has_line_outside(level, shown[j].text)
            if is_known and next_to_mark and len(shown[j].text.strip()) > short:
                raise UnmergedError(Unmerged.UNCLEAR)
        added = [
            shown[j]
            for step, i, j in path
            if step is Step.INSERTED
            or (step is Step.CHANGED and file[i].text.strip() != shown[j].text.strip())
        ]
        added = [token for token in added if token.kind is Kind.LINE and not token.name]
        depth = 0 if level.is_text else len(indentation_of(self.text.lines[level.start]))
        if any(len(indentation_of(token.text)) < depth for token in added if is_closing(token.text)):
            raise UnmergedError(Unmerged.UNCLEAR)
        rows = {shown[j].first for j in open_}
        added = [token for token in added if not is_closing(token.text) and token.first in rows]
        kept = [file[i] for step, i, _ in path if step is Step.KEPT]
        every = self.text.lines
        known = {every[row].rstrip() for block in kept for row in range(block.first, block.end)}
        self._require_no_other_value(added, known)
        for token in added:
            words = token.text.strip()
            if (
                token.text in known
                or self.text.has_words_outside(self.around, words)
                or (self.text.has_words_outside(level, words) and header_name(words, self.text.syntax)[0])
            ):
                raise UnmergedError(Unmerged.UNCLEAR)

    def _require_no_other_value(self, added: Sequence[Token], kept: AbstractSet[str]) -> None:
        """Raise `UnmergedError` where a line next to a mark has another value than one that would stay.

        The mark may as well be for what is around that line.
        """
        marks = {Kind.MARK, Kind.IMPLIED}
        near = {
            token.first
            for pair in pairwise(self.shown)
            if marks & {each.kind for each in pair}
            for token in pair
        }
        forms = {_VALUE.sub("0", line) for line in kept}
        lines = (token.text.rstrip() for token in added if token.first in near)
        if any((form := _VALUE.sub("0", line)) != line and form in forms for line in lines):
            raise UnmergedError(Unmerged.UNCLEAR)

    def _require_no_copy(self, added: Sequence[str], short: int) -> None:
        """Raise `UnmergedError` where lines would be added that follow each other elsewhere."""
        for pair in pairwise(added):
            is_long = all(len(line) > short and not is_closing(line) for line in pair)
            if is_long and self.text.has_pair_outside(self.level, pair):
                raise UnmergedError(Unmerged.UNCLEAR)

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
        and not shown[1].name
        and shown[1].kind is Kind.LINE
        and any(file[i].kind is Kind.LINE for i in covered)
    )


def _may_be_moved(path: Path, file: Sequence[Token], shown: Sequence[Token]) -> bool:
    """Return whether a line would be added that is the nearest one which a mark covers, too.

    It may have been shown at another place in its order.
    """
    for steps in (path, path[::-1]):
        nearest = ""
        for step, i, j in steps:
            if step is Step.KEPT:
                nearest = file[i].text
            elif step is Step.INSERTED and nearest == shown[j].text and not is_closing(nearest):
                return True
    return False


def _is_loose(path: Path, file: Sequence[Token]) -> bool:
    """Return whether a line next to a mark is in the file again behind what is replaced next to it.

    The mark may as well end, or begin, there, and what is shown be new.
    """
    for steps in (path, path[::-1]):
        same: set[str] | None = None
        is_gone = False
        for step, i, _ in steps:
            if step is Step.KEPT:
                same, is_gone = set(), False
            elif step is Step.SAME and same is not None:
                if is_gone and file[i].text in same and not is_closing(file[i].text):
                    return True
                same = None if is_gone else {*same, file[i].text}
            elif same is not None:
                is_gone = is_gone or step is Step.DELETED
    return False


def _unbounded(file: Sequence[Token], path: Path) -> set[int]:
    """Return the shown tokens of a reading that are new and not between two lines of the file."""
    found: set[int] = set()
    run: list[int] = []
    before = ""
    for step, i, j in [*path, (Step.KEPT, -1, -1)]:
        if step in (Step.INSERTED, Step.CHANGED):
            run.append(j)
        elif step is not Step.DELETED:
            after = file[i].text if step is Step.SAME else ""
            if not (before and after) or (is_closing(before) and is_closing(after)):
                found.update(run)
            run, before = [], after
    return found


def _require_no_twin(file: Sequence[Token], path: Path) -> None:
    """Raise `UnmergedError` where one of several like entries may be replaced by another that is new."""
    counts = Counter(token.text for token in file)
    same: list[str] = []
    is_deleted = False
    for step, i, _ in path:
        if step is Step.KEPT:
            same, is_deleted = [], False
        elif step is Step.SAME and is_deleted and not is_closing(file[i].text):
            same.append(file[i].text)
        elif step is Step.DELETED:
            if same and all(counts[text] > 1 for text in same):
                raise UnmergedError(Unmerged.UNCLEAR)
            same, is_deleted = [], True
        elif step is Step.CHANGED:
            same = []
