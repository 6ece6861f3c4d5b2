"""A Helix in a terminal: sends it keys, and waits for texts on its screen."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

DOCUMENTATION = Path(__file__).parent.parent.parent.parent / "docs" / "editors" / "helix.md"
PATIENCE = 60.0
"""Seconds after which waiting for something fails."""

_SELECTED = "48;2;255;136;0"
_THEME = """\
inherits = "default"
"ui.menu.selected" = { fg = "#000000", bg = "#ff8800" }
"""
_UNTIL_AGAIN = 10.0
"""Seconds after which a command that had no effect is run again."""

_MORE_THAN_ANY_MENU = 30

_T = TypeVar("_T")


@dataclass(frozen=True)
class Helix:
    """A running Helix, used as a person uses it."""

    tmux: tuple[str, ...]
    environment: Mapping[str, str]

    @classmethod
    @contextmanager
    def started(
        cls, command: Sequence[str], tmux: str, folder: Path, environment: Mapping[str, str]
    ) -> Iterator[Helix]:
        """Run Helix in `folder`, set up as its page says, until the end of the block."""
        configure(Path(environment["HOME"]) / ".config" / "helix")
        # The path of a socket must be short.
        sockets = Path(tempfile.mkdtemp(prefix="tmux-"))
        running = cls(
            (tmux, "-S", str(sockets / "socket"), "-f", "/dev/null"),
            {**environment, "COLORTERM": "truecolor"},
        )
        try:
            running._tmux("new-session", "-d", "-x", "130", "-y", "40", "-c", str(folder), *command)
            yield running
        finally:
            subprocess.run([*running.tmux, "kill-server"], check=False, capture_output=True)
            shutil.rmtree(sockets)

    def type(self, text: str) -> None:
        """Type `text`."""
        self._tmux("send-keys", "-l", "--", text)

    def press(self, key: str) -> None:
        """Press a key that has a name."""
        self._tmux("send-keys", key)

    def command(self, line: str) -> None:
        """Run a command of Helix's own."""
        self.type(f":{line}")
        self.press("Enter")

    def search(self, pattern: str) -> None:
        """Go to the next match of the pattern."""
        self.type(f"/{pattern}")
        self.press("Enter")

    def choose(self, title: str) -> list[str]:
        """Choose a code action at the cursor; return the titles that were offered, up to this one."""
        self.type(" a")
        self.shows(title)
        place = self.until("the menu", self._selected)
        offered = [place[1]]
        while not place[1].startswith(title):
            assert len(offered) < _MORE_THAN_ANY_MENU, offered
            place = self._next_in_menu(place)
            offered.append(place[1])
        self.press("Enter")
        return offered

    def shows(self, text: str) -> None:
        """Wait until a text is on the screen."""
        self.until(f"“{text}” on the screen", lambda: text in self.screen())

    def shows_after(self, line: str, text: str) -> None:
        """Run a command until a text is on the screen.

        Helix may take a server that it has just started for the one whose end it still has to notice; a
        person would run the command again, too.
        """
        self.until_after(line, f"“{text}” on the screen after :{line}", lambda: text in self.screen())

    def until_after(
        self, line: str, what: str, holds: Callable[[], _T | None], every: float = _UNTIL_AGAIN
    ) -> _T:
        """Run a command, again after `every` so many seconds, until `holds` returns something true."""
        again = 0.0

        def answer() -> _T | None:
            nonlocal again
            if time.monotonic() > again:
                self.command(line)
                again = time.monotonic() + every
            return holds()

        return self.until(what, answer)

    def hides(self, text: str) -> None:
        """Wait until a text is no longer on the screen."""
        self.until(f"the end of “{text}” on the screen", lambda: text not in self.screen())

    def until(self, what: str, holds: Callable[[], _T | None]) -> _T:
        """Wait until `holds` returns something true, and return that.

        Helix writes a file under another name first: for a moment there is none of its own name.
        """
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = None
            with suppress(FileNotFoundError):
                answer = holds()
            if answer:
                return answer
            assert time.monotonic() < deadline, f"timed out waiting for {what}; the screen:\n{self.screen()}"
            time.sleep(0.03)

    def screen(self) -> str:
        """Return the text on the screen."""
        return self._tmux("capture-pane", "-p")

    def process(self) -> int:
        """Return the process id of Helix."""
        return int(self._tmux("display-message", "-p", "#{pane_pid}"))

    def _selected(self) -> tuple[int, str] | None:
        """Return the screen line number and the text of the selected entry of a menu."""
        for number, line in enumerate(self._tmux("capture-pane", "-p", "-e").splitlines()):
            _, found, rest = line.partition(f"{_SELECTED}m")
            if found:
                return number, rest.partition("\x1b")[0].strip()
        return None

    def _next_in_menu(self, place: tuple[int, str]) -> tuple[int, str]:
        self.press("Tab")
        return self.until(
            "the next one in the menu", lambda: now if (now := self._selected()) != place else None
        )

    def _tmux(self, *arguments: str) -> str:
        result = subprocess.run(
            [*self.tmux, *arguments], env=dict(self.environment), check=True, capture_output=True, text=True
        )
        return result.stdout


def configure(folder: Path) -> None:
    """Configure Helix as its page says, with this server only, and a theme that marks the selected entry."""
    found = re.search(r"```toml\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, DOCUMENTATION
    (folder / "themes").mkdir(parents=True)
    languages = re.sub(r'"(marksman|pylsp)", ', "", found[1])
    (folder / "languages.toml").write_text(languages, encoding="utf-8")
    (folder / "themes" / "marked.toml").write_text(_THEME, encoding="utf-8")
    (folder / "config.toml").write_text('theme = "marked"\neditor.true-color = true\n', encoding="utf-8")
