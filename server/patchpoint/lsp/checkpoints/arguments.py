"""The folders, files and stores that the arguments of a checkpoint command name."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.errors import RequestFailed, invalid_params
from patchpoint.schema.uris import path_of

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


async def requested_roots(session: Session, given: str | None) -> list[Path]:
    """Return the folder `given` (a URI or an absolute path), or else all workspace folders.

    Raises `RequestFailed` when it is not a folder, when it is in no repository of the workspace, or when
    none is given or open.
    """
    if given is not None:
        path = path_of(given) or Path(given)
        refusal = await session.run(_refusal, path, list(session.roots))
        if refusal is not None:
            raise refusal
        return [path]
    if not session.roots:
        raise RequestFailed("no-folder", "The editor has no folder open; open one, or name it as `root`.")
    return list(session.roots)


def requested_file(uri: str) -> Path:
    """Return the path of a file's URI. Raises `JsonRpcException` when it is the URI of something else."""
    path = path_of(uri)
    if path is None:
        raise invalid_params(f"`{uri}` is not the URI of a file.")
    return path


async def store_of_checkpoint(session: Session, root: str | None, checkpoint: str) -> CheckpointStore:
    """Return the store that has a checkpoint. Raises `CheckpointNotFoundError` when none has."""
    return await session.run(
        _first_store, session, await requested_roots(session, root), lambda store: store.show(checkpoint)
    )


async def named_checkpoint(session: Session, root: str | None, name: str) -> tuple[CheckpointStore, str]:
    """Return the checkpoint that has the name `name`, by its id, and its store.

    Raises `CheckpointNotFoundError` and `AmbiguousCheckpointError`.
    """

    def probe(store: CheckpointStore) -> None:
        store.show(id_named(store, name))

    store = await session.run(_first_store, session, await requested_roots(session, root), probe)
    return store, await session.run(id_named, store, name)


async def store_of_message(session: Session, root: str | None, chat: str, message: str) -> CheckpointStore:
    """Return the store that has a checkpoint before a chat message.

    Return the first store when none has: its error says what is missing.
    """

    def probe(store: CheckpointStore) -> None:
        if not any(checkpoint.message == message for checkpoint in store.list(session=chat)):
            raise CheckpointNotFoundError(message)

    roots = await requested_roots(session, root)
    try:
        return await session.run(_first_store, session, roots, probe)
    except CheckpointNotFoundError:
        return await session.run(open_store, session, roots[0])


def is_in_workspace(folder: Path, roots: Sequence[Path]) -> bool:
    """Return whether a folder is one of the workspace's, or in a repository of it."""
    return bool(roots) and _refusal(folder, roots) is None


def _refusal(folder: Path, roots: Sequence[Path]) -> RequestFailed | None:
    """Return why a folder is not one to keep checkpoints of; `None` when it is in the workspace.

    What counts is the working tree: one that a workspace folder is in, or one below a workspace folder. Links
    are followed; folders are compared as the file system does, which may not tell cases apart.
    """
    real = Path(os.path.realpath(folder))
    if not folder.is_absolute() or not real.is_dir():
        return RequestFailed("no-folder", f"{folder} is not a folder; name one by its URI or absolute path.")
    if not roots or any(_is_same(one, root) for one in (real, *real.parents) for root in roots):
        return None
    try:
        tree = CheckpointStore.open(real, recover=False).root
    except CheckpointError as error:
        return RequestFailed(error.code, str(error))
    for root in roots:
        with suppress(CheckpointError):
            if _is_same(tree, CheckpointStore.open(root, recover=False).root):
                return None
    return RequestFailed(
        "outside-root",
        f"{folder} is not in a repository of the workspace ({', '.join(map(str, roots))}); open it as a "
        "folder first.",
    )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _first_store(
    session: Session, roots: Sequence[Path], probe: Callable[[CheckpointStore], object]
) -> CheckpointStore:
    """Return the first store for which `probe` does not raise `CheckpointNotFoundError`."""
    missing: CheckpointNotFoundError | None = None
    for root in roots:
        store = open_store(session, root)
        try:
            probe(store)
        except CheckpointNotFoundError as error:
            missing = error
        else:
            return store
    assert missing is not None
    raise missing
