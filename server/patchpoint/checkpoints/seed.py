"""What the user's index says of the working tree, as a table, so that the first snapshot reads hardly a
file; and what it says anew of a table that is there already."""

from __future__ import annotations

import os
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from dulwich.objects import ObjectID, parse_tree

from patchpoint.checkpoints import index_read
from patchpoint.checkpoints.ignore import IGNORE_FILE
from patchpoint.checkpoints.index_read import STAT_WORDS, IndexFile
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.signatures import (
    CTIME_NS,
    CTIME_S,
    INODE,
    MODE,
    MTIME_NS,
    MTIME_S,
    NOTHING,
    SIZE,
    Signatures,
)
from patchpoint.checkpoints.stat_cache import (
    GITLINK,
    INDEX_EXECUTABLE,
    INDEX_SYMLINK,
    SKIP_WORKTREE,
    SPARSE_FOLDER,
    TRACKED,
    FolderState,
    Row,
    Table,
)

_MARKS = {
    0o100644: TRACKED,
    0o100755: TRACKED | INDEX_EXECUTABLE,
    0o120000: TRACKED | INDEX_SYMLINK,
    0o160000: TRACKED | GITLINK,
    0o040000: TRACKED | SKIP_WORKTREE | SPARSE_FOLDER,
}
_EXPECTED_WORDS = ((CTIME_S, 0), (CTIME_NS, 1), (MTIME_S, 2), (MTIME_NS, 3), (INODE, 5), (SIZE, 9))
"""Columns of signatures, and the words of an index entry's stat that they correspond to."""
_LOWER_HALF = 0 if sys.byteorder == "little" else 1
_NOT_ON_DISK = SKIP_WORKTREE | GITLINK | SPARSE_FOLDER


@dataclass(frozen=True, slots=True)
class Tracked:
    """The tracked paths, each once, with their marks and (that of stage 0 or the first one in conflict)
    ids."""

    paths: list[bytes]
    marks: bytes
    ids: list[bytes]


def tracked_files(index: IndexFile, repository: Repository) -> Tracked:
    """The files that `index` tracks. A folder that a sparse index leaves out is one path while it is not on
    the disk; when it is, it stands as the files that it would hold."""
    special = index_read.STAGE | index_read.SKIP_WORKTREE
    modes = set(index.modes)
    plain = not any(flags & special for flags in set(index.flags))
    if plain and index_read.SPARSE_FOLDER not in modes:
        marks_of = {mode: _MARKS.get(mode, TRACKED) for mode in modes}
        return Tracked(index.paths, bytes(map(marks_of.__getitem__, index.modes)), index.ids)
    paths: list[bytes] = []
    marks = bytearray()
    ids: list[bytes] = []
    for path, mark, oid in _spread(index, repository):
        if not paths or paths[-1] != path:
            paths.append(path)
            marks.append(mark)
            ids.append(oid)
    return Tracked(paths, bytes(marks), ids)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the index expects to see of each file of a table made of it, in columns of 32-bit words, and the
    second from which on it cannot be sure."""

    columns: list[tuple[int, array[int]]]
    """The column of `Signatures`, and the lower halves of its words."""
    marks: bytes
    written_at: tuple[int, int]
    usable: bytearray
    """Whether the entry tells of a file at all: it is in no conflict, and not only intended to be added."""

    def agree(self, seen: Signatures) -> bytearray:
        """For each file: 1 when it is as the index has it, and was so for long enough to be sure."""
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


def table_of(index: IndexFile, tracked: Tracked) -> tuple[Table, Expected | None]:
    """A table of all tracked files, all of them stale, with the trees that the index knows; and what it
    expects of the files (`None` where its entries and the files do not correspond one to one)."""
    by_folder = _runs_by_folder(tracked.paths)
    table = Table.empty()
    numbers = {b"": 0}
    runs: list[_Run] = []
    count = 0
    table.starts = [0]
    for folder in _with_parents(by_folder):
        if folder:
            table.folders.append(folder)
            table.parents.append(numbers[_parent(folder)])
            numbers[folder] = len(table.folders) - 1
        for run in by_folder.get(folder, ()):
            runs.append(run)
            count += run[1] - run[0]
        table.starts.append(count)
    folders = len(table.folders)
    table.folder_stats.extend([NOTHING] * (folders - 1))
    table.states = bytearray(folders)
    table.trees = [index.trees.get(folder, b"") for folder in table.folders]
    table.untracked = [b""] * folders
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
    return table, Expected(columns, bytes(table.marks), index.mtime, usable)


_Run = tuple[int, int]
"""Positions from the first up to, but not including, the second."""


def _runs_by_folder(paths: list[bytes]) -> dict[bytes, list[_Run]]:
    """Where in the sorted `paths` the files of each folder stand (those of its sub-folders may lie
    between)."""
    found: dict[bytes, list[_Run]] = {b"": []}
    start = 0
    for folder, group in groupby([path.rpartition(b"/")[0] for path in paths]):
        end = start + len(list(group))
        found.setdefault(folder, []).append((start, end))
        start = end
    return found


def merge(table: Table, tracked: Tracked) -> tuple[Table, set[int]]:
    """`table` with what `tracked` says now, and the folders in which what is ignored has to be looked at
    again."""
    if _says_nothing_new(table, tracked):
        return table, set()
    numbers = dict(zip(tracked.paths, range(len(tracked.paths)), strict=True))
    marks = tracked.marks
    now = bytearray([marks[numbers[path]] if path in numbers else 0 for path in table.paths])
    forced: set[int] = set()
    for position, (old, new) in enumerate(zip(table.marks, now, strict=True)):
        path = table.paths[position]
        if (old | new) & _NOT_ON_DISK:
            oid = tracked.ids[numbers[path]] if new & _NOT_ON_DISK else b""
            if old != new or (oid != table.ids[position] and table.stats[position] == NOTHING):
                table.stats[position] = NOTHING
                table.ids[position] = oid
                table.stale[position] = 1
                if path.endswith(IGNORE_FILE):
                    forced.add(table.folder_of(position))
        if old != new:
            table.stale[position] = 1
            if not new:
                forced.add(table.folder_of(position))
    table.marks = now
    added = numbers.keys() - set(table.paths)
    if not added:
        return table, forced
    folders = {folder: number for number, folder in enumerate(table.folders)}
    listings: dict[int, list[Row]] = {}
    for path in sorted(added):
        folder = _parent(path)
        for above in _with_parents([folder]):
            if above not in folders:
                parent = folders[_parent(above)]
                folders[above] = table.add_folder(above, parent, NOTHING, FolderState.LISTED)
                forced.add(parent)
        number = folders[folder]
        if number not in listings:
            listings[number] = [table.row(at) for at in range(table.starts[number], table.starts[number + 1])]
        mark, oid = marks[numbers[path]], tracked.ids[numbers[path]]
        listings[number].append((path, NOTHING, oid if mark & _NOT_ON_DISK else b"", mark, 0, 1))
        forced.add(number)
    return table.relisted(listings, ()), forced


def is_partly_elsewhere(table: Table) -> bool:
    """Whether the index has content for paths of `table` that are no files on the disk."""
    return any(mark & _NOT_ON_DISK for mark in set(table.marks))


def _says_nothing_new(table: Table, tracked: Tracked) -> bool:
    """Whether the index tracks the files that it tracked before, with the same marks, all on the disk: what
    it says of their content is another matter."""
    known = dict(zip(table.paths, table.marks, strict=True))
    if is_partly_elsewhere(table) or len(tracked.paths) > len(known):
        return False
    return len(tracked.paths) == sum(map(bool, table.marks)) and tracked.marks == bytes(
        [known.get(path, 0) for path in tracked.paths]
    )


def _mark_of(mode: int) -> int:
    """The mark that a file of this mode gets from the index; 0 for what is neither file nor link."""
    if stat.S_ISREG(mode):
        return TRACKED | INDEX_EXECUTABLE if mode & 0o100 else TRACKED
    return TRACKED | INDEX_SYMLINK if stat.S_ISLNK(mode) else 0


def _parent(path: bytes) -> bytes:
    """The folder that `path` is in; that of the root is the root."""
    return path[: max(path.rfind(b"/"), 0)]


def _with_parents(folders: Iterable[bytes]) -> Iterator[bytes]:
    """`folders` and all above them, each after the one that it is in."""
    given: set[bytes] = set()
    for folder in folders:
        missing = []
        while folder not in given:
            given.add(folder)
            missing.append(folder)
            folder = _parent(folder)
        yield from reversed(missing)


def _spread(index: IndexFile, repository: Repository) -> Iterator[tuple[bytes, int, bytes]]:
    for path, mode, flags, oid in zip(index.paths, index.modes, index.flags, index.ids, strict=True):
        if mode == index_read.SPARSE_FOLDER:
            folder = path.rstrip(b"/")
            if os.path.lexists(os.path.join(repository.worktree, folder)):
                yield from _unfolded(repository, folder, oid)
            else:
                yield folder, _MARKS[mode], oid
        else:
            yield (
                path,
                _MARKS.get(mode, TRACKED) | (SKIP_WORKTREE if flags & index_read.SKIP_WORKTREE else 0),
                oid,
            )


def _unfolded(repository: Repository, folder: bytes, tree: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    content = repository.objects.get_raw(ObjectID(tree.hex().encode()))[1]
    for name, mode, oid in parse_tree(content, repository.id_length):
        path = folder + b"/" + name
        if mode == index_read.SPARSE_FOLDER:
            yield from _unfolded(repository, path, bytes.fromhex(oid.decode("ascii")))
        else:
            yield path, _MARKS.get(mode, TRACKED) | SKIP_WORKTREE, bytes.fromhex(oid.decode("ascii"))
