"""The measures of the layout and the words: printed by `make house`, held by `tests/test_house.py`."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.test_architecture import nodes, upward_edges
from tools.sizes import sizes

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "server" / "patchpoint"

FORBIDDEN = (
    "stands", "stood", "beside", "anew", "hurried", "mend", "mends", "mended", "mending", "raw name",
    "raw names", "told", "of late", "likewise",
)  # fmt: skip
"""Words that a newcomer would have to learn first; git, LSP and POSIX have others for what they meant."""

_FORBIDDEN = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(FORBIDDEN)})(?![A-Za-z])", re.IGNORECASE)
_WRITTEN_HERE = {".py", ".md", ".ts", ".mjs", ".lua", ".el", ".sh", ".txt", ".toml", ".json"}
_NOT_OURS = re.compile(r"^tests/data/|^constraints\.txt$|package-lock\.json$|^tools/house\.py$")
_BUILT = {".git", ".venv", "node_modules", "dist", "build", "bundled", "__pycache__", ".hypothesis"}


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, the most that it may be, and the places that make it up."""

    name: str
    value: int
    limit: int
    places: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value <= self.limit


def modules_of_largest_folder() -> list[str]:
    """Return the modules (without `__init__`) of the folder of the package that has the most."""
    modules = [path for path in _modules() if path.name != "__init__.py"]
    ((folder, _),) = Counter(path.parent for path in modules).most_common(1)
    return [_shown(path) for path in modules if path.parent == folder]


def temporary_file_renames() -> list[str]:
    """Return the modules that rename files over others: each could be the half of a lost update."""
    return [_shown(path) for path in _modules() if any(map(_is_rename, nodes(path)))]


def diff_writers() -> list[str]:
    """Return the modules that put the header of a hunk together."""
    return [_shown(path) for path in _modules() if any(map(_is_hunk_header, nodes(path)))]


def line_matchers() -> list[str]:
    """Return the modules that pair the lines of two texts."""
    return [_shown(path) for path in _modules() if any(map(_is_matching, nodes(path)))]


def colliding_class_names() -> list[str]:
    """Return each class name that several classes of the package have, with their modules."""
    homes = defaultdict(list)
    for path in _modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(_shown(path))
    return [f"{name}: {', '.join(where)}" for name, where in sorted(homes.items()) if len(where) > 1]


def imports_of_lsp_in_cli() -> list[str]:
    """Return the modules of the command line that import the language server."""
    return [
        _shown(path)
        for path in _modules()
        if path.is_relative_to(PACKAGE / "cli") and any(map(_imports_lsp, nodes(path)))
    ]


def forbidden_words() -> list[str]:
    """Return where forbidden words occur in what the project says: code, comments, messages, documents."""
    found = []
    for path in _written_here():
        text = path.read_text(encoding="utf-8")
        squeezed = text.replace("_", "").replace(" ", "").lower()
        if not any(word.replace(" ", "") in squeezed for word in FORBIDDEN):
            continue  # as nearly always, and found out much faster
        for number, line in enumerate(text.splitlines(), 1):
            words = _FORBIDDEN.findall(_split_names(line))
            found += [f"{_shown(path)}:{number}: {word}" for word in words]
    return found


MEASURES: Mapping[str, tuple[Callable[[], list[str]], int]] = {
    "files in the largest folder": (modules_of_largest_folder, 12),
    "modules that write a temporary file and rename it": (temporary_file_renames, 1),
    "modules that write unified diffs": (diff_writers, 1),
    "modules that match lines": (line_matchers, 1),
    "class names that two classes have": (colliding_class_names, 4),
    "forbidden words": (forbidden_words, 0),
    "modules of cli that import lsp": (imports_of_lsp_in_cli, 1),
}
"""What is counted, by its name: how its places are found, and how many there may be.

That of the imports between folders is missing, which `tests/test_architecture.py` has.
"""


def measured(name: str) -> Measure:
    """Return the measure of this name."""
    find, limit = MEASURES[name]
    return _count(name, find(), limit)


def _count(name: str, places: list[str], limit: int) -> Measure:
    return Measure(name, len(places), limit, tuple(places))


def _is_rename(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    module = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
    if node.func.attr in ("rename", "renames"):
        return True
    if node.func.attr == "replace":
        # `str.replace` takes two arguments and `datetime.replace` only names: this is `Path.replace`.
        return module == "os" or len(node.args) == 1
    return False


def _is_hunk_header(node: ast.AST) -> bool:
    if not isinstance(node, ast.JoinedStr) or not node.values:
        return False
    first = node.values[0]
    return isinstance(first, ast.Constant) and str(first.value).startswith("@@ -")


def _is_matching(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        names = {alias.name for alias in node.names}
        return (node.module == "difflib" and "SequenceMatcher" in names) or bool(names & {"LCSseq"})
    if isinstance(node, ast.FunctionDef):
        return node.name.lstrip("_") == "matching_blocks"
    return False


def _imports_lsp(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        return False
    return any(f"{name}.".startswith("patchpoint.lsp.") for name in names)


def _split_names(line: str) -> str:
    """Return `line` with the words of identifiers parted, as in `told_again` and `StandsHere`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line.replace("_", " "))


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(sorted(PACKAGE.rglob("*.py")))


def _written_here() -> Iterator[Path]:
    """Yield the project's own text files, without what is built or installed."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in _BUILT and not name.endswith("_cache"))
        for path in (Path(folder, name) for name in sorted(names)):
            is_text = path.suffix in _WRITTEN_HERE or path.name in ("Makefile", "run")
            if is_text and not _NOT_OURS.search(_shown(path)):
                yield path


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main() -> int:
    """Print every measure, the places of those that do not hold, and the sizes; return 1 when one fails."""
    found = (*map(measured, MEASURES), _count("edges between folders that run up", upward_edges(), 0))
    for measure in found:
        mark = "ok" if measure.holds else "NO"
        print(f"{mark}  {measure.value:>4} (at most {measure.limit:>2})  {measure.name}")
        if not measure.holds:
            for place in measure.places[:40]:
                print(f"        {place}")
    for size in sizes():
        print(f"    {size}")
    return 0 if all(measure.holds for measure in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
