"""Taking a snapshot: from a working tree to tree ids, without changing anything of the user's.

    snapshot = take_snapshot(repository, options=SnapshotOptions(), progress=Silent())

The objects are durable when it returns; what anchors them (a commit, a ref) is up to the caller, who must
see to it soon, before a garbage collection.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from patchpoint.checkpoints.attributes import ATTRIBUTES_FILE, Conversions
from patchpoint.checkpoints.contents import (
    IndexedBlobs,
    Recorder,
    SparseFolderAppearedError,
    unlike_their_blobs,
)
from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.checkpoints.ignore import IgnoreRules, PathRules, standard_contents, standard_rules
from patchpoint.checkpoints.index_read import IndexFile, index_signature, read_index
from patchpoint.checkpoints.index_state import IndexState, record_index
from patchpoint.checkpoints.objects import BLOB, TREE, ObjectWriter, object_id
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.scan import AS_INDEXED, Scan
from patchpoint.checkpoints.seed import Expected, is_partly_elsewhere, merge, table_of, tracked_files
from patchpoint.checkpoints.skipped import Skipped, SkipReason, numbered_reason
from patchpoint.checkpoints.stat_cache import (
    INDEX_SYMLINK,
    FolderState,
    Table,
    keep_table,
    load_table,
    positions,
    save_table,
)
from patchpoint.checkpoints.trees import build_trees, tree_mode
from patchpoint.progress import Progress, Silent

__all__ = ["IndexState", "SkipReason", "Skipped", "Snapshot", "SnapshotOptions", "take_snapshot"]

_RACY_NS = 20_000_000
"""Time stamps are taken from a clock that ticks every 1 to 10 ms on many kernels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotOptions:
    """What a snapshot leaves out beyond what git ignores."""

    max_file_size: int = 50 * 1024 * 1024
    """Bytes; a file larger than that is left out unless git has it already as it stands."""
    exclude: tuple[str, ...] = ()
    """Patterns as in a `.gitignore` at the working tree's root, for tracked and untracked files alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A recorded state of the working tree (all names hexadecimal)."""

    tree: str
    """Raw bytes of tracked and untracked files, symbolic links, executable bits; submodules by their
    commit."""
    untracked: str
    """The tree of those files in `tree` that were untracked (the empty tree when there were none)."""
    files: int
    skipped: tuple[Skipped, ...]
    index: IndexState | None
    """`None` where there is no repository."""
    head: str | None
    branch: str | None
    """Full name of the branch checked out, such as `refs/heads/main`; `None` when detached."""
    new_objects: int
    """How many objects had to be written."""
    built: Mapping[bytes, bytes]
    """What is in the trees that had to be built, by their raw names."""


def take_snapshot(
    repository: Repository,
    options: SnapshotOptions | None = None,
    progress: Progress | None = None,
    *,
    passing: bool = False,
) -> Snapshot:
    """Record the working tree and the staged state.

    `passing` is for a state that is about to change, while somebody waits for that: what was seen is
    remembered in memory, and on the disk only where nothing is known yet, and small contents are not packed
    tightly.

    Raises `SnapshotFailedError` when that cannot be done, `CancelledError` when it is no longer wanted;
    nothing but unreferenced objects is left behind then.
    """
    try:
        try:
            return _Taking(repository, options or SnapshotOptions(), progress or Silent()).take(
                load_table(repository), passing=passing
            )
        except SparseFolderAppearedError:
            return _Taking(repository, options or SnapshotOptions(), progress or Silent()).take(None)
    except OSError as error:
        raise SnapshotFailedError(
            f"The working tree at '{os.fsdecode(repository.worktree)}' could not be recorded ({error}); "
            "nothing was changed."
        ) from error


class _Taking:
    """The taking of one snapshot."""

    def __init__(self, repository: Repository, options: SnapshotOptions, progress: Progress) -> None:
        self._repository = repository
        self._options = options
        self._progress = progress
        self._rules = standard_rules(repository)
        self._exclude = IgnoreRules().within(
            b"", "\n".join(options.exclude).encode("utf-8", "surrogateescape")
        )
        self._excluded = PathRules(self._exclude, lambda _: None) if self._exclude else None
        contents = [
            *standard_contents(repository),
            *(str(repository.flag(b"core", name, default)).encode() for name, default in _FLAGS),
            json.dumps(options.exclude).encode(),
        ]
        self._rules_digest = hashlib.sha256(b"\x00".join(contents)).hexdigest()
        self._index: IndexFile | None = None

    def take(self, table: Table | None, *, passing: bool = False) -> Snapshot:
        repository = self._repository
        head = repository.head()
        since_ns = _now_of(repository) - _RACY_NS
        with ObjectWriter(repository, hurried=passing) as writer:
            if table is not None and not self._is_trusted(table, writer):
                table = None
            seeded = table is None
            forced: set[int] = set()
            expected: Expected | None = None
            signature = "" if repository.private else index_signature(repository).hex()
            if table is None:
                self._index = self._read_index()
                tracked = tracked_files(self._index, repository)
                table, expected = table_of(self._index, tracked)
            elif table.about.get("index") != signature:
                self._index = self._read_index()
                if table.about.get("named") != self._index.named.hex() or is_partly_elsewhere(table):
                    table, forced = merge(table, tracked_files(self._index, repository))
            scan = Scan(repository, table, self._rules, self._exclude, since_ns, self._progress)
            all_forced = table.about.get("rules") != self._rules_digest
            scan.run(forced, all_forced=all_forced, expected=expected)
            table = scan.table
            if all_forced and self._excluded is not None:
                for at, path in enumerate(table.paths):
                    table.stale[at] |= self._excluded.ignores(path)
            changed = self._record(table, writer, since_ns, seeded)
            built: dict[bytes, bytes] = {}
            if any(table.dirty):
                mode_of = tree_mode(
                    file_mode=repository.flag(b"core", b"filemode", True),
                    symlinks=repository.flag(b"core", b"symlinks", True),
                )
                built = build_trees(table, writer, mode_of)
            if not table.untracked[0]:
                table.untracked[0] = writer.add(TREE, b"")
            state = self._index_state(table, writer)
            writer.finish()
            new_objects = writer.written
        if changed or self._index is not None or scan.changed or all_forced:
            if self._index is not None:
                table.about["index"] = self._index.signature.hex()
                table.about["named"] = self._index.named.hex()
            table.about["rules"] = self._rules_digest
            table.about["state"] = _written_state(state)
            if seeded or not passing:
                save_table(repository, table)
        keep_table(repository, table)
        return Snapshot(
            tree=table.trees[0].hex(),
            untracked=table.untracked[0].hex(),
            files=_count_files(table),
            skipped=_skipped(table),
            index=state,
            head=head.commit,
            branch=head.branch,
            new_objects=new_objects,
            built=built,
        )

    def _is_trusted(self, table: Table, writer: ObjectWriter) -> bool:
        """Whether what the last snapshot wrote is still there: a garbage collection that takes a tree takes
        it before what is in it, and keeps all that a kept tree holds."""
        if "rules" not in table.about:
            return False
        return writer.has(table.trees[0]) and writer.has(table.untracked[0])

    def _read_index(self) -> IndexFile:
        return IndexFile() if self._repository.private else read_index(self._repository)

    def _record(self, table: Table, writer: ObjectWriter, since_ns: int, seeded: bool) -> bool:
        """Record the stale files; answers whether there is anything new to remember."""
        if not any(table.stale):
            return False
        recorder = Recorder(
            self._repository,
            table,
            writer,
            exclude=self._excluded,
            max_file_size=self._options.max_file_size,
            since_ns=since_ns,
            progress=self._progress,
        )

        @cache
        def indexed() -> IndexedBlobs:
            index = self._index if self._index is not None else self._read_index()
            return IndexedBlobs(index, self._conversions(table, index))

        if AS_INDEXED in table.stale:
            self._settle_indexed(table, since_ns)
        stale = positions(table.stale, 1)
        if not stale:
            return True
        different = recorder.record(
            stale, indexed() if self._index is not None else None, indexed, seeded=seeded
        )
        for at in different:
            table.dirty[table.folder_of(at)] = 1
        return bool(different)

    def _settle_indexed(self, table: Table, since_ns: int) -> None:
        """Take the index's word for the files that are as it has them, but for those that git converts."""
        assert self._index is not None
        conversions = self._conversions(table, self._index)
        if conversions:
            for at in positions(table.stale, AS_INDEXED):
                if not table.marks[at] & INDEX_SYMLINK and conversions.may_apply(table.paths[at]):
                    table.stale[at] = 1
        for at in unlike_their_blobs(self._repository, table, positions(table.stale, AS_INDEXED)):
            table.stale[at] = 1
        table.stats.doubt(range(len(table.paths)), since_ns)

    def _conversions(self, table: Table, index: IndexFile) -> Conversions:
        def contents(path: bytes) -> list[bytes]:
            found: list[bytes] = []
            try:
                with open(os.path.join(self._repository.worktree, path), "rb") as file:
                    found.append(file.read())
            except OSError:
                pass
            for indexed, oid in zip(index.paths, index.ids, strict=True):
                if indexed == path and oid not in {
                    object_id(BLOB, each, self._repository.object_format) for each in found
                }:
                    found.append(self._repository.blob(oid) or b"")
            return found

        files = set(table.attribute_files)
        if ATTRIBUTES_FILE in b"\n".join(index.paths):
            files.update([path for path in index.paths if path.endswith(ATTRIBUTES_FILE)])
        return Conversions(self._repository, sorted(files), contents)

    def _index_state(self, table: Table, writer: ObjectWriter) -> IndexState | None:
        if self._repository.private:
            return None
        if self._index is None:
            return _read_state(table.about["state"])
        return record_index(self._index, writer)


_FLAGS = ((b"ignorecase", False), (b"filemode", True), (b"symlinks", True))


def _now_of(repository: Repository) -> int:
    """The time now, as the file system stamps it, in nanoseconds: the earlier of its clock and this
    machine's."""
    folder = repository.patchpoint_folder
    probe = folder / f"clock.{os.getpid()}.{time.monotonic_ns()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        stamp = probe.stat().st_mtime_ns
        probe.unlink()
    except OSError:
        return time.time_ns()
    return min(stamp, time.time_ns())


def _count_files(table: Table) -> int:
    return len(table.ids) - table.ids.count(b"")


def _skipped(table: Table) -> tuple[Skipped, ...]:
    found = (
        [
            Skipped(table.paths[at], numbered_reason(reason))
            for at, reason in enumerate(table.reasons)
            if reason
        ]
        if any(table.reasons)
        else []
    )
    if any(table.states):
        found += [
            Skipped(folder, _STATES[state])
            for folder, state in zip(table.folders, table.states, strict=True)
            if state in _STATES
        ]
    return tuple(sorted(found, key=lambda each: each.path))


_STATES = {
    FolderState.NESTED: SkipReason.NESTED_REPOSITORY,
    FolderState.UNREADABLE: SkipReason.UNREADABLE,
    FolderState.EXCLUDED: SkipReason.EXCLUDED,
}


def _written_state(state: IndexState | None) -> str:
    return "" if state is None else json.dumps([state.tree, state.stages, state.flags])


def _read_state(text: str) -> IndexState:
    tree, stages, flags = json.loads(text)
    return IndexState(tree=tree, stages=tuple(stages) if stages else None, flags=flags)
