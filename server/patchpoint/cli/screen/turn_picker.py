"""Turns on a full screen, with what each changed at the side: one of them is picked, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
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
from prompt_toolkit.output import Output

from patchpoint.cli.listing.columns import cut, padded
from patchpoint.cli.listing.turn_lines import TurnLine
from patchpoint.cli.screen.style import STYLE
from patchpoint.dataclass import dataclass
from patchpoint.text.shown import visible_line

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

_KEYS = "Enter rewind to before it  j/k move  Tab what a restore changes  a agent  / find  q end"
_ASKING = "Enter find  Esc back"
_LINES = {"+": "class:added", "-": "class:removed", "@": "class:note", "d": "class:key"}
_NARROW = 80
"""Columns below which the difference is under the list, and not at its side."""
_ESCAPE_S = 0.05
"""Seconds after which Escape is a key of its own, and not the beginning of another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedFrom:
    """A turn that can be picked."""

    line: TurnLine
    agent: str
    """Whose turn it is; empty where that is not known."""
    changed: Callable[[], str]
    """Returns what it changed, as a unified diff."""
    restored: Callable[[], str]
    """Returns what has changed since it began: what a restore takes back."""


class TurnPicker:
    """The turns, newest first. `source` and `output` are the terminal's, and others in tests."""

    def __init__(
        self, turns: Sequence[PickedFrom], *, source: Input | None = None, output: Output | None = None
    ) -> None:
        self._every = turns
        self._agents = ["", *sorted({one.agent for one in turns} - {""})]
        self._agent = ""
        self._at = 0
        self._top = 0
        """The first line of the difference that is on the screen."""
        self._shows_restore = False
        self._message = ""
        self._texts: dict[tuple[int, bool], list[str]] = {}
        self._asks = False
        self._line = Buffer(multiline=False)
        self._picked: int | None = None
        self._application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            input=source,
            output=output,
        )
        self._application.ttimeoutlen = self._application.timeoutlen = _ESCAPE_S

    def run(self) -> int | None:
        """Show the turns, and return the number of the one that is picked, from 0, or `None`."""
        self._application.run()
        return self._picked

    @property
    def _shown(self) -> list[int]:
        return [at for at, one in enumerate(self._every) if self._agent in ("", one.agent)]

    @property
    def _current(self) -> int:
        return self._shown[self._at]

    def _layout(self) -> Layout:
        turns = Window(FormattedTextControl(self._turns_text), always_hide_cursor=True)
        side = Window(FormattedTextControl(self._difference_text), always_hide_cursor=True)
        wide = VSplit(
            [
                HSplit([turns], width=lambda: Dimension.exact(self._list_columns)),
                Window(width=1, char="│", style="class:line"),
                side,
            ]
        )
        narrow = HSplit(
            [
                HSplit([turns], height=lambda: Dimension.exact(self._list_rows)),
                Window(height=1, char="─", style="class:line"),
                side,
            ]
        )
        asking = VSplit(
            [
                Window(
                    FormattedTextControl([("class:question", " Find: ")]), height=1, dont_extend_width=True
                ),
                Window(BufferControl(self._line), height=1),
            ]
        )
        return Layout(
            HSplit(
                [
                    Window(FormattedTextControl(self._head_text), height=1, style="class:head"),
                    ConditionalContainer(wide, Condition(lambda: not self._is_narrow)),
                    ConditionalContainer(narrow, Condition(lambda: self._is_narrow)),
                    ConditionalContainer(asking, Condition(lambda: self._asks)),
                    Window(FormattedTextControl(self._foot_text), height=1, style="class:foot"),
                ]
            )
        )

    @property
    def _size(self) -> tuple[int, int]:
        size = self._application.output.get_size()
        return size.rows - 2, size.columns

    @property
    def _is_narrow(self) -> bool:
        return self._size[1] < _NARROW

    @property
    def _list_columns(self) -> int:
        return self._size[1] if self._is_narrow else min(self._size[1] // 2, 64)

    @property
    def _list_rows(self) -> int:
        rows = self._size[0]
        return max(rows // 3, 1) if self._is_narrow else rows

    def _head_text(self) -> StyleAndTextTuples:
        whose = self._agent or "all agents"
        what = "what a restore takes back" if self._shows_restore else "what it changed"
        words = f" {self._at + 1} of {len(self._shown)} · {whose} · {what}"
        return [("class:head", cut(words, self._size[1]))]

    def _foot_text(self) -> StyleAndTextTuples:
        style = "class:message" if self._message else "class:foot"
        text = self._message or (_ASKING if self._asks else _KEYS)
        return [(style, cut(f" {text}", self._size[1]))]

    def _turns_text(self) -> StyleAndTextTuples:
        rows, width, shown = self._list_rows, self._list_columns, self._shown
        first = max(0, min(self._at - rows // 2, len(shown) - rows))
        lines = [self._every[at].line for at in shown]
        name = max(len(one.name) for one in lines)
        when = max(len(one.when) for one in lines)
        found: StyleAndTextTuples = []
        for at in range(first, min(first + rows, len(shown))):
            one = lines[at]
            words = cut(one.words, width - name - when - len(one.counts) - 8)
            left = f" {one.name:<{name}}  {one.when:<{when}}  {words}"
            line = padded(left, width - len(one.counts) - 1) + one.counts
            style = "class:file.current" if at == self._at else "class:file"
            found.append((style, f"{cut(line, width)}\n"))
        return found

    def _difference_text(self) -> StyleAndTextTuples:
        rows, columns = self._size
        rows -= self._list_rows + 1 if self._is_narrow else 0
        columns -= 0 if self._is_narrow else self._list_columns + 1
        lines = self._difference()
        self._top = max(0, min(self._top, len(lines) - rows))
        words = self._every[self._current].line.words
        found: StyleAndTextTuples = [("class:key", f" {cut(words, columns - 2)}\n")] if not self._top else []
        for line in lines[self._top : self._top + rows]:
            found.append((_LINES.get(line[:1], ""), f" {cut(line, columns - 2)}\n"))
        return found

    def _difference(self) -> list[str]:
        key = self._current, self._shows_restore
        if key not in self._texts:
            one = self._every[key[0]]
            text = one.restored() if self._shows_restore else one.changed()
            lines = [visible_line(line.replace("\t", "    ")) for line in text.split("\n")[:-1]]
            self._texts[key] = lines or ["No file differs."]
        return self._texts[key]

    def _move(self, by: int) -> None:
        self._at = max(0, min(self._at + by, len(self._shown) - 1))
        self._top = 0

    def _scroll(self, pages: int) -> None:
        self._top = max(0, self._top + pages * max(self._size[0] - 2, 1))

    def _next_agent(self) -> None:
        at = (self._agents.index(self._agent) + 1) % len(self._agents)
        self._agent, self._at, self._top = self._agents[at], 0, 0

    def _toggle(self) -> None:
        self._shows_restore, self._top = not self._shows_restore, 0

    def _pick(self) -> None:
        self._picked = self._current
        self._application.exit()

    def _ask(self) -> None:
        self._asks = True
        self._line.text = ""
        self._application.layout.focus(self._line)

    def _find(self) -> None:
        self._asks = False
        words = self._line.text.casefold().strip()
        shown = self._shown
        after = [*range(self._at + 1, len(shown)), *range(self._at + 1)]
        found = [at for at in after if words in self._every[shown[at]].line.words.casefold()]
        if found and words:
            self._at, self._top = found[0], 0
        elif words:
            self._message = f"No prompt has “{visible_line(words)}”."

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()

        def on(act: Callable[[], None], *keys: str, asking: bool = False) -> None:
            def pressed(_: KeyPressEvent) -> None:
                self._message = ""
                act()

            for key in keys:
                bindings.add(key, filter=Condition(lambda: self._asks is asking), eager=True)(pressed)

        def back() -> None:
            self._asks = False

        on(lambda: self._move(1), "j", "down")
        on(lambda: self._move(-1), "k", "up")
        on(lambda: self._move(-len(self._every)), "g", "home")
        on(lambda: self._move(len(self._every)), "G", "end")
        on(lambda: self._scroll(1), "space", "pagedown")
        on(lambda: self._scroll(-1), "b", "pageup")
        on(self._next_agent, "a")
        on(self._toggle, "tab")
        on(self._pick, "enter")
        on(self._ask, "/")
        on(lambda: self._application.exit(), "q", "c-c", "c-d", "escape")
        on(self._find, "enter", asking=True)
        on(back, "escape", "c-c", asking=True)
        return bindings
