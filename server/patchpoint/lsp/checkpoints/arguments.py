"""The folders, files and stores that the arguments of a checkpoint command name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.errors import RequestFailed, invalid_params
from patchpoint.schema.uris import path_of

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


def requested_roots(session: Session, given: str | None) -> list[Path]:
    """Return the folder `given` (a URI or an absolute path), or else all workspace folders.

    Raises `RequestFailed` when it is not a folder, or when none is open.
    """
    if given is not None:
        path = path_of(given) or Path(given)
        if not path.is_absolute() or not path.is_dir():
            raise RequestFailed(
                "no-folder", f"{given} is not a folder; name one by its URI or absolute path."
            )
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
        _first_store, session, requested_roots(session, root), lambda store: store.show(checkpoint)
    )


async def named_checkpoint(session: Session, root: str | None, name: str) -> tuple[CheckpointStore, str]:
    """Return the checkpoint that has the name `name`, by its id, and its store.

    Raises `CheckpointNotFoundError` and `AmbiguousCheckpointError`.
    """

    def probe(store: CheckpointStore) -> None:
        store.show(id_named(store, name))

    store = await session.run(_first_store, session, requested_roots(session, root), probe)
    return store, await session.run(id_named, store, name)


async def store_of_message(session: Session, root: str | None, chat: str, message: str) -> CheckpointStore:
    """Return the store that has a checkpoint before a chat message.

    Return the first store when none has: its error says what is missing.
    """

    def probe(store: CheckpointStore) -> None:
        if not any(checkpoint.message == message for checkpoint in store.list(session=chat)):
            raise CheckpointNotFoundError(message)

    roots = requested_roots(session, root)
    try:
        return await session.run(_first_store, session, roots, probe)
    except CheckpointNotFoundError:
        return await session.run(open_store, session, roots[0])


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
