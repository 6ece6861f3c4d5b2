"""What an application of edits did, kept so that it can be taken back later."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import FileChange, FileOperation
from patchpoint.revert import revert_edits


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """One request that landed, by the edits that take it back."""

    id: str
    created_at: str
    """When it landed, in ISO 8601."""
    files: tuple[str, ...]
    """What it changed, as people call the files."""
    back: tuple[Edit, ...]
    """The edits that take it back; each names its file by its absolute path, or a document by its URI."""
    deleted: Mapping[str, str]
    """The bytes, in Base64, of each file that it deleted, by absolute path."""


def take_back(change: FileChange, mode: int | None = None) -> tuple[Edit, ...]:
    """The edits that turn the file as `change` left it into what it was, `mode` being its mode then."""
    path = change.new_path or change.path
    if change.operation is FileOperation.CREATE:
        # Its whole text is quoted, so that nothing that has been added since goes with it.
        return (Edit(path=path, operation=Operation.DELETE, content=change.after),)
    if change.operation is FileOperation.DELETE:
        return (Edit(path=path, operation=Operation.CREATE, content=change.before, mode=mode),)
    edits: tuple[Edit, ...] = ()
    if change.splices:
        outcome = Outcome(status=Status.APPLIED, path=path, splices=change.splices, text=change.after)
        edits = revert_edits(change.before or "", outcome)
    if change.mode is not None and mode is not None and change.mode != mode:
        edits += (Edit(path=path, operation=Operation.CHMOD, mode=mode),)
    if change.operation is FileOperation.RENAME:
        edits += (Edit(path=path, operation=Operation.RENAME, new_path=change.path),)
    return edits


def application_of(
    changes: Sequence[FileChange],
    *,
    application_id: str,
    created_at: str,
    places: Mapping[str, str],
    modes: Mapping[str, int],
    deleted: Mapping[str, bytes],
) -> Application:
    """The record of `changes` that have landed.

    `places` says where each file is (its absolute path, or a document's URI), `modes` and `deleted` what
    modes and bytes the files had before; all by the names that the changes use.
    """
    back = tuple(
        replace(edit, path=places[edit.path], new_path=places.get(edit.new_path or "", edit.new_path))
        for change in changes
        for edit in take_back(change, modes.get(change.path))
    )
    return Application(
        id=application_id,
        created_at=created_at,
        files=tuple(change.new_path or change.path for change in changes),
        back=back,
        deleted={places[name]: b64encode(data).decode("ascii") for name, data in deleted.items()},
    )
