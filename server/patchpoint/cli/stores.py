"""The settings, the checkpoint store and the progress of a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint import signals
from patchpoint.checkpoints.errors import (
    AmbiguousCheckpointError,
    AmbiguousSessionError,
    AnchorNotFoundError,
    BrokenRepositoryError,
    CheckpointError,
    CheckpointNotFoundError,
    ForkRefusedError,
    RestoreRefusedError,
)
from patchpoint.cli.terminal import ENVIRONMENT_FAILED, REFUSED, WRONG_USAGE, CommandError, Terminal
from patchpoint.dataclass import replace
from patchpoint.progress import Silent
from patchpoint.schema.git_settings import settings_of, store_options_of

if TYPE_CHECKING:
    from patchpoint.checkpoints.options import StoreOptions
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.progress import Progress
    from patchpoint.schema.settings import Settings


_REFUSALS = (
    AmbiguousCheckpointError,
    AmbiguousSessionError,
    AnchorNotFoundError,
    CheckpointNotFoundError,
    ForkRefusedError,
    RestoreRefusedError,
)
_FINISHED = "An interrupted restore was finished, or discarded if it had not changed anything."


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[CheckpointStore]:
    """Open the checkpoint store of `--root`. A `CheckpointError` in the block is raised as `CommandError`."""
    from patchpoint.checkpoints.store import CheckpointStore

    require_folder(options.root)
    chosen = store_options(options.root, getattr(options, "wait", None))
    try:
        store = CheckpointStore.open(options.root, options=chosen)
        if store.finished is not None:
            Terminal.of(sys.stderr).line(f"patchpoint: {_FINISHED}")
        yield store
    except CheckpointError as error:
        raise command_error(error) from error


def store_options(root: Path, wait: float | None = None) -> StoreOptions:
    """Return the options of the store of `root`: those of the settings, and those seconds of waiting."""
    chosen, problems = store_options_of(root)
    _complain(problems)
    return chosen if wait is None else replace(chosen, wait=wait)


def settings_in(root: Path) -> Settings:
    """Return the settings of git's configuration for `root`; a wrong one is named on standard error."""
    settings, problems = settings_of(root)
    _complain(problems)
    return settings


def command_error(error: CheckpointError) -> CommandError:
    """Return `error` with its exit status."""
    status = REFUSED if isinstance(error, _REFUSALS) else ENVIRONMENT_FAILED
    says = str(error)
    if isinstance(error, BrokenRepositoryError):
        from patchpoint.checkpoints.maintenance.elsewhere import said_of_broken

        says = " ".join(filter(None, (says, said_of_broken(error.dot_git))))
    return CommandError(says, error.code, status)


def require_folder(root: Path) -> None:
    """Raise `CommandError` if `--root` is not a folder."""
    if not root.is_dir():
        raise CommandError(f"{root} is not a folder; pass one with --root.", "no-folder", WRONG_USAGE)


def relative_paths(root: Path, given: Sequence[str]) -> tuple[str, ...]:
    """Return the paths, `given` relative to the current folder, relative to `root` and with `/`.

    Raises `CommandError` for a path that is not below `root`.
    """
    found = []
    for text in given:
        folder = Path(text).absolute().parent.resolve()
        path = Path(os.path.normpath(folder / Path(text).absolute().name))
        if not path.is_relative_to(root):
            raise CommandError(f"{text} is not below {root}.", "outside-root", WRONG_USAGE)
        found.append(path.relative_to(root).as_posix())
    return tuple(found)


class Stoppable(Silent):
    """Progress that is not shown, and ends work that a signal asks to end."""

    def check(self) -> None:
        """Raise `Stopped` if a signal waits."""
        signals.check()


class _ProgressLine(Stoppable):
    """Progress on one line of a terminal, erased when the work is done."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = ""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show the progress of the work."""
        line = f"{message} {done}/{total}" if total else message
        if line != self._shown:
            self._shown = line
            self._terminal.replace_line(line)

    def erase(self) -> None:
        """Erase the line."""
        if self._shown:
            self._terminal.replace_line()


@contextmanager
def watching() -> Iterator[Progress]:
    """Show progress to a person at a terminal, and none anywhere else."""
    terminal = Terminal.of(sys.stderr)
    if not terminal.is_live:
        yield Stoppable()
        return
    line = _ProgressLine(terminal)
    try:
        yield line
    finally:
        line.erase()


def _complain(problems: Sequence[str]) -> None:
    for problem in problems:
        Terminal.of(sys.stderr).line(f"patchpoint: {problem}")
