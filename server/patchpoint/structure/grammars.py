"""Texts judged by tree-sitter's grammars, each loaded when the first text of its language is judged."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

from patchpoint.structure.problem import Problem, UnjudgedError, problem_at

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_CHUNK = 1 << 16
"""Bytes that are handed to the parser at a time."""

_STEPS_PER_KIB = 16
_STEPS = 200
"""Hundreds of parse actions that a text may take, for each KiB and in any case.

Source code takes 2 to 8 for a KiB, a long line of brackets or quotes up to 50.
"""

_STEPS_IN_ERROR = 60
"""Hundreds of parse actions after which a parser that recovers from an error is stopped.

It reports them only while no reading of the text is free of errors: the verdict is known by then.
"""

_SHOWN = 30


def grammar_problem(text: str, grammar: str, near: int | None = None) -> Problem | None:
    """Return where a text does not parse by a grammar, such as `"go"` or `"typescript:tsx"`.

    `near` is the offset of a change that may be the cause: an error that spans it is reported there. Raises
    `UnjudgedError` when the grammar cannot be loaded, or when parsing takes too many steps.
    """
    data = text.encode("utf-8", "surrogatepass")
    stopped_at = [0, 0]  # steps in error, bytes read
    tree = _tree(data, grammar, stopped_at)
    if tree is None:
        return problem_at(text, _characters(data, stopped_at[1]), "the text before cannot be parsed")
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


def has_node(text: str, grammar: str, kinds: frozenset[str]) -> bool:
    """Return whether a text parses by a grammar and has a node of one of the kinds.

    Raises `UnjudgedError` as `grammar_problem` does.
    """
    tree = _tree(text.encode("utf-8", "surrogatepass"), grammar, [0, 0])
    if tree is None or tree.root_node.has_error:
        return False
    cursor = tree.walk()
    while True:
        if cursor.node is not None and cursor.node.type in kinds:
            return True
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False


def _tree(data: bytes, grammar: str, stopped_at: list[int]) -> Tree | None:
    """Return the tree of a text; `None` if the parser was stopped while it recovered from an error."""
    from tree_sitter import Parser

    budget = _STEPS + _STEPS_PER_KIB * (len(data) >> 10)
    steps = 0

    def is_enough(position: int, in_error: bool) -> bool:
        nonlocal steps
        steps += 1
        stopped_at[0] += in_error
        stopped_at[1] = position
        return steps > budget or stopped_at[0] > _STEPS_IN_ERROR

    try:
        return Parser(_language(grammar)).parse(
            lambda start, _: data[start : start + _CHUNK], progress_callback=is_enough
        )
    except ValueError:  # it was stopped
        if stopped_at[0] > _STEPS_IN_ERROR:
            return None
        raise UnjudgedError from None


@cache
def _language(grammar: str) -> Language:
    from tree_sitter import Language

    package, _, name = grammar.partition(":")
    try:
        module: Any = importlib.import_module(f"tree_sitter_{package}")
        return Language(getattr(module, f"language_{name}" if name else "language")())
    except (ImportError, AttributeError, ValueError) as error:
        raise UnjudgedError from error


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


