"""What the VS Code extension declares, against what it does and what the server offers."""

from __future__ import annotations

import re
from collections import Counter

from patchpoint.lsp.commands import COMMANDS
from patchpoint.schema.settings import SECTION
from patchpoint.version import __version__
from tools.vscode_manifest import EXTENSION, GENERATED, read_manifest, server_settings

MANIFEST = read_manifest()
CONTRIBUTES = MANIFEST["contributes"]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in (EXTENSION / "src").rglob("*.ts"))


def declared_commands() -> set[str]:
    return {command["command"] for command in CONTRIBUTES["commands"]}


def test_the_settings_are_those_of_the_server() -> None:
    (generated,) = [section for section in CONTRIBUTES["configuration"] if section["title"] == GENERATED]
    assert generated["properties"] == server_settings(), "run `make docs`"


def test_its_own_settings_are_kept_from_the_server_and_no_workspace_names_a_program() -> None:
    own = {
        name: schema
        for section in CONTRIBUTES["configuration"]
        if section["title"] != GENERATED
        for name, schema in section["properties"].items()
    }
    kept = re.search(r"OWN_SETTINGS = \[(.*)\]", SOURCES)
    assert kept is not None
    ours = tuple(f"{SECTION}.{name}." for name in re.findall(r'"([\w.]+)"', kept[1]))
    assert [name for name in own if not f"{name}.".startswith(ours)] == []
    assert [name for name in server_settings() if f"{name}.".startswith(ours)] == []
    programs = {name for name in own if name.startswith(f"{SECTION}.server.")}
    assert {own[name]["scope"] for name in programs} == {"machine"}
    assert set(MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]) == programs


def test_every_declared_command_is_there_and_every_command_is_declared() -> None:
    table = re.search(r"const commands: .*? = \{(.*?)\n    \};", SOURCES, re.DOTALL)
    assert table is not None
    names = re.findall(r"^        (\w+): \(", table[1], re.MULTILINE)
    assert {f"patchpoint.vscode.{name}" for name in names} == declared_commands()


def test_no_command_has_the_name_of_one_of_the_servers() -> None:
    assert not declared_commands() & {command.name for command in COMMANDS}


def test_every_command_that_is_spoken_of_exists() -> None:
    everywhere = SOURCES + (EXTENSION / "package.json").read_text(encoding="utf-8")
    spoken_of = set(re.findall(r"patchpoint\.vscode\.\w+", everywhere))
    assert spoken_of == declared_commands()


def test_the_server_has_every_command_that_the_extension_asks_for() -> None:
    asked = set(
        re.findall(
            r'"(patchpoint\.\w+)": \[', (EXTENSION / "src/server/protocol.ts").read_text(encoding="utf-8")
        )
    )
    assert asked
    assert asked <= {command.name for command in COMMANDS}


def test_every_file_that_the_manifest_names_is_there() -> None:
    steps = [step for walkthrough in CONTRIBUTES["walkthroughs"] for step in walkthrough["steps"]]
    named = [MANIFEST["icon"], *(step["media"]["image"] for step in steps)]
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


def test_extension_and_server_have_one_version() -> None:
    assert MANIFEST["version"] == __version__


def test_nothing_is_reported_to_anybody() -> None:
    assert not re.search(r"telemetry|https?://|fetch\(|node:https?", SOURCES, re.IGNORECASE)


def test_no_folder_of_the_sources_holds_more_than_a_dozen_modules() -> None:
    held = Counter(path.parent for path in (EXTENSION / "src").rglob("*.ts"))
    assert [folder for folder, count in held.items() if count > 12] == []
