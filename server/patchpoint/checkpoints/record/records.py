"""The checkpoints of a repository: write, find, read, pin and delete them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import (
    CheckpointDamagedError,
    CheckpointNotFoundError,
    ObjectsVanishedError,
    SnapshotFailedError,
)
from patchpoint.checkpoints.record.checkpoint import (
    CheckpointKind,
    from_trailers,
    is_id,
    milliseconds_of,
    trailers_of,
)
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.exhausted import in_words
from patchpoint.git import refs
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_binary

if TYPE_CHECKING:
    from patchpoint.checkpoints.options import SnapshotOptions
    from patchpoint.checkpoints.record.checkpoint import Checkpoint, SkippedPath
    from patchpoint.checkpoints.record.write import CheckpointRequest, WritingPlace
    from patchpoint.checkpoints.snapshot.proof import Reached
    from patchpoint.checkpoints.snapshot.take import Snapshot
    from patchpoint.git.objects.reader import Entry
    from patchpoint.git.objects.writer import ObjectWriter
    from patchpoint.git.odb.ids import RawObjectID
    from patchpoint.git.refs import Namespace
    from patchpoint.git.repository import Repository
    from patchpoint.progress import Progress

    WithCompanions = Callable[[Snapshot, Checkpoint | None], Sequence[CheckpointRequest]]


_READING_REFS_S = 2.0
"""Seconds after its time within which a checkpoint gets its ref, and whoever reads refs then has done so."""
_MOST_COLLECTIONS = 3
"""Garbage collections after which a checkpoint is taken again, since they deleted what it relied on."""


@dataclass(frozen=True)
class Records:
    """The checkpoints of one working tree."""

    repository: Repository
    mirror_bytes: int | None
    """What the mirror may take, to which new ones are added; `None`: none is, or none is taken."""

    @cached_property
    def objects(self) -> ObjectReader:
        """The repository's objects, each verified as it is read."""
        return ObjectReader(self.repository)

    @cached_property
    def namespace(self) -> Namespace:
        """The prefixes of the refs of checkpoints."""
        return refs.namespace_of(self.repository.refs, self.repository.gitdir, self.repository.worktree_name)

    def claim_namespace(self) -> None:
        """Make the namespace that of this working tree for good; to be done before anything is written."""
        with suppress(OSError):
            gitdir, name = self.repository.gitdir, self.repository.worktree_name
            refs.claim_namespace(gitdir, name, self.namespace)

    @property
    def _place(self) -> WritingPlace:
        from patchpoint.checkpoints.record.write import WritingPlace

        return WritingPlace(self.repository, self.objects, self.namespace)

    def take_each(
        self,
        requests: Sequence[CheckpointRequest],
        options: SnapshotOptions,
        progress: Progress,
        with_companions: WithCompanions | None = None,
    ) -> list[Checkpoint]:
        """Write a checkpoint for each of `requests`, all of one snapshot, and return them in this order.

        `with_companions` adds to the requests what it takes of other repositories. It is taken again where
        objects vanish meanwhile. Raises what `add_snapshot` and `write` raise; then there is none of them.
        """
        from patchpoint.checkpoints.record.write import write_each
        from patchpoint.checkpoints.snapshot.take import add_snapshot
        from patchpoint.git.objects.writer import ObjectWriter

        since = time.monotonic()
        self.claim_namespace()
        for left in reversed(range(_MOST_COLLECTIONS + 1)):
            try:
                before = self._newest()
            except OSError as error:
                raise SnapshotFailedError(
                    f"The checkpoints could not be listed: {in_words(error)}. Nothing was changed."
                ) from error
            try:
                with ObjectWriter(self.repository) as writer:
                    reached = self._reached(before)
                    snapshot = add_snapshot(self.repository, writer, options, progress, reached=reached)
                    asked = requests
                    if with_companions is not None:
                        asked = with_companions(snapshot, before[1] if before else None)
                    taken = write_each(self._place, writer, snapshot, asked, before)
                self._mirror_new(taken, before, since)
                return taken
            except ObjectsVanishedError:
                if not left:
                    raise
        raise AssertionError("the loop returns or raises")

    def write(
        self,
        snapshot: Snapshot,
        request: CheckpointRequest,
        tree: str | None = None,
        writer: ObjectWriter | None = None,
    ) -> Checkpoint:
        """Write a checkpoint of `snapshot`, with `tree` in place of its tree if given, and return it.

        It exists once its ref is created; all of its objects are durable before that. `writer` is the one of
        `snapshot`. Raises `ObjectsVanishedError`, and there is no checkpoint, when some vanished meanwhile.
        """
        from patchpoint.checkpoints.record.write import write_each
        from patchpoint.git.objects.writer import ObjectWriter

        self.claim_namespace()
        since, before = time.monotonic(), self._newest()
        with writer or ObjectWriter(self.repository) as objects:
            taken = write_each(self._place, objects, snapshot, [request], before, tree)
        self._mirror_new(taken, before, since)
        return taken[0]

    def snapshot(
        self, options: SnapshotOptions, progress: Progress, writer: ObjectWriter | None = None
    ) -> Snapshot:
        """Take the snapshot for the safety checkpoint of a restore, which is written with `write`.

        With `writer`, which is a `fast` one, its new objects exist when that finishes.
        """
        from patchpoint.checkpoints.snapshot.take import add_snapshot

        self.claim_namespace()
        reached = self._reached(self._newest())
        if writer is None:
            from patchpoint.checkpoints.snapshot.take import take_snapshot

            return take_snapshot(self.repository, options, progress, transient=True, reached=reached)
        return add_snapshot(self.repository, writer, options, progress, transient=True, reached=reached)

    def _reached(self, newest: tuple[str, Checkpoint | None] | None) -> Reached:
        """Return the trees that refs reach which have most in common with the working tree."""
        from patchpoint.checkpoints.snapshot.proof import Reached

        files: list[RawObjectID] = []
        state: dict[bytes, Entry] = {}
        before = newest[1] if newest else None
        head = self.repository.head().commit
        with suppress(CheckpointDamagedError):
            if head is not None:
                files.append(to_binary(self.objects.commit(ObjectID(head.encode())).tree))
        with suppress(CheckpointDamagedError):
            if before is not None:
                state = self.objects.tree(self.objects.commit(ObjectID(before.state.encode())).tree)
                files.append(to_binary(before.tree))
                if b"conflicts" in state:
                    state |= self.objects.tree(state[b"conflicts"].oid)
        ids = {name: to_binary(entry.oid) for name, entry in state.items()}
        untracked = ids.pop(b"untracked", None)
        return Reached(
            files=tuple(files),
            untracked=() if untracked is None else (untracked,),
            staged=tuple(ids.values()),
        )

    def ids(self, *, safety: bool = False) -> list[str]:
        """Return the ids of the ordinary checkpoints, or of the safety checkpoints, newest first."""
        prefix = self.namespace.safety if safety else self.namespace.checkpoints
        return sorted(filter(is_id, refs.names_below(self.repository.refs, prefix)), reverse=True)

    def below(self, prefix: bytes) -> dict[str, str]:
        """Return the commit of each ref below `prefix`, by the rest of the ref's name."""
        return refs.below(self.repository.refs, prefix)

    def all(self, *, safety: bool = False) -> list[Checkpoint]:
        """Return the ordinary checkpoints, or the safety checkpoints, newest first, without damaged ones."""
        return list(self._newest_first(safety=safety))

    def newest(self, count: int) -> list[Checkpoint]:
        """Return so many of the ordinary checkpoints, if there are, newest first, without damaged ones."""
        return list(islice(self._newest_first(safety=False), count))

    def _newest_first(self, *, safety: bool) -> Iterator[Checkpoint]:
        prefix = self.namespace.safety if safety else self.namespace.checkpoints
        pinned = self.pinned_ids()
        for id_, commit in sorted(self.below(prefix).items(), reverse=True):
            found = self._parse(id_, commit, pinned=id_ in pinned) if is_id(id_) else None
            if found is not None:
                yield found

    def series(self, commits: Mapping[str, str]) -> dict[str, Series]:
        """Return the series of each checkpoint in `commits` (commit by id) that is not damaged."""
        found: dict[str, Series] = {}
        for id_, commit in commits.items():
            if commit not in _SERIES:
                try:
                    _SERIES[commit] = _series_of(self.objects, commit)
                except CheckpointDamagedError:
                    continue
            found[id_] = _SERIES[commit]
        return found

    def pinned_ids(self) -> frozenset[str]:
        """Return the ids of the pinned checkpoints."""
        return frozenset(filter(is_id, refs.names_below(self.repository.refs, self.namespace.pinned)))

    def pin(self, checkpoint: Checkpoint) -> None:
        """Pin a checkpoint; one that is pinned already stays so."""
        refs.create(self.repository.refs, self._pin_of(checkpoint.id), checkpoint.commit)

    def unpin(self, id_: str) -> None:
        """Remove the pin of a checkpoint, if it has one."""
        name = self._pin_of(id_)
        commit = self._target(name)
        if commit is not None:
            refs.delete(self.repository.refs, name, commit)
        else:
            refs.delete_damaged(self.repository.refs, name)

    def get(self, id_: str) -> Checkpoint:
        """Return the checkpoint with this id, ordinary or safety.

        Raises `CheckpointNotFoundError`, and `CheckpointDamagedError` when it is there and cannot be read.
        """
        commit = self._commit_of(id_) if is_id(id_) else None
        if commit is None:
            if is_id(id_) and any(self._damaged_refs_of(id_)):
                raise CheckpointDamagedError(
                    f"The ref of checkpoint '{id_}' does not hold a commit id; delete the checkpoint with "
                    f"'patchpoint delete {id_}'."
                )
            raise CheckpointNotFoundError(id_)
        checkpoint = self._read(id_, commit)
        if checkpoint is None:
            raise CheckpointDamagedError(
                f"The ref of checkpoint '{id_}' points at commit {commit[:10]}, which is not a checkpoint; "
                "delete the ref with 'git update-ref -d'."
            )
        return replace(checkpoint, pinned=self._target(self._pin_of(id_)) is not None)

    def committed(self, path: bytes) -> bytes | None:
        """Return the content of `path` in the commit of HEAD; `None` when that has no such file."""
        head = self.repository.head().commit
        if head is None:
            return None
        return self.objects.file(self.objects.commit(ObjectID(head.encode())).tree, path)

    def newest_other(self, path: bytes, content: bytes) -> Checkpoint | None:
        """Return the newest checkpoint whose file `path` has another content than `content`, or `None`.

        Object ids are compared, so that no version of the file is read. Damaged checkpoints are passed over.
        """
        now = object_id(BLOB, content, self.repository.object_format).hex().encode()
        same: set[str] = set()
        for checkpoint in self.all():
            if checkpoint.tree in same:
                continue
            try:
                entry = self.objects.at(ObjectID(checkpoint.tree.encode()), path)
            except CheckpointDamagedError:
                continue
            if entry is not None and not entry.is_tree and not entry.is_gitlink and entry.oid != now:
                return checkpoint
            same.add(checkpoint.tree)
        return None

    def relied_on_for(self, going: Collection[str]) -> float:
        """Return for how many seconds the refs of the checkpoints `going` (ids) still have to stay.

        Git reads refs one after the other. If it came too early for that of a new checkpoint, it must find
        that of the one before, for what both have in common and is in no kept pack any more.
        """
        from patchpoint.git.odb.kept_packs import GRACE_S

        now = time.time()
        times = {id_: milliseconds_of(id_) / 1000 for id_ in (*self.ids(), *self.ids(safety=True))}
        waits = [
            times[later] + _READING_REFS_S - now
            for earlier, later in pairwise(sorted(times))
            if earlier in going and later not in going and now - times[earlier] > GRACE_S
        ]
        return min(max([0.0, *waits]), _READING_REFS_S)

    def ref_of(self, checkpoint: Checkpoint) -> bytes:
        """Return the full name of the ref of `checkpoint`."""
        from patchpoint.checkpoints.record.write import ref_of

        return ref_of(self.namespace, checkpoint)

    def refs_of(self, id_: str) -> dict[bytes, str]:
        """Return the refs of a checkpoint, each with its commit; none if there is no such checkpoint."""
        names = [prefix + id_.encode() for prefix in (self.namespace.checkpoints, self.namespace.safety)]
        return {name: commit for name in names if (commit := self._target(name)) is not None}

    def delete(self, id_: str, commit: str) -> bool:
        """Delete the ref of a checkpoint, ordinary or safety; return false if it is gone or was moved."""
        names = [prefix + id_.encode() for prefix in (self.namespace.checkpoints, self.namespace.safety)]
        here = [name for name in names if self._target(name) == commit]
        # Before: else a process that dies in between would have it count as lost.
        self._deleted(here)
        return any(refs.delete(self.repository.refs, name, commit) for name in here)

    def _mirror_new(
        self, taken: Sequence[Checkpoint], before: tuple[str, Checkpoint | None] | None, since: float
    ) -> None:
        new = [each for each in taken if before is None or each.id > before[0]]
        if new:
            self.add_to_mirror(new, since, before[0] if before else None)
        else:
            self.continue_mirror()

    def add_to_mirror(self, new: Sequence[Checkpoint], since: float, before: str | None = None) -> None:
        """Add checkpoints, begun at `since` (`time.monotonic`), to the mirror; `before` is the id of the one
        before them. Raises nothing."""
        if new and self.mirror_bytes is not None:
            from patchpoint.checkpoints.record.mirrored import Described, add_to_mirror

            described = Described(self.repository, self.namespace)
            named = {self.ref_of(each): each for each in new}
            add_to_mirror(described, named, self.mirror_bytes, since, before)

    def continue_mirror(self, seconds: float | None = None) -> bool:
        """Add to the mirror what was left, for so many seconds or as long as for a checkpoint; return whether
        more is left. Raises nothing. The caller holds the lock."""
        from patchpoint.checkpoints.record.mirrored import Described, continue_mirror

        return continue_mirror(Described(self.repository, self.namespace), self.mirror_bytes, seconds)

    def _deleted(self, names: Collection[bytes]) -> None:
        if names:
            from patchpoint.checkpoints.record.mirrored import note_deleted

            note_deleted(self.repository, names)

    def forget(self, id_: str) -> bool:
        """Delete the ref and the pin of a checkpoint, damaged or not; return false when there is none."""
        if not is_id(id_):
            return False
        commit = self._commit_of(id_)
        damaged = [
            refs.delete_damaged(self.repository.refs, name) for name in list(self._damaged_refs_of(id_))
        ]
        self.unpin(id_)
        if any(damaged):
            self._deleted(
                [prefix + id_.encode() for prefix in (self.namespace.checkpoints, self.namespace.safety)]
            )
        return any(damaged) or (commit is not None and self.delete(id_, commit))

    def damaged_refs(self) -> dict[bytes, str]:
        """Return the refs, of checkpoints and of what belongs to them, that hold no object id: their names,
        and the id of the checkpoint."""
        namespace = self.namespace
        return {
            prefix + id_.encode(): id_
            for prefix in (namespace.checkpoints, namespace.safety, namespace.pinned, namespace.undone)
            for id_ in sorted(refs.damaged_below(self.repository.refs, prefix))
            if is_id(id_)
        }

    def _damaged_refs_of(self, id_: str) -> Iterator[bytes]:
        for prefix in (self.namespace.checkpoints, self.namespace.safety):
            if refs.is_damaged(self.repository.refs, prefix + id_.encode()):
                yield prefix + id_.encode()

    def _pin_of(self, id_: str) -> bytes:
        return self.namespace.pinned + id_.encode()

    def _newest(self) -> tuple[str, Checkpoint | None] | None:
        """Return the id of the newest checkpoint, ordinary or safety, and it itself if it can be read."""
        newest = max([*self.ids()[:1], *self.ids(safety=True)[:1]], default=None)
        return None if newest is None else (newest, self._read_or_none(newest))

    def _commit_of(self, id_: str) -> str | None:
        for prefix in (self.namespace.checkpoints, self.namespace.safety):
            if (commit := self._target(prefix + id_.encode())) is not None:
                return commit
        return None

    def _target(self, name: bytes) -> str | None:
        return refs.target(self.repository.refs, name)

    def _read_or_none(self, id_: str) -> Checkpoint | None:
        commit = self._commit_of(id_)
        return self._parse(id_, commit) if commit else None

    def read(self, id_: str, commit: str) -> Checkpoint:
        """Return the checkpoint that is a commit, whether it has a ref or not.

        Raises `CheckpointDamagedError` when it cannot be read, or is none.
        """
        found = self._read(id_, commit)
        if found is None:
            raise CheckpointDamagedError(f"Commit {commit[:10]} is not a checkpoint.")
        return found

    def _parse(self, id_: str, commit: str, *, pinned: bool = False) -> Checkpoint | None:
        try:
            found = self._read(id_, commit)
        except CheckpointDamagedError:
            return None
        return replace(found, pinned=True) if found is not None and pinned else found

    def _read(self, id_: str, commit: str) -> Checkpoint | None:
        found = self.objects.commit(ObjectID(commit.encode()))
        trailers = trailers_of(found.message)
        skipped: tuple[SkippedPath, ...] = ()
        if {"Skipped", "State"} <= set(trailers):
            from patchpoint.checkpoints.record.state_commit import skipped_in

            skipped = skipped_in(self.objects, trailers["State"][0])
        root = os.fsdecode(self.repository.worktree)
        return from_trailers(id_, commit, found.tree.decode(), trailers, skipped, root)


Series = tuple[str | None, bool]
"""What is counted together where old checkpoints are deleted: those of one session, its steps apart."""

_SERIES: dict[str, Series] = {}
"""The series of each commit that was read; a commit never changes, and reading 1,000 takes 75 ms."""


def _series_of(objects: ObjectReader, commit: str) -> Series:
    trailers = trailers_of(objects.commit(ObjectID(commit.encode())).message)
    kind = (trailers.get("Kind") or ("",))[0]
    apart = (CheckpointKind.STEP, CheckpointKind.AFTER_STEP, CheckpointKind.AFTER_RUN)
    return (trailers.get("Session") or (None,))[0], kind in apart
