"""What the full screen of a review shows: the head, the list of files, and the rows of one file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from patchpoint.cli.screen.paint import PaintedLine, fitted, painted
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.review.rows import Row, RowKind, rows_of
from patchpoint.review.sitting import UNDECIDED, Sitting
from patchpoint.text.shown import visible_line

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

Handled = Callable[[MouseEvent], "NotImplementedOrNone"]

_MARKS = {Decision.KEEP: ("class:kept", "✓"), Decision.TAKE_BACK: ("class:back", "↩")}
_WIDEST_LIST = 40
_NARROWEST = 100
"""Columns of a terminal that has room for the list of files."""
_MORE = 12
"""Lines that are shown more at each end of a fold that is opened."""
_WHOLE = 1_000_000
"""More lines than any change has."""


class View:
    """The part of a sitting that is on the screen: how far it is scrolled, and which folds are open."""

    def __init__(self) -> None:
        self.top = 0
        """The first line of the file's that is on the screen."""
        self._opened: dict[str, dict[int, int]] = {}
        self._painted: dict[tuple[str, int], tuple[tuple[Row, ...], tuple[PaintedLine, ...]]] = {}

    def forget(self) -> None:
        """Forget the files, because they are others now."""
        self._painted.clear()
        self._opened.clear()

    def lines(self, sitting: Sitting, width: int) -> tuple[tuple[Row, ...], tuple[PaintedLine, ...]]:
        """Return the rows of the file that is looked at, and the lines that they are in so many columns."""
        change = sitting.change
        key = (change.file.path, width)
        if key not in self._painted:
            rows = rows_of(change.file, self._opened.get(change.file.path))
            # The bar and the mark are before each line.
            self._painted[key] = rows, painted(change.file, rows, width - 2)
        return self._painted[key]

    def show_change(self, sitting: Sitting, height: int, width: int) -> None:
        """Scroll so that the change that is looked at is seen, with what is above it."""
        _, lines = self.lines(sitting, width)
        places = [at for at, line in enumerate(lines) if line.hunk == sitting.change.hunk.id]
        if places:
            above = max(min(height - (places[-1] - places[0] + 1), height // 3), 0)
            self.top = max(min(places[0] - above, len(lines) - height), 0) if above else places[0]

    def show_row(self, sitting: Sitting, row: int, height: int, width: int) -> None:
        """Scroll so that a row is seen, if it is not."""
        _, lines = self.lines(sitting, width)
        places = [at for at, line in enumerate(lines) if line.row == row]
        if places and places[0] < self.top:
            self.top = places[0]
        elif places and places[-1] >= self.top + height:
            self.top = places[-1] - height + 1

    def scroll(self, sitting: Sitting, by: int, height: int, width: int) -> None:
        """Scroll by so many lines, as far as there are any."""
        _, lines = self.lines(sitting, width)
        self.top = max(0, min(self.top + by, len(lines) - height))

    def open_around(self, sitting: Sitting, width: int) -> bool:
        """Show more of the file around the change that is looked at; return whether there was more."""
        rows, _ = self.lines(sitting, width)
        current = sitting.change.hunk.id
        places = [at for at, row in enumerate(rows) if row.hunk == current]
        folds = [at for at, row in enumerate(rows) if row.kind is RowKind.FOLD]
        near = {max((at for at in folds if at < places[0]), default=None)}
        near |= {min((at for at in folds if at > places[-1]), default=None)}
        near |= {at for at in folds if rows[at].hunk == current}
        for at in near - {None}:
            assert at is not None
            self.open(sitting, rows[at])
        return bool(near - {None})

    def open(self, sitting: Sitting, fold: Row) -> None:
        """Show more of what a fold of the file that is looked at hides."""
        path = sitting.change.file.path
        opened = self._opened.setdefault(path, {})
        opened[fold.fold] = opened.get(fold.fold, 0) + (_WHOLE if fold.hunk else _MORE)
        self._painted = {key: made for key, made in self._painted.items() if key[0] != path}

    def rows_text(
        self,
        sitting: Sitting,
        height: int,
        width: int,
        chosen: Collection[int],
        clicked: Callable[[PaintedLine, Row], Handled],
    ) -> StyleAndTextTuples:
        """Return the lines on the screen; the rows that are `chosen` stand out."""
        rows, lines = self.lines(sitting, width)
        current = sitting.change.hunk.id
        verdicts = {one.hunk.id: sitting.verdict(one.hunk) for one in sitting.in_file(sitting.change.file)}
        self.top = max(0, min(self.top, len(lines) - 1))
        found: StyleAndTextTuples = []
        for at in range(self.top, min(self.top + height, len(lines))):
            line = lines[at]
            verdict = verdicts.get(line.hunk, UNDECIDED)
            begins = bool(line.hunk) and (at == 0 or lines[at - 1].hunk != line.hunk)
            mark = _MARKS.get(verdict.decision, ("", " ")) if begins else ("", " ")
            bar = ("class:bar", "▌") if line.hunk == current else ("", " ")
            picked = " class:chosen" if line.row in chosen else ""
            handled = clicked(line, rows[line.row])
            found += [(style, text, handled) for style, text in (bar, mark)]
            found += [(style + picked, text, handled) for style, text in line.fragments]
            if begins and sitting.change.file.risks.get(line.hunk) is Risk.UNPARSABLE:
                found.append(("class:risk", f"  {NO_LONGER_PARSES}", handled))
            if begins and verdict.because:
                found.append(("class:because", f"  {visible_line(verdict.because)}", handled))
            found.append(("", "\n", handled))
        return found


def list_columns(sitting: Sitting, columns: int) -> int:
    """Return how wide the list of files is in a terminal of so many columns; 0 where there is none."""
    paths = {visible_line(file.path_now) for file in sitting.files}
    if columns < _NARROWEST or len(paths) == 1:
        return 0
    return min(max(map(len, paths)) + 9, _WIDEST_LIST, columns // 3)


def files_text(
    sitting: Sitting, height: int, width: int, clicked: Callable[[str], Handled]
) -> StyleAndTextTuples:
    """Return the list of files around the one that is looked at; a click gives the id of a change."""
    first = max(0, min(sitting.files.index(sitting.change.file) - height // 2, len(sitting.files) - height))
    found: StyleAndTextTuples = []
    for file in sitting.files[first : first + height]:
        changes = sitting.in_file(file)
        done = sum(1 for one in changes if not sitting.is_open(one))
        count = f" {done}/{len(changes)} "
        mark = "✓" if done == len(changes) else "!" if file.risk is Risk.UNPARSABLE else " "
        line = f"{mark} {fitted(visible_line(file.path_now), width - len(count) - 2)}"
        text = f"{line}{' ' * max(width - len(line) - len(count), 0)}{count}\n"
        style = "class:file.current" if file is sitting.change.file else "class:file"
        found.append((style, text, clicked(changes[0].hunk.id)))
    return found


def head_text(sitting: Sitting, columns: int) -> StyleAndTextTuples:
    """Return where one is, and what is decided, as the first line of the screen."""
    change = sitting.change
    counts = ", ".join(
        f"{word} {sitting.count(decision)}"
        for word, decision in (
            ("kept", Decision.KEEP),
            ("to revert", Decision.TAKE_BACK),
            ("undecided", Decision.OPEN),
        )
    )
    file = f"file {sitting.files.index(sitting.change.file) + 1} of {len(sitting.files)}"
    words = f" {sitting.at + 1} of {len(sitting.changes)} · {file} · {counts}"
    room = columns - len(words) - 4
    path = fitted(visible_line(change.file.path_now), room) if room > len("…/path") else ""
    return [("class:head", words), ("class:head bold", f"  {path}")]


def on_click(act: Callable[[], None]) -> Handled:
    """Return what calls `act` when a button of the mouse is released."""

    def handled(event: MouseEvent) -> NotImplementedOrNone:
        if event.event_type is MouseEventType.MOUSE_UP:
            act()
            return None
        return NotImplemented

    return handled
