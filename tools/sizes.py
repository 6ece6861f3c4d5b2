"""How large the part is that decides where an edit goes, and how much of it rules are: see `make house`.

These are goals, not limits: no test holds them, for a module that is split is no worse than one that is not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "server" / "patchpoint"

DECIDING = ("formats", "structure", "patching", "locate")
"""The rooms that read an answer, find the place of each edit, make its text and judge it."""

COMPLEX = 12
"""More ways through a function than that are hard to hold in the head."""

_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert)
_COMMON = (-1, 0, 1, 2)
"""Numbers that count or index, and weigh nothing."""


@dataclass(frozen=True, slots=True)
class Size:
    """One figure and its goal, the most that it should be."""

    name: str
    value: float
    goal: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value:>7,.0f}{self.unit} (goal {self.goal:,.0f}{self.unit})  {self.name}"


def sizes() -> list[Size]:
    """Return the sizes of the server, and of the rooms that decide."""
    everything = _sources(PACKAGE)
    deciding = {
        path: text for path, text in everything.items() if path.relative_to(PACKAGE).parts[0] in DECIDING
    }
    trees = [ast.parse(text) for text in deciding.values()]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    share = 100 * sum(ways_through(one) > COMPLEX for one in functions) / len(functions)
    return [
        Size("lines of the server", _lines(everything.values()), 58_000),
        Size(f"lines of {', '.join(DECIDING)}", _lines(deciding.values()), 14_500),
        Size("regular expressions there", _count(trees, _is_regex), 130),
        Size("numbers with which something is compared there", _count(trees, _is_threshold), 60),
        Size(f"functions there with more than {COMPLEX} ways through", share, 4, " %"),
    ]


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def ways_through(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the cyclomatic complexity of a function, without that of the functions in it (McCabe, 1976)."""
    found = 1
    for node in _own(function):
        found += isinstance(node, _BRANCHES)
        if isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        if isinstance(node, ast.comprehension):
            found += 1 + len(node.ifs)
        if isinstance(node, ast.Match):
            found += len(node.cases) - 1
    return found


def _own(function: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            yield child
            yield from _own(child)


def _sources(folder: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def _lines(texts: Iterable[str]) -> int:
    return sum(text.count("\n") for text in texts)


def _count(trees: list[ast.Module], is_one: Callable[[ast.AST], bool]) -> int:
    return sum(is_one(node) for tree in trees for node in ast.walk(tree))


def _is_regex(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        name = f"{node.func.value.id}.{node.func.attr}"
    return name in ("regex", "re.compile")


def _is_threshold(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    return any(
        isinstance(side, ast.Constant)
        and isinstance(side.value, int | float)
        and not isinstance(side.value, bool)
        and side.value not in _COMMON
        for side in (node.left, *node.comparators)
    )
