"""Undoing what a transaction has done, from its undo log: after a failure, or after the process ended."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import FileError, writing_problem
from patchpoint.filesystem.write import OpenPlace, open_place
from patchpoint.workspace.transaction.steps import place_of_staged, returning_places, undo
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind, Transaction, UndoLog

_Failures = dict[Path, "OSError | FileError"]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that somebody else changed after a transaction was interrupted; it is left as it is."""

    path: Path
    saved_copy: Path | None
    """A copy of the file as it was before the transaction, if it existed."""


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The result of rolling back an interrupted transaction."""

    restored: tuple[Path, ...]
    """The files that are again as they were before it."""
    kept: tuple[KeptFile, ...]
    """The files that are not."""


class UnfinishedError(FileError):
    """The executed steps of a transaction could not be undone yet."""

    def __init__(self, path: Path, problem: str, failed: Iterable[Path], kept: Sequence[KeptFile]) -> None:
        super().__init__(path, problem)
        self.failed = tuple(failed)
        """What is left of the transaction; nothing if only the undo log could not be closed."""
        self.kept = tuple(kept)
        """Those that somebody else has changed since."""


def roll_back(log: UndoLog) -> RolledBack:
    """Undo what the transaction of an undo log has done, leaving alone what somebody else has changed since.

    Raises `UnfinishedError`, the undo log being kept, when something could not be undone.
    """
    transaction = log.read()
    if transaction is None:
        return RolledBack((), ())
    kept: list[KeptFile] = []
    failed: _Failures = {}
    if log.is_executing:
        kept, failed = _undo_steps(transaction, log)
    if not failed:
        failed = _remove_staged(transaction)
    if not failed:
        try:
            log.close()
        except OSError as error:
            raise _unfinished(transaction, log, {log.directory: error}, kept) from error
    if failed:
        raise _unfinished(transaction, log, failed, kept)
    left = {one.path for one in kept}
    paths = {Path(step.path): None for step in transaction.steps}
    return RolledBack(tuple(path for path in paths if path not in left), tuple(kept))


def directory_place(directory: Path, steps: Sequence[FileStep]) -> AbstractContextManager[OpenPlace]:
    """Open the place of a directory that a transaction creates, in the workspace folder that it is in."""
    roots = {Path(os.path.realpath(step.root)) for step in steps}
    return open_place(next(root for root in roots if directory.is_relative_to(root)), directory)


def _remove_staged(transaction: Transaction) -> _Failures:
    """Remove the staged contents and the empty directories of a transaction; return what could not be."""
    failed: _Failures = {}
    for root, path in _staged(transaction):
        try:
            _remove(root, path)
        except OSError as error:
            if os.path.lexists(path):
                failed[path] = error
    for directory in map(Path, reversed(transaction.folders)):
        try:
            with directory_place(directory, transaction.steps) as place:
                place.directory.remove_directory(place.name)
        except (FileNotFoundError, NotADirectoryError):
            pass  # it was never created
        except OSError as error:
            with suppress(OSError):
                if not any(directory.iterdir()):  # else somebody has put a file there
                    failed[directory] = error
    return failed


def _remove(root: str, path: Path) -> None:
    with suppress(FileNotFoundError, NotADirectoryError), place_of_staged(root, path) as place:
        place.remove()


def _staged(transaction: Transaction) -> list[tuple[str, Path]]:
    """Return the places of staged contents, each with its workspace folder."""
    found = []
    for step in transaction.steps:
        returning = returning_places(step) if step.returning else ()
        found += [(step.root, Path(place)) for place in (step.staged, *returning) if place]
    return found


def _unfinished(
    transaction: Transaction, log: UndoLog, failed: _Failures, kept: Sequence[KeptFile]
) -> UnfinishedError:
    path, error = next(iter(failed.items()))
    if isinstance(error, OSError):
        error = writing_problem(path, error)
    left = {*failed, *(place for _, place in _staged(transaction) if os.path.lexists(place))}
    for directory in map(Path, reversed(transaction.folders)):
        if os.path.lexists(directory) and not any(one.is_relative_to(directory) for one in left):
            left.add(directory)
    return UnfinishedError(
        path,
        f"could not be put back (it {error.problem}); the next start tries again, and the old bytes are in "
        f"{log.directory}",
        sorted(left - {log.directory}),
        kept,
    )


def _undo_steps(transaction: Transaction, log: UndoLog) -> tuple[list[KeptFile], _Failures]:
    """Undo the steps, the last first; return the files that were left alone, and those that failed."""
    kept: list[KeptFile] = []
    failed: _Failures = {}
    for step in reversed(transaction.steps):
        path, place = Path(step.path), Path(step.new_path or step.path)
        if blocking := failed.get(path) or failed.get(place):
            # What a later step has made of the file is not undone yet, so that nothing can be known from it.
            failed |= {path: blocking, place: blocking}
            continue
        try:
            if not undo(step, log):
                has_old = step.old_digest and not step.old_link
                kept.append(KeptFile(path, log.save_old_content(step) if has_old else None))
            elif step.kind is StepKind.MOVE:
                # What was left alone under its new name has its old name again.
                kept = [replace(one, path=path) if one.path == place else one for one in kept]
        except (OSError, FileError) as error:
            failed |= {path: error, place: error}
    if not failed:
        try:
            log.end_undo()
        except OSError as error:
            raise _unfinished(transaction, log, {log.directory: error}, kept) from error
    return kept, failed
