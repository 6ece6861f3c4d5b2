"""Texts judged by tree-sitter's grammars, each loaded when the first text of its language is judged."""

from __future__ import annotations

import importlib
import time
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from patchpoint.structure.problem import Problem, UnjudgedError, problem_at
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_CHUNK = 1 << 16
"""Bytes that are handed to the parser at a time."""

_STEPS = 100
_STEPS_PER_KIB = 24
"""Hundreds of parse actions that the parser may take, at first and for each KiB that it has read.

Source code takes 2 to 20 for a KiB, and each is quick; a long line of quotes or brackets alone takes 50,
and each costs a hundred times as much.
"""

_STEPS_AFTER_ERROR = 40
"""Hundreds of parse actions that the parser may take once no reading of the text is free of errors.

It is broken then; going on only finds out where a person would say that the error is.
"""

_SECONDS = 2.0
"""After this long the parser is stopped: twenty times what the longest source code takes that is judged."""

_OPEN_COMMENTS = 100
"""In a text with more beginnings of comments after the end of the last one, each may be read to the end."""

_LINE = 10_000
_LONG_RUN = regex(r"([^\w\s])\1{499}")
"""Some scanners read to the end of the line, or of a run of one symbol, once for each character of it."""

_SAMPLE = 250
_SHORT_RUN = regex(r"([^\w\s])\1")
"""A run of twice as many characters has two that are so far apart: most texts need no closer look."""

_SHOWN = 30


def grammar_problem(text: str, grammar: str, near: int | None = None) -> Problem | None:
    """Return where a text does not parse by a grammar, such as `"go"` or `"typescript:tsx"`.

    `near` is the offset of a change that may be the cause: an error that spans it is reported there. Raises
    `UnjudgedError` when the grammar cannot be loaded, or when parsing takes too many steps.
    """
    if (
        text.count("/*", text.rfind("*/") + 1) > _OPEN_COMMENTS
        or max(map(len, text.split("\n"))) > _LINE
        or (_SHORT_RUN.search(text[::_SAMPLE]) and _LONG_RUN.search(text))
    ):
        raise UnjudgedError
    data = text.encode("utf-8", "surrogatepass")
    tree, stopped_at = _parsed(data, grammar)
    if tree is None:
        return problem_at(text, _characters(data, stopped_at), "the text up to here cannot be parsed")
    if not tree.root_node.has_error:
        return None
    node = _first_error(tree)
    start, end = _characters(data, node.start_byte), _characters(data, node.end_byte)
    if node.is_missing:
        return problem_at(text, start, f"{node.type!r} is missing")
    if near is not None and start < near < end:
        return problem_at(text, near, "the text around it cannot be parsed")
    words = text[start:end].split("\n", 1)[0].strip()
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."
    return problem_at(text, start, f"unexpected {shown!r}" if shown else "the text cannot be parsed")


def parsed(data: bytes, grammar: str) -> Node | None:
    """Return the root of the tree of a text in UTF-8, errors and all; `None` if the parser gave up.

    Raises `UnjudgedError` as `grammar_problem` does.
    """
    tree, _ = _parsed(data, grammar)
    return tree.root_node if tree is not None else None


@cache
def loaded_grammar(grammar: str) -> Language:
    """Return a grammar by its name, as in `grammar_problem`. Raises `UnjudgedError` where there is none."""
    package, _, name = grammar.partition(":")
    try:
        from tree_sitter import Language

        module: Any = importlib.import_module(f"tree_sitter_{package}")
        return Language(getattr(module, f"language_{name}" if name else "language")())
    except (ImportError, AttributeError, ValueError) as error:
        raise UnjudgedError from error


@cache
def missing_package(grammar: str) -> str:
    """Return the name of the distribution that judging by a grammar lacks here; empty if it lacks none."""
    package = grammar.partition(":")[0]
    for name in ("tree_sitter", f"tree_sitter_{package}"):
        if find_spec(name) is None:
            return name.replace("_", "-")
    return ""


@lru_cache(maxsize=4)
def _parsed(data: bytes, grammar: str) -> tuple[Tree | None, int]:
    """Return the tree of a text; none, and where the parser was, if it was stopped in a text that is broken.

    Raises `UnjudgedError` when it is stopped before an error.
    The last trees are kept: that of a file, since what a merge makes of it is held against it, and that of
    what a merge makes, since it is judged once more, like every other edit.
    """
    language = loaded_grammar(grammar)
    from tree_sitter import Parser

    steps = 0
    error_at: int | None = None
    last_step = 0
    deadline = time.monotonic() + _SECONDS

    def is_enough(position: int, in_error: bool) -> bool:
        nonlocal steps, error_at, last_step
        steps += 1
        if in_error and error_at is None:
            error_at, last_step = position, steps + _STEPS_AFTER_ERROR
        if time.monotonic() > deadline:
            return True
        if error_at is not None:
            return steps > last_step
        return steps > _STEPS + _STEPS_PER_KIB * (position >> 10)

    try:
        tree = Parser(language).parse(
            lambda start, _: data[start : start + _CHUNK], progress_callback=is_enough
        )
    except ValueError:  # it was stopped
        if error_at is None:
            raise UnjudgedError from None
        return None, error_at
    return tree, 0


def _first_error(tree: Tree) -> Node:
    """Return the first node that is an error or missing in a tree that has one."""
    node = tree.root_node
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node


def _characters(data: bytes, offset: int) -> int:
    """Return the number of characters in the first `offset` bytes."""
    return len(data[:offset].decode("utf-8", "replace"))
