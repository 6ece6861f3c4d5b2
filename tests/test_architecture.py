"""The invariants of docs/architecture.md, each read off the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "patchpoint"

LIBRARIES = {
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "dulwich": {"checkpoints"},
    "rapidfuzz": {"locate", "reconcile", "splices"},
    "json_repair": {"formats"},
    "tree_sitter": {"formats"},
    "tree_sitter_bash": {"formats"},
    "cattrs": {"lsp", "ledger"},
}
"""Each library, and the rooms that may know of it."""

FOUNDATION = {"text", "edit", "outcome"}
PURE = FOUNDATION | {
    "locate", "splices", "reindent", "reconcile", "syntax", "resolve", "feedback", "apply", "formats",
    "combine", "plan", "revert",
}  # fmt: skip
SHELL = {"lsp", "cli"}

REACHES_OUT = {
    "asyncio", "concurrent", "fcntl", "glob", "http", "io", "logging", "mmap", "multiprocessing", "os",
    "pathlib", "random", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "tempfile", "threading",
    "time", "uuid",
}  # fmt: skip
"""Modules of the standard library that reach out of a computation, or make it depend on when it runs."""

PURE_NAMES = {"pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath"}

EXEMPT = {("patchpoint.syntax", "threading")}
"""A module and what it may import all the same: Python's parser warns through a filter of the whole process,
which one thread at a time may silence."""

STARTS_PROGRAMS = {
    "subprocess",
    "pty",
    "multiprocessing",
    "_posixsubprocess",
    "_winapi",
    "pexpect",
    "plumbum",
}
STARTS_PROGRAMS_BY_NAME = re.compile(
    r"subprocess|\bos\.(system|spawn|exec|fork|startfile)|popen|pty\.spawn|posix_spawn|startfile",
    re.IGNORECASE,
)


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def room(module: str) -> str:
    """The room of a module: the first name below the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "patchpoint"


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Each import of a file, wherever in it: the module, and the name taken from it (or nothing)."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            for alias in node.names:
                yield node.module or "", alias.name


def own_imports(module: str, path: Path) -> set[str]:
    """The modules of the package that `module` imports."""
    known = modules()
    found = set()
    for source, name in imports(path):
        if source.split(".")[0] == "patchpoint":
            found.add(f"{source}.{name}" if f"{source}.{name}" in known else source)
    return found - {module}


def modules_of(*rooms: str) -> Iterator[tuple[str, Path]]:
    """The modules of these rooms and their files."""
    return ((module, path) for module, path in modules().items() if room(module) in rooms)


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """Each call of a file: its line, and the last name of what is called."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.lineno, node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.lineno, node.func.id


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_known_only_in_its_own_room(library: str) -> None:
    users = {
        room(module)
        for module, path in modules().items()
        if any(source.split(".")[0] == library for source, _ in imports(path))
    }
    assert users <= LIBRARIES[library]


def test_every_library_that_is_imported_is_declared() -> None:
    declared = (PACKAGE.parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = declared.split("\ndependencies = [")[1].split("]")[0].replace("-", "_")
    for library in LIBRARIES:
        assert f'"{library}>=' in dependencies, f"{library} has a lower bound in pyproject.toml"


def test_no_module_can_start_a_program() -> None:
    for module, path in modules().items():
        for source, name in imports(path):
            assert source.split(".")[0] not in STARTS_PROGRAMS, f"{module} imports {source}"
            assert not STARTS_PROGRAMS_BY_NAME.search(f"{source}.{name}"), f"{module} imports {source}.{name}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not STARTS_PROGRAMS_BY_NAME.search(line), f"{module}:{number} says {line.strip()}"


def test_the_pure_rooms_do_no_input_or_output() -> None:
    for module, path in modules_of(*PURE):
        for source, name in imports(path):
            if f"{source}.{name}" not in PURE_NAMES and (module, source) not in EXEMPT:
                assert source.split(".")[0] not in REACHES_OUT, f"{module} imports {source}"
        for line, name in calls(path):
            assert name not in ("open", "print", "input", "exec", "eval"), f"{module}:{line} calls {name}"


def test_the_pure_rooms_hold_no_state() -> None:
    for module, path in modules_of(*PURE):
        for node in ast.walk(tree(path)):
            assert not isinstance(node, ast.Global), f"{module}:{node.lineno} keeps state"


def test_the_pure_rooms_know_only_pure_rooms() -> None:
    for module, path in modules_of(*PURE):
        for other in own_imports(module, path):
            assert room(other) in PURE | {"progress"}, f"{module} imports {other}"


def test_text_knows_nothing_above_it() -> None:
    for module, path in modules_of("text"):
        assert {room(other) for other in own_imports(module, path)} <= {"text"}, module


def test_formats_need_only_text_and_the_edit() -> None:
    for module, path in modules_of("formats"):
        assert {room(other) for other in own_imports(module, path)} <= {"formats", "text", "edit"}, module


def test_looking_for_a_place_knows_nothing_of_what_is_done_there() -> None:
    above = {"reconcile", "resolve", "plan", "apply", "formats", "feedback"}
    for module, path in modules_of("locate"):
        assert not {room(other) for other in own_imports(module, path)} & above, module


def test_checkpoints_know_nothing_of_edits_or_editors() -> None:
    strangers = SHELL | (PURE - {"text"}) | {"workspace", "pending"}
    for module, path in modules_of("checkpoints"):
        assert not {room(other) for other in own_imports(module, path)} & strangers, module


def test_nothing_stands_on_the_shell() -> None:
    for module, path in modules().items():
        for other in own_imports(module, path):
            if room(other) == "lsp":
                assert room(module) in SHELL, f"{module} imports {other}"
            if room(other) == "cli":
                assert room(module) in {"cli", "__main__"}, f"{module} imports {other}"


def test_imports_never_go_in_a_circle() -> None:
    graph = {module: own_imports(module, path) for module, path in modules().items()}
    list(TopologicalSorter(graph).static_order())


def test_client_positions_are_made_only_where_they_are_converted() -> None:
    for module, path in modules_of("lsp", "cli"):
        # The command line has no client: it counts characters, and says so in docs/protocol.md.
        if module not in ("patchpoint.lsp.convert", "patchpoint.cli.edit_answers"):
            for line, name in calls(path):
                assert name != "Position", f"{module}:{line} makes a client position"


def test_what_a_client_can_do_is_worked_out_in_one_place() -> None:
    for module, path in modules().items():
        if module != "patchpoint.lsp.capabilities":
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Attribute):
                    assert node.attr != "client_capabilities", f"{module}:{node.lineno} reads them raw"


def test_no_feature_decides_by_the_name_of_the_client() -> None:
    for module, path in modules().items():
        for node in ast.walk(tree(path)):
            assert not (isinstance(node, ast.Attribute) and node.attr == "client_info"), module


def test_a_module_stays_small_enough_to_be_about_one_thing() -> None:
    for module, path in modules().items():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, f"{module} has two subjects by now"


def test_no_name_says_only_that_something_helps() -> None:
    empty_words = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
    for module in modules():
        assert not empty_words & set(module.split(".")), module


def test_only_the_command_line_prints() -> None:
    for module, path in modules().items():
        if room(module) != "cli":
            for line, name in calls(path):
                assert name != "print", f"{module}:{line} prints"
