"""What docs/stability.md promises: no name that was published is missing."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import patchpoint
from patchpoint.cli.arguments import command_table
from patchpoint.lsp.commands import COMMANDS
from patchpoint.mcp.tools.table import TOOLS

ROOT = Path(__file__).parent.parent
PUBLISHED = json.loads((ROOT / "tests/data/published_names.json").read_text(encoding="utf-8"))


def library() -> dict[str, list[str]]:
    """The names of the library; of a function, those of its parameters."""
    found = {name: getattr(patchpoint, name) for name in patchpoint.__all__}
    return {
        name: [*inspect.signature(each).parameters] if inspect.isfunction(each) else []
        for name, each in found.items()
    }


def command_line() -> dict[str, list[str]]:
    """The commands, and the options of each."""
    found = {}
    for command in command_table():
        parser = argparse.ArgumentParser()
        command.add_options(parser)
        found[command.name] = [option for action in parser._actions for option in action.option_strings]
    return found


PRESENT: dict[str, Callable[[], dict[str, list[str]]]] = {
    "library": library,
    "commandLine": command_line,
    "protocol": lambda: {command.name: [*command.keys()] for command in COMMANDS},
    "tools": lambda: {tool.name: [] for tool in TOOLS},
}


@pytest.mark.parametrize("kind", PRESENT)
def test_no_name_that_was_published_is_missing(kind: str) -> None:
    present = PRESENT[kind]()
    assert PUBLISHED[kind].keys() <= present.keys()
    for name, parts in PUBLISHED[kind].items():
        assert set(parts) <= set(present[name]), name


def test_what_is_published_is_recorded() -> None:
    assert PRESENT.keys() == PUBLISHED.keys()
    assert all(PUBLISHED.values())
