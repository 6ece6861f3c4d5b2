"""Take a snapshot: from a working tree to tree ids, without changing anything of the user's.

    snapshot = take_snapshot(repository, options=SnapshotOptions(), progress=Silent())

    with ObjectWriter(repository) as writer:         # with more objects in the same pack
        snapshot = add_snapshot(repository, writer)
        writer.finish()
        snapshot.settle()

The objects are durable when it returns, in packs that git keeps for a while; see `kept_packs`. The caller
holds the lock of the checkpoints.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.checkpoints.options import SnapshotOptions
from patchpoint.checkpoints.snapshot.blobs import (
    BlobRecorder,
    IndexedBlobs,
    SparseDirectoryAppearedError,
    mismatched_blobs,
)
from patchpoint.checkpoints.snapshot.directory_rules import ignored_files
from patchpoint.checkpoints.snapshot.file_stat import SIZE
from patchpoint.checkpoints.snapshot.proof import Reached, TableProof, prove_staged_trees
from patchpoint.checkpoints.snapshot.scan import AS_INDEXED, WorktreeScan
from patchpoint.checkpoints.snapshot.skipped import SkippedEntry, SkipReason, numbered_reason
from patchpoint.checkpoints.snapshot.staged import IndexState, record_index
from patchpoint.checkpoints.snapshot.stat_cache import (
    INDEX_SYMLINK,
    DirectoryState,
    RecordedFiles,
    Table,
    keep_table,
    load_table,
    positions,
    save_table,
)
from patchpoint.checkpoints.snapshot.trees import (
    EarlierRows,
    FilePermissions,
    build_trees,
    permissions_of,
    tree_mode,
)
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.ignore.editor_files import EDITOR_FILES
from patchpoint.git.ignore.rules import (
    ATTRIBUTES_FILE,
    PathRules,
    rules_of,
    standard_contents,
    standard_rules,
)
from patchpoint.git.index.read import IndexFile, index_signature, read_index
from patchpoint.git.objects.reader import KnownTrees, ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, NO_ID, TREE, RawObjectID, object_id
from patchpoint.git.odb.presence import ObjectsMissingError
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress, Silent

if TYPE_CHECKING:
    from patchpoint.git.ignore.attributes import Conversions

__all__ = ["IndexState", "SkipReason", "SkippedEntry", "Snapshot", "add_snapshot", "take_snapshot"]

_RACY_NS = 20_000_000
"""Nanoseconds for which a file is racily clean: on many kernels, time stamps tick every 1 to 10 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A recorded state of the working tree (all names hexadecimal)."""

    tree: str
    """Raw bytes of tracked and untracked files, symbolic links, executable bits; submodules by their
    commit."""
    untracked: str
    """The tree of the files in `tree` that were untracked (the empty tree when there were none)."""
    files: int
    skipped: tuple[SkippedEntry, ...]
    index: IndexState | None
    """`None` where there is no repository."""
    head: str | None
    branch: str | None
    """Full name of the branch checked out, such as `refs/heads/main`; `None` when detached."""
    new_objects: int
    """How many objects were written."""
    built: KnownTrees
    """What is known of the trees that were built, and how they differ from those before."""
    permissions: FilePermissions
    """As far as they are to be trusted (core.fileMode)."""
    included: int
    """The number of files that git ignores."""
    proof: TableProof
    """That its objects are in the store."""
    recorded: RecordedFiles
    """The files as they were recorded, until the next snapshot is taken."""
    settle: Callable[[], None]
    """Keeps what was found for the next snapshot; for when all objects are on the disk."""


def take_snapshot(
    repository: Repository,
    options: SnapshotOptions | None = None,
    progress: Progress | None = None,
    *,
    transient: bool = False,
    reached: Reached | None = None,
) -> Snapshot:
    """Record the working tree and the staged state; see `add_snapshot`. All of it is durable then.

    `transient` is for the safety snapshot of a restore, whose state is about to change: it favours speed over
    pack size. The table is kept in memory, and saved only if there was none; small contents are not
    compressed.
    """
    with ObjectWriter(repository, fast=transient) as writer:
        snapshot = add_snapshot(repository, writer, options, progress, transient=transient, reached=reached)
        writer.finish()
        snapshot.settle()
        return snapshot


def add_snapshot(
    repository: Repository,
    writer: ObjectWriter,
    options: SnapshotOptions | None = None,
    progress: Progress | None = None,
    *,
    transient: bool = False,
    reached: Reached | None = None,
) -> Snapshot:
    """Record the working tree and the staged state with `writer`, which the caller finishes.

    What is not in `reached` will be in packs that git keeps; without it, what exists already may be where a
    garbage collection deletes it.

    Raises `SnapshotFailedError` when the tree cannot be recorded and `CancelledError` when `progress` is
    cancelled; then nothing but unreferenced objects is left behind.
    """
    try:
        try:
            return _SnapshotRun(repository, writer, options, progress).take(
                load_table(repository), transient=transient, reached=reached
            )
        except (SparseDirectoryAppearedError, ObjectsMissingError):
            return _SnapshotRun(repository, writer, options, progress).take(
                None, transient=False, reached=reached
            )
    except ObjectsMissingError as error:
        raise SnapshotFailedError(
            f"Object {error.example} vanished while the checkpoint was taken; take it again when no garbage "
            "collection of git runs."
        ) from error
    except OSError as error:
        raise SnapshotFailedError(
            f"The working tree at '{os.fsdecode(repository.worktree)}' could not be recorded: "
            f"{in_words(error)}. Nothing was changed."
        ) from error


class _SnapshotRun:
    """The taking of one snapshot."""

    def __init__(
        self,
        repository: Repository,
        writer: ObjectWriter,
        options: SnapshotOptions | None,
        progress: Progress | None,
    ) -> None:
        options = options or SnapshotOptions()
        self._repository = repository
        self._writer = writer
        self._options = options
        self._progress = progress or Silent()
        self._rules = standard_rules(repository)
        self._exclude = rules_of(options.exclude)
        self._excluded = PathRules(self._exclude, lambda _: None) if self._exclude else None
        self._include = PathRules(rules_of(options.include), lambda _: None) if options.include else None
        contents = [
            *standard_contents(repository),
            *(str(repository.flag(b"core", name, default)).encode() for name, default in _FLAGS),
            json.dumps((*options.exclude, *([one] for one in options.include))).encode(),
            *(name for name, _ in EDITOR_FILES),
        ]
        self._rules_digest = hashlib.sha256(b"\x00".join(contents)).hexdigest()
        self._index: IndexFile | None = None
        self._is_settled = False
        self._read: set[RawObjectID] = set()
        """Objects whose sizes were read."""

    def take(self, table: Table | None, *, transient: bool, reached: Reached | None) -> Snapshot:
        repository, writer = self._repository, self._writer
        head = repository.head()
        since_ns = _racy_since(repository)
        if table is not None and not self._is_trusted(table, writer):
            table = None
        seeded = table is None
        proof = TableProof(repository, table)
        earlier: list[list[RawObjectID]] = []  # what the trees reach that the table is of
        if table is not None and reached is not None and reached.has(table):
            earlier = [table.trees[:], table.untracked[:], table.ids[:]]
        rows = None if table is None else EarlierRows(table)
        forced: set[int] = set()
        expected = None
        signature = "" if repository.private else index_signature(repository).hex()
        if table is None:
            from patchpoint.checkpoints.snapshot.from_index import table_from_index, tracked_files

            self._index = self._read_index()
            tracked = tracked_files(self._index, repository)
            table, expected = table_from_index(self._index, tracked)
        elif table.about.get("index") != signature:
            from patchpoint.checkpoints.snapshot import from_index

            self._index = self._read_index()
            is_same = table.about.get("named") == self._index.entries_signature.hex()
            if not is_same or from_index.has_files_not_on_disk(table):
                tracked = from_index.tracked_files(self._index, repository)
                table, forced = from_index.update_from_index(table, tracked)
                rows = None
        rules = (self._rules, self._exclude, self._include)
        scan = WorktreeScan(repository, table, *rules, since_ns, self._progress)
        all_forced = table.about.get("rules") != self._rules_digest
        scan.run(forced, all_forced=all_forced, expected=expected)
        table = scan.table
        if all_forced and self._excluded is not None:
            for at, path in enumerate(table.paths):
                table.stale[at] |= self._excluded.ignores(path)
        rows = None if scan.changed else rows
        changed = self._record(table, writer, since_ns, seeded, rows)
        self._included = ignored_files(repository, table, self._rules, self._include)
        built = KnownTrees()
        trusts_modes = repository.flag(b"core", b"filemode", True)
        if any(table.dirty):
            mode_of = tree_mode(
                file_mode=trusts_modes,
                symlinks=repository.flag(b"core", b"symlinks", True),
            )
            built = build_trees(table, writer, mode_of, rows)
        if not table.untracked[0]:
            table.untracked[0] = writer.add(TREE, b"")
        state = self._index_state(table, writer)
        if reached is not None:
            objects = ObjectReader(repository)
            if not earlier or self._index is not None or _some_elsewhere(writer.reused, earlier):
                writer.keep(reached.lacks(table, objects, writer.trees))
            if state is not None:
                writer.keep(reached.lacks_staged(state, objects, writer.trees))
        proof.prove(table, state, built.contents, writer.new, self._read)
        if state is not None and self._index is None and not seeded:
            prove_staged_trees(repository, state, head)
        is_changed = bool(changed or self._index is not None or scan.changed or all_forced)
        return Snapshot(
            tree=table.trees[0].hex(),
            untracked=table.untracked[0].hex(),
            files=len(table.ids) - table.ids.count(NO_ID),
            skipped=_skipped(table),
            index=state,
            head=head.commit,
            branch=head.branch,
            new_objects=len(writer.new),
            built=built,
            permissions=self._permissions(table, is_changed, trusted=trusts_modes and os.name != "nt"),
            proof=proof,
            recorded=RecordedFiles(table),
            included=len(self._included),
            settle=lambda: self._settle(table, state, proof, is_changed, saved=seeded or not transient),
        )

    def _settle(
        self, table: Table, state: IndexState | None, proof: TableProof, changed: bool, *, saved: bool
    ) -> None:
        if self._is_settled:
            return
        self._is_settled = True
        if proof.rest_on(self._writer.packs) or changed:
            if self._index is not None:
                table.about["index"] = self._index.signature.hex()
                table.about["named"] = self._index.entries_signature.hex()
            table.about["rules"] = self._rules_digest
            table.about["state"] = "" if state is None else state.to_text()
            if saved:
                save_table(self._repository, table)
        keep_table(self._repository, table)

    def _is_trusted(self, table: Table, writer: ObjectWriter) -> bool:
        """Return whether the objects of the last snapshot still exist.

        Its root trees are looked for (and freshened) now; what is in them, once all is written.
        """
        if "rules" not in table.about:
            return False
        return writer.has(table.trees[0]) and writer.has(table.untracked[0])

    def _read_index(self) -> IndexFile:
        return IndexFile() if self._repository.private else read_index(self._repository)

    def _record(
        self, table: Table, writer: ObjectWriter, since_ns: int, seeded: bool, rows: EarlierRows | None
    ) -> bool:
        """Record the stale files; return whether anything has changed in the table."""
        if table.stale.count(0) == len(table.stale):
            return False
        recorder = BlobRecorder(
            self._repository,
            table,
            writer,
            exclude=self._excluded,
            max_file_size=self._options.max_file_size,
            since_ns=since_ns,
            clock=lambda: _racy_since(self._repository),
            progress=self._progress,
        )

        @cache
        def indexed() -> IndexedBlobs:
            index = self._index if self._index is not None else self._read_index()
            return IndexedBlobs(index, self._conversions(table, index))

        if AS_INDEXED in table.stale:
            self._accept_indexed(table, since_ns)
        stale = positions(table.stale, 1)
        if not stale:
            return True
        if rows is not None:
            rows.keep(table, stale)
        different = recorder.record(
            stale, indexed() if self._index is not None else None, indexed, seeded=seeded
        )
        for at in different:
            table.dirty[table.directory_of(at)] = 1
        return bool(different)

    def _accept_indexed(self, table: Table, since_ns: int) -> None:
        """Accept the index's blobs for the files that match it, except for those that git converts."""
        assert self._index is not None
        conversions = self._conversions(table, self._index)
        accepted = positions(table.stale, AS_INDEXED)
        for at in conversions.suspects(accepted, table.paths, table.stats.columns[SIZE]):
            if not table.marks[at] & INDEX_SYMLINK:
                table.stale[at] = 1
        for at in mismatched_blobs(self._repository, table, positions(table.stale, AS_INDEXED)):
            table.stale[at] = 1
        self._read.update([table.ids[at] for at in positions(table.stale, AS_INDEXED)])
        table.stats.mark_racy(range(len(table.paths)), since_ns)

    def _conversions(self, table: Table, index: IndexFile) -> Conversions:
        from patchpoint.checkpoints.snapshot.from_index import attribute_files_not_listed
        from patchpoint.git.ignore.attributes import Conversions

        repository = self._repository

        def contents(path: bytes) -> list[bytes]:
            found: list[bytes] = []
            with suppress(OSError):
                found.append(read_file_bytes(os.path.join(repository.worktree, path)))
            known = {object_id(BLOB, each, repository.object_format) for each in found}
            oids = index.ids[bisect_left(index.paths, path) : bisect_right(index.paths, path)]
            return found + [repository.blob(oid) or b"" for oid in oids if oid not in known]

        files = {*table.attribute_files, *attribute_files_not_listed(repository, table)}
        if ATTRIBUTES_FILE in b"\n".join(index.paths):
            files.update([path for path in index.paths if path.endswith(ATTRIBUTES_FILE)])
        return Conversions(repository, sorted(files), contents)

    def _permissions(self, table: Table, changed: bool, *, trusted: bool) -> FilePermissions:
        """Return the files' permissions, noted in the table for a snapshot that finds nothing changed."""
        if not trusted:
            return FilePermissions()
        if not changed and "permissions" in table.about:
            return FilePermissions.from_text(table.about["permissions"])
        found = permissions_of(table, self._included)
        table.about["permissions"] = found.to_text()
        return found

    def _index_state(self, table: Table, writer: ObjectWriter) -> IndexState | None:
        if self._repository.private:
            return None
        if self._index is None:
            return IndexState.from_text(table.about["state"])
        return record_index(self._index, writer)


def _some_elsewhere(oids: set[RawObjectID], lists: Iterable[list[RawObjectID]]) -> bool:
    """Return whether some of `oids` are in none of the lists, which are long."""
    for known in lists:
        oids = oids and oids.difference(known)
    return bool(oids)


_FLAGS = ((b"ignorecase", False), (b"precomposeunicode", False), (b"filemode", True), (b"symlinks", True))


def _racy_since(repository: Repository) -> int:
    """Return the time in nanoseconds since which a file that is looked at now is racily clean."""
    return _file_system_time(repository) - _RACY_NS


def _file_system_time(repository: Repository) -> int:
    """Return the time in nanoseconds as the file system stamps it, or this machine's if that is earlier."""
    directory = repository.patchpoint_directory
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(directory)
        stamp = directory.stat().st_mtime_ns
    except OSError:
        return time.time_ns()
    return min(stamp, time.time_ns())


def _skipped(table: Table) -> tuple[SkippedEntry, ...]:
    found = [
        SkippedEntry(table.paths[at], numbered_reason(table.reasons[at]))
        for at in positions(table.reasons, 0xFF)
    ]
    if any(table.states):
        found += [
            SkippedEntry(directory, _STATES[state])
            for directory, state in zip(table.directories, table.states, strict=True)
            if state in _STATES
        ]
    return tuple(sorted(found, key=lambda each: each.path))


_STATES = {
    DirectoryState.NESTED: SkipReason.NESTED_REPOSITORY,
    DirectoryState.UNREADABLE: SkipReason.UNREADABLE,
    DirectoryState.EXCLUDED: SkipReason.EXCLUDED,
}
