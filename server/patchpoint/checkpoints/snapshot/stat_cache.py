"""The result of the last snapshot of a working tree, so that the next one reads only what changed since.

It is flat, in columns: paths joined by NUL, stats as arrays of words, binary object ids one after the other.
A hundred thousand files load in some ten milliseconds; as objects they would take a second.

It is written atomically and carries an HMAC, made with the user's secret key: what lies in `.git` may have
come from a stranger, and a lie in it would have a checkpoint hold other bytes than the files have. One that
cannot be read, is not known to be this user's own, or is of another version counts as missing.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from itertools import compress, count
from pathlib import Path
from typing import cast

from patchpoint.checkpoints.snapshot.file_stat import COLUMNS, MISSING, FileStat, FileStats, stat_files
from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.atomic_write import Durability, write_atomically
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.user_state import known_secret_key, secret_key
from patchpoint.git.odb.ids import NO_ID, RawObjectID
from patchpoint.git.repository import Repository

_MAGIC = b"PPSC0002" + sys.byteorder.encode()[:1]
_NAME = "stat-cache"
_PURPOSE = b"patchpoint stat cache\n"
_CODE_BYTES = hashlib.sha256().digest_size
_LARGEST = 1 << 30
"""Bytes of the largest file that is read: one of ten million files."""

TRACKED, INDEX_EXECUTABLE, INDEX_SYMLINK, SKIP_WORKTREE, GITLINK, SPARSE_DIRECTORY = 1, 2, 4, 8, 16, 32
"""Marks of a file, all from the index; each of the others implies TRACKED."""


ALWAYS_CHECKED = GITLINK | SPARSE_DIRECTORY
"""These are not files, and what is in their place may change while their own stat does not."""

Row = tuple[bytes, FileStat, RawObjectID, int, int, int]
"""Path, stat, binary object id, marks, reason and staleness of one file."""


class DirectoryState:
    """How a directory is scanned."""

    LISTED = 0
    """All of it except what is ignored."""
    TRACKED_ONLY = 1
    """It is ignored: only the tracked files in it."""
    NESTED = 2
    """It is a repository of its own, and is not scanned."""
    UNREADABLE = 3
    EXCLUDED = 4


@dataclass(slots=True)
class Table:
    """The directories and files of a working tree as last scanned, in columns.

    Files are sorted by directory: those of directory `i` are from `starts[i]` up to `starts[i + 1]`. Object
    ids are empty where there is nothing to record: a file that is missing or was skipped, a directory
    without a file.
    """

    directories: list[bytes] = field(default_factory=lambda: [b""])
    """Paths; the root first, each after its parent."""
    parents: list[int] = field(default_factory=lambda: [0])
    directory_stats: FileStats = field(default_factory=FileStats)
    states: bytearray = field(default_factory=lambda: bytearray(1))
    """A `DirectoryState` each."""
    trees: list[RawObjectID] = field(default_factory=lambda: [NO_ID])
    untracked: list[RawObjectID] = field(default_factory=lambda: [NO_ID])
    """The trees of the untracked files in each directory."""
    starts: list[int] = field(default_factory=lambda: [0, 0])

    paths: list[bytes] = field(default_factory=list)
    stats: FileStats = field(default_factory=FileStats)
    ids: list[RawObjectID] = field(default_factory=list)
    marks: bytearray = field(default_factory=bytearray)
    reasons: bytearray = field(default_factory=bytearray)
    """Why a file was left out, as 1 + the position in `SkipReason`; 0 when it was not."""

    ignore_files: list[bytes] = field(default_factory=list)
    """Paths of the `.gitignore` files in the listed directories, whether or not they are recorded."""
    ignore_stats: FileStats = field(default_factory=FileStats)
    ignore_digests: list[int] = field(default_factory=list)
    attribute_files: list[bytes] = field(default_factory=list)
    """Paths of the `.gitattributes` files in them."""

    about: dict[str, str] = field(default_factory=dict)
    """What the table depends on: the index's signature, the rules, the options, the staged state."""

    stale: bytearray = field(default_factory=bytearray)
    """While a snapshot is taken: the files to record again. Not saved."""
    dirty: bytearray = field(default_factory=lambda: bytearray(1))
    """While a snapshot is taken: the directories whose tree to rebuild. Not saved."""

    @classmethod
    def empty(cls) -> Table:
        """Return a table of a working tree that was never scanned."""
        table = cls()
        table.directory_stats.append(MISSING)
        return table

    def directory_of(self, position: int) -> int:
        """Return the number of the directory that the file at `position` is in."""
        return bisect_right(self.starts, position) - 1

    def row(self, position: int) -> Row:
        """Return the columns of the file at `position`."""
        return (
            self.paths[position],
            self.stats[position],
            self.ids[position],
            self.marks[position],
            self.reasons[position],
            self.stale[position],
        )

    def add_directory(self, path: bytes, parent: int, file_stat: FileStat, state: int) -> int:
        """Append a directory without files; return its number."""
        self.directories.append(path)
        self.parents.append(parent)
        self.directory_stats.append(file_stat)
        self.states.append(state)
        self.trees.append(NO_ID)
        self.untracked.append(NO_ID)
        self.starts.append(self.starts[-1])
        self.dirty.append(1)
        return len(self.directories) - 1

    def with_listings(self, listings: Mapping[int, Sequence[Row]], dropped: Container[int]) -> Table:
        """Return this table with the files of `listings`, by directory, without the directories `dropped`."""
        new = Table(
            directories=[],
            parents=[],
            states=bytearray(),
            trees=[],
            untracked=[],
            starts=[0],
            dirty=bytearray(),
            ignore_files=self.ignore_files,
            ignore_stats=self.ignore_stats,
            ignore_digests=self.ignore_digests,
            attribute_files=self.attribute_files,
            about=self.about,
        )
        numbers: dict[int, int] = {}
        start = end = 0
        for old, path in enumerate(self.directories):
            if old in dropped:
                continue
            numbers[old] = len(new.directories)
            new.directories.append(path)
            new.parents.append(numbers[self.parents[old]])
            new.directory_stats.append(self.directory_stats[old])
            new.states.append(self.states[old])
            new.trees.append(self.trees[old])
            new.untracked.append(self.untracked[old])
            new.dirty.append(self.dirty[old])
            rows = listings.get(old)
            if rows is not None:
                new._copy_files(self, start, end)
                start = end = 0
                new._add_files(rows)
                new.starts.append(len(new.paths))
                continue
            first, last = self.starts[old], self.starts[old + 1]
            if first != end:
                new._copy_files(self, start, end)
                start = first
            end = last
            new.starts.append(new.starts[-1] + last - first)
        new._copy_files(self, start, end)
        return new

    def _copy_files(self, other: Table, start: int, end: int) -> None:
        if start == end:
            return
        self.paths += other.paths[start:end]
        self.stats.extend_from(other.stats, start, end)
        self.ids += other.ids[start:end]
        self.marks += other.marks[start:end]
        self.reasons += other.reasons[start:end]
        self.stale += other.stale[start:end]

    def _add_files(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        paths, stats, oids, marks, reasons, stale = zip(*rows, strict=True)
        self.paths += paths
        self.stats.extend(stats)
        self.ids += oids
        self.marks += bytes(marks)
        self.reasons += bytes(reasons)
        self.stale += bytes(stale)


class RecordedFiles:
    """The files of a table as they were recorded, by their paths, as long as nothing changes the table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def untouched(self, root: bytes, files: Mapping[bytes, RawObjectID]) -> tuple[list[bytes], FileStats]:
        """Return those of `files`, ids by path below `root`, that were recorded with these ids and have not
        been touched since, and their stats; not those whose times are too young to tell."""
        table = self._table
        directories = dict(zip(table.directories, count()))
        found: list[int] = []
        for path, oid in files.items():
            directory = directories.get(path[: max(path.rfind(b"/"), 0)])
            if directory is None:
                continue
            with suppress(ValueError):
                at = table.paths.index(path, table.starts[directory], table.starts[directory + 1])
                if table.ids[at] == oid:
                    found.append(at)
        before = table.stats.select(found)
        changed = set(stat_files(root, [table.paths[at] for at in found]).changed_since(before))
        same = [at for order, at in enumerate(found) if order not in changed]
        return [table.paths[at] for at in same], table.stats.select(same)


def load_table(repository: Repository) -> Table | None:
    """Return the table of the last snapshot of this working tree, or `None`.

    It is the caller's alone. One that this process kept, and that no other process has replaced since, is not
    read from the disk.
    """
    path = repository.patchpoint_directory / _NAME
    kept = _kept.pop(path, None)
    if kept is not None and kept[0] == _file_identity(path):
        table = kept[1]
        return table if table.about.get("worktree") == _identity(repository) else None
    try:
        data = read_own_file(path, largest=_LARGEST)
    except OSError:
        return None
    key = known_secret_key(_root(repository))
    head = len(_MAGIC) + _CODE_BYTES
    if key is None or len(data) < head or not data.startswith(_MAGIC):
        return None
    if not hmac.compare_digest(data[len(_MAGIC) : head], _code(key, memoryview(data)[head:])):
        return None
    try:
        table = _Reader(data, head, repository.id_length).table()
    except (struct.error, ValueError, IndexError):
        return None
    if table.about.get("worktree") != _identity(repository):
        return None
    return table


def keep_table(repository: Repository, table: Table) -> None:
    """Keep `table`, which equals the file, in memory for the next snapshot of this process."""
    path = repository.patchpoint_directory / _NAME
    identity = _file_identity(path)
    if identity is not None and len(table.paths) <= _MOST_KEPT_FILES:
        table.stale = bytearray(len(table.paths))
        table.dirty = bytearray(len(table.directories))
        _kept.clear()
        _kept[path] = (identity, table)


def save_table(repository: Repository, table: Table) -> None:
    """Write `table` for the next snapshot. A failure costs only speed, and is not reported."""
    table.about["worktree"] = _identity(repository)
    parts = _parts(table, repository.id_length)
    code = _code(secret_key(_root(repository)), *parts)
    path = repository.patchpoint_directory / _NAME
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(
            path,
            [_MAGIC, code, *parts],
            durability=Durability.NONE,
            temporary=f"{_NAME}.{os.getpid()}",
            removes_first=True,
        )


_SPARSE = 64
"""Fewer hits than one in this many positions are found faster one by one than by a pass over all."""


def positions(column: bytearray, bits: int) -> list[int]:
    """Return the positions where any of `bits` is set."""
    hits = column.translate(bytes([1 if value & bits else 0 for value in range(256)]))
    if hits.count(1) > len(hits) // _SPARSE:
        return list(compress(count(), hits))
    found: list[int] = []
    at = hits.find(1)
    while at >= 0:
        found.append(at)
        at = hits.find(1, at + 1)
    return found


_Identity = tuple[int, int, int]

_kept: dict[Path, tuple[_Identity, Table]] = {}
"""The table of the last snapshot, and the identity of the file that equals it."""
_MOST_KEPT_FILES = 250_000


def _file_identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _code(key: bytes, *parts: bytes | memoryview) -> bytes:
    """Return the HMAC-SHA-256 of the content."""
    code = hmac.new(key, _PURPOSE, hashlib.sha256)
    for part in parts:
        code.update(part)
    return code.digest()


def _root(repository: Repository) -> Path:
    return Path(os.fsdecode(repository.worktree))


def _identity(repository: Repository) -> str:
    status = os.stat(repository.worktree)
    return f"{os.fsdecode(repository.worktree)}\n{status.st_dev}:{status.st_ino}"


def _parts(table: Table, width: int) -> list[bytes | memoryview]:
    nothing = bytes(width)
    parts: list[bytes | memoryview] = []

    def block(data: bytes | memoryview) -> None:
        parts.append(struct.pack("<Q", len(data)))
        parts.append(data)

    def add_stats(stats: FileStats) -> None:
        for column in stats.columns:
            block(memoryview(column).cast("B"))

    def names(oids: list[RawObjectID]) -> None:
        block(b"".join([oid or nothing for oid in oids]) if NO_ID in oids else b"".join(oids))

    block(json.dumps(table.about).encode())
    block(b"\x00".join(table.directories))
    block(array("Q", table.parents).tobytes())
    add_stats(table.directory_stats)
    block(bytes(table.states))
    names(table.trees)
    names(table.untracked)
    block(array("Q", table.starts).tobytes())
    block(b"\x00".join(table.paths))
    add_stats(table.stats)
    names(table.ids)
    block(bytes(table.marks))
    block(bytes(table.reasons))
    block(b"\x00".join(table.ignore_files))
    add_stats(table.ignore_stats)
    block(array("Q", table.ignore_digests).tobytes())
    block(b"\x00".join(table.attribute_files))
    return parts


_NAMES_AT_ONCE = 512


class _Reader:
    """Reads the blocks in the order in which `_parts` writes them."""

    def __init__(self, data: bytes, at: int, width: int) -> None:
        self._data = memoryview(data)
        self._at = at
        self._width = width

    def table(self) -> Table:
        table = Table(
            about=json.loads(bytes(self._block())),
            directories=bytes(self._block()).split(b"\x00"),
            parents=self._numbers().tolist(),
            directory_stats=self._stats(),
            states=bytearray(self._block()),
            trees=self._names(),
            untracked=self._names(),
            starts=self._numbers().tolist(),
            paths=self._paths(),
            stats=self._stats(),
            ids=self._names(),
            marks=bytearray(self._block()),
            reasons=bytearray(self._block()),
            ignore_files=self._paths(),
            ignore_stats=self._stats(),
            ignore_digests=self._numbers().tolist(),
            attribute_files=self._paths(),
        )
        lengths = {len(table.directories), len(table.parents), len(table.directory_stats), len(table.states)}
        lengths |= {len(table.trees), len(table.untracked), len(table.starts) - 1}
        files = {len(table.paths), len(table.stats), len(table.ids), len(table.marks), len(table.reasons)}
        if len(lengths) != 1 or len(files) != 1 or table.starts[-1] != len(table.paths):
            raise ValueError("columns of different lengths")
        table.stale = bytearray(len(table.paths))
        table.dirty = bytearray(len(table.directories))
        return table

    def _block(self) -> memoryview:
        (size,) = struct.unpack_from("<Q", self._data, self._at)
        start = self._at + 8
        self._at = start + size
        return self._data[start : self._at]

    def _numbers(self) -> array[int]:
        numbers = array("Q")
        numbers.frombytes(self._block())
        return numbers

    def _stats(self) -> FileStats:
        return FileStats([self._numbers() for _ in range(COLUMNS)])

    def _paths(self) -> list[bytes]:
        block = bytes(self._block())
        return block.split(b"\x00") if block else []

    def _names(self) -> list[RawObjectID]:
        block, width = self._block(), self._width
        many = struct.Struct(f"{width}s" * _NAMES_AT_ONCE)
        rest = len(block) - len(block) % many.size
        ids = [oid for some in many.iter_unpack(block[:rest]) for oid in some]
        ids += struct.unpack(f"{width}s" * ((len(block) - rest) // width), block[rest:])
        oids = cast("list[RawObjectID]", ids)
        nothing = bytes(width)
        return [oid if oid != nothing else NO_ID for oid in oids] if nothing in oids else oids
