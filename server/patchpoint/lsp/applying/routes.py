"""Who makes each change of a plan: the client in its buffers, the client with its files, or the server."""

from __future__ import annotations

from collections.abc import Mapping

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Operation
from patchpoint.lsp.applying.planning import PlannedEdits
from patchpoint.lsp.session.client_capabilities import ClientCapabilities
from patchpoint.outcome import Status
from patchpoint.patching.plan import PlannedChange
from patchpoint.schema.settings import ApplyTarget
from patchpoint.text.encoding import Encoding, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import endings_of

_USE_DISK = "omit `target` (or set `apply.target` to `auto`) to have it done on disk."


@dataclass(frozen=True, slots=True)
class Routes:
    """Where each change is made; `refused` has the reasons for the others, by the index of the edit."""

    in_buffers: tuple[PlannedChange, ...]
    """Changes of text in documents that the client has open."""
    in_editor: tuple[PlannedChange, ...]
    """Changes that the client makes to files that it has not open, and creations, deletions and renames."""
    on_disk: tuple[PlannedChange, ...]
    refused: Mapping[int, str]


def routes_of(client: ClientCapabilities, planned: PlannedEdits, target: ApplyTarget) -> Routes:
    """Decide where each change of a plan is made, for a request with this `target`."""
    in_buffers: list[PlannedChange] = []
    in_editor: list[PlannedChange] = []
    on_disk: list[PlannedChange] = []
    refused = _on_hidden_buffers(planned)
    for change in planned.plan.changes:
        file = planned.target(change)
        if change.path in planned.unsaved_notebooks:
            refused |= dict.fromkeys(change.edits, _unsaved(planned, change))
            continue
        if _is_for_buffer(client, planned, change, target):
            in_buffers.append(change)
            continue
        if target is ApplyTarget.EDITOR or _keeps_unsaved(client, planned, change, target):
            why = _why_not_by_editor(client, planned, change)
            if not why:
                in_editor.append(change)
                continue
            why = why if target is ApplyTarget.EDITOR else _unsaved(planned, change)
        elif file.resolved is None:
            why = f"{file.name} is not a file on disk, and this editor cannot apply edits."
        elif file.is_dirty:
            why = _unsaved(planned, change)
        else:
            on_disk.append(change)
            continue
        refused |= dict.fromkeys(change.edits, why)
    return Routes(tuple(in_buffers), tuple(in_editor), tuple(on_disk), refused)


def _on_hidden_buffers(planned: PlannedEdits) -> dict[int, str]:
    """Return why edits are refused whose buffer the client has not shown since its last edit, by index."""
    hidden = {name for name, buffer in planned.buffers.items() if buffer.document.awaited is not None}
    return {
        outcome.index: f"The editor has not reported the last edit of {outcome.path} yet; apply this one "
        "again when it has."
        for outcome in planned.plan.outcomes
        if outcome.path in hidden and outcome.status not in (Status.REJECTED, Status.MALFORMED)
    }


def _is_for_buffer(
    client: ClientCapabilities, planned: PlannedEdits, change: PlannedChange, target: ApplyTarget
) -> bool:
    """Return whether the client makes the change: the text of an open document, unless `target` forbids
    it."""
    is_update = change.operation is FileOperation.UPDATE and change.after != change.before
    is_text = change.mode is None or (
        target is ApplyTarget.EDITOR and not _changes_executable_bit(planned, change)
    )
    is_open = change.path in planned.buffers
    return is_update and is_text and is_open and client.apply_edit and target is not ApplyTarget.DISK


def _changes_executable_bit(planned: PlannedEdits, change: PlannedChange) -> bool:
    """Return whether the change makes the file executable, or no longer executable."""
    disk = planned.target(change).disk
    return change.mode is not None and bool(change.mode & 0o111) is not (
        disk is not None and bool(disk.mode & 0o111)
    )


def _keeps_unsaved(
    client: ClientCapabilities, planned: PlannedEdits, change: PlannedChange, target: ApplyTarget
) -> bool:
    """Return whether only the client can make the change without loss, since it alone has unsaved text."""
    if target is ApplyTarget.DISK or not client.apply_edit or not planned.target(change).is_dirty:
        return False
    if change.operation is FileOperation.DELETE:
        return client.delete_files and _quotes_what_it_deletes(planned, change)
    return change.operation is FileOperation.RENAME and client.rename_files


def _quotes_what_it_deletes(planned: PlannedEdits, change: PlannedChange) -> bool:
    """Return whether an edit quotes the text that it deletes, so that even unsaved text may be deleted."""
    edits = [planned.request.edit_at(index) for index in change.edits]
    return any(
        isinstance(edit, Edit) and edit.operation is Operation.DELETE and edit.content is not None
        for edit in edits
    )


def _unsaved(planned: PlannedEdits, change: PlannedChange) -> str:
    name = planned.target(change).name
    buffer = planned.buffers.get(change.path)
    if buffer is not None and buffer.document.is_behind:
        return (
            f"{name} has changed on disk, and the editor has an older text with unsaved changes. Saving "
            "would undo what was written to disk: merge them into the text on disk, then apply the edit "
            "again."
        )
    return f"{name} has unsaved changes; save it, then apply the edit again."


def _why_not_by_editor(client: ClientCapabilities, planned: PlannedEdits, change: PlannedChange) -> str:
    """Return why the client cannot be trusted with a change of a file, as a sentence; empty if it can."""
    file = planned.target(change)
    done = {
        FileOperation.CREATE: ("create", client.create_files),
        FileOperation.DELETE: ("delete", client.delete_files),
        FileOperation.RENAME: ("rename", client.rename_files),
        FileOperation.UPDATE: ("change", True),
    }
    verb, is_able = done[change.operation]
    if change.path in planned.notebooks:
        return f"{file.name} is open as a notebook, which an editor does not {verb}; {_USE_DISK}"
    if not client.apply_edit:
        return f"This editor cannot apply edits, so it cannot {verb} {file.name}; {_USE_DISK}"
    if not is_able:
        return f"This editor does not say that it can {verb} files ({file.name}); {_USE_DISK}"
    if _changes_executable_bit(planned, change):
        return f"Editors cannot change the mode of {file.name}; {_USE_DISK}"
    if change.operation is FileOperation.DELETE:
        return (
            _unsaved(planned, change)
            if file.is_dirty and not _quotes_what_it_deletes(planned, change)
            else ""
        )
    if change.after == change.before:
        return "" if change.operation is FileOperation.RENAME else f"Nothing to do in {file.name}."
    encoding = _encoding(planned, change)
    if encoding is not Encoding.UTF_8:
        name = encoding.display_name if encoding is not None else "an encoding of its own"
        return f"{file.name} is in {name}, which the editor might not keep; {_USE_DISK}"
    if endings_of(change.before or "").mixed or endings_of(change.after or "").mixed:
        return f"{file.name} has mixed line endings, which the editor might not keep; {_USE_DISK}"
    return ""


def _encoding(planned: PlannedEdits, change: PlannedChange) -> Encoding | None:
    """Return the file's encoding; `None` for original bytes that are not its text in UTF-8."""
    file = planned.target(change)
    if file.disk is not None:
        return file.disk.encoding
    data = planned.request.originals.get(str(file.resolved.path)) if file.resolved is not None else None
    if data is None or data == encode(change.after or "", Encoding.UTF_8):
        return Encoding.UTF_8
    return None
