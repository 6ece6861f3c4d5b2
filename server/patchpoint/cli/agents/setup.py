"""`patchpoint setup`: have agents call the hook, or no more; what changes in their files is shown first."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from patchpoint.cli.output import print_json, print_table
from patchpoint.cli.stores import require_folder
from patchpoint.cli.terminal import (
    DONE,
    REFUSED,
    WRONG_USAGE,
    CommandError,
    Terminal,
    ask,
    can_ask,
)
from patchpoint.dataclass import dataclass
from patchpoint.hooks.last_firing import last_firing
from patchpoint.hooks.setup.change import SetupChange, SetupError
from patchpoint.hooks.setup.claude import can_ask_server, starts_server
from patchpoint.hooks.setup.files import is_set_up, make_change, removal, setup_change
from patchpoint.hooks.setup.places import PLACES, AgentPlace, generic_hooks, place_of
from patchpoint.text.unified_diff import unified_diff
from patchpoint.wording import plural


@dataclass(frozen=True, slots=True)
class AgentChange:
    """The change of one agent's configuration file."""

    agent: str
    path: str
    diff: str
    """Empty if nothing changes."""


@dataclass(frozen=True, slots=True)
class SetupResult:
    """What was changed, or would be."""

    changed: bool
    agents: tuple[AgentChange, ...]


def setup(options: argparse.Namespace, terminal: Terminal) -> int:
    """Set agents up, or undo that, after the user has seen the change."""
    require_folder(options.root)
    if options.generic:
        if options.agents or options.all or options.remove:
            raise CommandError("--generic is for an agent without a name here.", "two-choices", WRONG_USAGE)
        command = _shell_line([*(["patchpoint"] if options.project else _program()), "hook"])
        for line in json.dumps(generic_hooks(command), indent=2, ensure_ascii=False).splitlines():
            terminal.line(line)
        return DONE
    project = options.root.resolve() if options.project else None
    places = _places(options, project)
    if not places:
        return _print_agents(terminal, project)
    try:
        changes = [_change(options, place, project) for place in places]
        wanted = [change for change in changes if change.is_change]
        _show(options, terminal, changes)
        if options.check or not wanted:
            _print_json(options, terminal, changes, changed=False)
            return DONE
        _require_agreement(options, wanted)
        for change in wanted:
            make_change(change)
    except SetupError as error:
        raise CommandError(str(error), "not-set-up", REFUSED) from error
    _print_json(options, terminal, changes, changed=True)
    if not options.json:
        _print_done(options, terminal, wanted)
    return DONE


def _places(options: argparse.Namespace, project: Path | None) -> list[AgentPlace]:
    if options.all and options.agents:
        raise CommandError("Name agents or pass --all, not both.", "two-choices", WRONG_USAGE)
    if not options.all:
        named = [place_of(name) for name in dict.fromkeys(options.agents)]
        unable = [place.title for place in named if options.repair and not place.can_repair]
        if unable:
            raise CommandError(
                f"{unable[0]} does not let hooks change a patch; drop --repair, or use `patchpoint mcp`.",
                "cannot-repair",
                WRONG_USAGE,
            )
        return named
    if options.remove:
        return [place for place in PLACES if is_set_up(place, project)] or list(PLACES[:1])
    found = [place for place in PLACES if place.home().is_dir()]
    if not found:
        folders = ", ".join(str(place.home()) for place in PLACES)
        raise CommandError(f"No agent found: none of {folders} exists.", "no-agent", REFUSED)
    return found


def _change(options: argparse.Namespace, place: AgentPlace, project: Path | None) -> SetupChange:
    if options.remove:
        return removal(place, project)
    words = ["patchpoint"] if project is not None else _program()
    if _asks_server(place, project):
        place = place.asking_server()
    repair = ["--repair"] if options.repair and place.can_repair else []
    return setup_change(place, project, words, _shell_line([*words, "hook", place.name, *repair]))


def _asks_server(place: AgentPlace, project: Path | None) -> bool:
    """Return whether an agent's hooks can ask the server that it starts; others' need not start it."""
    return project is None and place.name == "claude" and can_ask_server() and starts_server(place)


def _program() -> list[str]:
    """Return the words that start this program wherever an agent runs, whatever its `PATH` is."""
    found = shutil.which("patchpoint")
    if found is not None:
        return [os.path.abspath(found)]  # noqa: PTH100 - symbolic links stay, as pipx and uv make them
    called = Path(sys.argv[0])
    if called.stem == "patchpoint" and called.is_file():
        return [str(called.absolute())]
    # Isolated (-I), Python does not import the modules of the folder that it is started in.
    return [sys.executable, "-I", "-m", "patchpoint"]


def _shell_line(words: list[str]) -> str:
    if os.name == "nt":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)


def _show(options: argparse.Namespace, terminal: Terminal, changes: list[SetupChange]) -> None:
    if options.json:
        return
    for change in changes:
        if change.is_change:
            terminal.diff(_diff(change))
        elif options.remove:
            terminal.line(f"{change.place.title} is not set up in {change.path}.")
        else:
            terminal.line(f"{change.place.title} is already set up in {change.path}.")


def _diff(change: SetupChange) -> str:
    return unified_diff(change.before, change.after, change.path.as_posix().lstrip("/"))


def _require_agreement(options: argparse.Namespace, wanted: list[SetupChange]) -> None:
    if options.yes:
        return
    if not can_ask():
        raise CommandError(
            "Nothing was written: there is no terminal to ask at. Pass --yes to go ahead without asking.",
            "not-confirmed",
            REFUSED,
        )
    if not ask((f"Write {plural(len(wanted), 'file')} as shown?",)):
        raise CommandError("Cancelled; nothing was written.", "not-confirmed", REFUSED)


def _print_done(options: argparse.Namespace, terminal: Terminal, wanted: list[SetupChange]) -> None:
    for change in wanted:
        done = "no longer calls" if options.remove else "calls"
        terminal.line(f"{terminal.paint('✓', 'green')} {change.place.title} {done} the hook ({change.path})")
        if options.remove:
            continue
        if change.place.note:
            terminal.line(f"  {change.place.note}")
        if change.place.name == "claude" and not change.place.asks_server and can_ask_server():
            terminal.line(
                "  Its hooks can ask the server of the tools, and wait for no program: `claude mcp add "
                f"--scope user patchpoint -- {_shell_line([*_program(), 'mcp'])}`, and then this again."
            )
    if not options.remove:
        remove = f"patchpoint setup {' '.join(change.place.name for change in wanted)} --remove"
        terminal.line(terminal.paint(f"Undo it with: {remove}{' --project' * options.project}", "dim"))


def _print_json(
    options: argparse.Namespace, terminal: Terminal, changes: list[SetupChange], *, changed: bool
) -> None:
    if options.json:
        agents = tuple(
            AgentChange(change.place.name, str(change.path), _diff(change) if change.is_change else "")
            for change in changes
        )
        print_json(terminal, SetupResult(changed, agents))


def _print_agents(terminal: Terminal, project: Path | None) -> int:
    """Say which agents there are, and which of them call the hook."""
    rows = []
    for place in PLACES:
        states = "".join(_states(place, project)) or (
            "not set up" if place.home().is_dir() else "not found here"
        )
        rows.append((place.name, place.title, states))
    print_table(terminal, rows)
    terminal.line(terminal.paint("Set one up with: patchpoint setup AGENT", "dim"))
    return DONE


def _states(place: AgentPlace, project: Path | None) -> Iterator[str]:
    if is_set_up(place, project):
        fired = last_firing(place.name)
        yield "set up" if fired is not None else "set up; has not called the hook yet"
