"""The configuration files of agents on the disk, and what is remembered of them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from patchpoint.filesystem.errors import FileError, MissingFileError
from patchpoint.filesystem.read import FileText, read_file
from patchpoint.filesystem.user_state import read_json, state_home, write_json
from patchpoint.filesystem.write import write_file
from patchpoint.hooks.setup.change import Prior, SetupChange, SetupError, added, commands_of, removed
from patchpoint.hooks.setup.places import AgentPlace

_VERSION = 1
_LARGEST = 5 * 2**20
"""Bytes of a configuration file that is read."""


def setup_change(place: AgentPlace, project: Path | None, command: list[str], shown: str) -> SetupChange:
    """Return the change that sets the agent up, for the user or for a project. Raises `SetupError`."""
    path = _path(place, project)
    return added(place, path, text_of(path), prior_of(path), command, shown)


def removal(place: AgentPlace, project: Path | None) -> SetupChange:
    """Return the change that undoes it. Raises `SetupError`."""
    path = _path(place, project)
    return removed(place, path, text_of(path), prior_of(path))


def configured_commands(place: AgentPlace, project: Path | None) -> list[str]:
    """Return the commands by which an agent calls the hook; none if it is not set up.

    Raises `SetupError` when the file cannot be read.
    """
    path = _path(place, project)
    text = text_of(path)
    return commands_of(place, path, text) if text is not None else []


def is_set_up(place: AgentPlace, project: Path | None) -> bool:
    """Return whether an agent is known to call the hook."""
    try:
        return bool(configured_commands(place, project))
    except SetupError:
        return False


def make_change(change: SetupChange) -> None:
    """Write a change to the disk, and remember what the file was before. Raises `SetupError`."""
    try:
        was = _read(change.path)
        if (was.text if was is not None else None) != change.before:
            raise SetupError(f"{change.path} has changed since it was read; try again.")
        if change.after is None:
            change.path.unlink()
            _remove_empty(change.path.parent, change.place)
        else:
            change.path.parent.mkdir(parents=True, exist_ok=True)
            write_file(change.path, change.after, was)
    except (FileError, OSError) as error:
        raise SetupError(f"{error}.") from error
    _remember(change.path, change.prior)


def text_of(path: Path) -> str | None:
    """Return the text of a configuration file, or `None` if there is none. Raises `SetupError`."""
    try:
        was = _read(path)
    except FileError as error:
        raise SetupError(f"{error}.") from error
    return was.text if was is not None else None


def prior_of(path: Path) -> Prior | None:
    """Return what is remembered of a file as it was before it was set up."""
    found = _remembered().get(str(path))
    if not isinstance(found, dict):
        return None
    before, after, created = found.get("before"), found.get("after"), found.get("created")
    if not isinstance(after, str) or not isinstance(created, dict):
        return None
    if before is not None and not isinstance(before, str):
        return None
    return Prior(before, after, {str(key): value for key, value in created.items() if value in (0, 1, 2)})


def _read(path: Path) -> FileText | None:
    try:
        return read_file(path, largest=_LARGEST)
    except MissingFileError:
        return None


def _path(place: AgentPlace, project: Path | None) -> Path:
    path = place.path(project)
    if project is not None and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(project)):
        raise SetupError(f"{path} leads out of {project} through a symbolic link; nothing was written.")
    return path


def _remember(path: Path, prior: Prior | None) -> None:
    """Keep what a file was, or forget it; where that cannot be written, only the exact bytes are lost."""
    known = _remembered()
    if prior is None:
        known.pop(str(path), None)
    else:
        known[str(path)] = {"before": prior.before, "after": prior.after, "created": prior.created}
    with suppress(OSError):
        write_json(_record(), _VERSION, known)


def _remembered() -> dict[str, object]:
    content = read_json(_record(), _VERSION)
    return dict(content) if isinstance(content, dict) else {}


def _record() -> Path:
    return state_home() / "hooks" / "setup.json"


def _remove_empty(folder: Path, place: AgentPlace) -> None:
    """Remove the folders that held nothing but the file, but not the agent's own."""
    with suppress(OSError):
        for _ in Path(place.project_file).parts[:-1]:
            if folder == place.home():
                return
            folder.rmdir()
            folder = folder.parent
