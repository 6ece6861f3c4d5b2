"""Reverting changes of one file: through the client where it is open, else on the disk.

A safety checkpoint comes first. Nothing is searched for: if the file no longer has one of the changes as it
was shown, nothing is done.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from patchpoint.checkpoints import CheckpointKind
from patchpoint.lsp.applying.workspace_edit import buffer_change, change_buffers
from patchpoint.lsp.checkpoints.stores import open_store
from patchpoint.lsp.checkpoints.unsaved import note_written, open_texts, unsaved_texts
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.reviewing.open_review import OpenReview
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.progress import Work
from patchpoint.lsp.session.session import Session
from patchpoint.review.change_set import FileChanges
from patchpoint.review.hunks import HunkMovedError
from patchpoint.schema.uris import name_of, uri_of


async def take_back(
    session: Session, opened: OpenReview, file: FileChanges, ids: Collection[str], work: Work
) -> dict[str, str]:
    """Take the changes `ids` of a file back; return the text that the editor is to have of it, by its path.

    Raises `RequestFailed` when that cannot be done, and the errors of a restore; then nothing is changed.
    """
    document, shown = session.documents.find(uri_of(opened.root / file.path_now)), open_texts(session)
    unsaved = await session.run(unsaved_texts, opened.root, shown)
    is_misread = document is not None and file.is_misread_as(document.table.text)
    if document is not None and not (document.is_outdated or file.is_whole or is_misread):
        return {file.path_now: await _in_buffer(session, opened, file, document, ids, unsaved, work)}
    for path in {file.path, file.path_now} & unsaved.keys():
        raise RequestFailed(
            "unsaved-changes", f"{path} has unsaved changes; save it, then revert the change."
        )
    done = await session.run(opened.tree.take_back, {file.path: ids}, buffers=unsaved, progress=work)
    await note_written(session, shown, (opened.root / path for path in (file.path, file.path_now)))
    for left in done.kept:
        raise RequestFailed("not-made", f"{left.path} stays as it is: {left.reason}.")
    return {}


async def _in_buffer(
    session: Session,
    opened: OpenReview,
    file: FileChanges,
    document: Document,
    ids: Collection[str],
    unsaved: Mapping[str, str],
    work: Work,
) -> str:
    """Have the client change an open document, and return its text then."""
    if not session.client.apply_edit:
        raise RequestFailed(
            "not-made",
            f"This editor cannot apply edits; close {name_of(document.uri)}, or use `patchpoint review`.",
        )
    store = await session.run(open_store, session, opened.root)
    label = "Before changes were reverted"
    await session.run(store.take, kind=CheckpointKind.SAFETY, label=label, buffers=unsaved, progress=work)
    table = document.table
    try:
        text = await session.run(file.shown_without, ids, table.text)
    except HunkMovedError as error:
        raise RequestFailed("hunk-not-found", str(error)) from error
    if document.table is not table:
        raise RequestFailed(
            "changed-meanwhile", f"{name_of(document.uri)} has changed in the meantime; try again."
        )
    change = buffer_change(document, text)
    reply, (made,) = await change_buffers(session, [change], "Patchpoint: revert a change", work)
    if made is None or not all(made):
        why = f": {reply.reason}" if reply.reason else ""
        is_untouched = made is not None and not any(made)
        how = (
            f"{why}." if is_untouched else f" as asked{why}; undo what it did, then revert the change again."
        )
        raise RequestFailed("not-made", f"The editor did not change {name_of(document.uri)}{how}")
    return text
