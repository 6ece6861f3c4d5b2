"""The parser of the command line: argparse's, kinder to values that begin with a hyphen."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, NoReturn

from patchpoint.cli.terminal import WRONG_USAGE, Terminal
from patchpoint.text.shown import visible

_COLUMNS = 80

# Nobody translates what argparse says; to look for who does, `gettext` would load `locale`.
setattr(argparse, "_", str)  # noqa: B010


class CommandHelp(argparse.HelpFormatter):
    """Help as wide as the terminal, in which indented lines, and the line above them, stay as they are."""

    def __init__(self, prog: str, **settings: Any) -> None:  # noqa: ANN401 - argparse's
        # argparse makes a formatter for each option, and would load `shutil` for the width of the terminal.
        super().__init__(prog, **{"width": _columns() - 2, **settings})

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(
            block if "\n  " in block else super(CommandHelp, self)._fill_text(block, width, indent)
            for block in text.split("\n\n")
        )


class CommandParser(argparse.ArgumentParser):
    """A parser whose values may begin with a hyphen, whose options are not abbreviated, and whose errors
    escape what a terminal would obey, or are JSON where that was asked for.

    Commands get one of its class, and their options once they are read.
    """

    def __init__(
        self,
        *,
        add_options: Callable[[argparse.ArgumentParser], None] | None = None,
        **settings: Any,  # noqa: ANN401 - argparse's
    ) -> None:
        # Abbreviated, an option could mean another one in the next version, and one of the server could be
        # taken for one of a command: --all for --allow-origin.
        super().__init__(formatter_class=CommandHelp, allow_abbrev=False, **settings)
        self._add_options = add_options
        self._words: list[str] = []

    _is_again = False
    """Whether this is called while it reads arguments in between options."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Read `args`, in which the value of an option may begin with a hyphen if it is no option itself.

        Programs pass the names of sessions on as they get them. Of a command, options and other arguments
        may be in any order.
        """
        if self._add_options is not None:
            self._add_options(self)
            self._add_options = None
        given = sys.argv[1:] if args is None else args
        self._words = list(given)
        words = list(self._with_values_joined(given))
        read, unknown = super().parse_known_args(words, namespace)
        if not unknown or self._is_again:
            return read, unknown
        options = takewhile(lambda word: word != "--", unknown)
        is_one = namespace is None and not self._has_commands()
        if is_one and not any(word.startswith("-") for word in options):
            # Arguments behind an option are left over where those before it may be fewer or more.
            self._is_again = True
            read, unknown = self.parse_known_intermixed_args(words)
            self._is_again = False
        if unknown:  # argparse would print the usage of the whole command line
            self.error(self._unknown(unknown))
        return read, unknown

    def _has_commands(self) -> bool:
        return self._subparsers is not None

    def _unknown(self, words: Sequence[str]) -> str:
        """Return what is wrong with words that are no arguments, and what may be meant by the first."""
        meant = _meant(words[0].partition("=")[0], self._option_string_actions)
        return f"unrecognized arguments: {' '.join(words)}{meant}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401
        if action.choices is None or value in action.choices:
            return
        meant = _meant(value, action.choices)
        if action.dest == "command":
            says = f"'{value}' is not a command{meant}; `patchpoint --help` lists them"
            raise argparse.ArgumentError(None, says)
        known = ", ".join(map(str, action.choices))
        raise argparse.ArgumentError(action, f"'{value}' is not one of {known}{meant}")

    def _with_values_joined(self, words: Sequence[str]) -> Iterator[str]:
        left = deque(words)
        while left:
            word = left.popleft()
            if word == "--":
                yield from (word, *left)
                return
            name, equals, value = word.partition("=")
            if equals and value == "--" and self._takes_value(name):
                self.error(f"argument {name}: '--' cannot be its value")  # argparse leaves out any `--`
            if self._takes_value(word) and left and self._is_hyphened_value(left[0]):
                word += f"={left.popleft()}"
            yield word

    def _is_hyphened_value(self, word: str) -> bool:
        is_option = word == "--" or word.partition("=")[0] in self._option_string_actions
        return word.startswith("-") and not is_option

    def _takes_value(self, word: str) -> bool:
        action = self._option_string_actions.get(word)
        return action is not None and action.nargs is None

    def error(self, message: str) -> NoReturn:
        """Print the usage and `message`, or an error in JSON where that was asked for, and exit."""
        if "--json" in takewhile(lambda word: word != "--", self._words):
            error = {"code": "wrong-usage", "message": message}
            Terminal.of(sys.stdout).json({"error": error}, indent=None)
            sys.exit(WRONG_USAGE)
        super().error(visible(message))


class LaterParser:
    """The parser of a command, made when it is to read something: of all that there are, one is used."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - argparse's
        self._settings = settings

    @cached_property
    def _parser(self) -> CommandParser:
        return CommandParser(**self._settings)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - argparse's
        return getattr(self._parser, name)


def _meant(word: str, known: Iterable[str]) -> str:
    """Return a question whether one of these words was meant that is much like `word`, or nothing."""
    from difflib import get_close_matches  # seldom needed, and every start would load it

    near = get_close_matches(word, tuple(known), n=1)
    return f" (is {near[0]} meant?)" if near else ""


def _columns() -> int:
    """Return the columns of the terminal, or those that the environment says, as `shutil` does."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(1).columns or _COLUMNS
    except OSError:
        return _COLUMNS
