"""What an application of edits did, kept so that it can be taken back later."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from patchpoint.edit import Edit
from patchpoint.plan import FileChange, FileOperation
from patchpoint.revert import take_back
from patchpoint.workspace import Request


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
    edits: tuple[str, ...] = ()
    """The ids of the edits that landed."""
    chosen: tuple[str, ...] = ()
    """The ids of those that a person put at one of several places."""

    def originals(self) -> dict[str, bytes]:
        """The bytes of the files that come back when it is taken back, by absolute path."""
        return {path: b64decode(data) for path, data in self.deleted.items()}


def application_of(
    request: Request,
    changes: Sequence[FileChange],
    edits: Sequence[str] = (),
    chosen: Sequence[str] = (),
) -> Application:
    """The record of `changes`, those of `request` that landed.

    `edits` are the ids of what asked for them, `chosen` those that a person put at one of several places.
    """
    targets = request.targets
    places = {name: target.place for name, target in targets.items()}
    modes = {name: target.disk.mode for name, target in targets.items() if target.disk is not None}
    back = tuple(
        replace(edit, path=places[edit.path], new_path=places.get(edit.new_path or "", edit.new_path))
        for change in changes
        for edit in take_back(change, modes.get(change.path))
    )
    deleted = {
        places[change.path]: b64encode(disk.encoded(disk.text)).decode("ascii")
        for change in changes
        if change.operation is FileOperation.DELETE
        and (disk := targets[change.path].disk) is not None
        and disk.text == change.before
    }
    return Application(
        id=secrets.token_hex(6),
        created_at=datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        files=tuple(change.new_path or change.path for change in changes),
        back=back,
        deleted=deleted,
        edits=tuple(edits),
        chosen=tuple(chosen),
    )
