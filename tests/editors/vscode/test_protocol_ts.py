"""The extension has the protocol's types from the server's dataclasses."""

from __future__ import annotations

import re

from patchpoint.lsp.commands import COMMANDS
from patchpoint.outcome import Status
from tools.protocol_ts import PROTOCOL_TS, protocol_ts


def test_the_types_of_the_extension_are_those_of_the_server() -> None:
    assert PROTOCOL_TS.read_text(encoding="utf-8") == protocol_ts(), "run `make docs`"


def test_every_type_that_is_named_is_declared_once() -> None:
    written = re.sub(r"/\*\*.*?\*/", "", protocol_ts(), flags=re.DOTALL)
    declared = re.findall(r"^export (?:interface|type) (\w+)", written, re.MULTILINE)
    assert len(declared) == len(set(declared))
    assert set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", written))) <= {*declared, "Record"}


def test_what_may_be_left_out_and_what_may_be_null_is_as_on_the_wire() -> None:
    written = protocol_ts()
    assert "    edit: string;\n" in written
    assert "    dryRun?: boolean | null;\n" in written
    assert "    newRange: Range | null;\n" in written
    assert "    from: string | null;\n" in written
    assert "    candidates: Candidate[];\n" in written
    assert "".join(f'\n    | "{status.value}"' for status in Status) in written


def test_every_command_has_its_types() -> None:
    commands = protocol_ts().partition("export interface Commands")[2]
    assert re.findall(r'"(patchpoint\.\w+)": \[', commands) == [command.name for command in COMMANDS]
