"""A terminal with a full screen: what a command shows on it, and keys that are pressed."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pyte

SETTLED_S = 0.3
"""Seconds in which nothing more is drawn once a key has done its work."""
PATIENCE_S = 60.0
"""Seconds after which what was waited for does not come."""


class _Answering(pyte.Screen):
    """A screen that answers what a program asks a terminal about itself."""

    def __init__(self, size: tuple[int, int], answer: Callable[[str], None]) -> None:
        super().__init__(*size)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Screen:
    """The screen of a command that runs."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int, size: tuple[int, int]) -> None:
        self.process = process
        self._terminal = terminal
        self.size = size
        self.received: list[bytes] = []
        """All that the terminal was sent."""
        self._screen = _Answering(size, self.press)
        self._stream = pyte.ByteStream(self._screen)
        self._sent = b""

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def head(self) -> str:
        """The first line of it."""
        return self._screen.display[0].strip()

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            os.write(self._terminal, key.encode())

    def until(self, *wanted: str | Callable[[str], bool], patience: float = PATIENCE_S) -> str:
        """Wait until texts are on the screen at once, and return all of it."""

        def misses(text: str) -> list[object]:
            return [one for one in wanted if not (one(text) if callable(one) else one in text)]

        while what := misses(self.text):
            if not select.select([self._terminal], [], [], patience)[0]:
                raise AssertionError(f"{what!r} is not on the screen:\n{self.text}")
            self._read()
        return self.text

    def sent(self) -> str:
        """Return what the terminal was sent since the last call, with all that follows at once."""
        while select.select([self._terminal], [], [], SETTLED_S)[0]:
            self._read()
        sent, self._sent = self._sent, b""
        return sent.decode()

    def end(self) -> int:
        """Read what the command still shows, and return its exit status."""
        with suppress(OSError):  # the other end is closed
            while self._read():
                pass
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        data = os.read(self._terminal, 65536)
        self._sent += data
        self.received.append(data)
        self._stream.feed(data)
        return bool(data)


@contextmanager
def screen_of(
    command: list[str],
    folder: Path,
    state: Path,
    *,
    columns: int = 110,
    lines: int = 30,
    piped: str | None = None,
    shell: bool = False,
    **environment: str,
) -> Iterator[Screen]:
    """Run `patchpoint` in a terminal of that size, with a state folder of its own.

    With `piped`, that is its standard input, and the terminal is none but that of its session. With `shell`,
    the one word of `command` is what a shell runs in its place.
    """
    words = ["bash", "-c", *command] if shell else [sys.executable, "-m", "patchpoint", *command]
    variables = {"PATCHPOINT_STATE_HOME": str(state), "TERM": "xterm-256color", "NO_COLOR": "", **environment}
    with in_terminal(words, folder, {**os.environ, **variables}, (columns, lines), piped) as screen:
        yield screen


@contextmanager
def in_terminal(
    words: list[str],
    folder: Path,
    environment: Mapping[str, str],
    size: tuple[int, int],
    piped: str | None = None,
) -> Iterator[Screen]:
    """Run a program in a terminal of that many columns and lines, in this environment alone."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    process = subprocess.Popen(
        words,
        stdin=theirs if piped is None else subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=dict(environment),
        close_fds=True,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    if process.stdin is not None:
        process.stdin.write((piped or "").encode())
        process.stdin.close()
    try:
        yield Screen(process, ours, size)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
