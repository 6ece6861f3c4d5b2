"""The parser of the command line: argparse's, kinder to values that begin with a hyphen."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NoReturn

from patchpoint.text.shown import visible


class CommandParser(argparse.ArgumentParser):
    """A parser whose values may begin with a hyphen, and whose errors escape what a terminal would obey.

    Commands get one of its class.
    """

    _is_again = False
    """Whether this is called while it reads arguments in between options."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Read `args`, in which the value of an option may begin with a hyphen if it is no option itself.

        Programs pass the names of sessions on as they get them. Of a command, options and other arguments
        may be in any order.
        """
        given = sys.argv[1:] if args is None else args
        words = list(self._with_values_joined(given))
        read, unknown = super().parse_known_args(words, namespace)
        if not unknown or self._has_commands() or self._is_again:
            return read, unknown
        options = takewhile(lambda word: word != "--", unknown)
        if namespace is None and not any(word.startswith("-") for word in options):
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
        from difflib import get_close_matches  # seldom needed, and every start would load it

        said = f"unrecognized arguments: {' '.join(words)}"
        near = get_close_matches(words[0].partition("=")[0], self._option_string_actions, n=1)
        return f"{said} (is {near[0]} meant?)" if near else said

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
        """Print the usage and `message`, and exit."""
        super().error(visible(message))
