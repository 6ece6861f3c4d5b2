"""Build a table from the user's index, so that the first snapshot reads hardly a file, and update one."""

from __future__ import annotations

import os
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby

from dulwich.objects import parse_tree

from patchpoint.checkpoints.snapshot.file_stat import (
    CTIME_NS,
    CTIME_S,
    INODE,
    MISSING,
    MODE,
    MTIME_NS,
    MTIME_S,
    SIZE,
    FileStats,
)
from patchpoint.checkpoints.snapshot.stat_cache import (
    GITLINK,
    INDEX_EXECUTABLE,
    INDEX_SYMLINK,
    SKIP_WORKTREE,
    SPARSE_DIRECTORY,
    TRACKED,
    DirectoryState,
    Row,
    Table,
)
from patchpoint.dataclass import dataclass
from patchpoint.git.ignore.rules import ATTRIBUTES_FILE, IGNORE_FILE
from patchpoint.git.index import read as index_read
from patchpoint.git.index.read import STAT_WORDS, IndexFile
from patchpoint.git.odb.ids import NO_ID, ObjectID, RawObjectID, to_binary, to_hexadecimal
from patchpoint.git.repository import Repository

_MARKS = {
    0o100644: TRACKED,
    0o100755: TRACKED | INDEX_EXECUTABLE,
    0o120000: TRACKED | INDEX_SYMLINK,
    0o160000: TRACKED | GITLINK,
    0o040000: TRACKED | SKIP_WORKTREE | SPARSE_DIRECTORY,
}
_EXPECTED_WORDS = ((CTIME_S, 0), (CTIME_NS, 1), (MTIME_S, 2), (MTIME_NS, 3), (INODE, 5), (SIZE, 9))
"""Columns of file stats, and the words of an index entry's stat that correspond to them."""
_LOWER_HALF = 0 if sys.byteorder == "little" else 1
_NOT_ON_DISK = SKIP_WORKTREE | GITLINK | SPARSE_DIRECTORY


@dataclass(frozen=True, slots=True)
class Tracked:
    """The tracked paths, each once, with their marks and (that of stage 0 or the first one in conflict)
    ids."""

    paths: list[bytes]
    marks: bytes
    ids: list[RawObjectID]


def tracked_files(index: IndexFile, repository: Repository) -> Tracked:
    """Return the files that `index` tracks.

    A directory that a sparse index leaves out is one path while it is not on the disk; when it is, it is
    expanded into the files that it would hold.
    """
    special = index_read.STAGE | index_read.SKIP_WORKTREE
    modes = set(index.modes)
    plain = not any(flags & special for flags in set(index.flags))
    if plain and index_read.SPARSE_DIRECTORY not in modes:
        marks_of = {mode: _MARKS.get(mode, TRACKED) for mode in modes}
        return Tracked(index.paths, bytes(map(marks_of.__getitem__, index.modes)), index.ids)
    paths: list[bytes] = []
    marks = bytearray()
    ids: list[RawObjectID] = []
    for path, mark, oid in _expand_sparse_entries(index, repository):
        if not paths or paths[-1] != path:
            paths.append(path)
            marks.append(mark)
            ids.append(oid)
    return Tracked(paths, bytes(marks), ids)


@dataclass(frozen=True, slots=True)
class IndexStats:
    """The stats in the index for each file of a table built from it, in columns of 32-bit words."""

    columns: list[tuple[int, array[int]]]
    """For each compared column of `FileStats`: its number, and the lower halves of its words."""
    marks: bytes
    written_at: tuple[int, int]
    """Seconds and nanoseconds of the index's mtime; a file modified then or later is racily clean."""
    usable: bytearray
    """Whether an entry has a stat at all: it is neither in conflict nor an intent-to-add entry."""

    def matches(self, seen: FileStats) -> bytearray:
        """Return 1 for each file whose stat in `seen` is that of the index and not racily clean, else 0."""
        agreed = bytearray(self.usable)
        for number, column in self.columns:
            halves = array("I", seen.columns[number].tobytes())[_LOWER_HALF::2]
            if halves != column:
                for at, (one, other) in enumerate(zip(halves, column, strict=True)):
                    if one != other:
                        agreed[at] = 0
        modes = seen.columns[MODE]
        kinds = {word: _mark_of(word & 0xFFFF) for word in set(modes)}
        now = bytes(map(kinds.__getitem__, modes))
        if now != self.marks:
            for at, (one, other) in enumerate(zip(now, self.marks, strict=True)):
                if one != other:
                    agreed[at] = 0
        seconds, nanoseconds = self.written_at
        modified = seen.columns[MTIME_S]
        if max(modified, default=0) >= seconds:
            for at, second in enumerate(modified):
                if second >= seconds and (second, seen.columns[MTIME_NS][at]) >= (seconds, nanoseconds):
                    agreed[at] = 0
        return agreed


def table_from_index(index: IndexFile, tracked: Tracked) -> tuple[Table, IndexStats | None]:
    """Return a table of all tracked files, all stale, with the index's TREE extension, and the index's stats.

    The stats are `None` where entries and files do not correspond one to one.
    """
    by_directory = _runs_by_directory(tracked.paths)
    table = Table.empty()
    numbers = {b"": 0}
    runs: list[_Run] = []
    count = 0
    table.starts = [0]
    for directory in _with_parents(by_directory):
        if directory:
            table.directories.append(directory)
            table.parents.append(numbers[_parent(directory)])
            numbers[directory] = len(table.directories) - 1
        for run in by_directory.get(directory, ()):
            runs.append(run)
            count += run[1] - run[0]
        table.starts.append(count)
    directories = len(table.directories)
    table.directory_stats.extend([MISSING] * (directories - 1))
    table.states = bytearray(directories)
    table.trees = [index.trees.get(directory, NO_ID) for directory in table.directories]
    table.untracked = [NO_ID] * directories
    table.dirty = bytearray([not tree for tree in table.trees])
    table.paths = [path for start, end in runs for path in tracked.paths[start:end]]
    table.ids = [oid for start, end in runs for oid in tracked.ids[start:end]]
    table.marks = bytearray(b"".join([tracked.marks[start:end] for start, end in runs]))
    for column in table.stats.columns:
        column.frombytes(bytes(8 * count))
    table.reasons = bytearray(count)
    table.stale = bytearray(b"\x01") * count
    if tracked.paths is not index.paths:
        return table, None
    columns = []
    for number, word in _EXPECTED_WORDS:
        values, column = index.stats[word::STAT_WORDS], array("I")
        for start, end in runs:
            column += values[start:end]
        columns.append((number, column))
    flags = [flag for start, end in runs for flag in index.flags[start:end]]
    usable = bytearray([not flag & index_read.INTENT_TO_ADD for flag in flags])
    return table, IndexStats(columns, bytes(table.marks), index.mtime, usable)


_Run = tuple[int, int]
"""Positions from the first up to, not including, the second."""


def _runs_by_directory(paths: list[bytes]) -> dict[bytes, list[_Run]]:
    """Return the runs of each directory's files in the sorted `paths`; its subdirectories may part them."""
    found: dict[bytes, list[_Run]] = {b"": []}
    start = 0
    for directory, group in groupby([path.rpartition(b"/")[0] for path in paths]):
        end = start + len(list(group))
        found.setdefault(directory, []).append((start, end))
        start = end
    return found


def update_from_index(table: Table, tracked: Tracked) -> tuple[Table, set[int]]:
    """Return `table` with the marks of `tracked`, and the directories whose ignored files to recheck."""
    if _is_unchanged(table, tracked):
        return table, set()
    numbers = dict(zip(tracked.paths, range(len(tracked.paths)), strict=True))
    marks = tracked.marks
    now = bytearray([marks[numbers[path]] if path in numbers else 0 for path in table.paths])
    forced: set[int] = set()
    for position, (old, new) in enumerate(zip(table.marks, now, strict=True)):
        path = table.paths[position]
        if (old | new) & _NOT_ON_DISK:
            oid = tracked.ids[numbers[path]] if new & _NOT_ON_DISK else NO_ID
            if old != new or (oid != table.ids[position] and table.stats[position] == MISSING):
                table.stats[position] = MISSING
                table.ids[position] = oid
                table.stale[position] = 1
                if path.endswith(IGNORE_FILE):
                    forced.add(table.directory_of(position))
        if old != new:
            table.stale[position] = 1
            if not new:
                forced.add(table.directory_of(position))
    table.marks = now
    added = numbers.keys() - set(table.paths)
    if not added:
        return table, forced
    directories = {directory: number for number, directory in enumerate(table.directories)}
    listings: dict[int, list[Row]] = {}
    for path in sorted(added):
        directory = _parent(path)
        for above in _with_parents([directory]):
            if above not in directories:
                parent = directories[_parent(above)]
                directories[above] = table.add_directory(above, parent, MISSING, DirectoryState.LISTED)
                forced.add(parent)
        number = directories[directory]
        if number not in listings:
            listings[number] = [table.row(at) for at in range(table.starts[number], table.starts[number + 1])]
        mark, oid = marks[numbers[path]], tracked.ids[numbers[path]]
        listings[number].append((path, MISSING, oid if mark & _NOT_ON_DISK else NO_ID, mark, 0, 1))
        forced.add(number)
    return table.with_listings(listings, ()), forced


def has_files_not_on_disk(table: Table) -> bool:
    """Return whether the index has content for paths of `table` that are not files on the disk."""
    return any(mark & _NOT_ON_DISK for mark in set(table.marks))


def attribute_files_not_listed(repository: Repository, table: Table) -> list[bytes]:
    """Return the paths of the attribute files in directories that are not listed and may have tracked files:
    for git they are in force in an ignored directory, too."""
    not_listed = (DirectoryState.TRACKED_ONLY, DirectoryState.UNREADABLE)
    candidates = [
        directory + b"/" + ATTRIBUTES_FILE
        for directory, state in zip(table.directories, table.states, strict=True)
        if state in not_listed
    ]
    return [path for path in candidates if os.path.lexists(os.path.join(repository.worktree, path))]


def _is_unchanged(table: Table, tracked: Tracked) -> bool:
    """Return whether the index tracks the same files with the same marks, all on the disk.

    The content that it has for them may differ.
    """
    known = dict(zip(table.paths, table.marks, strict=True))
    if has_files_not_on_disk(table) or len(tracked.paths) > len(known):
        return False
    return len(tracked.paths) == sum(map(bool, table.marks)) and tracked.marks == bytes(
        [known.get(path, 0) for path in tracked.paths]
    )


def _mark_of(mode: int) -> int:
    """Return the mark of a file of this mode in an index; 0 for what is neither file nor link."""
    if stat.S_ISREG(mode):
        return TRACKED | INDEX_EXECUTABLE if mode & 0o100 else TRACKED
    return TRACKED | INDEX_SYMLINK if stat.S_ISLNK(mode) else 0


def _parent(path: bytes) -> bytes:
    """Return the directory that `path` is in; for the root, the root."""
    return path[: max(path.rfind(b"/"), 0)]


def _with_parents(directories: Iterable[bytes]) -> Iterator[bytes]:
    """Yield `directories` and all above them, each after its parent."""
    given: set[bytes] = set()
    for directory in directories:
        missing = []
        while directory not in given:
            given.add(directory)
            missing.append(directory)
            directory = _parent(directory)
        yield from reversed(missing)


def _expand_sparse_entries(
    index: IndexFile, repository: Repository
) -> Iterator[tuple[bytes, int, RawObjectID]]:
    for path, mode, flags, oid in zip(index.paths, index.modes, index.flags, index.ids, strict=True):
        if mode == index_read.SPARSE_DIRECTORY:
            directory = path.rstrip(b"/")
            if os.path.lexists(os.path.join(repository.worktree, directory)):
                yield from _expand_tree(repository, directory, oid)
            else:
                yield directory, _MARKS[mode], oid
        else:
            yield (
                path,
                _MARKS.get(mode, TRACKED) | (SKIP_WORKTREE if flags & index_read.SKIP_WORKTREE else 0),
                oid,
            )


def _expand_tree(
    repository: Repository, directory: bytes, tree: RawObjectID
) -> Iterator[tuple[bytes, int, RawObjectID]]:
    waiting = [(directory, index_read.SPARSE_DIRECTORY, tree)]
    while waiting:
        path, mode, oid = waiting.pop()
        if mode != index_read.SPARSE_DIRECTORY:
            yield path, _MARKS.get(mode, TRACKED) | SKIP_WORKTREE, oid
            continue
        content = repository.objects.get_raw(to_hexadecimal(oid))[1]
        inside = [
            (path + b"/" + name, mode, to_binary(ObjectID(oid)))
            for name, mode, oid in parse_tree(content, repository.id_length)
        ]
        waiting += reversed(inside)
