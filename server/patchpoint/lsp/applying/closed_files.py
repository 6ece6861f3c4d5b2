"""Create, change, rename and delete files through the client, and check what it really did.

A client opens a file that it changes in a hidden buffer, or writes it; it may leave a new file empty on disk
with its text in a buffer, stop half-way, or report a change that it did not make. So the result is read off
each file afterwards: from the document that the client then shows or, without one, from the file's bytes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_bytes, text_or_none
from patchpoint.lsp.applying.workspace_edit import (
    BufferChange,
    EditConfirmation,
    EditorReply,
    FileEdit,
    ask_editor,
    refuse_unshown,
    shows_nothing,
    splices_in_buffers,
    workspace_edit,
)
from patchpoint.lsp.session.arrivals import Arrivals
from patchpoint.lsp.session.documents import Document
from patchpoint.patching.plan import PlannedChange
from patchpoint.schema.uris import uri_of
from patchpoint.text.encoding import Encoding, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.splice import Splice
from patchpoint.workspace.request import ResolvedRequest

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorFile:
    """One file that the client is asked to change, and the state that shows that it did."""

    change: PlannedChange
    edits: tuple[FileEdit, ...]
    text: BufferChange | None
    """The change of text among `edits`; `None` if there is none."""
    uri: str
    """The URI of the file after the change."""
    place: Path
    """The path of its name before the change; links are not followed."""
    new_place: Path | None
    target: Path
    """The path of its bytes after the change; links are followed."""
    data: bytes | None
    """The bytes of the file after the change, if the client writes it; `None` for a deleted file."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What the client did to one file."""

    done: bool
    part: PlannedChange | None = None
    """The part of the change that it made, if it did not make all of it and the part is known."""
    late: BufferChange | None = None
    """The change of a document that it opened and has not shown changed: made, if its reply is true."""


@dataclass(frozen=True, slots=True)
class EditorResult:
    """The result of one request: the client's reply, the applied splices of each buffer, and each file."""

    reply: EditorReply
    buffers: list[tuple[bool, ...] | None]
    files: list[FileResult]


def editor_file(
    session: Session,
    request: ResolvedRequest,
    change: PlannedChange,
    splices: Sequence[Splice],
    doubtful: Sequence[tuple[int, int]],
) -> EditorFile:
    """Return the edits that ask the client for `change`, a file of `request`, by splices of its text."""
    file = request.targets[change.path]
    assert file.resolved is not None, "a document that is no file is changed in its buffer"
    new = request.targets[change.new_path].resolved if change.new_path is not None else None
    uri = uri_of(file.resolved.path)
    new_uri = uri_of(new.path) if new is not None else uri
    opened = session.documents.find(uri)
    text = None
    if change.after is not None and change.after != (change.before or ""):
        # An open document is changed under its old name, for which its version is known.
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


def _data(request: ResolvedRequest, change: PlannedChange) -> bytes | None:
    if change.after is None:
        return None
    disk = request.targets[change.path].disk
    return disk.encoded(change.after) if disk is not None else encode(change.after, Encoding.UTF_8)


async def change_files(
    session: Session, buffers: Sequence[BufferChange], files: Sequence[EditorFile], label: str, work: Work
) -> EditorResult:
    """Ask the client for changes of buffers and of files in one request; return what it did to each.

    Raises `CancelledError` if the work was cancelled before anything was changed.
    """
    refusal = refuse_unshown(session, buffers, label)
    if refusal is not None:
        undone: list[tuple[bool, ...] | None] = [tuple(False for _ in b.splices) for b in buffers]
        return EditorResult(refusal, undone, [FileResult(False) for _ in files])

    arrivals = Arrivals((buffer.document, buffer.after) for buffer in buffers)

    async def is_applied() -> bool:
        if not all(arrivals.has(one.document) or one.document.text == one.after for one in buffers):
            return False
        return all(seen.done for seen in await _results(session, files))

    def is_untouched() -> bool:
        return shows_nothing(session, buffers) and not any(session.documents.find(f.uri) for f in files)

    edit = workspace_edit(buffers, session.client, [one for file in files for one in file.edits])
    confirmation = EditConfirmation(is_applied, is_untouched, arrivals)
    reply = await ask_editor(session, edit, label, work, confirmation)
    seen = await _results(session, files)
    splices = splices_in_buffers(buffers, arrivals)
    if work.cancelled and shows_nothing(session, buffers) and not any(one.done or one.part for one in seen):
        work.check()
    late = [one.late for one in seen if one.late is not None] if reply.accepted else []
    is_late = reply.accepted and session.client.document_changes and shows_nothing(session, buffers)
    if is_late and (buffers or late):
        # The client shows them once it is idle, as in `change_buffers`.
        for change in (*buffers, *late):
            change.document.expect(change.after)
        seen = [replace(one, done=one.done or one.late is not None) for one in seen]
        return EditorResult(
            replace(reply, unconfirmed=True), [tuple(True for _ in b.splices) for b in buffers], seen
        )
    return EditorResult(reply, splices, [replace(one, late=None) for one in seen])


async def _results(session: Session, files: Sequence[EditorFile]) -> list[FileResult]:
    shown = [session.documents.find(file.uri) for file in files]
    texts = [document.text if document is not None else None for document in shown]
    seen = await session.run(_results_on_disk, files, texts)
    return [
        replace(one, late=_late(file, document)) if document is not None and not one.done else one
        for file, document, one in zip(files, shown, seen, strict=True)
    ]


def _late(file: EditorFile, document: Document) -> BufferChange | None:
    """Return the change of text for a document that the client opened for it and has not shown changed."""
    is_update = file.change.operation is FileOperation.UPDATE
    if file.text is None or not is_update or document.changes or document.text != file.change.before:
        return None
    return replace(file.text, document=document, table=document.table, version=document.version)


def _results_on_disk(files: Sequence[EditorFile], texts: Sequence[str | None]) -> list[FileResult]:
    return [_result(file, text) for file, text in zip(files, texts, strict=True)]


def _result(file: EditorFile, shown: str | None) -> FileResult:
    """Compare a file with its change; `shown` is its text in the client if it is open there."""
    change = file.change
    if change.operation is FileOperation.DELETE:
        return FileResult(not os.path.lexists(file.place))
    if file.new_place is not None and (os.path.lexists(file.place) or not os.path.lexists(file.new_place)):
        return FileResult(False)
    if shown == change.after or _bytes(file.target) == file.data:
        return FileResult(True)
    if change.operation is FileOperation.CREATE and os.path.lexists(file.place):
        text = shown if shown is not None else text_or_none(file.target)
        return FileResult(False, None if text is None else replace(change, after=text, splices=()))
    if change.operation is FileOperation.RENAME:
        return FileResult(False, replace(change, after=change.before, splices=()))
    return FileResult(False)


def _bytes(path: Path) -> bytes | None:
    try:
        return read_bytes(path).data
    except FileError:
        return None
