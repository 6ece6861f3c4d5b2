"""Which agents are set up, and whether their hooks fire: a part of `patchpoint doctor`."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.hooks.last_firing import last_firing
from patchpoint.hooks.setup.change import SetupError
from patchpoint.hooks.setup.files import configured_commands
from patchpoint.hooks.setup.places import PLACES, AgentPlace
from patchpoint.wording import ago


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The result of one check."""

    name: str
    healthy: bool
    says: str
    is_advice: bool = False
    """Whether something works, and could work better."""


def agent_checks(root: Path) -> Iterator[HealthCheck]:
    """Check the agents that are set up, for the user or for the project at `root`."""
    for place in PLACES:
        for project in (None, root):
            try:
                commands = configured_commands(place, project)
            except SetupError as error:
                yield HealthCheck(place.name, False, str(error))
                continue
            if commands:
                yield _check(place, project, commands)


def _check(place: AgentPlace, project: Path | None, commands: list[str]) -> HealthCheck:
    where = place.path(project)
    missing = [program for program in map(_program, commands) if shutil.which(program) is None]
    if missing:
        again = f"patchpoint setup {place.name}{' --project' if project is not None else ''}"
        says = f"{where} calls {missing[0]}, which does not exist; run `{again}` again"
        return HealthCheck(place.name, False, says)
    fired = last_firing(place.name)
    if fired is None:
        return HealthCheck(place.name, True, f"set up in {where}; it has not called the hook yet")
    moment = datetime.fromtimestamp(fired.at, timezone.utc)
    when = ago(moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3], datetime.now(timezone.utc))
    says = f"set up in {where}; last called {when} in {fired.folder or 'a folder'}: {fired.says}"
    return HealthCheck(place.name, True, says)


def _program(command: str) -> str:
    try:
        return shlex.split(command)[0]
    except (ValueError, IndexError):
        return command.partition(" ")[0]
