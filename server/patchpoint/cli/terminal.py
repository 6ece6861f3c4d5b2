"""The terminal and its colours, the errors of commands and their exit statuses.

All that the command line prints goes through `Terminal`, which escapes what a terminal
obeys or does not show.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from patchpoint.text.regex import regex
from patchpoint.text.shown import visible, visible_json, visible_line

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from typing import TextIO

_STANDARD_ERROR = 2
"""The number of the last of the standard streams."""

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
_WRITTEN = "patchpoint.written"
"""The name, for Python's streams, of how to write what they cannot encode."""
_PLAIN = {"✓": "+", "✗": "x", "“": '"', "”": '"', "’": "'", "–": "-", "…": "...", "→": "->", "·": "-"}
"""What is written for a character of ours; `?` is the sign of an edit that could be in two places."""
_FIRST_OF_SEVERAL, _LONGEST_CHARACTER = 0x80, 4
"""The first byte of a character of several in UTF-8, and how many those are at most."""
_ESCAPED_BYTE = 0xDC80
"""The first of the characters that stand for bytes that are no UTF-8 (PEP 383)."""
_MARK = os.urandom(8).hex()
"""Precedes a style until it is printed, so that no text that is printed can contain one."""
_STYLE = regex(_MARK + r"\[([0-9;]*)m")

_NARROWEST, _LOWEST = 40, 8
"""Columns and lines of the smallest terminal that a full screen is of any use in."""


class Terminal:
    """A stream for lines of text, and whether they may be coloured."""

    def __init__(self, stream: TextIO, colour: bool) -> None:
        self.stream = stream
        self.colour = colour

    @classmethod
    def of(cls, stream: TextIO) -> Terminal:
        """Return a terminal that is coloured if a person reads it, or as the environment demands."""
        demanded = _colour_demanded()
        return cls(stream, stream.isatty() if demanded is None else demanded)

    @property
    def is_live(self) -> bool:
        """Whether a person watches, so that a line can be replaced by another."""
        return self.colour and self.stream.isatty()

    def line(self, text: str = "") -> None:
        """Print one line; line feeds in it are escaped."""
        print(_STYLE.sub("\x1b[\\1m", visible_line(text)), file=self.stream)

    def lines(self, text: str) -> None:
        """Print a text of several lines."""
        print(_STYLE.sub("\x1b[\\1m", visible(text)), file=self.stream)

    def verbatim(self, text: str) -> None:
        """Print a text of several lines that a pipe gets as it is; a terminal would obey it."""
        ending = "" if text.endswith("\n") else "\n"
        self.stream.write((visible(text) if self.stream.isatty() else text) + ending)

    def copy(self, text: str, limit: int) -> bool:
        """Have the terminal put `text` into the clipboard, and return whether there is one to ask.

        OSC 52 of xterm's control sequences; whether a terminal obeys it is not known. `limit` is the most
        that it takes, in bytes of base64.
        """
        import base64

        encoded = base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii")
        if not self.stream.isatty() or os.environ.get("TERM") == "dumb" or len(encoded) > limit:
            return False
        self.stream.write(f"\x1b]52;c;{encoded}\a")
        self.stream.flush()
        return True

    def json(self, data: object, indent: int | None = 2) -> None:
        """Print `data` as JSON, which escapes in its own way."""
        import json

        print(visible_json(json.dumps(data, ensure_ascii=False, indent=indent)), file=self.stream)

    def replace_line(self, text: str = "") -> None:
        """Show `text` in place of the line that the cursor is in; without one, erase that line.

        Nothing is written where nobody reads it.
        """
        if self.is_live:
            self.stream.write(f"\r\x1b[K{visible_line(text)}")
            self.stream.flush()

    def paint(self, text: str, *styles: str) -> str:
        """Return `text` in these styles: bold, dim, red, green, yellow, blue, cyan."""
        if not self.colour or not styles:
            return text
        return f"{_MARK}[{';'.join(_CODES[style] for style in styles)}m{text}{_MARK}[0m"

    def diff(self, diff: str) -> None:
        """Print a unified diff."""
        for line in self.diff_lines(diff):
            self.line(line)

    def patch(self, diff: str, patch: bytes) -> None:
        """Print a unified diff, of which a pipe gets `patch`: each byte as the files have it."""
        binary = getattr(self.stream, "buffer", None)
        if self.colour or binary is None or self.stream.isatty():
            self.diff(diff)
        else:
            self.stream.flush()
            binary.write(patch)
            binary.flush()

    def diff_lines(self, diff: str) -> list[str]:
        """Return the lines of a unified diff as `diff` prints them."""
        lines = diff.split("\n")[: -1 if diff.endswith("\n") else None]
        return [self.paint(line, *_diff_style(line)) for line in lines]


def standard_output() -> Terminal:
    """Return the terminal of standard output; what it cannot encode is written in another way, not an error.

    What is no terminal gets UTF-8, unless PYTHONIOENCODING says otherwise: another program reads it, and on
    Windows the code page lacks most characters.

    Where a standard stream is closed (`>&-`, a daemon), it is opened on the null device: nobody reads it, and
    no file that is opened later gets its number.
    """
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.isatty() or os.environ.get("PYTHONIOENCODING")):
            reconfigure(errors=_WRITTEN)
        elif reconfigure is not None:
            reconfigure(encoding="utf-8", errors=_WRITTEN, newline="\n")
    return Terminal.of(sys.stdout)


def _written_otherwise(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in the place of a character that a stream cannot encode."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    number = ord(character)
    if _ESCAPED_BYTE <= number <= _ESCAPED_BYTE + 0x7F:  # a byte that is no UTF-8
        return f"\\x{number - _ESCAPED_BYTE + 0x80:02x}", error.start + 1
    escaped = character.encode("ascii", "backslashreplace").decode("ascii")
    return _PLAIN.get(character, escaped), error.start + 1


codecs.register_error(_WRITTEN, _written_otherwise)


def _colour_demanded() -> bool | None:
    """Return whether the environment demands colour or none, wherever the output goes; `None` if neither.

    As https://no-color.org, https://force-color.org and https://bixense.com/clicolors have it; of two that
    contradict each other, the one against colour counts, as in Python's own programs.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    plain = os.environ.get("TERM") == "dumb" or os.environ.get("CLICOLOR") == "0"
    return False if plain else None


def _open_closed_streams() -> None:
    with suppress(OSError):  # where nothing more can be opened, the command says so itself
        while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
            os.set_inheritable(number, True)
        os.close(number)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(_STANDARD_ERROR, "w", encoding="utf-8")


def has_screen(terminal: Terminal) -> bool:
    """Return whether a full screen can be shown; not by what an editor carries, which lacks its library."""
    size = os.get_terminal_size(terminal.stream.fileno())
    is_dumb = os.environ.get("TERM", "" if os.name != "nt" else "windows") in ("", "dumb")
    return not is_dumb and size.columns >= _NARROWEST and size.lines >= _LOWEST and _is_installed()


def _is_installed() -> bool:
    from importlib.util import find_spec

    return find_spec("prompt_toolkit") is not None


def can_ask() -> bool:
    """Return whether a person reads standard error and can answer.

    The answer comes from standard input or, where that is a pipe, from the terminal itself: unless another
    program reads that, as a pager does that gets what is printed, or a shell that went on with its prompt.
    """
    if not sys.stderr.isatty():
        return False
    if sys.stdin is not None and sys.stdin.isatty():
        return True
    with suppress(OSError), _terminal_itself() as terminal:
        return sys.stdout.isatty() and _is_in_foreground(terminal)
    return False


def ask(lines: Sequence[str]) -> bool:
    """Print the lines, the last of which is a question, and return whether the answer is yes.

    They go to standard error, so that standard output holds nothing but the result.
    """
    return _answer(lines, "y/N", _line_of).strip().lower() in ("y", "yes")


def ask_for_key(lines: Sequence[str], keys: str) -> str:
    """As `ask`, and return the one of `keys` that is pressed, without Enter; `q` at the end of the input."""
    errors = Terminal.of(sys.stderr)
    pressed = _answer(lines, ",".join(keys), _key_of)
    while pressed and pressed not in keys:
        pressed = _answer((), "", _key_of)
    errors.line(pressed)
    return pressed or "q"


def _answer(lines: Sequence[str], choices: str, read: Callable[[TextIO], str]) -> str:
    errors = Terminal.of(sys.stderr)
    if lines:
        errors.replace_line()
        for line in lines[:-1]:
            errors.line(line)
        errors.stream.write(f"{visible_line(lines[-1])} [{choices}] ")
        errors.stream.flush()
    if sys.stdin is not None and sys.stdin.isatty():
        return read(sys.stdin)
    try:
        with _terminal_itself() as terminal:
            return read(terminal)
    except OSError:
        return ""


def _terminal_itself() -> TextIO:
    """Open the terminal of this process, whatever its standard input is. Raises `OSError` without one."""
    from pathlib import Path

    place = Path("CONIN$" if os.name == "nt" else "/dev/tty")
    return place.open(encoding="utf-8", errors="replace")


def _is_in_foreground(terminal: TextIO) -> bool:
    """Return whether this process may read a terminal; one in the background would be stopped."""
    return os.name == "nt" or os.tcgetpgrp(terminal.fileno()) == os.getpgrp()


def _line_of(terminal: TextIO) -> str:
    return terminal.readline()


def _key_of(terminal: TextIO) -> str:
    """Return the key that is pressed, as one character; an empty text at the end of the input."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.getwch()
    import termios
    import tty

    number = terminal.fileno()
    before = termios.tcgetattr(number)
    try:
        # Ctrl-C still is a signal, and what was typed ahead is not lost.
        tty.setcbreak(number, termios.TCSANOW)
        typed = os.read(number, 1)
        while typed and typed[0] >= _FIRST_OF_SEVERAL and len(typed) < _LONGEST_CHARACTER:
            typed += os.read(number, 1)
            with suppress(UnicodeDecodeError):
                return typed.decode("utf-8")
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
    # Ctrl-D is a key here.
    return "" if typed in (b"", b"\x04") else typed.decode("utf-8", "replace")


def _diff_style(line: str) -> tuple[str, ...]:
    if line.startswith(("+++", "---", "diff ")):
        return ("bold",)
    if line.startswith("@@"):
        return ("cyan",)
    return {"+": ("green",), "-": ("red",)}.get(line[:1], ())


DONE = 0
REFUSED = 1
WRONG_USAGE = 2
ENVIRONMENT_FAILED = 3


class CommandError(Exception):
    """A command that failed: a sentence for a person, a stable code, the exit status, words for a model."""

    def __init__(self, message: str, code: str, status: int = REFUSED, feedback: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.feedback = feedback
