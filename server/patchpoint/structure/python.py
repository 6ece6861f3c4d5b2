"""Python, judged by the parser of the Python that runs Patchpoint."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import threading
import warnings
from collections.abc import Iterator

from patchpoint.structure.grammars import has_node
from patchpoint.structure.problem import Problem, UnjudgedError
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

FAR_CHARACTERS = 50_000
"""How far before a change the definition around it is looked for; beyond, the whole text is parsed."""

NEWEST = (3, 12)
"""The version that brought the newest statements; a Python before it may not know what a file uses."""

_NEAR_CHARACTERS = 4_000
"""Searched first: most changes are in a definition that begins nearer."""

_NEWER_NODES = frozenset({"type_alias_statement", "type_parameter", "except_group_clause"})
"""Syntax that came with Python 3.11 and 3.12."""

_NEWER_SYNTAX = regex(r"^[ \t]*(?:type\s+\w|except\s*\*|(?:class|def|async\s+def)\s+\w+\s*\[)", re.MULTILINE)
"""What every text with such a node has, and few others."""

_DEFINITION = regex(r"^([ \t]*)(?:def|class|async[ \t]+def)\b", re.MULTILINE)
_FROM_ELSEWHERE = regex(
    r"^[ \t]*from[ \t]+\S+[ \t]+import[ \t]*\(?[ \t]*\*|(?<![\w.])(?:exec|globals|locals|vars)[ \t]*\("
    r"|\b__builtins__\b|\bbuiltins\.|\bNameError\b|\bgettext\.install\b|\bsplit_settings\b"
    r"|\{\{ ?[\w.]+ ?\}\}",
    re.MULTILINE,
)
"""What brings names that no statement of the text binds, or asks whether they are there."""
_GIVEN = frozenset(dir(builtins)) | {
    *("_", "reveal_type", "reveal_locals", "get_ipython", "display", "WindowsError"),
    *("basestring", "long", "raw_input", "reduce", "unichr", "unicode", "xrange", "apply", "buffer", "cmp"),
    *("coerce", "execfile", "file", "intern", "reload", "StandardError"),
    *("BaseExceptionGroup", "EncodingWarning", "ExceptionGroup", "PythonFinalizationError"),
    *("dbutils", "snakemake", "spark"),
}
"""The names of this Python, of older and newer ones, of other systems, and of what runs or checks a file."""
_WARNINGS = threading.Lock()
_NO_FILE = ""
"""A name that no file has."""


def python_problem(text: str) -> Problem | None:
    """Return where a text is not Python.

    Raises `UnjudgedError` for nesting that the parser does not take, and for syntax newer than this Python.
    """
    try:
        _require_python(text)
    except SyntaxError as error:
        if (
            sys.version_info < NEWEST
            and _NEWER_SYNTAX.search(text)
            and has_node(text, "python", _NEWER_NODES)
        ):
            raise UnjudgedError from None
        return Problem(max(1, error.lineno or 1), max(1, error.offset or 1), error.msg)
    except ValueError as error:  # a null character
        return Problem(1, 1, str(error))
    except (RecursionError, MemoryError):
        raise UnjudgedError from None
    return None


def definition_parses(before: str, after: str, changed: Span) -> bool:
    """Return whether the definition around a change parses in `after`, and so the rest as it did in `before`.

    `changed` is the stretch of `before` in which the two differ. Much quicker than parsing the whole; false
    says that it may be broken, or that no definition is around it.
    """
    rest = len(before) - changed[1]
    shallowest = _shallowest_line(after, changed[0], len(after) - rest)
    for start, end, depth in _definitions_around(before, changed):
        if shallowest <= depth:
            continue  # the definition ends there, and what follows is not what it was
        piece = after[start : len(after) - (len(before) - end)]
        try:
            _require_python("if True:\n" + piece if depth else piece)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return True
    return False


def free_names(text: str) -> frozenset[str] | None:
    """Return the names that a text of Python uses, and that neither it nor Python binds.

    `None` where that is not known: it does not parse, or brings names that no statement of it binds.
    """
    if _FROM_ELSEWHERE.search(text):
        return None
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = symtable.symtable(text, _NO_FILE, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    used: set[str] = set()
    bound: set[str] = set()
    for is_outermost, symbol in _symbols(module):
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_annotated():
            if is_outermost or symbol.is_declared_global():
                bound.add(symbol.get_name())
        elif symbol.is_referenced() and symbol.is_global() and not symbol.is_parameter():
            used.add(symbol.get_name())
    return frozenset(
        name
        for name in used - bound - _GIVEN
        if name.isidentifier() and not (name.startswith("__") and name.endswith("__"))
    )


def _symbols(module: symtable.SymbolTable) -> Iterator[tuple[bool, symtable.Symbol]]:
    """Yield the names of every scope of a text, each with whether that is the outermost."""
    scopes = [module]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        yield from ((scope is module, symbol) for symbol in scope.get_symbols())


def _require_python(text: str) -> None:
    """Raise what `ast.parse` raises for a text that is not Python.

    The table of symbols is made by the same parser, in well under half the time, since no tree is made of
    Python's objects. What it refuses after parsing has no text in its error: it would be read from the file.
    """
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            symtable.symtable(text, _NO_FILE, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if isinstance(error, IndentationError) or getattr(error, "text", None) is not None:
                raise
            ast.parse(text)


def _shallowest_line(text: str, start: int, end: int) -> int:
    """Return the smallest indentation among the lines that a stretch of `text` touches."""
    lines = text[text.rfind("\n", 0, start) + 1 : end].splitlines()
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)


def _definitions_around(text: str, changed: Span) -> list[tuple[int, int, int]]:
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
