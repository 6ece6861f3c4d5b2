"""Python, judged by the parser of the Python that runs Patchpoint."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import threading
import warnings

from patchpoint.structure.grammars import grammar_problem
from patchpoint.structure.problem import Problem, UnjudgedError
from patchpoint.text.regex import regex

NEWEST = (3, 12)
"""The version that brought the newest statements; a Python before it may not know what a file uses."""

_NEWER_SYNTAX = regex(r"^[ \t]*(?:type\s+\w|except\s*\*|(?:class|def|async\s+def)\s+\w+\s*\[)", re.MULTILINE)
"""What every text with syntax of Python 3.11 and 3.12 has, and few others."""

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
            and grammar_problem(text, "python") is None
        ):
            raise UnjudgedError from None
        return Problem(max(1, error.lineno or 1), max(1, error.offset or 1), error.msg)
    except ValueError as error:  # a null character
        return Problem(1, 1, str(error))
    except (RecursionError, MemoryError):
        raise UnjudgedError from None
    return None


_WITHOUT_NAME = frozenset({"lambda", "genexpr", "listcomp", "setcomp", "dictcomp"})
"""What the table calls scopes that bind no name."""


def free_names(text: str) -> frozenset[str] | None:
    """Return the names that a text of Python uses, and that neither it nor Python binds.

    `None` where that is not known: it does not parse, or brings names that no statement of it binds.
    """
    if _FROM_ELSEWHERE.search(text):
        return None
    try:
        scopes = [_module(text)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    used: set[str] = set()
    bound: set[str] = set()
    while scopes:
        scope = scopes.pop()
        children = scope.get_children()
        scopes += children
        # each symbol that is looked up is compared with all children: of a module, these are its symbols
        names = {child.get_name() for child in children} - _WITHOUT_NAME
        names = names if scope.get_type() == "module" else set()
        bound |= names
        for symbol in (scope.lookup(name) for name in scope.get_identifiers() if name not in names):
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_annotated():
                is_of_module = scope.get_type() == "module" or symbol.is_declared_global()
                bound.update([symbol.get_name()] if is_of_module else ())
            elif symbol.is_referenced() and symbol.is_global() and not symbol.is_parameter():
                used.add(symbol.get_name())
    return frozenset(
        name
        for name in used - bound - _GIVEN
        if name.isidentifier() and not (name.startswith("__") and name.endswith("__"))
    )


def _module(text: str) -> symtable.SymbolTable:
    """Return the names of a text of Python, as its scopes have them; raise what `ast.parse` raises."""
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return symtable.symtable(text, _NO_FILE, "exec")


def _require_python(text: str) -> None:
    """Raise what `ast.parse` raises for a text that is not Python.

    The table of symbols is made by the same parser, in well under half the time, since no tree is made of
    Python's objects. What it refuses after parsing has no text in its error: it would be read from the file.
    """
    try:
        _module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, IndentationError) or getattr(error, "text", None) is not None:
            raise
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
