"""Checkpoints: taken, listed, compared, restored, and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import (
    Checkpoint,
    CheckpointStore,
    FileOperation,
    Kind,
    Restored,
)
from patchpoint.checkpoints.errors import CheckpointNotFoundError
from patchpoint.files import FileError, read_file
from patchpoint.lsp import answers, arguments
from patchpoint.lsp.chat_documents import trim_transcript
from patchpoint.lsp.checkpoint_answers import checkpoint_answer, difference_answer, restore_answer
from patchpoint.lsp.checkpoint_stores import open_store
from patchpoint.lsp.editor_edits import buffer_change, change_buffers
from patchpoint.lsp.errors import RequestFailed, invalid_params
from patchpoint.lsp.past_files import past_file_uris
from patchpoint.lsp.uris import name_of, path_of, uri_of

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.progress import Work


async def take_checkpoint(
    session: PatchpointServer, given: arguments.TakeCheckpoint, work: Work
) -> answers.CheckpointAnswer | None:
    """Take one now, or begin to, if it shall be taken in the background."""
    roots = _roots(session, given.root)
    taking = take(session, roots, Kind.MANUAL, work, given.label or "", given.session, given.message)
    if not given.background:
        return checkpoint_answer((await taking)[0])
    taking.close()
    session.start(_take_in_background(session, roots, given))
    return None


async def _take_in_background(
    session: PatchpointServer, roots: Sequence[Path], given: arguments.TakeCheckpoint
) -> None:
    async with session.begin_work("Taking a checkpoint") as work:
        await take(session, roots, Kind.MANUAL, work, given.label or "", given.session, given.message)


async def take(
    session: PatchpointServer,
    roots: Sequence[Path],
    kind: Kind,
    work: Work,
    label: str = "",
    chat: str | None = None,
    message: str | None = None,
) -> list[Checkpoint]:
    """Take a checkpoint of each folder, unsaved buffers included, and tell the client."""
    opened = _open_texts(session)

    def record(store: CheckpointStore) -> Checkpoint:
        return store.take(
            label=label,
            session=chat,
            message=message,
            buffers=unsaved(store.root, opened),
            kind=kind,
            progress=work,
        )

    taken = []
    stores = [await session.run(open_store, session, root) for root in roots]
    for store in {store.root: store for store in stores}.values():
        checkpoint = await session.run(record, store)
        taken.append(checkpoint)
        session.checkpoints.tell(checkpoint)
        session.checkpoints_changed()
        if checkpoint.skipped:
            session.trace_line(f"The checkpoint {checkpoint.id} left out {len(checkpoint.skipped)} files.")
    return taken


async def list_checkpoints(
    session: PatchpointServer, given: arguments.ListCheckpoints, work: Work
) -> answers.CheckpointsAnswer:
    """List them, newest first; without a root, those of all folders."""
    found: dict[str, Checkpoint] = {}
    for root in _roots(session, given.root):
        store = await session.run(open_store, session, root)
        work.check()
        for checkpoint in await session.run(store.list, session=given.session, limit=given.limit):
            found[checkpoint.id] = checkpoint
    newest_first = sorted(found.values(), key=lambda checkpoint: checkpoint.id, reverse=True)
    return answers.CheckpointsAnswer(
        checkpoints=tuple(checkpoint_answer(checkpoint) for checkpoint in newest_first[: given.limit])
    )


async def diff_checkpoint(
    session: PatchpointServer, given: arguments.DiffCheckpoint, work: Work
) -> answers.DiffAnswer:
    """Show what changed since a checkpoint, file by file."""
    path = _file(given.uri) if given.uri is not None else None
    store = await _store_with(session, given.root, given.checkpoint)
    differences = await session.run(
        store.diff,
        given.checkpoint,
        given.against,
        path=str(path) if path is not None else None,
        progress=work,
    )
    there = [one.path for one in differences if one.operation is not FileOperation.CREATE]
    originals = await past_file_uris(session, store, given.checkpoint, there)
    return answers.DiffAnswer(
        files=tuple(
            difference_answer(difference, store.root, originals.get(difference.path))
            for difference in differences
        )
    )


async def restore_checkpoint(
    session: PatchpointServer, given: arguments.RestoreCheckpoint, work: Work
) -> answers.RestoreAnswer:
    """Restore the working tree, or a part of it, and bring unsaved buffers along."""
    paths = [_file(uri) for uri in given.uris]
    if given.checkpoint is not None:
        store = await _store_with(session, given.root, given.checkpoint)
    else:
        store = await _store_with_anchor(session, given.root, str(given.session), str(given.message))
    if given.hunk is not None:
        await session.run(_refuse_unsaved, paths[0], _open_texts(session))
    return await _restore(
        session,
        store,
        lambda buffers: store.restore(
            given.checkpoint,
            session=given.session,
            message=given.message,
            paths=[str(path) for path in paths] or None,
            hunk=given.hunk,
            dry_run=given.dry_run,
            force=given.force,
            buffers=buffers,
            progress=work,
        ),
        paths or [store.folder],
        {},
        work,
        trim=given.trim_transcript is not False,
    )


def _refuse_unsaved(path: Path, opened: Mapping[Path, str]) -> None:
    """A hunk is of the file on disk; where the editor shows another text it would go astray."""
    if unsaved(path.parent, {path: opened[path]} if path in opened else {}):
        raise RequestFailed(
            "unsaved-changes", f"{path.name} has unsaved changes; save it, then restore the hunk."
        )


async def undo_restore(
    session: PatchpointServer, given: arguments.UndoRestore, work: Work
) -> answers.RestoreAnswer:
    """Undo the last restore."""
    store = await session.run(open_store, session, _roots(session, given.root)[0])
    return await _restore(
        session,
        store,
        lambda buffers: store.undo(buffers=buffers, progress=work),
        [],
        session.before_restore.get(store.root, {}),
        work,
    )


async def delete_checkpoint(
    session: PatchpointServer, given: arguments.DeleteCheckpoint, work: Work
) -> answers.DeletedAnswer:
    """Delete one checkpoint."""
    work.check()
    store = await _store_with(session, given.root, given.checkpoint)
    await session.run(store.delete, given.checkpoint)
    session.checkpoints_changed()
    return answers.DeletedAnswer(deleted=(given.checkpoint,))


async def prune_checkpoints(
    session: PatchpointServer, given: arguments.PruneCheckpoints, work: Work
) -> answers.DeletedAnswer:
    """Delete old checkpoints."""
    deleted: list[str] = []
    for root in _roots(session, given.root):
        work.check()
        store = await session.run(open_store, session, root)
        deleted += await session.run(store.prune, keep=given.keep, older_than_days=given.older_than_days)
    session.checkpoints_changed()
    return answers.DeletedAnswer(deleted=tuple(deleted))


async def _restore(
    session: PatchpointServer,
    store: CheckpointStore,
    restore: Callable[[Mapping[str, str]], Restored],
    scope: Sequence[Path],
    texts: Mapping[Path, str],
    work: Work,
    *,
    trim: bool = False,
) -> answers.RestoreAnswer:
    """Restore by `restore`, which is given the unsaved buffers, and bring the buffers along.

    Those that the checkpoint holds, and those in `texts`, become what they were; other unsaved ones in
    `scope` become what is on disk.
    """
    opened = _open_texts(session)
    before = await session.run(unsaved, store.root, opened)
    restored = await session.run(restore, before)
    if not restored.dry_run:
        wanted = {store.root / path: text for path, text in restored.buffers.items()} | dict(texts)
        for name in before:
            path = store.root / name
            if path not in wanted and any(path.is_relative_to(one) for one in scope):
                wanted |= await session.run(_text_on_disk, path)
        session.before_restore[store.root] = await _bring_buffers(session, wanted, work)
    transcript = None
    if trim and restored.session is not None and restored.message is not None:
        transcript = await trim_transcript(
            session, restored.session, restored.message, work, dry_run=restored.dry_run
        )
    answer = restore_answer(restored, store.root, transcript)
    if not restored.dry_run:
        session.checkpoints_changed()
        session.notify("patchpoint/didRestoreCheckpoint", answer)
        session.files_changed()
    return answer


async def _bring_buffers(
    session: PatchpointServer, wanted: Mapping[Path, str], work: Work
) -> dict[Path, str]:
    """Give open documents the texts that they should have; answers what those that change had before."""
    before: dict[Path, str] = {}
    changes = []
    for path, text in wanted.items():
        document = session.documents.find(uri_of(path))
        if document is None:
            session.log(f"{path} had unsaved changes when the checkpoint was taken, and is not open now.")
        elif document.text != text:
            before[path] = document.text
            changes.append(buffer_change(document, text))
    if changes and session.client.apply_edit:
        reply, results = await change_buffers(session, changes, "Patchpoint: restore", work)
        reason = reply.reason
    else:
        reason, results = "the editor takes no edits", [None for _ in changes]
    left = [
        name_of(change.document.uri)
        for change, made in zip(changes, results, strict=True)
        if made is None or not all(made)
    ]
    if left:
        session.warn(
            f"The files are restored, but not what the editor shows of {', '.join(left)}"
            f"{f': {reason}' if reason else ''}. Compare before you save."
        )
    return before


def _text_on_disk(path: Path) -> dict[Path, str]:
    """The text of a file, by its path, if it can be read."""
    try:
        return {path: read_file(path).text}
    except FileError:
        return {}


def _roots(session: PatchpointServer, given: str | None) -> list[Path]:
    """The folders meant: the one named, or all that the client works in. Raises `RequestFailed`."""
    if given is not None:
        path = path_of(given) or Path(given)
        if not path.is_absolute() or not path.is_dir():
            raise RequestFailed("no-folder", f"{given} is no folder; name one by its URI or absolute path.")
        return [path]
    if not session.roots:
        raise RequestFailed("no-folder", "The editor has no folder open; open one, or name it as `root`.")
    return list(session.roots)


def _file(uri: str) -> Path:
    path = path_of(uri)
    if path is None:
        raise invalid_params(f"`{uri}` is not the URI of a file.")
    return path


async def _store_with(session: PatchpointServer, root: str | None, checkpoint: str) -> CheckpointStore:
    """The store that has the checkpoint. Raises `CheckpointNotFoundError`."""
    return await session.run(
        _find_store, session, _roots(session, root), lambda store: store.show(checkpoint)
    )


async def _store_with_anchor(
    session: PatchpointServer, root: str | None, chat: str, message: str
) -> CheckpointStore:
    def look(store: CheckpointStore) -> None:
        if not any(checkpoint.message == message for checkpoint in store.list(session=chat)):
            raise CheckpointNotFoundError(message)

    roots = _roots(session, root)
    try:
        return await session.run(_find_store, session, roots, look)
    except CheckpointNotFoundError:
        return await session.run(open_store, session, roots[0])


def _find_store(
    session: PatchpointServer, roots: Sequence[Path], look: Callable[[CheckpointStore], object]
) -> CheckpointStore:
    missing: CheckpointNotFoundError | None = None
    for root in roots:
        store = open_store(session, root)
        try:
            look(store)
        except CheckpointNotFoundError as error:
            missing = error
        else:
            return store
    assert missing is not None
    raise missing


def _open_texts(session: PatchpointServer) -> dict[Path, str]:
    opened = {path_of(document.uri): document.text for document in session.documents}
    return {path: text for path, text in opened.items() if path is not None}


def unsaved(root: Path, opened: Mapping[Path, str]) -> dict[str, str]:
    """Of open texts below a folder, those that are not what their files hold, by path below it."""
    found = {}
    for path, text in opened.items():
        if not path.is_relative_to(root):
            continue
        try:
            same = read_file(path).text == text
        except FileError:
            same = False
        if not same:
            found[path.relative_to(root).as_posix()] = text
    return found
