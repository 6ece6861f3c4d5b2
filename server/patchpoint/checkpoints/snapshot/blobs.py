"""Record the files that a scan found new or changed, as blobs of their raw bytes."""

from __future__ import annotations

import errno
import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.checkpoints.snapshot.file_stat import (
    CTIME_NS,
    CTIME_S,
    INODE,
    MISSING,
    MODE,
    MTIME_NS,
    MTIME_S,
    SIZE,
    FileStat,
    stat_files,
)
from patchpoint.checkpoints.snapshot.skipped import SkipReason, reason_number
from patchpoint.checkpoints.snapshot.stat_cache import (
    ALWAYS_CHECKED,
    GITLINK,
    SKIP_WORKTREE,
    SPARSE_DIRECTORY,
    Table,
)
from patchpoint.filesystem.errors import is_too_long
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.git.ignore.rules import PathRules
from patchpoint.git.index import read as index_read
from patchpoint.git.index.read import INTENT_TO_ADD, STAGE, STAT_WORDS, IndexFile
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.blob_sizes import blobs_of_other_size
from patchpoint.git.odb.ids import BLOB, NO_ID, RawObjectID
from patchpoint.git.paths import is_safe_name
from patchpoint.git.repository import Repository, checked_out_commit
from patchpoint.progress import Progress

_READS = 3
"""How often a file is read in all when it changes while it is read."""
_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
)

if TYPE_CHECKING:
    from patchpoint.git.ignore.attributes import Conversions
_FLAGS |= getattr(os, "O_BINARY", 0)
_REPORT_EVERY = 512
_CHECK_SPACE_FROM = 64 << 20
"""Bytes of new content from which on the free space of the disk is checked."""


class SparseDirectoryAppearedError(Exception):
    """A directory that a sparse index has as one entry is on the disk now: the table has to be rebuilt."""


class IndexedBlobs:
    """The blobs of the user's index, for files that have not changed since git read them."""

    def __init__(self, index: IndexFile, conversions: Conversions) -> None:
        self._index = index
        self._conversions = conversions

    def of(self, path: bytes, file_stat: FileStat) -> RawObjectID | None:
        """Return the id of the blob with the raw bytes of the file with this stat, or `None` if unknown."""
        at = self._position(path)
        if at is None:
            return None
        index = self._index
        if index.flags[at] & (STAGE | INTENT_TO_ADD):
            return None
        changed_s, changed_ns, modified_s, modified_ns, _, inode, _, _, _, size = index.stats[
            at * STAT_WORDS : (at + 1) * STAT_WORDS
        ]
        if (
            modified_ns != file_stat[MTIME_NS]
            or modified_s != file_stat[MTIME_S] & 0xFFFFFFFF
            or changed_ns != file_stat[CTIME_NS]
            or changed_s != file_stat[CTIME_S] & 0xFFFFFFFF
            or size != file_stat[SIZE] & 0xFFFFFFFF
            or inode != file_stat[INODE] & 0xFFFFFFFF
            or (modified_s, modified_ns) >= index.mtime
        ):
            return None
        is_link = stat.S_ISLNK(file_stat[MODE] & 0xFFFF)
        if is_link != (index.modes[at] == index_read.SYMLINK):
            return None
        if not is_link and self._conversions.may_differ(path, file_stat[SIZE]):
            return None
        return index.ids[at]

    def id_of(self, path: bytes) -> RawObjectID:
        """Return the binary object id that the index has for `path`, or an empty one."""
        at = self._position(path)
        return NO_ID if at is None else self._index.ids[at]

    def _position(self, path: bytes) -> int | None:
        """Return the first position of `path` in the index, which is sorted by path."""
        paths = self._index.paths
        at = bisect_left(paths, path)
        return at if at < len(paths) and paths[at] == path else None


def mismatched_blobs(repository: Repository, table: Table, positions: Sequence[int]) -> list[int]:
    """Return those of `positions` whose blob, by the table's object id, is missing or has another size."""
    ids, file_sizes = table.ids, table.stats.columns[SIZE]
    objects = os.path.join(repository.commondir, b"objects")
    names, sizes = list(map(ids.__getitem__, positions)), list(map(file_sizes.__getitem__, positions))
    expected = dict(zip(names, sizes, strict=True))
    other = blobs_of_other_size(objects, expected, repository.id_length)
    if len(expected) == len(names) and not other:
        return []
    return [
        at
        for at, oid, size in zip(positions, names, sizes, strict=True)
        if oid in other or expected[oid] != size
    ]


class BlobRecorder:
    """Writes the blobs of the stale files of a table."""

    def __init__(
        self,
        repository: Repository,
        table: Table,
        writer: ObjectWriter,
        *,
        exclude: PathRules | None,
        max_file_size: int,
        since_ns: int,
        clock: Callable[[], int],
        progress: Progress,
    ) -> None:
        """`clock` returns the time in nanoseconds from which on a file that is read then is racily clean,
        and `since_ns` is that of the scan."""
        self._repository = repository
        self._table = table
        self._writer = writer
        self._exclude = exclude
        self._max_file_size = max_file_size
        self._since_ns = since_ns
        self._clock = clock
        self._progress = progress
        self._root = repository.worktree
        self._prefix = os.path.join(self._root, b"")

    def record(
        self,
        stale: Sequence[int],
        indexed: IndexedBlobs | None,
        load_index: Callable[[], IndexedBlobs],
        *,
        seeded: bool,
    ) -> list[int]:
        """Record the files at the positions `stale`; return the positions of those whose record changed.

        `indexed` is the index when it was read anyway; `load_index` reads it for the few files that need
        it. `seeded` means that the table was just built from the index.
        """
        table = self._table
        to_read: list[int] = []
        known: list[int] = []
        before = {
            at: (table.ids[at], table.reasons[at])
            for at in stale
            if table.reasons[at] or table.marks[at] & ALWAYS_CHECKED
        }
        for at in stale:
            mode, marks, path = table.stats.columns[MODE][at] & 0xFFFF, table.marks[at], table.paths[at]
            table.reasons[at] = 0
            if self._exclude is not None and self._exclude.ignores(path):
                self._skip(at, SkipReason.EXCLUDED)
            elif not marks and not is_safe_name(path[path.rfind(b"/") + 1 :], mode):
                self._skip(at, SkipReason.UNSAFE_NAME)
            elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                oid = indexed.of(path, table.stats[at]) if indexed is not None else None
                if oid is None:
                    to_read.append(at)
                else:
                    table.ids[at] = oid
                    known.append(at)
            elif mode and marks & SPARSE_DIRECTORY:
                raise SparseDirectoryAppearedError
            elif stat.S_ISDIR(mode):
                self._record_submodule(at, load_index)
            elif mode:
                self._skip(at, SkipReason.SPECIAL_FILE)
            elif marks & SKIP_WORKTREE:
                if not marks & SPARSE_DIRECTORY:
                    self._record_not_checked_out(at, load_index, seeded)
            else:
                self._record_absent(at)
        to_read += mismatched_blobs(self._repository, table, known)
        since_read_ns = self._clock() if to_read else self._since_ns
        self._read(to_read)
        table.stats.mark_racy(to_read, since_read_ns)
        if others := set(stale).difference(to_read):
            table.stats.mark_racy(others, self._since_ns)
        return [at for at in stale if before.get(at) != (table.ids[at], table.reasons[at])]

    def _skip(self, at: int, reason: SkipReason) -> None:
        self._table.ids[at] = NO_ID
        self._table.reasons[at] = reason_number(reason)

    def _record_submodule(self, at: int, load_index: Callable[[], IndexedBlobs]) -> None:
        table = self._table
        path = table.paths[at]
        if not table.marks[at] & GITLINK:
            table.ids[at] = NO_ID
            return
        commit = checked_out_commit(os.path.join(self._root, path))
        table.ids[at] = commit or load_index().id_of(path)
        if commit is not None:
            table.reasons[at] = reason_number(SkipReason.SUBMODULE)

    def _record_not_checked_out(self, at: int, load_index: Callable[[], IndexedBlobs], seeded: bool) -> None:
        oid = load_index().id_of(self._table.paths[at])
        if not oid and not seeded:
            raise SparseDirectoryAppearedError
        self._table.ids[at] = oid or self._table.ids[at]

    def _record_absent(self, at: int) -> None:
        table = self._table
        table.ids[at] = NO_ID
        path = self._prefix + table.paths[at]
        try:
            os.lstat(path)
        except OSError as error:
            # ELOOP: a link that leads to itself, where a directory was
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP) or is_too_long(path):
                table.reasons[at] = reason_number(SkipReason.UNREADABLE)

    def _read(self, positions: list[int]) -> None:
        """Read files, and read again those that changed meanwhile."""
        table = self._table
        self._refuse_when_disk_is_full(positions)
        for _ in range(_READS):
            for count, at in enumerate(positions):
                if count % _REPORT_EVERY == 0:
                    self._progress.check()
                    self._progress.report("Recording files", count, len(positions))
                self._read_one(at)
            seen = stat_files(self._root, [table.paths[at] for at in positions])
            moved = seen.changed_since(table.stats.select(positions))
            for order in moved:
                table.stats[positions[order]] = seen[order]
            positions = [positions[order] for order in moved]
            if not positions:
                return
        for at in positions:
            if table.stats[at] != MISSING:
                self._skip(at, SkipReason.UNSTABLE)

    def _refuse_when_disk_is_full(self, positions: list[int]) -> None:
        sizes = self._table.stats.columns[SIZE]
        wanted = sum(size for at in positions if (size := sizes[at]) <= self._max_file_size)
        if wanted < _CHECK_SPACE_FROM:
            return
        import shutil  # only here: with all that it loads it would delay every hook

        free = shutil.disk_usage(os.path.join(self._repository.commondir, b"objects")).free
        if wanted > free:
            raise SnapshotFailedError(
                f"A checkpoint may need {wanted >> 20} MiB, and only {free >> 20} MiB are free; free some "
                "space, or have git ignore what need not be kept."
            )

    def _read_one(self, at: int) -> None:
        table = self._table
        mode = table.stats.columns[MODE][at] & 0xFFFF
        path = self._prefix + table.paths[at]
        table.reasons[at] = 0
        table.ids[at] = NO_ID
        try:
            if stat.S_ISLNK(mode):
                table.ids[at] = self._writer.add(BLOB, os.readlink(path))
            elif not stat.S_ISREG(mode):
                return
            elif table.stats.columns[SIZE][at] > self._max_file_size:
                self._skip(at, SkipReason.TOO_LARGE)
            else:
                table.ids[at] = self._writer.add(BLOB, read_raw_bytes(path, table.stats.columns[SIZE][at]))
        except FileNotFoundError:
            return
        except OSError as error:
            raise_if_exhausted(error)
            self._skip(at, SkipReason.UNREADABLE)


def read_raw_bytes(path: bytes, size: int) -> bytes:
    """Return the content of the file at `path`, expected to be `size` bytes long; no link is followed."""
    descriptor = os.open(path, _FLAGS)
    try:
        return read_all(descriptor, size)
    finally:
        os.close(descriptor)


def read_all(descriptor: int, size: int) -> bytes:
    """Return all that is left to read of an open file, expected to be `size` bytes."""
    content = os.read(descriptor, size + 1)
    if len(content) == size:
        return content
    parts = [content]
    while piece := os.read(descriptor, 1 << 20):
        parts.append(piece)
    return b"".join(parts)
