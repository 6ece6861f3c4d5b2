"""docs/protocol.md, which the outside relies on, has the names and shapes of the code."""

from __future__ import annotations

import argparse
import inspect
import re
import types
import typing
from collections.abc import Iterable
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

import pytest
from dulwich.repo import Repo

import patchpoint
from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from patchpoint.cli.arguments import parser
from patchpoint.edit import TEXT_FORMATS
from patchpoint.lsp.commands import COMMANDS
from patchpoint.outcome import Atomic, Rung, Status
from patchpoint.patching.pending import ChangeStatus
from patchpoint.patching.reasons import DIAGNOSTIC_CODES
from patchpoint.schema import requests, responses, reviews
from patchpoint.schema.git_settings import settings_of
from patchpoint.schema.settings import ApplyTarget, table_of_settings
from tools.protocol_ts import type_name, wire_types

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
            assert set(command.keys()) <= quoted(takes), command.name


def parse_shape(text: str) -> object:
    """Return a shape of the page: a mapping of keys, a list of one shape, or a word."""
    tokens = re.findall(r"[{}\[\],:]|[\w|]+", text)

    def take() -> object:
        token = tokens.pop(0)
        if token == "[":
            item = take()
            assert tokens.pop(0) == "]"
            return [item]
        if token != "{":
            return token
        keys: dict[str, object] = {}
        while tokens[0] != "}":
            key = tokens.pop(0)
            keys[key] = None
            if tokens[0] == ":":
                tokens.pop(0)
                keys[key] = take()
            if tokens[0] == ",":
                tokens.pop(0)
        tokens.pop(0)
        return keys

    shape = take()
    assert tokens == [], text
    return shape


def check_shape(shape: object, kind: object, where: str) -> None:
    """Compare a shape of the page with the type of a result or of parameters."""
    options = [one for one in typing.get_args(kind) if one is not types.NoneType]
    if typing.get_origin(kind) is tuple:
        assert isinstance(shape, list), where
        check_shape(shape[0], options[0], where)
    elif options:
        check_shape(shape, options[0], where)
    elif isinstance(kind, type) and is_dataclass(kind):
        if isinstance(shape, dict):
            wire = wire_types(kind)
            assert list(shape) == list(wire), where
            for key, hint in wire.items():
                check_shape(shape[key], hint, f"{where}.{key}")
        else:
            assert shape == type_name(kind), where
    elif isinstance(kind, type) and issubclass(kind, Enum) and shape is not None:
        assert str(shape).split("|") == [one.value for one in kind], where


def test_the_shapes_of_the_page_are_those_of_the_wire() -> None:
    kinds = (
        requests.EditData,
        responses.OutcomeData,
        responses.FileChangeData,
        responses.CheckpointData,
        reviews.ReviewedFileData,
        responses.HunkData,
    )
    for kind in kinds:
        name = type_name(kind)
        line = next(line for line in section("Commands").splitlines() if line.startswith(f"- {name}: "))
        check_shape(parse_shape(line.split("`")[1]), kind, name)


def test_every_command_returns_what_the_page_says() -> None:
    table = [line for line in section("Commands").splitlines() if line.startswith("| `patchpoint.")]
    results = {command.name.removeprefix("patchpoint."): command.result for command in COMMANDS}
    shapes = {}
    for _, commands, _, written, _ in (line.split("|") for line in table):
        for name in re.findall(r"`patchpoint\.(\w+)`", commands):
            other = re.match(r" as (\w+)", written)
            if other is not None:
                assert results[name] is results[other[1]], name
            else:
                shape = written.split("`")[1] if "`{" in written else written.partition(";")[0]
                shapes[name] = parse_shape(shape)
                check_shape(shapes[name], results[name], name)
    assert {"applyEdits", "takeCheckpoint", "restoreCheckpoint", "pruneCheckpoints"} <= set(shapes)


def test_the_choices_of_parameters_are_those_of_the_page() -> None:
    row = next(line for line in section("Commands").splitlines() if "`patchpoint.applyEdits` |" in line)
    for key, values in (
        ("format", TEXT_FORMATS),
        ("atomic", [one.value for one in Atomic]),
        ("target", [one.value for one in ApplyTarget]),
    ):
        written = re.search(rf"`{key}` \((.*?)\)", row)
        assert written is not None
        assert re.findall(r"`(\w+)`", written[1]) == list(values), key
    target = section("Commands").partition("- `target`: ")[2].partition("\n- ")[0]
    assert {one.value for one in ApplyTarget} <= quoted(target)


def test_the_changes_of_pending_edits_are_those_of_the_page() -> None:
    line = next(line for line in section("Commands").splitlines() if "`changes` is for" in line)
    assert quoted(line) - {"changes"} == {one.value for one in ChangeStatus} - {""}
    assert "else empty" in line


def test_the_notifications_are_those_of_the_page() -> None:
    sent = set()
    for path in Path(patchpoint.__file__).parent.rglob("*.py"):
        sent |= set(re.findall(r'"(patchpoint/did\w+)"', path.read_text(encoding="utf-8")))
    assert sent == quoted(section("Notifications"))


@pytest.mark.parametrize(
    ("label", "values"),
    [("`status`: ", [status.value for status in Status]), ("`rung`: ", [rung.value for rung in Rung])],
    ids=["statuses", "rungs"],
)
def test_statuses_and_rungs_are_those_of_the_page(label: str, values: Iterable[str]) -> None:
    line = next(line for line in section("Commands").splitlines() if label in line)
    assert quoted(line.partition(label)[2]) == set(values)


def test_the_kinds_of_checkpoints_are_those_of_the_page() -> None:
    assert "kind: " + "|".join(kind.value for kind in CheckpointKind) in section("Commands")


def test_the_codes_of_diagnostics_are_those_of_the_page() -> None:
    written = {name for name in quoted(section("Diagnostics")) if "-" in name}
    assert written == {*DIAGNOSTIC_CODES.values(), "fuzzy-edit", "unplaced-code", "review-change"}


def test_the_settings_are_those_of_the_page() -> None:
    table = section("Settings").split("\n\n")[1]
    written = dict(re.findall(r"`([\w.]+)` \(([^)]*)\)", table))
    assert set(written) == {setting.name for setting in table_of_settings()}
    for setting in table_of_settings():
        default, *others = re.findall(r"[\w.]+", written[setting.name])[:3]
        if isinstance(setting.default, list):
            assert default == ("all" if setting.default else "none"), setting.name
        elif isinstance(setting.default, bool):
            assert default == str(setting.default).lower(), setting.name
        elif isinstance(setting.default, (int, float)):
            assert float(default) == setting.default, setting.name
        else:
            assert default == setting.default, setting.name
            if others:
                values = {one.value for one in setting.kind}
                assert set(re.findall(r"`(\w+)`", written[setting.name])) == values, setting.name


def test_the_settings_that_git_does_not_have_are_the_last_of_the_page(tmp_path: Path) -> None:
    names = [setting.name for setting in table_of_settings()]
    with Repo.init(str(tmp_path)) as repository:
        config = repository.get_config()
        for name in names:
            subsection, _, key = name.rpartition(".")
            config.set(("patchpoint", *((subsection,) if subsection else ())), key, "x")
        config.write_to_path()
    assert "All but the last four" in section("Settings")
    settings, wrong = settings_of(tmp_path)
    assert settings.exclude == ("x",)
    ignored = {name for name in names if any(f"`patchpoint.{name}" in sentence for sentence in wrong)}
    assert ignored | {"apply.confirmFiles", "checkpoints.exclude", "checkpoints.include"} == set(names[:-4])


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
        *("Proposal", "Reason", "apply_edit", "apply_edits", "edit_symbol", "merge_lazy", "parse_edits"),
        *("CheckpointStore", "RetentionPolicy", "SnapshotOptions", "StoreOptions"),
    }
    assert all(hasattr(patchpoint, name) for name in patchpoint.__all__)
    assert set(patchpoint.__all__) <= set(dir(patchpoint))


def test_the_functions_have_the_parameters_of_the_page() -> None:
    for name in ("apply_edit", "apply_edits", "edit_symbol", "parse_edits"):
        written = re.search(rf"`{name}\((.*?)\) ->", section("From Python"))
        assert written is not None
        keys = re.findall(r"(?:^|, )(\w+)", re.sub(r"\(\)|\[[^\]]*\]", "", written[1]))
        takes = inspect.signature(getattr(patchpoint, name)).parameters
        assert set(keys) <= set(takes), name


def test_the_store_has_the_methods_of_the_page() -> None:
    for name in re.findall(r"`\.(\w+)\(", section("From Python")):
        assert callable(getattr(CheckpointStore, name))


def test_the_extension_trusts_no_markdown() -> None:
    folder = Path(__file__).parent.parent / "editors" / "vscode" / "src"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.ts"))
    assert "new vscode.MarkdownString()" in source
    marks = r"supportHtml|appendMarkdown|(?<!workspace\.)isTrusted|MarkdownString\([^)]"
    assert not re.search(marks, source)
