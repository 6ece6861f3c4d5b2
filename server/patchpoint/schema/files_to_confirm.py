"""Which files of a folder start programs by what git's configuration names, and by the user's patterns."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from patchpoint.git.config import programs_named
from patchpoint.git.errors import UnsupportedRepositoryError
from patchpoint.git.repository import configuration_of
from patchpoint.paths.executing import FilesToConfirm
from patchpoint.schema.settings import Settings


def files_to_confirm(folders: Iterable[Path], settings: Settings) -> FilesToConfirm:
    """Return what has to be confirmed in `folders` beyond what is known by its name."""
    named = tuple(one for folder in folders for one in _named(folder))
    return FilesToConfirm(patterns=settings.confirm_files, named=named)


def _named(folder: Path) -> Iterator[tuple[Path, str]]:
    try:
        repositorys, users = configuration_of(folder)
    except UnsupportedRepositoryError:
        return
    root = _root_of(folder)
    for key, value, file in programs_named([*repositorys, *users]):
        for place in _places(key, value, root, Path(file).parent if file else root):
            if root in place.parents:
                yield place, f"git, by its setting {key}"


def _root_of(folder: Path) -> Path:
    """Return where git runs hooks and filters: the nearest folder above that has a `.git`."""
    real = Path(os.path.realpath(folder))
    return next((above for above in (real, *real.parents) if os.path.lexists(above / ".git")), real)


def _places(key: str, value: str, root: Path, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that the value of a setting names."""
    if key.startswith("include"):
        yield _resolved(folder, value)
        return
    if key == "core.hookspath":
        yield _resolved(root, value)
        return
    if key.startswith("alias.") and not value.startswith("!"):
        return
    try:
        words = shlex.split(value.removeprefix("!"))
    except ValueError:
        words = value.split()
    # What has no slash is looked for on the PATH.
    yield from (_resolved(root, word) for word in words if "/" in word and "\0" not in word)


def _resolved(base: Path, path: str) -> Path:
    try:
        named = base / Path(path).expanduser()
    except RuntimeError:
        named = base / path
    return Path(os.path.normpath(named))
