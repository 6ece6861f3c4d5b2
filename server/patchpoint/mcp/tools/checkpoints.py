"""The tools of checkpoints: take, list, compare, restore."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from patchpoint.checkpoints.errors import CheckpointError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.restore.prepare import Restored
from patchpoint.checkpoints.store import WORKTREE, CheckpointStore
from patchpoint.mcp.call import AGENT, Call, Link, Reply, ToolError
from patchpoint.mcp.folders import chosen
from patchpoint.mcp.tools.parameters import (
    DiffArguments,
    ListArguments,
    RestoreArguments,
    TakeArguments,
)
from patchpoint.mcp.tools.results import DiffDone, checkpoints_done, difference_done, restore_done
from patchpoint.mcp.tools.words import checkpoints_in_words, differences_in_words, restored_in_words
from patchpoint.text.file_operation import FileOperation

SCHEME = "patchpoint:/checkpoint/"
"""What the URIs of checkpoints and their files begin with."""


def take_checkpoint(call: Call, asked: TakeArguments) -> Reply:
    """Record the working trees."""
    kind = CheckpointKind.MANUAL if asked.session is None else CheckpointKind.RUN
    with reported():
        taken = [
            store.take(
                label=asked.label,
                session=asked.session,
                message=asked.message,
                kind=kind,
                progress=call.progress,
            )
            for store in _stores(call, asked.root)
        ]
    return _checkpoints(taken, links=tuple(map(link_to, taken)))


def list_checkpoints(call: Call, asked: ListArguments) -> Reply:
    """Return the checkpoints, newest first."""
    with reported():
        found = all_checkpoints(call, asked.root, session=asked.session, limit=asked.limit)
    return _checkpoints(found)


def diff_checkpoint(call: Call, asked: DiffArguments) -> Reply:
    """Return what differs between a checkpoint and the files, or another checkpoint."""
    with reported():
        store, old = store_of(call, asked.checkpoint, asked.root)
        path = below(store, asked.path) if asked.path is not None else None
        new = asked.against if asked.against == WORKTREE else id_named(store, asked.against)
        found = store.diff(old, new, path=path, progress=call.progress)
    files = tuple(
        difference_done(one, None if one.operation is FileOperation.CREATE else resource_uri(old, one.path))
        for one in found
    )
    return Reply(data=DiffDone(files=files), text=differences_in_words(found))


def restore_checkpoint(call: Call, asked: RestoreArguments) -> Reply:
    """Restore the working tree, or a part of it."""
    with reported():
        store, wanted = store_of(call, asked.checkpoint, asked.root)
        paths = None if asked.paths is None else [below(store, path) for path in asked.paths]
        if paths == []:
            raise ToolError("`paths` is empty; leave it out to restore everything.", "no-path")
        done = store.restore(
            wanted,
            paths=paths,
            allows=lambda folder: any(map(folder.is_relative_to, (store.root, *call.roots))),
            dry_run=asked.dry_run,
            by=AGENT,
            progress=call.progress,
        )
    return _restored(done, store)


@contextmanager
def reported() -> Iterator[None]:
    """Raise a `CheckpointError` in the block as `ToolError`."""
    try:
        yield
    except CheckpointError as error:
        raise ToolError(str(error), error.code) from error


def all_checkpoints(
    call: Call, root: str | None = None, *, session: str | None = None, limit: int | None = None
) -> list[Checkpoint]:
    """Return the checkpoints of all folders, or of one, newest first. Raises `CheckpointError`."""
    found = {
        (one.root, one.id): one
        for store in _stores(call, root)
        for one in store.list(session=session, limit=limit)
    }
    return sorted(found.values(), key=lambda one: one.id, reverse=True)[:limit]


def store_of(call: Call, checkpoint: str, root: str | None = None) -> tuple[CheckpointStore, str]:
    """Return the store that has a checkpoint, and its id, however it is named. Raises `CheckpointError`."""
    for store in _stores(call, root):
        try:
            return store, store.show(id_named(store, checkpoint)).id
        except CheckpointNotFoundError:
            continue
    raise CheckpointNotFoundError(checkpoint)


def opened(call: Call, root: Path) -> CheckpointStore:
    """Return the store of a folder. Raises `CheckpointError`."""
    return CheckpointStore.open(root, options=call.settings().store_options, recover=call.recovers)


def below(store: CheckpointStore, path: str) -> str:
    """Return `path`, relative to the opened folder or absolute, relative to the root of the repository.

    Raises `ToolError` for a path outside of that folder.
    """
    folder = store.folder
    absolute = Path(os.path.normpath(folder / path))
    if not absolute.is_relative_to(folder):
        absolute = (
            absolute.parent.resolve() / absolute.name
        )  # the folder may have another name, through a link
    if "\0" in path or not absolute.is_relative_to(folder):
        raise ToolError(f"{path} is not below {folder}; name a path inside it.", "outside-root")
    return absolute.relative_to(store.root).as_posix()


def resource_uri(checkpoint: str, path: str = "") -> str:
    """Return the URI of a checkpoint, or of one of its files, as a resource."""
    file = f"/{quote(path, errors='surrogateescape')}" if path else ""
    return f"{SCHEME}{checkpoint}{file}"


def link_to(checkpoint: Checkpoint) -> Link:
    """Return the resource of a checkpoint."""
    return Link(
        uri=resource_uri(checkpoint.id), name=f"checkpoint {checkpoint.id}", description=checkpoint.label
    )


def _stores(call: Call, root: str | None) -> list[CheckpointStore]:
    stores = [opened(call, one) for one in chosen(call.roots, root)]
    return list({store.folder: store for store in stores}.values())


def _checkpoints(found: Sequence[Checkpoint], links: tuple[Link, ...] = ()) -> Reply:
    return Reply(data=checkpoints_done(found), text=checkpoints_in_words(found), links=links)


def _restored(done: Restored, store: CheckpointStore) -> Reply:
    return Reply(data=restore_done(done, store.root), text=restored_in_words(done, store.root))
