"""The parts of pages in docs/ that are generated from the code; `make docs` writes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from enum import Enum
from pathlib import Path

from patchpoint.cli.arguments import command_table
from patchpoint.edit import TEXT_FORMATS
from patchpoint.hooks.setup.change import added
from patchpoint.hooks.setup.places import PLACES
from patchpoint.locate.rungs.table import RUNGS
from patchpoint.lsp.commands import COMMANDS
from patchpoint.outcome import Rung
from patchpoint.paths.executing_files import EXECUTING_FILES
from patchpoint.schema.decode import JSON
from patchpoint.schema.settings import SECTION, table_of_settings
from tests.demo.project import CHAT, make_project

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
REFERENCE = ROOT / "docs" / "reference.md"
PROTOCOL = ROOT / "docs" / "protocol.md"
FEATURES = ROOT / "docs" / "features.md"
FIRST_MINUTE = ROOT / "docs" / "first-minute.md"
AGENTS = ROOT / "docs" / "agents.md"


def command_line() -> Iterator[str]:
    """Yield the table of the command line's commands."""
    yield "| command | what it does |"
    yield "| --- | --- |"
    for command in command_table():
        yield f"| `patchpoint {command.name}` | {command.help} |"


def commands() -> Iterator[str]:
    """Yield the table of the protocol's commands, with their parameters."""
    yield "| command | parameters | what it does |"
    yield "| --- | --- | --- |"
    for command in COMMANDS:
        keys = []
        for name, (field, _) in command.keys().items():
            required = field.default is MISSING and field.default_factory is MISSING
            keys.append(f"`{name}`*" if required else f"`{name}`")
        yield f"| `{command.name}` | {', '.join(keys)} | {command.title} |"


def settings() -> Iterator[str]:
    """Yield the table of the settings."""
    yield "| setting | default | |"
    yield "| --- | --- | --- |"
    for setting in table_of_settings():
        yield f"| `{SECTION}.{setting.name}` | {_default(setting.default)} | {setting.description} |"


def rungs() -> Iterator[str]:
    """Yield the table of the rungs, strictest first."""
    yield "| rung | tolerates |"
    yield "| --- | --- |"
    for row in RUNGS:
        yield f"| `{row.rung.value}` | {row.tolerates} |"


def _default(value: JSON) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, list):
        return "all" if value else "none"
    return f"`{value}`"


def first_minute() -> Iterator[str]:
    """Yield what a terminal shows while a function that was copied from a chat is applied and reverted."""
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder) / "till")
        shutil.copyfile(CHAT, project / "copied.md")
        yield "The difference:\n"
        yield from _recorded(project, "patchpoint apply --check copied.md")
        yield "\nApplied:\n"
        yield from _recorded(project, "patchpoint apply copied.md")
        yield "\nChanged your mind?\n"
        yield from _recorded(project, "patchpoint revert")
        yield "\nAnd the project is as it was:\n"
        (project / "copied.md").unlink()
        yield from _recorded(project, "git status")


def _recorded(project: Path, line: str, *named: Path) -> Iterator[str]:
    """Yield what `line` prints in `project`; its last words stand for the files `named`."""
    words = line.split()
    words = [*words[: len(words) - len(named)], *map(str, named)]
    if words[0] == "patchpoint":
        words[:1] = [sys.executable, "-m", "patchpoint"]
    state = {"PATCHPOINT_STATE_HOME": str(project.parent), "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        words, cwd=project, env=os.environ | state, stdout=subprocess.PIPE, encoding="utf-8"
    )
    # A checkpoint has another id every time.
    yield from ("```console", f"$ {line}")
    yield re.sub(r"restore \w{14}", "restore 06agyjywetzqxa", done.stdout).rstrip()
    yield "```"


def setting_values() -> Iterator[str]:
    """Yield the names of the settings in one line, each with its default and the other values of an enum."""
    named = []
    for setting in table_of_settings():
        values = _default(setting.default)
        if isinstance(setting.kind, type) and issubclass(setting.kind, Enum):
            others = [one.value for one in setting.kind if one.value != setting.default]
            values += f"; or {_quoted(others)}"
        named.append(f"`{setting.name}` ({values})")
    yield ", ".join(named) + "."


def _quoted(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def with_values(page: str) -> str:
    """Return docs/protocol.md, whose text is `page`, with the current formats, rungs and settings."""
    formats, rungs = _quoted(TEXT_FORMATS), _quoted(rung.value for rung in Rung)
    page = re.sub(r"(?<=`format` \()[^)]*", formats, page)
    page = re.sub(r"(?<=^  `rung`: ).*(?=\.$)", rungs, page, flags=re.MULTILINE)
    return _between_markers(page, "settings", "\n".join(setting_values()))


def with_tables(page: str) -> str:
    """Return docs/reference.md, whose text is `page`, with the current table between each pair of markers."""
    made = (
        ("command line", command_line()),
        ("commands", commands()),
        ("settings", settings()),
        ("rungs", rungs()),
    )
    for name, rows in made:
        page = _between_markers(page, name, "\n".join(rows))
    return page


def executing_files() -> Iterator[str]:
    """Yield the table of the files that start programs."""
    yield "| read by | files |"
    yield "| --- | --- |"
    for row in EXECUTING_FILES:
        patterns = [f"`{one}`" + (" and all below" if one.endswith("/") else "") for one in row.patterns]
        yield f"| {row.reader} | {', '.join(patterns)} |"


def with_files(page: str) -> str:
    """Return docs/features.md, whose text is `page`, with the current files that start programs."""
    return _between_markers(page, "executing files", "\n".join(executing_files()))


def with_minute(page: str) -> str:
    """Return docs/first-minute.md, whose text is `page`, with what a terminal shows now."""
    page = _between_markers(page, "chat", f"~~~markdown\n{CHAT.read_text(encoding='utf-8')}~~~")
    return _between_markers(page, "recording", "\n".join(first_minute()))


def agents() -> Iterator[str]:
    """Yield a section for each agent that can be set up: its files, and what is added to them."""
    for number, place in enumerate(PLACES):
        variable = f" (`{place.variable}`)" if place.variable else ""
        yield f"{'' if number == 0 else chr(10)}### {place.title}\n"
        users = f"`~/{place.folder}/{place.user_file}`{variable}"
        yield f"`{place.project_file}` in a project, {users} for the user."
        if place.note:
            yield place.note
        if place.entries:
            change = added(place, Path(), None, None, ["patchpoint"], f"patchpoint hook {place.name}")
            yield f"\n```json\n{change.after}```"
        else:
            yield "It is a plugin, which calls the hook before a message, around a tool, and after a turn."


def with_agents(page: str) -> str:
    """Return docs/agents.md, whose text is `page`, with what is written into each agent's configuration."""
    return _between_markers(page, "agents", "\n".join(agents()))


def _between_markers(document: str, name: str, text: str) -> str:
    return re.sub(
        rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}{text}\n{match[2]}",
        document,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    REFERENCE.write_text(with_tables(REFERENCE.read_text(encoding="utf-8")), encoding="utf-8")
    FIRST_MINUTE.write_text(with_minute(FIRST_MINUTE.read_text(encoding="utf-8")), encoding="utf-8")
    AGENTS.write_text(with_agents(AGENTS.read_text(encoding="utf-8")), encoding="utf-8")
    FEATURES.write_text(with_files(FEATURES.read_text(encoding="utf-8")), encoding="utf-8")
    PROTOCOL.write_text(with_values(PROTOCOL.read_text(encoding="utf-8")), encoding="utf-8")
