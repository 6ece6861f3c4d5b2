"""Checkpoints: taken, listed, compared and deleted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import Checkpoint, CheckpointKind, CheckpointStore, FileOperation
from patchpoint.checkpoints.naming import id_named
from patchpoint.checkpoints.store import WORKTREE
from patchpoint.lsp.checkpoints.arguments import (
    named_checkpoint,
    requested_file,
    requested_roots,
    store_of_checkpoint,
)
from patchpoint.lsp.checkpoints.past_files import past_file_uris
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.checkpoints.unsaved import open_texts, unsaved_texts
from patchpoint.lsp.commands import (
    DELETE_CHECKPOINT,
    DIFF_CHECKPOINT,
    LIST_CHECKPOINTS,
    PRUNE_CHECKPOINTS,
    RENAME_CHECKPOINT,
    TAKE_CHECKPOINT,
    handles,
)
from patchpoint.schema import requests, responses
from patchpoint.schema.checkpoints import checkpoint_data, checkpoints_data, file_change_data

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(TAKE_CHECKPOINT)
async def take_checkpoint(
    session: PatchpointServer, params: requests.TakeCheckpoint, work: Work
) -> responses.CheckpointData | None:
    """Take a checkpoint and return it; return `None` at once if it is to be taken in the background."""
    roots = await requested_roots(session, params.root)

    async def take(watched: Work) -> list[Checkpoint]:
        label = params.label or ""
        return await take_checkpoints(
            session, roots, CheckpointKind.MANUAL, watched, label, params.session, params.message
        )

    async def take_in_background() -> None:
        async with session.begin_work("Taking a checkpoint") as background:
            await take(background)

    if params.background:
        session.start(take_in_background())
        return None
    return checkpoint_data((await take(work))[0])


async def take_checkpoints(
    session: PatchpointServer,
    roots: Sequence[Path],
    kind: CheckpointKind,
    work: Work,
    label: str = "",
    chat: str | None = None,
    message: str | None = None,
) -> list[Checkpoint]:
    """Take a checkpoint of each folder, unsaved buffers included, and notify the client."""
    opened = open_texts(session)

    def record(store: CheckpointStore) -> Checkpoint:
        return store.take(
            label=label,
            session=chat,
            message=message,
            buffers=unsaved_texts(store.root, opened),
            kind=kind,
            progress=work,
        )

    taken = []
    stores = [await session.run(open_store, session, root) for root in roots]
    for store in {store.root: store for store in stores}.values():
        checkpoint = await session.run(record, store)
        taken.append(checkpoint)
        session.checkpoints.announce(checkpoint)
        session.checkpoints_changed()
        if checkpoint.skipped:
            session.trace_line(f"Checkpoint {checkpoint.id} left out {len(checkpoint.skipped)} files.")
    return taken


@handles(LIST_CHECKPOINTS)
async def list_checkpoints(
    session: PatchpointServer, params: requests.ListCheckpoints, work: Work
) -> responses.CheckpointsResult:
    """Return checkpoints, newest first: those of one folder or, without a root, of all."""
    found: dict[tuple[str, str], Checkpoint] = {}
    for root in await requested_roots(session, params.root):
        store = await session.run(open_store, session, root)
        work.check()
        for checkpoint in await session.run(store.list, session=params.session, limit=params.limit):
            found[checkpoint.root, checkpoint.id] = checkpoint
    newest_first = sorted(found.values(), key=lambda checkpoint: checkpoint.id, reverse=True)
    return responses.CheckpointsResult(checkpoints=checkpoints_data(newest_first[: params.limit]))


@handles(DIFF_CHECKPOINT)
async def diff_checkpoint(
    session: PatchpointServer, params: requests.DiffCheckpoint, work: Work
) -> responses.DiffResult:
    """Return what changed since a checkpoint, file by file."""
    path = requested_file(params.uri) if params.uri is not None else None
    store, checkpoint = await named_checkpoint(session, params.root, params.checkpoint)
    against = params.against
    differences = await session.run(
        store.diff,
        checkpoint,
        against if against == WORKTREE else await session.run(id_named, store, against),
        path=str(path) if path is not None else None,
        progress=work,
    )
    recorded = [one.path for one in differences if one.operation is not FileOperation.CREATE]
    originals = await past_file_uris(session, store, checkpoint, recorded)
    return responses.DiffResult(
        files=tuple(
            file_change_data(difference, store.root, originals.get(difference.path))
            for difference in differences
        )
    )


@handles(RENAME_CHECKPOINT)
async def rename_checkpoint(
    session: PatchpointServer, params: requests.RenameCheckpoint, work: Work
) -> responses.CheckpointData:
    """Give a checkpoint another label, or pin or unpin it, and return it."""
    work.check()
    store = await store_of_checkpoint(session, params.root, params.checkpoint)
    renamed = await session.run(store.relabel, params.checkpoint, params.label, pinned=params.pinned)
    session.checkpoints_changed()
    return checkpoint_data(renamed)


@handles(DELETE_CHECKPOINT)
async def delete_checkpoint(
    session: PatchpointServer, params: requests.DeleteCheckpoint, work: Work
) -> responses.DeletedCheckpointsResult:
    """Delete one checkpoint and return its id."""
    work.check()
    store = await store_of_checkpoint(session, params.root, params.checkpoint)
    await session.run(store.delete, params.checkpoint)
    session.checkpoints_changed()
    return responses.DeletedCheckpointsResult(deleted=(params.checkpoint,))


@handles(PRUNE_CHECKPOINTS)
async def prune_checkpoints(
    session: PatchpointServer, params: requests.PruneCheckpoints, work: Work
) -> responses.DeletedCheckpointsResult:
    """Delete old checkpoints and return their ids."""
    deleted: list[str] = []
    for root in await requested_roots(session, params.root):
        work.check()
        store = await session.run(open_store, session, root)
        deleted += await session.run(store.prune, keep=params.keep, older_than_days=params.older_than_days)
    session.checkpoints_changed()
    return responses.DeletedCheckpointsResult(deleted=tuple(deleted))
