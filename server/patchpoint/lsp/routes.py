"""Who makes each change of a plan: the client in its buffers, the client with its files, or we on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Operation
from patchpoint.lsp.arguments import Target
from patchpoint.lsp.capabilities import Client
from patchpoint.lsp.planning import Planned
from patchpoint.outcome import Status
from patchpoint.plan import FileChange, FileOperation
from patchpoint.text.encoding import Encoding, encode
from patchpoint.text.endings import endings_of

if TYPE_CHECKING:
    from patchpoint.workspace import Target as File

_OTHERWISE = "leave out `target` (or set `apply.target` to `auto`) and it is done on disk."


@dataclass(frozen=True, slots=True)
class Routes:
    """Which changes are made where, and which nowhere: the reason by the index of each of their edits."""

    in_buffers: tuple[FileChange, ...]
    """Texts of documents that the client has open."""
    in_editor: tuple[FileChange, ...]
    """What the client makes of files that it has not open, or makes of them as such."""
    on_disk: tuple[FileChange, ...]
    refused: Mapping[int, str]


def routes_of(client: Client, planned: Planned, target: Target) -> Routes:
    """The routes of a plan's changes for one who wants them made by `target`."""
    in_buffers: list[FileChange] = []
    in_editor: list[FileChange] = []
    on_disk: list[FileChange] = []
    refused = _on_hidden_buffers(planned)
    for change in planned.plan.changes:
        file = planned.target(change)
        if _is_for_buffer(client, planned, change, target):
            in_buffers.append(change)
            continue
        if target is Target.EDITOR or _keeps_unsaved(client, planned, change, target):
            why = _why_not_by_editor(client, planned, change)
            if not why:
                in_editor.append(change)
                continue
            why = why if target is Target.EDITOR else _unsaved(file)
        elif file.resolved is None:
            why = f"{file.name} is no file, and this editor takes no edits."
        elif file.is_dirty:
            why = _unsaved(file)
        else:
            on_disk.append(change)
            continue
        refused |= dict.fromkeys(change.edits, why)
    return Routes(tuple(in_buffers), tuple(in_editor), tuple(on_disk), refused)


def _on_hidden_buffers(planned: Planned) -> dict[int, str]:
    """The edits of buffers that the client has not shown since the last edit: their outcome is unknown."""
    hidden = {name for name, buffer in planned.buffers.items() if buffer.document.awaited is not None}
    return {
        outcome.index: f"The editor has not yet shown what the last edit made of {outcome.path}; "
        "apply this one again when it has."
        for outcome in planned.plan.outcomes
        if outcome.path in hidden and outcome.status not in (Status.REJECTED, Status.MALFORMED)
    }


def _is_for_buffer(client: Client, planned: Planned, change: FileChange, target: Target) -> bool:
    """Whether the client makes the change: the text of what it has open, unless otherwise wanted."""
    is_update = change.operation is FileOperation.UPDATE and change.after != change.before
    is_text = change.mode is None or (target is Target.EDITOR and not _marks(planned, change))
    is_open = change.path in planned.buffers
    return is_update and is_text and is_open and client.apply_edit and target is not Target.DISK


def _marks(planned: Planned, change: FileChange) -> bool:
    """Whether the file becomes executable, or ceases to be."""
    disk = planned.target(change).disk
    return change.mode is not None and bool(change.mode & 0o111) is not (
        disk is not None and bool(disk.mode & 0o111)
    )


def _keeps_unsaved(client: Client, planned: Planned, change: FileChange, target: Target) -> bool:
    """Whether only the client can make a change of a file without a loss: it alone has the text."""
    if target is Target.DISK or not client.apply_edit or not planned.target(change).is_dirty:
        return False
    if change.operation is FileOperation.DELETE:
        return client.delete_files and _quotes_what_it_deletes(planned, change)
    return change.operation is FileOperation.RENAME and client.rename_files


def _quotes_what_it_deletes(planned: Planned, change: FileChange) -> bool:
    """Whether the text that goes is the one that was asked to go, unsaved as it may be."""
    edits = [planned.request.edit_at(index) for index in change.edits]
    return any(
        isinstance(edit, Edit) and edit.operation is Operation.DELETE and edit.content is not None
        for edit in edits
    )


def _unsaved(file: File) -> str:
    return f"{file.name} has changes that are not saved; save it, then apply the edit again."


def _why_not_by_editor(client: Client, planned: Planned, change: FileChange) -> str:
    """Why the client cannot be trusted with a change of a file, as a sentence; empty when it can."""
    file = planned.target(change)
    done = {
        FileOperation.CREATE: ("create", client.create_files),
        FileOperation.DELETE: ("delete", client.delete_files),
        FileOperation.RENAME: ("rename", client.rename_files),
        FileOperation.UPDATE: ("change", True),
    }
    verb, is_able = done[change.operation]
    if not client.apply_edit:
        return f"This editor takes no edits, so it cannot {verb} {file.name}; {_OTHERWISE}"
    if not is_able:
        return f"This editor does not say that it can {verb} files ({file.name}); {_OTHERWISE}"
    if _marks(planned, change):
        return f"No editor can be asked to change the mode of {file.name}; {_OTHERWISE}"
    if change.operation is FileOperation.DELETE:
        return _unsaved(file) if file.is_dirty and not _quotes_what_it_deletes(planned, change) else ""
    if change.after == change.before:
        return "" if change.operation is FileOperation.RENAME else f"There is nothing to do in {file.name}."
    encoding = _encoding(planned, change)
    if encoding is not Encoding.UTF_8:
        name = encoding.name_for_people if encoding is not None else "an encoding of its own"
        return f"{file.name} is in {name}, which the editor might not keep; {_OTHERWISE}"
    if endings_of(change.before or "").mixed or endings_of(change.after or "").mixed:
        return f"{file.name} has line endings of several kinds, which the editor might not keep; {_OTHERWISE}"
    return ""


def _encoding(planned: Planned, change: FileChange) -> Encoding | None:
    """What the file is in; `None` for one whose bytes are not what its text would be written as."""
    file = planned.target(change)
    if file.disk is not None:
        return file.disk.encoding
    data = planned.request.originals.get(str(file.resolved.path)) if file.resolved is not None else None
    if data is None or data == encode(change.after or "", Encoding.UTF_8):
        return Encoding.UTF_8
    return None
