"""Undo and redo by the log of operations that editors, agents and the command line share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.headless.operations import undone_result
from patchpoint.headless.undo import ANYBODY, PERSON, Undone, UndoRequest, operations_of
from patchpoint.headless.undo import redo as redone
from patchpoint.headless.undo import undo as undone
from patchpoint.lsp.applying.workspace_edit import BufferChange, buffer_change, change_buffers
from patchpoint.lsp.checkpoints.arguments import requested_roots
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.checkpoints.unsaved import note_written, open_texts
from patchpoint.lsp.commands import LIST_OPERATIONS, REDO, UNDO, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.restore import restore_with_buffers
from patchpoint.progress import Progress
from patchpoint.schema import operations
from patchpoint.schema.git_settings import settings_of
from patchpoint.schema.uris import name_of, uri_of

if TYPE_CHECKING:
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work

_Way = Callable[[Path, UndoRequest, Progress], Undone]


@handles(LIST_OPERATIONS)
async def list_operations(
    session: PatchpointServer, params: operations.ListOperations, work: Work
) -> operations.OperationsResult:
    """Return what was done in a folder, by whomever, newest first."""
    work.check()
    folder = (await requested_roots(session, params.root))[0]
    settings, _ = await session.run(settings_of, folder, session.given_settings)
    root, known = await session.run(
        lambda: operations_of(folder, settings.store_options, recover=session.client.trusts_workspace)
    )
    return operations.operations_result(root, known, params.session, params.limit)


@handles(UNDO)
async def undo(session: PatchpointServer, params: operations.Undo, work: Work) -> operations.UndoneResult:
    """Take back the last operation of the user, or the one that is named."""
    return await _carry_out(session, params, undone, work)


@handles(REDO)
async def redo(session: PatchpointServer, params: operations.Undo, work: Work) -> operations.UndoneResult:
    """Bring back the operation of the user that was undone last, or the one that is named."""
    return await _carry_out(session, params, redone, work)


async def _carry_out(
    session: PatchpointServer, params: operations.Undo, way: _Way, work: Work
) -> operations.UndoneResult:
    if not session.client.trusts_workspace:
        raise RequestFailed(
            "not-trusted", "The workspace is not trusted; trust it, or run 'patchpoint undo' in a terminal."
        )
    folder = (await requested_roots(session, params.root))[0]
    await session.run(open_store, session, folder)  # which finishes what was cut short
    opened = open_texts(session)
    outdated = session.documents.buffers().outdated
    settings, _ = await session.run(settings_of, folder, session.given_settings)
    asked = UndoRequest(
        session=ANYBODY if params.any_session else params.session or PERSON,
        named=params.operation or "",
        dry_run=True,
        opened={p: text for p, text in opened.items() if isinstance(text, str) and p not in outdated},
        options=settings.store_options,
    )
    foreseen = await session.run(way, folder, asked, work)
    if params.dry_run:
        return undone_result(foreseen)
    exactly = replace(asked, named=foreseen.operation.id, dry_run=False)
    if foreseen.restored is not None:
        return await _restored(session, folder, foreseen, exactly, way, work)
    made = await _changed_in_editor(session, foreseen, work)
    try:
        done = await session.run(way, folder, exactly, work)
    except BaseException:
        await _put_back(session, made)
        raise
    on_disk = {done.root / path for _, path in done.files} - done.in_editor.keys()
    await note_written(session, opened, on_disk)
    await session.applications.load(session.roots)
    session.files_changed()
    return undone_result(replace(done, passed=foreseen.passed))


async def _restored(
    session: PatchpointServer, folder: Path, foreseen: Undone, exactly: UndoRequest, way: _Way, work: Work
) -> operations.UndoneResult:
    """Undo or redo a restore, the texts of the unsaved buffers included."""
    store = await session.run(open_store, session, folder)
    done: list[Undone] = []

    def restore(buffers: Mapping[str, str]) -> Restored:
        done.append(way(folder, replace(exactly, unsaved=buffers), work))
        restored = done[0].restored
        assert restored is not None
        return restored

    await restore_with_buffers(session, store, restore, [], work, again=True)
    return undone_result(replace(done[0], passed=foreseen.passed))


async def _changed_in_editor(session: PatchpointServer, foreseen: Undone, work: Work) -> list[BufferChange]:
    """Give the open documents their former texts; return the changes that take that back.

    Raises `RequestFailed` where the editor does not make all of them: those that it made are taken back.
    """
    documents = {path: session.documents.find(uri_of(path)) for path in foreseen.in_editor}
    changes: list[BufferChange] = []
    for path, document in documents.items():
        if document is None or document.text != foreseen.opened[path]:
            raise RequestFailed("changed-meanwhile", f"{path.name} was changed meanwhile; undo again.")
        changes.append(buffer_change(document, foreseen.in_editor[path]))
    if not changes:
        return []
    reply, results = await change_buffers(session, changes, f"Patchpoint: {foreseen.kind.value}", work)
    left = [
        name_of(change.document.uri)
        for change, made in zip(changes, results, strict=True)
        if made is None or not all(made)
    ]
    back = [
        buffer_change(change.document, change.table.text)
        for change, made in zip(changes, results, strict=True)
        if made is not None and all(made)
    ]
    if left:
        await _put_back(session, back)
        why = f": {reply.reason}" if reply.reason else ""
        raise RequestFailed(
            "not-undone", f"Nothing was changed: the editor did not change {', '.join(left)}{why}."
        )
    return back


async def _put_back(session: PatchpointServer, changes: list[BufferChange]) -> None:
    if changes:
        async with session.begin_work("Undoing edits") as work:
            await change_buffers(session, changes, "Patchpoint: undo", work)
