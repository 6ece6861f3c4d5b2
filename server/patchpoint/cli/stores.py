"""The store of checkpoints of the folder that the command line works in."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from patchpoint.checkpoints.errors import (
    AnchorNotFoundError,
    CheckpointError,
    CheckpointNotFoundError,
    RestoreRefusedError,
)
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.refusal import ENVIRONMENT_FAILED, REFUSED, WRONG_USAGE, CommandError
from patchpoint.cli.terminal import Terminal
from patchpoint.progress import Progress, Silent

_REFUSALS = (AnchorNotFoundError, CheckpointNotFoundError, RestoreRefusedError)


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[CheckpointStore]:
    """The store of `--root`. Raises `CommandError` for whatever goes wrong with it."""
    require_folder(options.root)
    try:
        yield CheckpointStore.open(options.root)
    except CheckpointError as error:
        raise refusal_of(error) from error


def refusal_of(error: CheckpointError) -> CommandError:
    """What could not be done with checkpoints, as the command line says it."""
    status = REFUSED if isinstance(error, _REFUSALS) else ENVIRONMENT_FAILED
    return CommandError(str(error), error.code, status)


def require_folder(root: Path) -> None:
    """Raise `CommandError` when `--root` names no folder."""
    if not root.is_dir():
        raise CommandError(f"{root} is no folder; name one with --root.", "no-folder", WRONG_USAGE)


def relative_paths(root: Path, given: Sequence[str]) -> tuple[str, ...]:
    """Paths as a person gives them (from the current folder), relative to `root` and with `/`.

    Raises `CommandError` for one that is not below `root`.
    """
    found = []
    for text in given:
        folder = Path(text).absolute().parent.resolve()
        path = Path(os.path.normpath(folder / Path(text).absolute().name))
        if not path.is_relative_to(root):
            raise CommandError(f"{text} is not below {root}.", "outside-root", WRONG_USAGE)
        found.append(path.relative_to(root).as_posix())
    return tuple(found)


class _Watched(Silent):
    """Progress on one line of a terminal, wiped when the work is done."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = ""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show how far the work is."""
        line = f"{message} {done}/{total}" if total else message
        if line != self._shown:
            self._shown = line
            self._terminal.stream.write(f"\r\x1b[K{line}")
            self._terminal.stream.flush()

    def wipe(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            self._terminal.stream.write("\r\x1b[K")
            self._terminal.stream.flush()


@contextmanager
def watching() -> Iterator[Progress]:
    """Progress for a person who waits at a terminal; silent anywhere else."""
    terminal = Terminal.of(sys.stderr)
    if not terminal.colour:
        yield Silent()
        return
    watched = _Watched(terminal)
    try:
        yield watched
    finally:
        watched.wipe()
