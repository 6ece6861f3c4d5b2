"""Convert the arguments of a store's methods: paths, unsaved text by path, the checkpoint to restore."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import AnchorNotFoundError, CheckpointNotFoundError, UnsafePathError
from patchpoint.dataclass import dataclass, replace

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.restore.journal import SessionMark
    from patchpoint.checkpoints.restore.prepare import RestoreRequest
    from patchpoint.operations.log import Cause


@dataclass(frozen=True, slots=True)
class RestoreTarget:
    """The checkpoint to restore and, where an anchor named it, what becomes of the session."""

    checkpoint: Checkpoint
    session: SessionMark | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    """Id and commit of the session's later checkpoints, which the restore drops; pinned ones stay."""

    def cause(self, by: str) -> Cause:
        """Return what the log of operations says of the restore, for the session `by`, or a person."""
        from patchpoint.operations.log import Cause, OperationKind

        label = self.checkpoint.label or self.checkpoint.id
        return Cause(kind=OperationKind.RESTORE, label=label, session=by)


def restore_target(
    records: Records, id_: str | None, session: str | None, message: str | None
) -> RestoreTarget:
    """Return the checkpoint `id_`, or the one that precedes `message` of `session`.

    Where several precede it, it is the oldest that was taken since the session was last set back. Raises
    `CheckpointNotFoundError` and `AnchorNotFoundError`.
    """
    if id_ is not None:
        return RestoreTarget(records.get(id_))
    if session is None or message is None:
        raise CheckpointNotFoundError("")
    own = [each for each in records.all() if each.session == session]
    from patchpoint.checkpoints.record.sessions import session_state

    since = session_state(records.repository.patchpoint_directory, session).since or ""
    anchored = [each for each in own if each.message == message]
    if not anchored:
        raise AnchorNotFoundError(session, message)
    checkpoint = min(anchored, key=lambda each: (each.id < since, each.id))
    dropped = tuple((each.id, each.commit) for each in own if each.id > checkpoint.id and not each.pinned)
    from patchpoint.checkpoints.restore.journal import SessionMark

    return RestoreTarget(checkpoint, SessionMark(session=session, message=message, fresh=True), dropped)


def restore_request(
    records: Records,
    request: RestoreRequest,
    id_: str | None,
    session: str | None,
    message: str | None,
    *,
    whole: bool,
    by: str = "",
) -> tuple[Checkpoint, RestoreRequest]:
    """Return the checkpoint to restore, and `request` with what becomes of the session if it is `whole`.

    `by` is the session that asks, as the log of operations has it.

    Raises what `restore_target` raises.
    """
    target = restore_target(records, id_, session, message)
    request = replace(request, cause=target.cause(by))
    if whole:
        request = replace(request, session=target.session, dropped=target.dropped)
    return target.checkpoint, request


def restore_paths(root: Path, prefix: bytes, paths: Sequence[str] | None) -> tuple[bytes, ...]:
    """Return the git paths that a restore is limited to; none means everything.

    Without `paths` that is `prefix`, the opened folder, where it is below the root. Raises `ValueError` when
    `paths` is empty and `UnsafePathError` for one outside of `root`.
    """
    if paths is None:
        return (prefix,) if prefix else ()
    if not paths:
        raise ValueError("`paths` is empty; omit it to restore everything")
    return tuple(git_path(root, path) for path in paths)


def git_path(root: Path, path: str) -> bytes:
    """Return `path` as git has it: relative to `root`, with `/`; empty for the root itself.

    Raises `UnsafePathError` when it is not in `root`.
    """
    absolute = os.path.normpath(root / path)
    relative = os.path.relpath(absolute, root)
    if relative.startswith(os.pardir) and Path(path).is_absolute():
        # The root may have another name, through a symbolic link.
        parent = Path(absolute).parent.resolve()
        relative = os.path.relpath(parent / Path(absolute).name, root)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        raise UnsafePathError(f"'{path}' is not in '{root}'; name a path inside it.")
    return b"" if relative == os.curdir else os.fsencode(relative.replace(os.sep, "/"))


def buffers_by_path(root: Path, buffers: Mapping[str, str] | None) -> dict[str, str]:
    """Return unsaved text by path relative to `root`. Raises `UnsafePathError` for a path outside of it."""
    return {os.fsdecode(git_path(root, path)): text for path, text in (buffers or {}).items()}
