"""Applications of edits, recorded so that they can be reverted later."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit
from patchpoint.patching.plan import PlannedChange
from patchpoint.patching.revert import inverse_edits
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.history.recorded import now
from patchpoint.workspace.request import ResolvedRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the edits of a request came from, as far as that is known."""

    source: str = ""
    """The URI of the document that they were read from."""
    session: str = ""
    """The chat that they are from."""
    message: str = ""
    """The chat's message that they are from, or that asked for them."""
    title: str = ""
    """The first sentence of the answer that they are from."""
    is_rest: bool = False
    """Whether they are what was left of that answer: edits that waited for a person."""

    @property
    def name(self) -> str:
        """What people call it by; empty where the answer has no title."""
        return (f"rest of “{self.title}”" if self.is_rest else f"“{self.title}”") if self.title else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """One applied request, and the edits that revert it."""

    id: str
    created_at: str
    """When the request was applied, in ISO 8601 and UTC."""
    files: tuple[str, ...]
    """The names of the files that it changed, as messages use them."""
    back: tuple[Edit, ...]
    """The edits that revert it; each names its file by its absolute path, or a document by its URI."""
    deleted: Mapping[str, str]
    """The bytes, in Base64, of each file that it deleted, by absolute path."""
    edits: tuple[str, ...] = ()
    """The ids of the edits that were applied."""
    chosen: tuple[str, ...] = ()
    """The ids of those edits for which the user chose one of several places."""
    reverts: str = ""
    """The id of the application that this one reverts, if it reverts one."""
    reverted_at: str = ""
    """When it was reverted, in ISO 8601 and UTC; empty if it was not."""
    origin: Origin = Origin()

    @property
    def is_revertible(self) -> bool:
        """Whether it is among those from which the last one is reverted, where none is named."""
        return not self.reverts and not self.reverted_at

    def changed(self) -> tuple[str, ...]:
        """Return the files that it changed, as they are called now: absolute paths, or URIs of documents."""
        return tuple(dict.fromkeys(edit.path for edit in self.back))

    def originals(self) -> dict[str, bytes]:
        """Return the bytes of the files that a revert creates again, by absolute path."""
        return {path: b64decode(data) for path, data in self.deleted.items()}


def application_of(
    request: ResolvedRequest,
    changes: Sequence[PlannedChange],
    edits: Sequence[str] = (),
    chosen: Sequence[str] = (),
    reverts: str = "",
    origin: Origin | None = None,
    id_: str = "",
) -> Application:
    """Return the record of `changes`, those of `request` that were applied; `origin` is where it came from.

    `edits` are the ids of the applied edits, `chosen` those for which the user chose one of several places;
    `reverts` is the id of the application that they revert, if they revert one, and `id_` that of the
    operation, if it is in the log of operations.
    """
    targets = request.targets
    places = {name: target.place for name, target in targets.items()}
    modes = {name: target.disk.mode for name, target in targets.items() if target.disk is not None}
    back = tuple(
        replace(edit, path=places[edit.path], new_path=places.get(edit.new_path or "", edit.new_path))
        for change in changes
        for edit in inverse_edits(change, modes.get(change.path))
    )
    deleted = {
        places[change.path]: b64encode(disk.encoded(disk.text)).decode("ascii")
        for change in changes
        if change.operation is FileOperation.DELETE
        and (disk := targets[change.path].disk) is not None
        and disk.text == change.before
    }
    return Application(
        id=id_ or secrets.token_hex(6),
        created_at=now(),
        files=tuple(change.new_path or change.path for change in changes),
        back=back,
        deleted=deleted,
        edits=tuple(edits),
        chosen=tuple(chosen),
        reverts=reverts,
        origin=origin or Origin(),
    )


def of_session(
    applications: Iterable[Application], session: str, turn: str | None = None
) -> list[Application]:
    """Return the applications of a chat, or of one message of it, that can be reverted, newest first."""
    return [
        one
        for one in applications
        if one.is_revertible and one.origin.session == session and turn in (None, one.origin.message)
    ]
