"""The invariants of docs/architecture.md, each read off the source."""

from __future__ import annotations

import ast
import gc
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "patchpoint"

TABLE = {
    # the words that everything speaks
    "dataclass": "",
    "text": "",
    "progress": "",
    "postponed": "",
    "signals": "",
    "wording": "text",
    "version": "",
    "stated_change": "",
    "edit": "text",
    "outcome": "text",
    "structure.json/base": "text",
    "structure": "structure.json/base text",
    "structure.lazy/base": "structure text",
    "structure.blocks": "structure.lazy/base text",
    "structure.json": "structure structure.json/base structure.lazy/base text",
    "structure.keyed": "structure text",
    "structure.lazy.outline": "structure structure.lazy/base text",
    "structure.lazy.doubt": "structure structure.lazy.outline structure.lazy/base text",
    "structure.lazy": (
        "structure structure.json structure.keyed structure.lazy/base structure.lazy.doubt "
        "structure.lazy.outline text"
    ),
    # pure: what a model asks for, and what it does to texts
    "formats/base": "edit text",
    "formats.sentences": "formats/base text",
    "formats.blocks": (
        "edit formats/base formats.sentences structure structure.lazy.outline structure.lazy/base text"
    ),
    "formats.in_words": "edit formats/base formats.sentences structure text",
    "formats.diffs": "edit formats/base structure.lazy/base text",
    "formats.tool_calls": "edit formats/base structure.lazy/base text",
    "formats.conversation": "edit formats/base formats.sentences formats.tool_calls text",
    "formats.pages": "edit formats/base formats.blocks structure text",
    "formats": "edit formats/base formats.blocks formats.conversation formats.diffs formats.in_words "
    "formats.pages formats.tool_calls text",
    "locate/base": "outcome progress text",
    "locate.rungs": "locate/base outcome progress text",
    "locate.evidence": "locate/base locate.rungs outcome text",
    "locate": "locate/base locate.evidence locate.rungs outcome progress text",
    "patching.merging": (
        "locate/base locate.evidence locate.rungs outcome structure structure.lazy/base "
        "structure.lazy.outline text"
    ),
    "patching.named": (
        "edit locate locate/base outcome structure structure.lazy structure.lazy/base "
        "structure.lazy.outline text"
    ),
    "patching": (
        "edit formats.sentences locate locate/base locate.evidence locate.rungs outcome patching.merging "
        "patching.named progress structure structure.blocks structure.json structure.keyed structure.lazy "
        "structure.lazy/base structure.lazy.doubt structure.lazy.outline text wording"
    ),
    "patching.answers": (
        "edit locate locate/base outcome patching progress structure structure.lazy/base "
        "structure.lazy.doubt structure.lazy.outline text"
    ),
    "review/base": "edit outcome patching structure structure.lazy.outline text wording",
    # the road of a request
    "filesystem": "progress text wording",
    "operations": "filesystem text",
    "paths": "filesystem text",
    "workspace.transaction": "filesystem operations paths progress text",
    "workspace": (
        "edit filesystem locate operations outcome patching patching.answers paths progress structure text "
        "workspace.transaction wording"
    ),
    "workspace.history": "edit filesystem outcome patching text workspace",
    "api": "edit formats locate outcome patching patching.answers paths text",
    # the road of a checkpoint
    "git.odb": "filesystem text",
    "git": "filesystem git.odb text wording",
    "git.objects": "filesystem git git.odb",
    "git.index": "filesystem git git.odb text",
    "git.ignore": "filesystem git text",
    "checkpoints/base": "filesystem git git.objects git.odb progress text",
    "checkpoints.mirror": "filesystem git git.objects git.odb text",
    "checkpoints.snapshot": (
        "checkpoints/base filesystem git git.ignore git.index git.objects git.odb progress"
    ),
    "checkpoints.record": (
        "checkpoints.mirror checkpoints.snapshot checkpoints/base filesystem git git.ignore git.index "
        "git.objects git.odb operations progress stated_change text"
    ),
    "checkpoints.authorship": (
        "checkpoints.record checkpoints.snapshot checkpoints/base git git.objects git.odb progress "
        "stated_change text"
    ),
    "checkpoints.restore": (
        "checkpoints.record checkpoints.snapshot checkpoints/base filesystem git git.ignore git.index "
        "git.objects git.odb operations progress text"
    ),
    "checkpoints.companions": ("checkpoints.record checkpoints.restore checkpoints/base git"),
    "checkpoints.maintenance": (
        "checkpoints.mirror checkpoints.record checkpoints.restore checkpoints/base filesystem git git.index "
        "git.objects git.odb operations progress text wording"
    ),
    "checkpoints": (
        "checkpoints.authorship checkpoints.companions checkpoints.maintenance checkpoints.mirror "
        "checkpoints.record checkpoints.restore "
        "checkpoints.snapshot checkpoints/base filesystem git git.ignore git.objects git.odb operations "
        "progress text"
    ),
    # the language server and the command line
    "schema": (
        "checkpoints/base checkpoints.record checkpoints.restore edit git locate operations outcome patching "
        "paths review/base text wording workspace.history"
    ),
    "review": (
        "checkpoints checkpoints/base checkpoints.maintenance checkpoints.record checkpoints.restore "
        "checkpoints.snapshot filesystem git git.objects git.odb operations progress review/base schema text"
    ),
    "headless": (
        "checkpoints checkpoints/base checkpoints.record checkpoints.restore edit filesystem formats locate "
        "operations outcome patching patching.answers paths progress schema text wording workspace "
        "workspace.history workspace.transaction"
    ),
    "hooks/base": "filesystem",
    "hooks.tools": "checkpoints.record checkpoints/base git hooks/base stated_change text",
    "hooks": (
        "checkpoints checkpoints.record checkpoints.restore checkpoints/base edit filesystem git headless "
        "hooks.tools hooks/base outcome patching progress stated_change schema structure.json/base text "
        "workspace"
    ),
    "hooks.sharing": "checkpoints.record filesystem hooks hooks/base progress",
    "mcp/base": "progress schema",
    "mcp.tools": (
        "checkpoints checkpoints/base checkpoints.record checkpoints.restore edit filesystem formats "
        "headless hooks hooks/base mcp/base outcome patching schema signals text wording workspace "
        "workspace.history"
    ),
    "mcp": "mcp/base mcp.tools progress schema signals version",
    "lsp/base": "checkpoints/base filesystem schema text",
    "lsp.transport": "",
    "lsp.session": (
        "filesystem locate lsp/base lsp.transport outcome progress schema structure text version wording"
    ),
    "lsp.applying": (
        "edit filesystem locate lsp/base lsp.session operations outcome patching patching.answers progress "
        "review/base schema text wording workspace workspace.history"
    ),
    "lsp.checkpoints": (
        "checkpoints checkpoints.authorship checkpoints/base filesystem hooks.sharing hooks/base lsp/base "
        "lsp.session paths schema text workspace"
    ),
    "lsp.pending": (
        "checkpoints edit filesystem formats locate lsp/base lsp.applying lsp.session outcome "
        "patching patching.answers progress schema text workspace.history"
    ),
    "lsp.reviewing": (
        "checkpoints filesystem lsp/base lsp.applying lsp.checkpoints lsp.pending lsp.session progress "
        "review review/base schema text wording"
    ),
    "lsp.language_server": (
        "checkpoints filesystem lsp/base lsp.applying lsp.checkpoints lsp.pending lsp.reviewing lsp.session "
        "outcome patching workspace workspace.transaction wording"
    ),
    "lsp.features": (
        "checkpoints checkpoints/base checkpoints.restore edit filesystem formats headless lsp/base "
        "lsp.applying lsp.checkpoints "
        "lsp.language_server lsp.pending lsp.reviewing lsp.session operations outcome patching "
        "patching.answers patching.named paths "
        "progress review review/base schema text workspace "
        "workspace.history wording"
    ),
    "lsp.registration": "lsp/base lsp.checkpoints lsp.features lsp.language_server",
    "lsp.server": (
        "filesystem lsp/base lsp.language_server lsp.registration lsp.session lsp.transport schema signals"
    ),
    "lsp": "",
    "cli": (
        "checkpoints checkpoints.authorship checkpoints/base checkpoints.maintenance checkpoints.mirror "
        "checkpoints.record checkpoints.restore edit filesystem "
        "formats git headless hooks hooks.sharing hooks.tools hooks/base locate operations outcome patching "
        "postponed progress review review/base schema signals structure structure.lazy.outline text "
        "workspace workspace.history "
        "workspace.transaction version wording"
    ),
    "cli.serve": "cli lsp.server lsp.transport text",
    "cli.mcp": "cli mcp signals",
    # the package itself
    "patchpoint": "api checkpoints checkpoints/base edit formats locate outcome version",
    "__main__": "cli",
}
"""Each folder (or module), lowest first, and the folders that it may import.

`formats/base` is those modules of `formats` that its sub-folders import (see `BASE`); `formats` is the rest,
which imports the sub-folders. So it is with the others.
"""

EVERYWHERE = "dataclass"
"""What every folder may import, and no row of the table names."""

BASE = {
    "formats": {"fences", "labels", "path_forms", "scan", "signs", "source", "spelling"},
    "locate": {"alignment", "brackets", "effort", "hints", "source", "verdict"},
    "checkpoints": {"diff", "errors", "options", "repository_lock"},
    "lsp": {"commands", "errors"},
    "hooks": {"fields", "meeting_place", "wire"},
    "review": {
        "change_set",
        "decision",
        "decisions",
        "hunks",
        "planned",
        "rows",
        "sitting",
    },
    "mcp": {"call", "folders", "json_schema", "questions"},
    "structure.json": {"scan"},
    "structure.lazy": {"alignment", "bindings", "definition", "marks", "syntax", "units"},
}
"""The modules of a folder that lie below its sub-folders."""

LIBRARIES = {
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "dulwich": {"checkpoints", "git"},
    "rapidfuzz": {"locate", "structure"},
    "json_repair": {"formats"},
    "prompt_toolkit": {"cli"},
    "tree_sitter": {"structure"},
    "tomli": {"structure"},
    "cattrs": {"lsp", "workspace"},
    "anyio": {"mcp"},
    "mcp": {"mcp"},
    "mcp_types": {"mcp"},
}
"""Each library, and the folders that may know of it."""

USERS_WITHIN = {
    "prompt_toolkit": {
        "cli.screen.full_screen",
        "cli.screen.keys",
        "cli.screen.paint",
        "cli.screen.style",
        "cli.screen.turn_picker",
        "cli.screen.view",
    },
    "cattrs": {"workspace.history.ledger"},
    "anyio": {"mcp.server", "mcp.work"},
    "mcp": {"mcp.server", "mcp.exchange", "mcp.incoming"},
    "mcp_types": {"mcp.server", "mcp.exchange", "mcp.incoming"},
}
"""Where only some modules of such a folder may know of a library: those."""

PURE = {
    "text",
    "stated_change",
    "wording",
    "edit",
    "outcome",
    "locate",
    "formats",
    "patching",
    "structure",
    "review/base",
}
"""The folders, or rows of the table, that do no input or output and hold no state."""

REACHES_OUT = {
    "asyncio", "concurrent", "fcntl", "glob", "http", "io", "logging", "mmap", "multiprocessing", "os",
    "pathlib", "random", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "tempfile", "threading",
    "time", "uuid",
}  # fmt: skip
"""Modules of the standard library that reach out of a computation, or make it depend on when it runs."""

PURE_NAMES = {"pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath"}

EXEMPT = {("structure.python", "threading"), ("structure.grammars", "time")}
"""A module and what it may import all the same: Python's parser warns through a filter of the whole process,
which one thread at a time may silence; and a grammar's parser has no bound but the clock for some texts."""

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

FORKS = "hooks.sharing.stay"
"""The one module that has a process go on as two."""


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name below the package, which is itself called `patchpoint`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "patchpoint"
        found[name] = path
    return found


@cache
def parsed() -> dict[Path, tuple[ast.AST, ...]]:
    """Everything that each module says, as Python's parser has it; the module itself comes first."""
    # Collecting garbage, of which there is none, would take twice as long as all else.
    gc.disable()
    try:
        return {
            path: tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))
            for path in modules().values()
        }
    finally:
        gc.enable()


def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything that a file says, as Python's parser has it."""
    return parsed()[path]


def room(module: str) -> str:
    """The room of a module: the first name below the package."""
    return module.split(".")[0]


def unit(module: str) -> str:
    """The row of the table that a module belongs to."""
    folder, _, name = module.rpartition(".")
    if name in BASE.get(folder, ()):
        return f"{folder}/base"
    parts = module.split(".")
    return next(row for size in (3, 2, 1) if (row := ".".join(parts[:size])) in TABLE)


@cache
def imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Each import of a file, wherever in it: the module, and the name taken from it (or nothing)."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found += [(node.module or "", alias.name) for alias in node.names]
    return tuple(found)


def own_imports(module: str, path: Path) -> set[str]:
    """The modules of the package that `module` imports."""
    known = modules()
    found = set()
    for source, name in imports(path):
        if source.split(".")[0] == "patchpoint":
            for whole in (f"{source}.{name}", source):
                name = whole.partition(".")[2] or "patchpoint"
                if (final := name) in known:
                    found.add(final)
                    break
            else:
                raise AssertionError(f"{module} imports {source}, which is not there")
    return found - {module}


def modules_of(*rooms: str) -> Iterator[tuple[str, Path]]:
    """The modules of these rooms and their files."""
    return (
        (module, path) for module, path in modules().items() if room(module) in rooms or unit(module) in rooms
    )


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """Each call of a file: its line, and the last name of what is called."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.lineno, node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.lineno, node.func.id


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_known_only_in_its_own_room(library: str) -> None:
    users = {
        module
        for module, path in modules().items()
        if any(source.split(".")[0] == library for source, _ in imports(path))
    }
    assert {room(module) for module in users} == LIBRARIES[library]
    narrow = USERS_WITHIN.get(library, set())
    for module in users:
        if room(module) in {room(user) for user in narrow}:
            assert module in narrow, f"{module} imports {library}"


def test_every_library_that_is_imported_is_declared() -> None:
    declared = (PACKAGE.parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    always = declared.split("\ndependencies = [")[1].split("]")[0]
    extras = declared.split("\n[project.optional-dependencies]")[1].split("\n[")[0]
    dependencies = f"{always}{extras}".replace("-", "_")
    for library in LIBRARIES:
        assert f'"{library}>=' in dependencies, f"{library} has a lower bound in pyproject.toml"


def test_no_module_can_start_a_program() -> None:
    for module, path in modules().items():
        for source, name in imports(path):
            assert source.split(".")[0] not in STARTS_PROGRAMS, f"{module} imports {source}"
            assert not STARTS_PROGRAMS_BY_NAME.search(f"{source}.{name}"), f"{module} imports {source}.{name}"
        text = path.read_text(encoding="utf-8")
        if module == FORKS:
            assert text.count("os.fork()") == 1
            text = text.replace("os.fork()", "")  # the same program goes on
        for number, line in enumerate(text.splitlines(), 1):
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
        for node in nodes(path):
            assert not isinstance(node, ast.Global), f"{module}:{node.lineno} keeps state"


def evaluated_on_import(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated when a module is imported: everything but the bodies of its functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in (*child.decorator_list, child.args):
                yield from evaluated_on_import(part)
        elif not isinstance(child, ast.Lambda):
            yield from evaluated_on_import(child)


def test_no_module_compiles_a_pattern_when_it_is_imported() -> None:
    for module, path in modules().items():
        for node in evaluated_on_import(nodes(path)[0]):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "compile"
            ):
                assert ast.unparse(node.func) != "re.compile", (
                    f"{module}:{node.lineno}: use patchpoint.text.regex, whose patterns are compiled later"
                )


def test_every_dataclass_has_its_methods_written_later() -> None:
    for module, path in modules().items():
        if module != "dataclass":
            at_once = {("dataclasses", name) for name in ("dataclass", "field", "replace")}
            assert not at_once & set(imports(path)), (
                f"{module}: use patchpoint.dataclass, which takes no time on import"
            )


def test_the_pure_rooms_know_only_pure_rooms() -> None:
    for module, path in modules_of(*PURE):
        for other in own_imports(module, path):
            known = {*PURE, "progress", EVERYWHERE}
            assert {room(other), unit(other)} & known, f"{module} imports {other}"


def test_the_table_goes_one_way() -> None:
    rows = list(TABLE)
    for number, row in enumerate(rows):
        for other in TABLE[row].split():
            assert other in rows[:number], f"{row} may import only rows above its own, not {other}"


def upward_edges() -> list[str]:
    """Every import between folders that the table does not allow."""
    return [
        f"{unit(module)}: {module} imports {other}"
        for module, path in modules().items()
        for other in sorted(own_imports(module, path))
        if unit(other) not in (unit(module), EVERYWHERE, *TABLE[unit(module)].split())
    ]


def test_every_import_between_folders_is_in_the_table() -> None:
    assert not upward_edges()


def test_imports_never_go_in_a_circle() -> None:
    graph = {module: own_imports(module, path) for module, path in modules().items()}
    list(TopologicalSorter(graph).static_order())


def test_the_command_line_works_without_the_libraries_of_the_server() -> None:
    known = modules()
    reached: set[str] = set()
    waiting = [module for module, _ in modules_of("cli")]
    while waiting:
        module = waiting.pop()
        if module != "cli.serve" and module not in reached:
            reached.add(module)
            waiting.extend(own_imports(module, known[module]))
            for source, _ in imports(known[module]):
                assert source.split(".")[0] not in ("pygls", "lsprotocol"), f"{module} imports {source}"
    assert "schema.uris" in reached


def test_client_positions_are_made_only_where_they_are_converted() -> None:
    for module, path in modules_of("lsp", "schema", "cli"):
        if module not in ("schema.edits", "lsp.session.positions"):
            for line, name in calls(path):
                assert name not in ("Position", "PositionData"), f"{module}:{line} makes a client position"


def test_what_a_client_can_do_is_worked_out_in_one_place() -> None:
    for module, path in modules().items():
        if module not in ("lsp.session.client_capabilities", "mcp.exchange"):
            for node in nodes(path):
                if isinstance(node, ast.Attribute):
                    assert node.attr != "client_capabilities", f"{module}:{node.lineno} reads them raw"


def test_no_feature_decides_by_the_name_of_the_client() -> None:
    for module, path in modules().items():
        for node in nodes(path):
            assert not (isinstance(node, ast.Attribute) and node.attr == "client_info"), module


def test_a_module_stays_small_enough_to_be_about_one_thing() -> None:
    for module, path in modules().items():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, f"{module} has two subjects by now"


def test_a_folder_stays_small_enough_to_be_read_at_a_glance() -> None:
    folders = Counter(
        module.rpartition(".")[0] for module, path in modules().items() if path.stem != "__init__"
    )
    for folder, count in folders.items():
        assert count <= 12, f"{folder or 'patchpoint'} holds {count} modules"


def test_no_name_says_only_that_something_helps() -> None:
    empty_words = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
    for module in modules():
        assert not empty_words & set(module.split(".")), module


def test_only_the_command_line_prints() -> None:
    for module, path in modules().items():
        if room(module) != "cli":
            for line, name in calls(path):
                assert name != "print", f"{module}:{line} prints"
