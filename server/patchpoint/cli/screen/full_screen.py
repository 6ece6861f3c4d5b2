"""A review on a full screen: what each key does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from patchpoint.cli.screen.asked import Behind, ScreenError
from patchpoint.cli.screen.keys import Mode, help_text
from patchpoint.cli.screen.paint import PaintedLine
from patchpoint.cli.screen.style import STYLE
from patchpoint.cli.screen.view import Handled, View, files_text, head_text, list_columns, on_click
from patchpoint.dataclass import replace
from patchpoint.review.decision import Decision
from patchpoint.review.hunks import parts_of, without_lines
from patchpoint.review.rows import Row, RowKind
from patchpoint.review.sitting import Sitting
from patchpoint.text.shown import visible_line

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_ESCAPE_S = 0.05
"""Seconds after which Escape is a key of its own, and not the beginning of another one."""


class FullScreen:
    """A review on a full screen.

    What is decided is recorded by `behind` at once. `source` and `output` are the terminal's, and others in
    tests.
    """

    def __init__(
        self, sitting: Sitting, behind: Behind, *, source: Input | None = None, output: Output | None = None
    ) -> None:
        self.sitting = sitting
        self._behind = behind
        self._view = View()
        self._mode = Mode.CHANGES
        self._message = ""
        self._chosen = (0, 0)
        """Where the choice of lines began and where it is, among the rows of the change, from 0."""
        self._question = ""
        self._answered: Callable[[str], None] = self._find
        self._words = ""
        self._line = Buffer(multiline=False)
        self._text = Buffer(multiline=True)
        self._application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            mouse_support=True,
            input=source,
            output=output,
        )
        self._application.ttimeoutlen = self._application.timeoutlen = _ESCAPE_S

    def run(self) -> None:
        """Show the screen until the person ends it, or nothing is left to decide about."""
        self._go(self.sitting)
        self._application.run()

    def _layout(self) -> Layout:
        rows = Window(FormattedTextControl(self._rows_text), always_hide_cursor=True)
        files = Window(FormattedTextControl(self._files_text), width=self._list_width)
        line = Window(width=1, char="│", style="class:line")
        edit = HSplit(
            [
                Window(height=1, char="─", style="class:line"),
                Window(BufferControl(self._text), wrap_lines=True),
            ],
            height=lambda: Dimension.exact(self._edit_height),
        )
        shown = [
            self._only(Window(FormattedTextControl(help_text), always_hide_cursor=True), Mode.HELP),
            ConditionalContainer(rows, ~self._in(Mode.HELP)),
            self._only(edit, Mode.EDIT),
        ]
        body = VSplit(
            [
                ConditionalContainer(VSplit([files, line]), Condition(lambda: self._list_columns > 0)),
                HSplit(shown),
            ]
        )
        question = Window(FormattedTextControl(self._question_text), height=1, dont_extend_width=True)
        return Layout(
            HSplit(
                [
                    Window(FormattedTextControl(self._head_text), height=1, style="class:head"),
                    body,
                    self._only(VSplit([question, Window(BufferControl(self._line), height=1)]), Mode.ASK),
                    ConditionalContainer(
                        Window(FormattedTextControl(self._foot_text), height=1, style="class:foot"),
                        ~self._in(Mode.ASK),
                    ),
                ]
            )
        )

    def _only(self, container: Window | HSplit | VSplit, *modes: Mode) -> ConditionalContainer:
        return ConditionalContainer(container, self._in(*modes))

    def _in(self, *modes: Mode) -> Condition:
        return Condition(lambda: self._mode in modes)

    @property
    def _columns(self) -> int:
        return self._application.output.get_size().columns

    @property
    def _list_columns(self) -> int:
        return list_columns(self.sitting, self._columns)

    def _list_width(self) -> Dimension:
        return Dimension.exact(self._list_columns)

    @property
    def _edit_height(self) -> int:
        rows = self._application.output.get_size().rows
        return max(min(self._text.document.line_count + 2, rows // 2), 4)

    @property
    def _size(self) -> tuple[int, int]:
        """How many lines and columns the file that is looked at has on the screen."""
        size, columns = self._application.output.get_size(), self._list_columns
        used = self._edit_height if self._mode is Mode.EDIT else 0
        return max(size.rows - 2 - used, 1), max(size.columns - (columns + 1 if columns else 0), 10)

    def _head_text(self) -> StyleAndTextTuples:
        return head_text(self.sitting, self._columns)

    def _foot_text(self) -> StyleAndTextTuples:
        style = "class:message" if self._message else "class:foot"
        return [(style, f" {self._message or self._mode.value}")]

    def _question_text(self) -> StyleAndTextTuples:
        return [("class:question", f" {self._question} ")]

    def _files_text(self) -> StyleAndTextTuples:
        height = self._application.output.get_size().rows - 2
        return files_text(self.sitting, height, self._list_columns, self._clicked_file)

    def _rows_text(self) -> StyleAndTextTuples:
        chosen = self._chosen_rows() if self._mode is Mode.LINES else ()
        return self._view.rows_text(self.sitting, *self._size, chosen, self._clicked_row)

    def _clicked_file(self, id_: str) -> Handled:
        return on_click(lambda: self._go(self.sitting.at_id(id_)))

    def _clicked_row(self, line: PaintedLine, row: Row) -> Handled:
        def handled(event: MouseEvent) -> NotImplementedOrNone:
            if event.event_type in (MouseEventType.SCROLL_DOWN, MouseEventType.SCROLL_UP):
                down = event.event_type is MouseEventType.SCROLL_DOWN
                self._view.scroll(self.sitting, 3 if down else -3, *self._size)
            elif event.event_type is not MouseEventType.MOUSE_UP:
                return NotImplemented
            elif row.kind is RowKind.FOLD:
                self._view.open(self.sitting, row)
            elif line.hunk:
                self.sitting = self.sitting.at_id(line.hunk)
            return None

        return handled

    def _go(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self._view.show_change(sitting, *self._size)

    def _decide(self, decision: Decision, ids: list[str] | None = None) -> None:
        self._take(self.sitting.decided(decision, ids))
        self._say_what_is_left()

    def _say_what_is_left(self) -> None:
        if not self.sitting.count(Decision.OPEN) and not self._message:
            self._message = "Every change is decided. q ends, and reverts what you decided to revert."

    def _take(self, after: Sitting) -> None:
        """Have a decision recorded, and go on; where that fails, say so and stay."""
        try:
            self._behind.record(self.sitting, after)
        except ScreenError as error:
            self._message = str(error)
        else:
            self._go(after)

    def _decide_rest_of_file(self, decision: Decision) -> None:
        in_file = self.sitting.in_file(self.sitting.change.file)
        rest = [one.hunk.id for one in in_file if self.sitting.is_open(one)]
        if rest:
            self._decide(decision, rest)

    def _leave_open(self) -> None:
        after = self.sitting.moved(1)
        if self.sitting.is_open(self.sitting.change):
            self._go(after)
        else:
            self._take(replace(self.sitting.decided(Decision.OPEN), at=after.at))

    def _undo(self) -> None:
        if self.sitting.steps:
            self._take(self.sitting.undone())
        else:
            self._message = "No decision to undo. `patchpoint undo` undoes what was reverted before."

    def _replace(self, make: Callable[[], Sitting]) -> None:
        """Show the review that `make` returns, whose files are others than before."""
        try:
            sitting = make()
        except ScreenError as error:
            self._message = str(error)
            return
        if sitting.changes:
            self._view.forget()
            self._go(sitting)
            self._say_what_is_left()
        else:
            # There is nothing to show any more: what was shown last stays until the screen is gone.
            self._application.exit()

    def _show_more(self) -> None:
        if self._view.open_around(self.sitting, self._size[1]):
            self._view.show_change(self.sitting, *self._size)
        else:
            self._message = "All of the file around this change is shown."

    def _scroll(self, pages: int) -> None:
        height, width = self._size
        self._view.scroll(self.sitting, pages * max(height - 2, 1), height, width)

    def _rows_of_change(self) -> list[int]:
        rows, _ = self._view.lines(self.sitting, self._size[1])
        return [
            at
            for at, row in enumerate(rows)
            if row.hunk == self.sitting.change.hunk.id and row.kind in (RowKind.REMOVED, RowKind.ADDED)
        ]

    def _chosen_rows(self) -> list[int]:
        first, last = sorted(self._chosen)
        return self._rows_of_change()[first : last + 1]

    def _choose_lines(self) -> None:
        if self.sitting.change.file.is_whole:
            self._message = "This change is the file as a whole; it has no lines to choose from."
        else:
            self._chosen, self._mode = (0, 0), Mode.LINES

    def _split(self) -> None:
        change = self.sitting.change
        if change.file.is_whole or len(parts_of(change.file.path, change.hunk)) < 2:
            self._message = "This change cannot be split; v chooses some of its lines."
        else:
            self._replace(lambda: self._behind.split(change))

    def _extend(self, step: int) -> None:
        places = self._rows_of_change()
        at = max(0, min(self._chosen[1] + step, len(places) - 1))
        self._chosen = self._chosen[0], at
        self._view.show_row(self.sitting, places[at], *self._size)

    def _revert_chosen(self) -> None:
        change, (rows, _) = self.sitting.change, self._view.lines(self.sitting, self._size[1])
        chosen = [rows[at] for at in self._chosen_rows()]
        text = without_lines(
            change.hunk,
            [row.then - change.hunk.old[0] for row in chosen if row.then is not None],
            [row.now - change.hunk.new[0] for row in chosen if row.now is not None],
        )
        removed, added = (
            "".join(f"{row.text}\n" for row in chosen if row.kind is kind)
            for kind in (RowKind.REMOVED, RowKind.ADDED)
        )
        self._mode = Mode.CHANGES
        self._replace(lambda: self._behind.revert_lines(change, text, removed, added))

    def _edit(self) -> None:
        change = self.sitting.change
        if change.file.is_whole:
            self._message = "This change is the file as a whole; it has no lines to edit."
            return
        self._text.text = change.hunk.added.replace("\r\n", "\n")
        self._text.cursor_position = 0
        self._mode = Mode.EDIT
        self._application.layout.focus(self._text)
        self._view.show_change(self.sitting, *self._size)

    def _write_edit(self) -> None:
        change, text = self.sitting.change, self._text.text
        like = change.hunk.added or change.hunk.removed
        if text and not text.endswith("\n") and like.endswith("\n"):
            text += "\n"
        if "\r\n" in like:
            text = text.replace("\n", "\r\n")
        self._mode = Mode.CHANGES
        if text != change.hunk.added:
            self._replace(lambda: self._behind.rewrite(change, text))

    def _ask(self, question: str, before: str, answered: Callable[[str], None]) -> None:
        self._question, self._answered = question, answered
        self._line.text = before
        self._line.cursor_position = len(before)
        self._mode = Mode.ASK
        self._application.layout.focus(self._line)

    def _answer(self) -> None:
        self._mode = Mode.CHANGES
        self._answered(self._line.text)

    def _ask_note(self) -> None:
        before = self.sitting.verdict(self.sitting.change.hunk).because
        self._ask("Note for the model:", before, lambda words: self._take(self.sitting.noted(words.strip())))

    def _find(self, words: str) -> None:
        self._words = words
        self._find_again(1)

    def _find_again(self, step: int) -> None:
        found = self.sitting.at_match(self._words, step) if self._words else None
        if found is not None:
            self._go(found)
        elif self._words:
            self._message = f"No change has “{visible_line(self._words)}”."

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()

        def on(mode: Mode, act: Callable[[], None], *keys: str) -> None:
            def pressed(_: KeyPressEvent) -> None:
                self._message = ""
                act()

            for key in keys:
                bindings.add(key, filter=self._in(mode), eager=True)(pressed)

        def back() -> None:
            self._mode = Mode.CHANGES

        def ended() -> None:
            self._application.exit()

        def helped() -> None:
            self._mode = Mode.HELP

        on(Mode.CHANGES, lambda: self._decide(Decision.KEEP), "y")
        on(Mode.CHANGES, lambda: self._decide(Decision.TAKE_BACK), "r", "t")
        on(Mode.CHANGES, self._leave_open, "o")
        on(Mode.CHANGES, lambda: self._decide_rest_of_file(Decision.KEEP), "Y")
        on(Mode.CHANGES, lambda: self._decide_rest_of_file(Decision.TAKE_BACK), "R")
        on(Mode.CHANGES, self._undo, "u")
        on(Mode.CHANGES, lambda: self._go(self.sitting.moved(1)), "j", "down")
        on(Mode.CHANGES, lambda: self._go(self.sitting.moved(-1)), "k", "up")
        on(Mode.CHANGES, lambda: self._go(self.sitting.at_file(1)), "]", "right")
        on(Mode.CHANGES, lambda: self._go(self.sitting.at_file(-1)), "[", "left")
        on(Mode.CHANGES, self._ask_note, "c")
        on(Mode.CHANGES, self._edit, "e")
        on(Mode.CHANGES, self._choose_lines, "v")
        on(Mode.CHANGES, self._split, "s")
        on(Mode.CHANGES, self._show_more, "x")
        on(Mode.CHANGES, lambda: self._scroll(1), "space", "pagedown")
        on(Mode.CHANGES, lambda: self._scroll(-1), "b", "pageup")
        on(Mode.CHANGES, lambda: self._ask("Find:", "", self._find), "/")
        on(Mode.CHANGES, lambda: self._find_again(1), "n")
        on(Mode.CHANGES, lambda: self._find_again(-1), "N")
        on(Mode.CHANGES, lambda: self._replace(self._behind.look_again), "g")
        on(Mode.CHANGES, helped, "?")
        on(Mode.CHANGES, ended, "q", "c-c", "c-d")
        on(Mode.LINES, lambda: self._extend(1), "j", "down")
        on(Mode.LINES, lambda: self._extend(-1), "k", "up")
        on(Mode.LINES, self._revert_chosen, "r", "t")
        on(Mode.LINES, back, "escape", "q", "v", "c-c")
        on(Mode.EDIT, self._write_edit, "c-s")
        on(Mode.EDIT, back, "escape", "c-c")
        on(Mode.ASK, self._answer, "enter")
        on(Mode.ASK, back, "escape", "c-c")
        on(Mode.HELP, back, "<any>")
        return bindings
