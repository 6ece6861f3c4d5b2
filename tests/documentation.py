"""The tables in the documents that come from the code; `make docs` writes them."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path

from patchpoint.cli.arguments import parser
from patchpoint.lsp.commands import COMMANDS
from patchpoint.lsp.decode import JSON, field_types
from patchpoint.lsp.settings import SECTION, SETTINGS
from tests.demo.project import ANSWER, make_project

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def command_line() -> Iterator[str]:
    """One row for each command of the command line."""
    yield "| command | does |"
    yield "| --- | --- |"
    for action in parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield f"| `patchpoint {choice.dest}` | {choice.help} |"


def commands() -> Iterator[str]:
    """One row for each command of the protocol."""
    yield "| command | takes | does |"
    yield "| --- | --- | --- |"
    for command in COMMANDS:
        keys = []
        for name, (field, _) in field_types(command.takes).items():
            required = field.default is MISSING and field.default_factory is MISSING
            keys.append(f"`{name}`*" if required else f"`{name}`")
        yield f"| `{command.name}` | {', '.join(keys)} | {command.title} |"


def settings() -> Iterator[str]:
    """One row for each setting."""
    yield "| setting | default | |"
    yield "| --- | --- | --- |"
    for setting in SETTINGS:
        yield f"| `{SECTION}.{setting.name}` | {_default(setting.default)} | {setting.description} |"


def _default(value: JSON) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, list):
        return "all" if value else "none"
    return f"`{value}`"


def example() -> Iterator[str]:
    """What the command line says of the demo's answer; the id of its checkpoint is always the same here."""
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder) / "till")
        done = subprocess.run(
            [sys.executable, "-m", "patchpoint", "apply", "--atomic", "edit", ANSWER],
            cwd=project,
            env=os.environ | {"PATCHPOINT_STATE_HOME": folder, "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
    yield "```console"
    yield "$ patchpoint apply --atomic edit answer.md"
    yield re.sub(r"restore \w{14}", "restore 06agyjywetzqxa", done.stdout).rstrip()
    yield "```"


def with_tables(document: str) -> str:
    """`document` with each table between its markers as the code has it now."""
    made = (
        ("example", example()),
        ("command line", command_line()),
        ("commands", commands()),
        ("settings", settings()),
    )
    for name, rows in made:
        table = "\n".join(rows)
        document = re.sub(
            rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)",
            lambda match, table=table: f"{match[1]}{table}\n{match[2]}",  # type: ignore[misc]
            document,
            flags=re.DOTALL,
        )
    return document


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
