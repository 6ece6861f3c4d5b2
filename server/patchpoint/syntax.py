"""Whether a change makes a file that parsed no longer parse.

Python is judged by its own parser, JSON by its own reader, other languages by tree-sitter where a grammar for
them happens to be installed. Only an edit that was not found exactly is judged: an exact one is the model's own
business.
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

MOST_CHARACTERS = 2_000_000
"""Longer texts are not parsed: it would take longer than finding the place."""

_TOP_LEVEL = re.compile(r"^(?:def|class|async[ \t]+def)\b", re.MULTILINE)
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
    """What says whether a text at `path` parses; `None` when nothing here can.

    A text without a path is taken for Python: what is not Python does not parse before either.
    """
    suffix = PurePosixPath(path.replace("\\", "/")).suffix.lower()
    if suffix in ("", ".py", ".pyi") and (suffix or not path):
        return parses_as_python
    if suffix == ".json":
        return _parses_as_json
    return _tree_sitter(*_GRAMMARS[suffix]) if suffix in _GRAMMARS else None


def no_longer_parses(before: str, after: str, changed: tuple[int, int], path: str) -> bool:
    """Whether `before` parses and `after` does not.

    `changed` is the stretch of `before` in which the two differ. Of Python, only the top-level definitions
    around it are parsed unless those tell against the change.
    """
    if max(len(before), len(after)) > MOST_CHARACTERS:
        return False
    parses = parser_for(path)
    if parses is None:
        return False
    if parses is parses_as_python:
        start, end = _definitions_around(before, changed)
        if parses(before[start:end]) and parses(after[start : len(after) - (len(before) - end)]):
            return False
    return parses(before) and not parses(after)


def parses_as_python(text: str) -> bool:
    """Whether Python's parser takes the text."""
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _definitions_around(text: str, changed: tuple[int, int]) -> tuple[int, int]:
    """The stretch from the last top-level definition before a change to the first one after it."""
    start, end = 0, len(text)
    for match in _TOP_LEVEL.finditer(text):
        if match.start() < changed[0]:
            start = match.start()
        elif match.start() > changed[1]:
            end = match.start()
            break
    return start, _before_decorators(text, end) if end < len(text) else end


def _before_decorators(text: str, end: int) -> int:
    """Where the decorators of the definition at `end` begin."""
    while end > 0:
        line = text.rfind("\n", 0, end - 1) + 1
        if not text.startswith("@", line):
            break
        end = line
    return end


def _parses_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@cache
def _tree_sitter(module: str, function: str) -> Callable[[str], bool] | None:
    """A judge made of an installed grammar; `None` when there is none."""
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
