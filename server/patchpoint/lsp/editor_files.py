"""Creating, changing, renaming and deleting files through the client, and seeing for ourselves what it did.

A client opens what it changes in a hidden buffer, or writes it; it may leave a new file empty on disk and its
text in a buffer, stop half-way, or say that it did what it did not. So each file counts as it is afterwards:
by the document that the client then shows, or else by its bytes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.files import FileError, read_bytes, read_file
from patchpoint.lsp.documents import Document
from patchpoint.lsp.editor_edits import (
    BufferChange,
    FileEdit,
    Reply,
    Watch,
    ask_editor,
    is_unseen,
    refuse_hidden,
    splices_seen,
    workspace_edit,
)
from patchpoint.lsp.uris import uri_of
from patchpoint.plan import FileChange, FileOperation
from patchpoint.text.encoding import Encoding, encode
from patchpoint.text.splices import Splice
from patchpoint.workspace import Request

if TYPE_CHECKING:
    from patchpoint.lsp.progress import Work
    from patchpoint.lsp.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorFile:
    """One file that the client shall change: what it is asked for, and how that is known to be done."""

    change: FileChange
    edits: tuple[FileEdit, ...]
    text: BufferChange | None
    """The one among `edits` that changes its text."""
    uri: str
    """Of the document that it then is."""
    place: Path
    """Where its name is, or was."""
    new_place: Path | None
    target: Path
    """Where its bytes then are."""
    data: bytes | None
    """The bytes that it then has, if the client writes them; `None` for a file that goes."""


@dataclass(frozen=True, slots=True)
class FileSeen:
    """What a client made of a file."""

    done: bool
    part: FileChange | None = None
    """What it made of a change that it did not make whole, if that can be told."""
    late: BufferChange | None = None
    """The change of a document that it opened and has not shown changed: made, if it speaks the truth."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one request: what was said of it, each buffer's splices, and each file."""

    reply: Reply
    buffers: list[tuple[bool, ...] | None]
    files: list[FileSeen]


def editor_file(
    session: Session,
    request: Request,
    change: FileChange,
    splices: Sequence[Splice],
    doubtful: Sequence[tuple[int, int]],
) -> EditorFile:
    """How a client is asked for the change of a file of `request`, by splices of its text."""
    file = request.targets[change.path]
    assert file.resolved is not None, "a document that is no file is changed in its buffer"
    new = request.targets[change.new_path].resolved if change.new_path is not None else None
    uri = uri_of(file.resolved.path)
    new_uri = uri_of(new.path) if new is not None else uri
    opened = session.documents.find(uri)
    text = None
    if change.after is not None and change.after != (change.before or ""):
        # An open document is changed under the name by which its version is known.
        document = opened or Document(new_uri, change.before or "", None, None, session.client.unit)
        text = BufferChange(
            document=document,
            table=document.table,
            version=document.version,
            splices=tuple(splices),
            doubtful=tuple(doubtful),
        )
    texts = (text,) if text is not None else ()
    edits: tuple[FileEdit, ...] = texts
    if change.operation is FileOperation.CREATE:
        kept = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
        edits = (types.CreateFile(uri=uri, options=kept), *texts)
    elif change.operation is FileOperation.DELETE:
        edits = (types.DeleteFile(uri=uri),)
    elif change.operation is FileOperation.RENAME:
        options = types.RenameFileOptions(overwrite=False, ignore_if_exists=False)
        rename = types.RenameFile(old_uri=uri, new_uri=new_uri, options=options)
        edits = (*texts, rename) if opened is not None else (rename, *texts)
    return EditorFile(
        change=change,
        edits=edits,
        text=text,
        uri=new_uri,
        place=file.resolved.place,
        new_place=new.place if new is not None else None,
        target=new.target if new is not None else file.resolved.target,
        data=_data(request, change),
    )


def _data(request: Request, change: FileChange) -> bytes | None:
    if change.after is None:
        return None
    disk = request.targets[change.path].disk
    return disk.encoded(change.after) if disk is not None else encode(change.after, Encoding.UTF_8)


async def change_files(
    session: Session, buffers: Sequence[BufferChange], files: Sequence[EditorFile], label: str, work: Work
) -> Seen:
    """Ask the client for changes of buffers and of files, in one request, and say what it made of each.

    Raises `CancelledError` when the work was stopped before anything was changed.
    """
    refusal = refuse_hidden(session, buffers, label)
    if refusal is not None:
        undone: list[tuple[bool, ...] | None] = [tuple(False for _ in b.splices) for b in buffers]
        return Seen(refusal, undone, [FileSeen(False) for _ in files])

    async def settled() -> bool:
        if not all(buffer.document.text == buffer.after for buffer in buffers):
            return False
        return all(seen.done for seen in await _look(session, files))

    def untouched() -> bool:
        return is_unseen(session, buffers) and not any(session.documents.find(f.uri) for f in files)

    edit = workspace_edit(buffers, session.client, [one for file in files for one in file.edits])
    reply = await ask_editor(session, edit, label, work, Watch(settled, untouched))
    seen = await _look(session, files)
    splices = splices_seen(buffers)
    if work.cancelled and is_unseen(session, buffers) and not any(one.done or one.part for one in seen):
        work.check()
    late = [one.late for one in seen if one.late is not None] if reply.said_yes else []
    is_late = reply.said_yes and session.client.document_changes and is_unseen(session, buffers)
    if is_late and (buffers or late):
        # Shown once it is idle, as in `change_buffers`.
        for change in (*buffers, *late):
            change.document.expect(change.after)
        seen = [replace(one, done=one.done or one.late is not None) for one in seen]
        return Seen(replace(reply, unseen=True), [tuple(True for _ in b.splices) for b in buffers], seen)
    return Seen(reply, splices, [replace(one, late=None) for one in seen])


async def _look(session: Session, files: Sequence[EditorFile]) -> list[FileSeen]:
    shown = [session.documents.find(file.uri) for file in files]
    texts = [document.text if document is not None else None for document in shown]
    seen = await session.run(_see_all, files, texts)
    return [
        replace(one, late=_late(file, document)) if document is not None and not one.done else one
        for file, document, one in zip(files, shown, seen, strict=True)
    ]


def _late(file: EditorFile, document: Document) -> BufferChange | None:
    """The change of text as one of a document that has been opened for it, and shows nothing of it yet."""
    is_update = file.change.operation is FileOperation.UPDATE
    if file.text is None or not is_update or document.changes or document.text != file.change.before:
        return None
    return replace(file.text, document=document, table=document.table, version=document.version)


def _see_all(files: Sequence[EditorFile], texts: Sequence[str | None]) -> list[FileSeen]:
    return [_see(file, text) for file, text in zip(files, texts, strict=True)]


def _see(file: EditorFile, shown: str | None) -> FileSeen:
    """What a file is now, `shown` being its text in the client if it is open there."""
    change = file.change
    if change.operation is FileOperation.DELETE:
        return FileSeen(not os.path.lexists(file.place))
    if file.new_place is not None and (os.path.lexists(file.place) or not os.path.lexists(file.new_place)):
        return FileSeen(False)
    if shown == change.after or _bytes(file.target) == file.data:
        return FileSeen(True)
    if change.operation is FileOperation.CREATE and os.path.lexists(file.place):
        text = shown if shown is not None else _text(file.target)
        return FileSeen(False, None if text is None else replace(change, after=text, splices=()))
    if change.operation is FileOperation.RENAME:
        return FileSeen(False, replace(change, after=change.before, splices=()))
    return FileSeen(False)


def _bytes(path: Path) -> bytes | None:
    try:
        return read_bytes(path).data
    except FileError:
        return None


def _text(path: Path) -> str | None:
    try:
        return read_file(path).text
    except FileError:
        return None
