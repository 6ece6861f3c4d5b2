"""Check whether a change makes a file that parsed no longer parse.

Python is judged by its own parser, JSON by its own reader, other languages by tree-sitter where a grammar
for them happens to be installed. Only an edit that was not found exactly is judged: an exact one is the
model's own business.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import threading
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from patchpoint.locate.source import BYTE_ORDER_MARK

MOST_CHARACTERS = 2_000_000
"""Longer texts are not parsed: parsing would take longer than finding the place."""

FAR_CHARACTERS = 50_000
"""How far before a change the definition around it is looked for; beyond, the whole text is parsed."""

_NEAR_CHARACTERS = 4_000
"""Searched first: most changes are in a definition that begins nearer."""

_DEFINITION = re.compile(r"^([ \t]*)(?:def|class|async[ \t]+def)\b", re.MULTILINE)
_WARNINGS = threading.Lock()

_GRAMMARS = {
    ".bash": ("tree_sitter_bash", "language"),
    ".c": ("tree_sitter_c", "language"),
    ".cc": ("tree_sitter_cpp", "language"),
    ".cpp": ("tree_sitter_cpp", "language"),
    ".cs": ("tree_sitter_c_sharp", "language"),
    ".css": ("tree_sitter_css", "language"),
    ".go": ("tree_sitter_go", "language"),
    ".h": ("tree_sitter_c", "language"),
    ".hpp": ("tree_sitter_cpp", "language"),
    ".html": ("tree_sitter_html", "language"),
    ".java": ("tree_sitter_java", "language"),
    ".js": ("tree_sitter_javascript", "language"),
    ".jsx": ("tree_sitter_javascript", "language"),
    ".mjs": ("tree_sitter_javascript", "language"),
    ".php": ("tree_sitter_php", "language_php"),
    ".rb": ("tree_sitter_ruby", "language"),
    ".rs": ("tree_sitter_rust", "language"),
    ".sh": ("tree_sitter_bash", "language"),
    ".toml": ("tree_sitter_toml", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
    ".yaml": ("tree_sitter_yaml", "language"),
    ".yml": ("tree_sitter_yaml", "language"),
}


def parser_for(path: str) -> Callable[[str], bool] | None:
    """Return the function that says whether a text at `path` parses; `None` when there is no parser.

    A text without a path is parsed as Python: a text in another language does not parse before either.
    """
    suffix = PurePosixPath(path.replace("\\", "/")).suffix.lower()
    if suffix in ("", ".py", ".pyi") and (suffix or not path):
        return parses_as_python
    if suffix == ".json":
        return _parses_as_json
    return _tree_sitter(*_GRAMMARS[suffix]) if suffix in _GRAMMARS else None


def no_longer_parses(before: str, after: str, changed: tuple[int, int], path: str) -> bool:
    """Return whether `before` parses and `after` does not.

    `changed` is the stretch of `before` in which the two differ. Of Python, only the definition around it is
    parsed, and the whole text only if that fails. False for texts that nothing here can parse.
    """
    if max(len(before), len(after)) > MOST_CHARACTERS:
        return False
    parses = parser_for(path)
    if parses is None:
        return False
    if before.startswith(BYTE_ORDER_MARK):
        # The mark belongs to the file's encoding: no parser of text accepts it.
        before, changed = before[1:], (max(0, changed[0] - 1), max(0, changed[1] - 1))
    after = after.removeprefix(BYTE_ORDER_MARK)
    if parses is parses_as_python:
        shallowest = _shallowest_line(after, changed[0], len(after) - (len(before) - changed[1]))
        for start, end, depth in _definitions_around(before, changed):
            if shallowest <= depth:
                continue  # the definition ends there, and what follows is not what it was
            piece = after[start : len(after) - (len(before) - end)]
            if parses("if True:\n" + piece if depth else piece):
                return False
    return not parses(after) and parses(before)


def parses_as_python(text: str) -> bool:
    """Return whether Python's parser accepts the text."""
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _shallowest_line(text: str, start: int, end: int) -> int:
    """Return the smallest indentation among the lines that a stretch of `text` touches."""
    lines = text[text.rfind("\n", 0, start) + 1 : end].splitlines()
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)


def _definitions_around(text: str, changed: tuple[int, int]) -> list[tuple[int, int, int]]:
    """Return start, end and depth of the innermost and the outermost definition around a change."""
    open_at: dict[int, int] = {}
    for characters in (_NEAR_CHARACTERS, FAR_CHARACTERS):
        open_at = _open_definitions(text, max(0, changed[0] - characters), changed[0] + 1)
        if 0 in open_at:  # everything before it is closed
            break
    found = []
    for depth in sorted({max(open_at), min(open_at)} if open_at else (), reverse=True):
        after = re.compile(rf"^[ \t]{{0,{depth}}}[^\s#]", re.MULTILINE).search(text, changed[1])
        found.append((open_at[depth], after.start() if after else len(text), depth))
    return found


def _open_definitions(text: str, start: int, end: int) -> dict[int, int]:
    """Return the starts, by depth, of the definitions that begin after `start` and are open at `end`."""
    open_at: dict[int, int] = {}
    for match in _DEFINITION.finditer(text, text.rfind("\n", 0, start) + 1, end):
        depth = len(match[1])
        open_at = {shallower: start for shallower, start in open_at.items() if shallower < depth}
        open_at[depth] = match.start()
    return open_at


def _parses_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@cache
def _tree_sitter(module: str, function: str) -> Callable[[str], bool] | None:
    """Return the check of an installed grammar; `None` when it is not installed."""
    try:
        tree_sitter: Any = importlib.import_module("tree_sitter")
        grammar: Any = importlib.import_module(module)
        language = tree_sitter.Language(getattr(grammar, function)())
    except (ImportError, AttributeError, TypeError, ValueError):
        return None

    def parses(text: str) -> bool:
        parser = tree_sitter.Parser(language)
        return not parser.parse(text.encode("utf-8", "surrogatepass")).root_node.has_error

    return parses
