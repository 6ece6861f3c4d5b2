"""Checkpoints as they stand in a repository: writing one, finding them, reading what they say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from dulwich.refs import Ref

from patchpoint.checkpoints import refs
from patchpoint.checkpoints.checkpoint import (
    Checkpoint,
    Kind,
    LeftOut,
    from_trailers,
    is_id,
    milliseconds_of,
    new_id,
    to_message,
    trailers_of,
)
from patchpoint.checkpoints.errors import CheckpointDamagedError, CheckpointNotFoundError
from patchpoint.checkpoints.ignore import standard_contents
from patchpoint.checkpoints.objects import ObjectWriter
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.refs import Namespace
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.snapshot import Snapshot
from patchpoint.checkpoints.state import State, skipped_in, write_commit, write_state


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the one who takes a checkpoint says of it."""

    kind: Kind = Kind.MANUAL
    label: str = ""
    session: str | None = None
    message: str | None = None
    buffers: Mapping[str, str]
    """Unsaved text by path, relative to the working tree's root."""
    safety_for: str | None = None
    dropped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Records:
    """The checkpoints of one working tree."""

    repository: Repository

    @cached_property
    def objects(self) -> ProvenObjects:
        """The repository's objects, each proven as it is read."""
        return ProvenObjects(self.repository.objects, 2 * self.repository.id_length, self.repository.packs)

    @cached_property
    def namespace(self) -> Namespace:
        """Where the refs stand."""
        return Namespace.of(self.repository.worktree_name)

    def write(self, snapshot: Snapshot, request: Request, tree: str | None = None) -> Checkpoint:
        """Make a checkpoint of `snapshot`; `tree` takes the place of its tree.

        It exists when this returns, and not before; what it is made of is on the disk before its ref is.
        """
        skipped = tuple(LeftOut(os.fsdecode(left.path), left.reason.value) for left in snapshot.skipped)
        state = State(
            index=snapshot.index,
            untracked=snapshot.untracked,
            buffers=request.buffers,
            skipped=skipped,
            rules=standard_contents(self.repository),
        )
        newest = self._newest()
        before = self._read_or_none(newest) if newest else None
        with ObjectWriter(self.repository) as writer:
            kept = [commit for _, commit in request.dropped]
            state_commit = write_state(self.objects, writer, state, kept)
            tree = tree or snapshot.tree
            unchanged = before is not None and (before.tree, before.state, before.head, before.branch) == (
                tree,
                state_commit,
                snapshot.head,
                snapshot.branch,
            )
            after = newest
            while True:
                checkpoint = Checkpoint(
                    id=new_id(after),
                    commit="",
                    tree=tree,
                    label=request.label,
                    session=request.session,
                    message=request.message,
                    branch=snapshot.branch,
                    head=snapshot.head,
                    root=os.fsdecode(self.repository.worktree),
                    files=snapshot.files,
                    skipped=skipped,
                    unchanged=unchanged,
                    kind=request.kind,
                    state=state_commit,
                    safety_for=request.safety_for,
                    dropped=request.dropped,
                )
                commit = self._write_commit(writer, checkpoint)
                writer.finish()
                checkpoint = replace(checkpoint, commit=commit)
                if refs.create(self.repository.refs, self.ref_of(checkpoint), commit):
                    return checkpoint
                after = checkpoint.id

    def ids(self, *, safety: bool = False) -> list[str]:
        """The ids of the checkpoints that were asked for, or of the safety ones, newest first."""
        prefix = self.namespace.safety if safety else self.namespace.checkpoints
        return sorted(filter(is_id, refs.names_below(self.repository.refs, prefix)), reverse=True)

    def below(self, prefix: bytes) -> dict[str, str]:
        """The refs below `prefix`: the rest of each name, and the commit it points at."""
        return refs.below(self.repository.refs, prefix)

    def all(self, *, safety: bool = False) -> list[Checkpoint]:
        """The checkpoints that were asked for, or the safety ones, newest first, without damaged ones."""
        prefix = self.namespace.safety if safety else self.namespace.checkpoints
        found = (self._parse(id_, commit) for id_, commit in self.below(prefix).items() if is_id(id_))
        return sorted(filter(None, found), key=lambda checkpoint: checkpoint.id, reverse=True)

    def get(self, id_: str) -> Checkpoint:
        """The checkpoint with this id, of either sort.

        Raises `CheckpointNotFoundError`, and `CheckpointDamagedError` when it is there and cannot be read.
        """
        commit = self._commit_of(id_) if is_id(id_) else None
        if commit is None:
            raise CheckpointNotFoundError(id_)
        checkpoint = self._read(id_, commit)
        if checkpoint is None:
            raise CheckpointDamagedError(
                f"The ref of checkpoint '{id_}' points at commit {commit[:10]}, which is no checkpoint; "
                "delete the ref with 'git update-ref -d'."
            )
        return checkpoint

    def ref_of(self, checkpoint: Checkpoint) -> bytes:
        """The full name of the ref of `checkpoint`."""
        prefix = self.namespace.safety if checkpoint.kind is Kind.SAFETY else self.namespace.checkpoints
        return prefix + checkpoint.id.encode()

    def delete(self, id_: str, commit: str) -> bool:
        """Delete the ref of a checkpoint of either sort; false when it was gone or stood elsewhere."""
        return any(
            refs.delete(self.repository.refs, prefix + id_.encode(), commit)
            for prefix in (self.namespace.checkpoints, self.namespace.safety)
            if self._target(prefix + id_.encode()) is not None
        )

    def forget(self, id_: str) -> bool:
        """Delete the ref of a checkpoint, damaged or not; false when there is none."""
        commit = self._commit_of(id_) if is_id(id_) else None
        return commit is not None and self.delete(id_, commit)

    def _newest(self) -> str | None:
        return max([*self.ids()[:1], *self.ids(safety=True)[:1]], default=None)

    def _write_commit(self, writer: ObjectWriter, checkpoint: Checkpoint) -> str:
        parents = [checkpoint.head] if checkpoint.head else []
        parents.append(checkpoint.state)
        return write_commit(
            writer,
            checkpoint.tree.encode(),
            [parent.encode() for parent in parents],
            milliseconds_of(checkpoint.id) // 1000,
            to_message(checkpoint),
        )

    def _commit_of(self, id_: str) -> str | None:
        for prefix in (self.namespace.checkpoints, self.namespace.safety):
            if (commit := self._target(prefix + id_.encode())) is not None:
                return commit
        return None

    def _target(self, name: bytes) -> str | None:
        value = self.repository.refs.read_ref(Ref(name))
        return value.decode() if value else None

    def _read_or_none(self, id_: str) -> Checkpoint | None:
        commit = self._commit_of(id_)
        return self._parse(id_, commit) if commit else None

    def _parse(self, id_: str, commit: str) -> Checkpoint | None:
        try:
            return self._read(id_, commit)
        except CheckpointDamagedError:
            return None

    def _read(self, id_: str, commit: str) -> Checkpoint | None:
        found = self.objects.commit(commit.encode())
        trailers = trailers_of(found.message)
        skipped = (
            skipped_in(self.objects, trailers["State"][0]) if {"Skipped", "State"} <= set(trailers) else ()
        )
        return from_trailers(id_, commit, found.tree.decode(), trailers, skipped)
