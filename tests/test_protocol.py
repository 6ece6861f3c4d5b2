"""docs/protocol.md is what the outside relies on: it has the names that the code has."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import patchpoint
from patchpoint.checkpoints import CheckpointStore, Kind
from patchpoint.cli.arguments import parser
from patchpoint.lsp import answers
from patchpoint.lsp.commands import COMMANDS
from patchpoint.lsp.decode import field_types
from patchpoint.lsp.diagnostics import _CODES
from patchpoint.lsp.settings import SETTINGS
from patchpoint.outcome import Rung, Status

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}


def section(title: str) -> str:
    return next(text for name, text in SECTIONS.items() if name.startswith(title))


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


def test_every_command_is_named() -> None:
    named = {name for name in quoted(section("Commands")) if name.startswith("patchpoint.")}
    assert named == {command.name for command in COMMANDS}


def test_every_argument_of_a_command_is_named() -> None:
    rows = [line.split("|")[1:3] for line in section("Commands").splitlines() if line.startswith("| ")]
    for command in COMMANDS:
        takes = next(takes for name, takes in rows if f"`{command.name}`" in name)
        if "as above" not in takes:
            assert set(field_types(command.takes)) <= quoted(takes), command.name


def test_the_answers_have_the_keys_that_are_written_down() -> None:
    for name, kind in {
        "Outcome": answers.OutcomeAnswer,
        "FileChange": answers.FileChangeAnswer,
        "Checkpoint": answers.CheckpointAnswer,
    }.items():
        line = next(line for line in section("Commands").splitlines() if line.startswith(f"- {name}: "))
        shape = re.sub(r"\[\{.*?\}\]|: [\w|]+", "", line.split("`")[1])
        keys = re.findall(r"[{,] ?(\w+)", shape)
        assert keys == list(field_types(kind)), name


@pytest.mark.parametrize(
    ("label", "values"),
    [("`status`: ", [status.value for status in Status]), ("`rung`: ", [rung.value for rung in Rung])],
    ids=["statuses", "rungs"],
)
def test_statuses_and_rungs_are_those_of_the_page(label: str, values: Iterable[str]) -> None:
    line = next(line for line in section("Commands").splitlines() if label in line)
    assert quoted(line.partition(label)[2]) == set(values)


def test_the_kinds_of_checkpoints_are_those_of_the_page() -> None:
    assert "kind: " + "|".join(kind.value for kind in Kind) in section("Commands")


def test_the_codes_of_diagnostics_are_those_of_the_page() -> None:
    written = {name for name in quoted(section("Diagnostics")) if "-" in name}
    assert written == {*_CODES.values(), "fuzzy-edit"}


def test_the_settings_are_those_of_the_page() -> None:
    written = {name for name in quoted(section("Settings")) if "." in name or name == "trace"} - {"0.66"}
    assert written == {setting.name for setting in SETTINGS}


def test_the_command_line_has_the_commands_of_the_page() -> None:
    choices: set[str] = set()
    for action in parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            choices |= set(action.choices)
    assert choices <= quoted(section("Command line")) | {"serve"}


def test_the_package_exports_what_the_page_imports() -> None:
    for module, names in re.findall(r"from (patchpoint[\w.]*) import (.+)", section("From Python")):
        namespace: dict[str, object] = {}
        exec(f"from {module} import {names}", namespace)  # noqa: S102 - the lines of the page, as a reader types them
        assert {name.strip() for name in names.split(",")} <= set(namespace)


def test_the_package_exports_nothing_by_accident() -> None:
    assert set(patchpoint.__all__) == {
        *("Candidate", "Edit", "Ladder", "Malformed", "Outcome", "Report", "Rung", "Status"),
        *("apply_edit", "apply_edits", "parse_edits"),
    }
    assert all(hasattr(patchpoint, name) for name in patchpoint.__all__)
    assert set(patchpoint.__all__) <= set(dir(patchpoint))


def test_the_functions_take_what_the_page_says() -> None:
    for name in ("apply_edit", "apply_edits", "parse_edits"):
        written = re.search(rf"`{name}\((.*?)\) ->", section("From Python"))
        assert written is not None
        keys = re.findall(r"(?:^|, )(\w+)", re.sub(r"\(\)|\[[^\]]*\]", "", written[1]))
        takes = inspect.signature(getattr(patchpoint, name)).parameters
        assert set(keys) <= set(takes), name


def test_the_store_has_the_methods_of_the_page() -> None:
    for name in re.findall(r"`\.(\w+)\(", section("From Python")):
        assert callable(getattr(CheckpointStore, name))
