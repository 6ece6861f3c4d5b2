"""Prove that a snapshot's objects are in the store, and keep the proof with the table that they are in.

A garbage collection that was interrupted, or ran meanwhile, may remove what is in a tree and leave the tree;
one object that is missing would make git's own later collections fail. So every object of a table is proven
before a ref is created: those that were proven for the table as it was, by the proof; what is new, alone.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress

from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.snapshot.staged import IndexState
from patchpoint.checkpoints.snapshot.stat_cache import (
    GITLINK,
    SKIP_WORKTREE,
    SPARSE_DIRECTORY,
    Table,
    positions,
)
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import NO_ID, ObjectID, RawObjectID, to_binary
from patchpoint.git.odb.presence import ObjectsMissingError, PresenceProof, prove_presence
from patchpoint.git.odb.stores import StoredPack
from patchpoint.git.repository import Head, Repository

_ELSEWHERE = GITLINK | SKIP_WORKTREE | SPARSE_DIRECTORY
"""What is not checked out is the business of the index: in a partial clone its blobs are missing for good
reason."""
_PROOF = "proof"


class TableProof:
    """The proof for one table, kept in what it is about. Make one of the table as it was loaded."""

    def __init__(self, repository: Repository, loaded: Table | None) -> None:
        self._repository = repository
        self._objects = os.path.join(repository.commondir, b"objects")
        self._given: PresenceProof | None = None
        self._roots: list[str] = []
        self._text = "" if loaded is None else loaded.about.get(_PROOF, "")
        self._found = PresenceProof(self._objects)
        self._about: dict[str, str] = {}
        self._named: list[str] = []
        self._has_new = False
        self._all: Callable[[], set[RawObjectID]] = set
        with suppress(ValueError, TypeError):
            roots, proof = json.loads(self._text or "null")
            if loaded is not None and roots[: len(_roots(loaded))] == _roots(loaded):
                self._roots, self._given = roots, PresenceProof.from_json(self._objects, proof)

    def prove(
        self,
        table: Table,
        state: IndexState | None,
        built: Iterable[RawObjectID],
        new: Set[RawObjectID],
        read: Set[RawObjectID],
    ) -> None:
        """Prove the presence of the objects of `table` and `state`, but for those in `new`, which are about
        to be written: see `rest_on`.

        `built` are the trees that were built since the table was loaded; the files that were recorded since
        are stale. Objects that were `read` just now are not empty. Raises `ObjectsMissingError`.
        """
        roots = [*_roots(table), *_names(state)]
        given = self._given if self._given is not None and self._given.holds() else None
        wanted = _all_ids(table) if given is None else {*_recorded_ids(table), *built}
        wanted.update(map(to_binary, set(roots).difference(self._roots if given else ())))
        wanted.discard(NO_ID)
        self._has_new = not wanted.isdisjoint(new)
        wanted -= new
        proof = given
        if wanted or proof is None:
            proof = prove_presence(self._objects, wanted, self._repository.id_length, given, read)
        self._found, self._about, self._named = proof, table.about, roots
        self._all = lambda: {*_all_ids(table), *map(to_binary, roots)} - {NO_ID}

    def rest_on(self, packs: Iterable[StoredPack]) -> bool:
        """Have the proof rest on the packs, too, that the new objects were written to; return whether another
        proof is kept in the table."""
        if self._has_new:
            self._found = self._found.resting_also_on(packs)
        text = json.dumps([self._named, self._found.to_json()]) if self._found.is_small else ""
        self._about[_PROOF] = text
        return text != self._text

    def holds(self) -> bool:
        """Return whether all that was proven is still in the store, where it was or elsewhere."""
        if self._found.holds():
            return True
        with suppress(ObjectsMissingError):
            self._found = prove_presence(self._objects, self._all(), self._repository.id_length)
            return True
        return False


@dataclass(frozen=True, slots=True)
class Reached:
    """Trees that refs reach, so that no garbage collection deletes what is in them: of the commit that is
    checked out, and of the newest checkpoint."""

    files: tuple[RawObjectID, ...] = ()
    untracked: tuple[RawObjectID, ...] = ()
    staged: tuple[RawObjectID, ...] = ()
    """Trees of staged states, and the other objects of them."""

    def has(self, table: Table) -> bool:
        """Return whether they have all files of `table`."""
        return table.trees[0] in self.files and table.untracked[0] in self.untracked

    def lacks(
        self, table: Table, objects: ObjectReader, written: Mapping[RawObjectID, bytes]
    ) -> set[RawObjectID]:
        """Return the ids of the objects of `table` that they do not have; `written` are the contents of trees
        that may not be on the disk yet."""
        files = objects.beyond(table.trees[0], self.files, written)
        return files | objects.beyond(table.untracked[0], self.untracked, written)

    def lacks_staged(
        self, state: IndexState, objects: ObjectReader, written: Mapping[RawObjectID, bytes]
    ) -> set[RawObjectID]:
        """Return the ids of the objects of a staged state that they do not have."""
        known = {*self.staged, *self.files}
        found = {to_binary(state.flags)} - known if state.flags else set()
        for tree in (state.tree, *(state.stages or ())):
            found |= objects.beyond(to_binary(tree), known, written)
        return found


def prove_staged_trees(repository: Repository, state: IndexState, head: Head) -> None:
    """Read the trees of the staged state that was recorded last time, but for those of `head`, which git
    keeps. Raises `ObjectsMissingError`."""
    reader = ObjectReader(repository)
    committed = None
    with suppress(CheckpointDamagedError):
        committed = reader.commit(ObjectID(head.commit.encode())).tree if head.commit else None
    try:
        for tree in (state.tree, *(state.stages or ())):
            deque(reader.changes(committed, ObjectID(tree.encode())), maxlen=0)
    except CheckpointDamagedError as error:
        raise ObjectsMissingError({to_binary(state.tree)}) from error


def _roots(table: Table) -> list[str]:
    return [table.trees[0].hex(), table.untracked[0].hex()]


def _names(state: IndexState | None) -> list[str]:
    """Return the ids of the objects of a staged state that are in no other of its trees."""
    if state is None:
        return []
    return [state.tree, *(state.stages or ()), *((state.flags,) if state.flags else ())]


def _all_ids(table: Table) -> set[RawObjectID]:
    some_elsewhere = positions(table.marks, _ELSEWHERE)
    ids = _of_files(table, range(len(table.ids))) if some_elsewhere else table.ids
    return {*ids, *table.trees, *table.untracked}


def _recorded_ids(table: Table) -> list[RawObjectID]:
    return _of_files(table, positions(table.stale, 0xFF))


def _of_files(table: Table, chosen: Iterable[int]) -> list[RawObjectID]:
    ids, marks = table.ids, table.marks
    return [ids[at] for at in chosen if not marks[at] & _ELSEWHERE]
