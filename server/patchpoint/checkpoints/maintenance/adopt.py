"""Bring checkpoints back from a mirror, a private store, or a working tree that is gone.

Every object is verified as it is read. A commit of the user's own that is not in this repository is left out
of the checkpoint's parents, together with the branch: git would miss it at each garbage collection. Such a
checkpoint has another commit, the same id, and restores files alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from patchpoint.checkpoints.errors import CheckpointDamagedError, ObjectsVanishedError
from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.register import Registered
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import IDENTITY
from patchpoint.checkpoints.record.write import has_all
from patchpoint.git import refs
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, COMMIT, TREE, ObjectID, RawObjectID, to_binary
from patchpoint.progress import Progress

_Read = TypeVar("_Read")
_STATE, _LEFT_OUT = b"Patchpoint-State: ", (b"Patchpoint-Head: ", b"Patchpoint-Branch: ")


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
