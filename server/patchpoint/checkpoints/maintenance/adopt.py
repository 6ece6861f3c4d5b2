"""Bring checkpoints back from a mirror, a private store, or a working tree that is gone.

Every object is verified as it is read. A commit of the user's own that is not in this repository is left out
of the checkpoint's parents, together with the branch: git would miss it at each garbage collection. Such a
checkpoint has another commit, the same id, and restores files alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from patchpoint.checkpoints.errors import CheckpointDamagedError, ObjectsVanishedError
from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere, Why
from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.register import Registered
from patchpoint.checkpoints.record.mirrored import note_deleted, taken_at
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import IDENTITY
from patchpoint.checkpoints.record.write import has_all
from patchpoint.dataclass import dataclass
from patchpoint.git import refs
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, COMMIT, TREE, ObjectID, RawObjectID, to_binary
from patchpoint.operations.log import Cause, LoggedOperation, OperationKind, OperationLog, named
from patchpoint.progress import Progress, Silent

_Read = TypeVar("_Read")
_STATE, _LEFT_OUT = b"Patchpoint-State: ", (b"Patchpoint-Head: ", b"Patchpoint-Branch: ")


@dataclass(frozen=True, slots=True)
class Revived:
    """What was brought back."""

    ids: tuple[str, ...]
    missing: tuple[str, ...]
    """Those of which something is gone for good: what git, or a private store, has collected."""


def adopt(
    records: Records,
    group: Elsewhere,
    entries: Sequence[Registered],
    progress: Progress,
    *,
    verify: bool = False,
) -> list[str]:
    """Make these checkpoints of `group` checkpoints of this working tree; return the ids of those that are.

    With `verify` the objects that are here are read, and written once more where they are damaged. The caller
    holds the lock of the checkpoints. Those of which something is missing are left out. Raises
    `SnapshotFailedError` when they cannot be written.
    """
    since = time.monotonic()
    records.claim_namespace()
    readers = [records.objects]
    if group.store is not None:
        there = place.opened(group.store, group.object_format, records.repository.worktree)
        readers.append(ObjectReader(there))
    done: dict[str, str] = {}
    with ObjectWriter(records.repository) as writer:
        copier = _Copier(readers, writer, progress, verify)
        for entry in entries:
            with suppress(CheckpointDamagedError):
                done[entry.id] = copier.checkpoint(entry.commit)
        writer.finish()
        _create_refs(records, entries, done)
        writer.renew()
        if not has_all(records.repository, copier.needed):
            raise ObjectsVanishedError(
                "Objects vanished while checkpoints were brought back; try again when no garbage collection "
                "of git runs."
            )
    found = [records.read(id_, commit) for id_, commit in done.items()]
    records.add_to_mirror(found, since)
    return list(done)


def note_deletion(records: Records, going: Mapping[bytes, str], label: str = "") -> None:
    """Note in the log of operations that these refs, each with its commit, are about to be deleted."""
    cause = Cause(kind=OperationKind.PRUNE, label=label)
    pairs = {os.fsdecode(name): commit for name, commit in going.items()}
    ids = {name.rpartition("/")[2] for name in pairs}
    with suppress(OSError, RuntimeError):
        OperationLog.of_worktree(records.repository.worktree).record(
            named(records.repository.worktree, cause),
            {"deleted": list(pairs.items()), "pinned": sorted(ids & records.pinned_ids())},
        )


def missing(records: Records, operation: LoggedOperation) -> list[tuple[str, str]]:
    """Return those refs of an operation, each with its commit, that are not there."""
    return [
        (name, commit)
        for name, commit in operation.checkpoints
        if not records.repository.refs.has(os.fsencode(name))
    ]


def revive(records: Records, operation: LoggedOperation, cause: Cause) -> Revived:
    """Bring back what `operation` deleted and is missing; the caller holds the lock of the checkpoints.

    Raises `SnapshotFailedError` when it cannot be written.
    """
    repository = records.repository
    pinned = set(operation.body.get("pinned", ()))
    entries = [
        Registered(
            ref=name,
            commit=commit,
            taken=taken_at(_id(name)),
            root=os.fsdecode(repository.worktree),
            pinned=_id(name) in pinned,
        )
        for name, commit in missing(records, operation)
    ]
    store = place.mirror_directory(repository) if place.has_mirror(repository) else None
    group = Elsewhere(
        Why.LOST, os.fsdecode(repository.worktree), store, repository.object_format, tuple(entries)
    )
    # Before: where this process is killed, what is missing then is brought back by the next undo.
    back = adopt(records, group, entries, Silent()) if entries else []
    done = [(name, commit) for name, commit in operation.checkpoints if _id(name) in back]
    with suppress(OSError, RuntimeError):
        log = OperationLog.of_worktree(repository.worktree)
        log.record(log.newly_named(cause), {"revived": done, "pinned": sorted(pinned)})
    return Revived(tuple(back), tuple(each.id for each in entries if each.id not in back))


def delete_again(records: Records, operation: LoggedOperation, cause: Cause) -> tuple[str, ...]:
    """Delete what `operation` had brought back; return the ids. The caller holds the lock."""
    repository = records.repository
    there = {
        os.fsencode(name): commit
        for name, _ in operation.checkpoints
        if (commit := refs.target(repository.refs, os.fsencode(name))) is not None
    }
    with suppress(OSError, RuntimeError):
        body = {
            "deleted": [(os.fsdecode(name), commit) for name, commit in there.items()],
            "pinned": operation.body.get("pinned", []),
        }
        OperationLog.of_worktree(repository.worktree).record(named(repository.worktree, cause), body)
    note_deleted(repository, there)
    gone = refs.delete_all(repository.refs, there)
    for name in gone:
        records.unpin(_id(os.fsdecode(name)))
    return tuple(_id(os.fsdecode(name)) for name in gone)


def _id(name: str) -> str:
    return name.rpartition("/")[2]


def _create_refs(records: Records, entries: Iterable[Registered], done: dict[str, str]) -> None:
    namespace = records.namespace
    for entry in entries:
        if entry.id in done:
            prefix = namespace.safety if "/safety/" in entry.ref else namespace.checkpoints
            refs.create(records.repository.refs, prefix + entry.id.encode(), done[entry.id])
            if entry.pinned:
                refs.create(records.repository.refs, namespace.pinned + entry.id.encode(), done[entry.id])


class _Copier:
    """Copies objects from where they are found first."""

    def __init__(
        self, readers: Sequence[ObjectReader], writer: ObjectWriter, progress: Progress, verify: bool
    ) -> None:
        self._verify = verify
        self._readers = readers
        self._writer = writer
        self._progress = progress
        self._commits: dict[ObjectID, str] = {}
        self.needed: set[RawObjectID] = set()
        """The objects that the checkpoints that were copied need, as far as their trees go."""

    def checkpoint(self, commit: str) -> str:
        """Copy a checkpoint with all that it needs, and return the commit that it is here.

        Raises `CheckpointDamagedError` when something is missing or damaged.
        """
        return self._commit(ObjectID(commit.encode()))

    def _commit(self, oid: ObjectID) -> str:
        if oid in self._commits:
            return self._commits[oid]
        raw = self._content(oid, COMMIT)
        head, _, message = raw.partition(b"\n\n")
        lines = head.split(b"\n")
        self._tree(ObjectID(lines[0].removeprefix(b"tree ")))
        renamed: dict[bytes, bytes | None] = {}
        for line in lines:
            if line.startswith(b"parent "):
                renamed[line] = self._parent(ObjectID(line[7:]))
        if all(line == after for line, after in renamed.items()):
            new = raw
            self._copy(oid, COMMIT)
        else:
            kept = [renamed.get(line, line) for line in lines]
            message = self._message(message, renamed)
            new = b"\n".join([line for line in kept if line is not None]) + b"\n\n" + message
        written = self._writer.add(COMMIT, new)
        self.needed.add(written)
        self._commits[oid] = written.hex()
        return self._commits[oid]

    def _parent(self, oid: ObjectID) -> bytes | None:
        """Return the line for a parent: copied if it is a checkpoint's, else as it is, or none."""
        if self._writer.has(to_binary(oid)) and not self._is_own(oid):
            return b"parent " + oid
        if not self._is_own(oid):
            return None
        return b"parent " + self._commit(oid).encode()

    def _is_own(self, oid: ObjectID) -> bool:
        try:
            return b"\nauthor " + IDENTITY in self._content(oid, COMMIT)
        except CheckpointDamagedError:
            return False

    @staticmethod
    def _message(message: bytes, renamed: dict[bytes, bytes | None]) -> bytes:
        """Return the message of a commit whose parents are others now."""
        lost_head = None in renamed.values()
        lines = []
        for line in message.split(b"\n"):
            if line.startswith(_STATE):
                after = renamed.get(b"parent " + line[len(_STATE) :])
                line = line if after is None else _STATE + after[7:]
            if not (lost_head and line.startswith(_LEFT_OUT)):
                lines.append(line)
        return b"\n".join(lines)

    def _tree(self, root: ObjectID) -> None:
        seen: set[RawObjectID] = set()
        waiting = [root]
        while waiting:
            oid = waiting.pop()
            if to_binary(oid) in self.needed or to_binary(oid) in seen:
                continue
            self._progress.check()
            self._copy(oid, TREE)
            seen.add(to_binary(oid))
            for entry in self._first(ObjectReader.tree, oid).values():
                if entry.is_tree:
                    waiting.append(entry.oid)
                elif not entry.is_gitlink:
                    self._copy(entry.oid, BLOB)
                    seen.add(to_binary(entry.oid))
        self.needed |= seen

    def _copy(self, oid: ObjectID, kind: int) -> None:
        if not self._writer.has(to_binary(oid)):
            self._writer.add(kind, self._content(oid, kind))
        elif self._verify:
            try:
                self._readers[0].content(oid, kind)
            except CheckpointDamagedError:
                self._writer.write_again(kind, self._content(oid, kind))

    def _content(self, oid: ObjectID, kind: int) -> bytes:
        return self._first(lambda reader, which: reader.content(which, kind), oid)

    def _first(self, read: Callable[[ObjectReader, ObjectID], _Read], oid: ObjectID) -> _Read:
        """Return what the first reader returns that has the object, whole."""
        for reader in self._readers[:-1]:
            with suppress(CheckpointDamagedError):
                return read(reader, oid)
        return read(self._readers[-1], oid)
