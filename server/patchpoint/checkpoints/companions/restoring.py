"""Restore a checkpoint together with its companions, or undo that; where one is refused, nothing is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from patchpoint.checkpoints.errors import (
    ChangedSinceError,
    CheckpointError,
    CheckpointNotFoundError,
    NothingToUndoError,
    RestoreRefusedError,
)
from patchpoint.checkpoints.record.checkpoint import Companion, SkippedPath
from patchpoint.dataclass import dataclass, replace
from patchpoint.git.repository import git_directory_of

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.restore.prepare import Restored, RestoreRequest


class OtherStore(Protocol):
    """The store of another repository, as far as it is needed here."""

    @property
    def root(self) -> Path:
        """The root of its working tree."""

    def undo(self) -> Restored:
        """Undo its last restore."""


Store = TypeVar("Store", bound=OtherStore)


@dataclass(frozen=True, slots=True)
class CompanionPart:
    """A companion, and what of it is restored."""

    companion: Companion
    paths: tuple[str, ...] | None = None
    """Relative to its own root; `None`: all of it, with branch and staged state."""

    @property
    def id(self) -> str:
        """The id of its checkpoint."""
        return self.companion.id


def restored_together(
    root: Path,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    here: Callable[[tuple[Companion, ...], bool], Restored],
    opened: Callable[[Path], Store],
    there: Callable[[Store, CompanionPart, bool], Restored],
    allows: Callable[[Path], bool] | None,
) -> Restored:
    """Restore a checkpoint with `here`, and its companions with `there` before; return what was done.

    `here` is given the safety checkpoints of the companions, with which it is undone together; the flag says
    whether it is a dry run. `allows` says whether who asks may change a working tree.

    Raises `CheckpointError` where any part is refused, with nothing changed; where a later part fails, what
    was done before is undone.
    """
    parts = _parts(checkpoint.companions, request.paths)
    if not parts:
        return here((), request.dry_run)
    left: list[SkippedPath] = []
    stores: dict[CompanionPart, Store] = {}
    done: dict[CompanionPart, Restored] = {}
    for part in parts:
        found = _store(root, part.companion, opened, allows)
        try:
            if not isinstance(found, str):
                done[part] = there(found, part, True)
                stores[part] = found
                continue
        except CheckpointNotFoundError:
            found = f"its checkpoint {part.id} is no longer kept"
        except NothingToUndoError as error:
            found = str(error)
        except ChangedSinceError:
            raise
        except RestoreRefusedError as error:
            raise _refused_in(part.companion, error) from error
        left.append(SkippedPath(part.companion.path, found))
    result = here((), True)
    if not request.dry_run:
        done, result = _done(stores, here, there)
    others = {part.companion.path for part in parts}
    return replace(
        result,
        kept=(*(one for one in result.kept if one.path not in others), *left),
        companions=tuple((stores[part].root, one) for part, one in done.items()),
    )


def _done(
    stores: Mapping[CompanionPart, Store],
    here: Callable[[tuple[Companion, ...], bool], Restored],
    there: Callable[[Store, CompanionPart, bool], Restored],
) -> tuple[dict[CompanionPart, Restored], Restored]:
    done: dict[CompanionPart, Restored] = {}
    try:
        for part, store in stores.items():
            done[part] = there(store, part, False)
        safeties = [Companion(part.companion.path, one.safety.id) for part, one in done.items() if one.safety]
        return done, here(tuple(safeties), False)
    except BaseException:
        for part in reversed(done):
            if done[part].safety is not None:
                with suppress(CheckpointError, OSError):
                    stores[part].undo()
        raise


def _store(
    root: Path,
    companion: Companion,
    opened: Callable[[Path], Store],
    allows: Callable[[Path], bool] | None,
) -> Store | str:
    """Return the store of a companion, or why there is none to restore."""
    place = root / companion.path
    if allows is not None and not allows(place):
        return "it is outside of the folders that are open"
    there = git_directory_of(os.fsencode(place)) is not None and not place.is_symlink()
    try:
        store = opened(place) if there else None
    except CheckpointError as error:
        return str(error)
    if store is None or store.root == root or store.root != Path(os.path.realpath(place)):
        if _is_submodule(root, companion.path):
            return (
                f"its files are gone; after 'git submodule update --init {companion.path}', 'patchpoint "
                f"restore --root {companion.path} {companion.id}' brings them back (with --force, if it was "
                "on a branch)"
            )
        return (
            f"its repository is gone; after 'git init {companion.path}', 'patchpoint restore --root "
            f"{companion.path} {companion.id}' brings its files back"
        )
    return store


def _is_submodule(root: Path, path: str) -> bool:
    """Return whether the repository around it has the git directory of a submodule at `path`."""
    gitdir = git_directory_of(os.fsencode(root))
    return gitdir is not None and os.path.isdir(os.path.join(gitdir, b"modules", os.fsencode(path)))


def _parts(companions: Sequence[Companion], within: Sequence[bytes]) -> list[CompanionPart]:
    """Return what is restored of the companions, where a restore is limited to these git paths, if any."""
    from patchpoint.checkpoints.restore.plan import is_within

    if not within:
        return [CompanionPart(each) for each in companions]
    parts = []
    for each in companions:
        path = os.fsencode(each.path)
        start = path + b"/"
        paths = {os.fsdecode(one.removeprefix(start)) for one in within if one.startswith(start)}
        if is_within(path, within):
            paths = {"."}
        if paths and not Path(each.path).is_absolute():
            parts.append(CompanionPart(each, tuple(sorted(paths))))
    return parts


def _refused_in(companion: Companion, error: RestoreRefusedError) -> RestoreRefusedError:
    refused = RestoreRefusedError(
        f"In '{companion.path}', which is restored as well: {error} To restore this repository alone, pass "
        "--only."
    )
    refused.code = error.code
    return refused
