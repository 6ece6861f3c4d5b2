"""Restoring checkpoints and undoing the last restore, unsaved buffers included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore, Restored
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file
from patchpoint.lsp.applying.chat_documents import trim_transcript
from patchpoint.lsp.applying.workspace_edit import BufferChange, buffer_change, change_buffers
from patchpoint.lsp.checkpoints.arguments import (
    is_in_workspace,
    requested_file,
    requested_roots,
    store_of_checkpoint,
    store_of_message,
)
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.checkpoints.unsaved import OpenText, note_written, open_texts, unsaved_texts
from patchpoint.lsp.commands import REDO_RESTORE, RESTORE_CHECKPOINT, UNDO_RESTORE, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.schema import requests, responses
from patchpoint.schema.checkpoints import restore_result
from patchpoint.schema.uris import name_of, uri_of

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(RESTORE_CHECKPOINT)
async def restore_checkpoint(
    session: PatchpointServer, params: requests.RestoreCheckpoint, work: Work
) -> responses.RestoreResult:
    """Restore the working tree, or a part of it, with the unsaved buffers of the checkpoint."""
    paths = [requested_file(uri) for uri in params.uris]
    if params.checkpoint is not None:
        store = await store_of_checkpoint(session, params.root, params.checkpoint)
    else:
        store = await store_of_message(session, params.root, str(params.session), str(params.message))
    roots = list(session.roots)

    def allowed(folder: Path) -> bool:
        return folder.is_relative_to(store.root) or is_in_workspace(folder, roots)

    if params.hunk is not None:
        await session.run(_refuse_unsaved, paths[0], open_texts(session))
    return await restore_with_buffers(
        session,
        store,
        lambda buffers: store.restore(
            params.checkpoint,
            session=params.session,
            message=params.message,
            paths=[str(path) for path in paths] or None,
            hunk=params.hunk,
            only=params.only,
            allows=allowed,
            dry_run=params.dry_run,
            force=params.force,
            buffers=buffers,
            progress=work,
        ),
        paths or [store.folder],
        work,
        trim=params.trim_transcript is not False,
    )


@handles(UNDO_RESTORE)
async def undo_restore(
    session: PatchpointServer, params: requests.UndoRestore, work: Work
) -> responses.RestoreResult:
    """Undo the last restore in a folder."""
    return await _again(session, params, CheckpointStore.undo, work)


@handles(REDO_RESTORE)
async def redo_restore(
    session: PatchpointServer, params: requests.UndoRestore, work: Work
) -> responses.RestoreResult:
    """Do the restore in a folder again that was undone last."""
    return await _again(session, params, CheckpointStore.redo, work)


async def _again(
    session: PatchpointServer,
    params: requests.UndoRestore,
    way: Callable[..., Restored],
    work: Work,
) -> responses.RestoreResult:
    """Go back or forth by one restore; the buffers get the texts that they had before it."""
    root = (await requested_roots(session, params.root))[0]
    store = await session.run(open_store, session, root)
    return await restore_with_buffers(
        session,
        store,
        lambda buffers: way(store, buffers=buffers, progress=work),
        [],
        work,
        again=True,
    )


async def restore_with_buffers(
    session: PatchpointServer,
    store: CheckpointStore,
    restore: Callable[[Mapping[str, str]], Restored],
    scope: Sequence[Path],
    work: Work,
    *,
    again: bool = False,
    trim: bool = False,
) -> responses.RestoreResult:
    """Call `restore` with the texts of the unsaved buffers, then update the buffers and notify the client.

    A buffer gets the text that the checkpoint recorded of it or, with `again`, the one that it had before
    this session's last restore, if that is what is undone; another unsaved buffer in `scope` gets the text of
    its restored file. With `trim`, the chat transcript is cut back, too.
    """
    opened = open_texts(session)
    before = await session.run(unsaved_texts, store.root, opened)
    restored = await session.run(restore, before)
    unsaved: Mapping[Path, str] = {}
    if not restored.dry_run:
        saved_in, texts = session.before_restore.get(store.root, ("", {}))
        wanted = {store.root / path: text for path, text in restored.buffers.items()}
        if again and saved_in == restored.checkpoint.id:
            wanted |= texts
        for name in before:
            path = store.root / name
            if path not in wanted and any(path.is_relative_to(one) for one in scope):
                wanted |= await session.run(_text_on_disk, path)
        unsaved_then = {store.root / path for path in before}
        touched = {
            place / path
            for place, one in restored.parts(store.root)
            for path in (*one.written, *one.deleted)
            if place / path not in unsaved_then
        }
        await note_written(session, opened, touched - wanted.keys())
        safety = restored.safety.id if restored.safety is not None else ""
        session.before_restore[store.root] = safety, await _update_buffers(session, wanted, work)
        shown = {path: text for path, text in wanted.items() if isinstance(opened.get(path), str)}
        differing = await session.run(unsaved_texts, store.root, shown)
        unsaved = {store.root / name: text for name, text in differing.items()}
    transcript = None
    if trim and restored.session is not None and restored.message is not None:
        transcript = await trim_transcript(
            session, restored.session, restored.message, work, dry_run=restored.dry_run
        )
    result = restore_result(restored, store.root, transcript, unsaved)
    if not restored.dry_run:
        session.checkpoints_changed()
        session.notify("patchpoint/didRestoreCheckpoint", result)
        session.files_changed()
    return result


async def _update_buffers(
    session: PatchpointServer, wanted: Mapping[Path, str], work: Work
) -> dict[Path, str]:
    """Give open documents the texts `wanted`, and return the former texts of those that changed.

    Documents that are not open are logged; where the client does not make a change, its user is warned.
    """
    before: dict[Path, str] = {}
    changes = []
    notebooks = session.documents.buffers().notebooks
    for path, text in wanted.items():
        document = session.documents.find(uri_of(path))
        if document is None and path in notebooks:
            if not await session.run(notebooks[path].shown.is_in, text):
                session.warn(
                    f"{path.name} is open as an unsaved notebook, and may show different cells than were "
                    "restored. Compare before you save; to see the file, close it without saving."
                )
        elif document is None:
            session.log(f"{path} had unsaved changes when the checkpoint was taken, and is not open now.")
        elif document.text != text:
            before[path] = document.text
            changes.append(buffer_change(document, text))
    if changes and session.client.apply_edit:
        reply, results = await change_buffers(session, changes, "Patchpoint: restore", work)
        reason = reply.reason
    else:
        reason, results = "the editor cannot apply edits", [None for _ in changes]
    not_updated = [
        name_of(change.document.uri)
        for change, made in zip(changes, results, strict=True)
        if (made is None or not all(made)) and not _is_but_for_the_last_ending(change)
    ]
    if not_updated:
        session.warn(
            f"The files are restored, but the editor still shows the old text of {', '.join(not_updated)}"
            f"{f': {reason}' if reason else ''}. Compare before you save."
        )
    return before


def _is_but_for_the_last_ending(change: BufferChange) -> bool:
    """Return whether a document has its text and an ending after it, without which Neovim shows none."""
    text = change.document.text
    return text == change.after + ("\r\n" if text.endswith("\r\n") else "\n")


def _refuse_unsaved(path: Path, opened: Mapping[Path, OpenText]) -> None:
    """Raise `RequestFailed` when `path` has unsaved changes: a hunk fits the file on disk, not the buffer."""
    if unsaved_texts(path.parent, {path: opened[path]} if path in opened else {}):
        raise RequestFailed(
            "unsaved-changes", f"{path.name} has unsaved changes; save it, then restore the hunk."
        )


def _text_on_disk(path: Path) -> dict[Path, str]:
    """Return the text of a file by its path, or an empty mapping when it cannot be read."""
    try:
        return {path: read_file(path).text}
    except FileError:
        return {}
