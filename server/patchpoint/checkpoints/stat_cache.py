"""What the last snapshot of a working tree found, so that the next one reads only what changed since.

Kept flat, in columns: paths joined by NUL, signatures as arrays of words, raw names side by side. A hundred
thousand files load in some ten milliseconds; as objects they would take a second. The file is checksummed
and is written beside and renamed; one that cannot be read, or is of another version, counts as none.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import compress, count
from pathlib import Path

from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.signatures import COLUMNS, NOTHING, Signature, Signatures

_MAGIC = b"PPSC0001" + sys.byteorder.encode()[:1]
_NAME = "stat-cache"

TRACKED, INDEX_EXECUTABLE, INDEX_SYMLINK, SKIP_WORKTREE, GITLINK, SPARSE_FOLDER = 1, 2, 4, 8, 16, 32
"""Marks of a file, all from the index; TRACKED stands with each of the others."""


LOOKED_AT_EVERY_TIME = GITLINK | SPARSE_FOLDER
"""These are not files, and what stands in their place may change without their own signature changing."""

Row = tuple[bytes, Signature, bytes, int, int, int]
"""Path, signature, raw name, marks, reason and staleness of one file."""


class FolderState:
    """How a folder is looked at."""

    LISTED = 0
    """All of it but what is ignored."""
    TRACKED_ONLY = 1
    """It is ignored: only the tracked files in it."""
    NESTED = 2
    """It is a repository of its own: not at all."""
    UNREADABLE = 3
    EXCLUDED = 4


@dataclass(slots=True)
class Table:
    """Folders and files of a working tree as last seen, in columns.

    Files stand folder by folder: those of folder `i` from `starts[i]` to `starts[i + 1]`. Raw names are
    empty where there is nothing to record: a file that is not there or was left out, a folder without a
    file.
    """

    folders: list[bytes] = field(default_factory=lambda: [b""])
    """The root first, each after the one that it is in."""
    parents: list[int] = field(default_factory=lambda: [0])
    folder_stats: Signatures = field(default_factory=Signatures)
    states: bytearray = field(default_factory=lambda: bytearray(1))
    """A `FolderState` each."""
    trees: list[bytes] = field(default_factory=lambda: [b""])
    untracked: list[bytes] = field(default_factory=lambda: [b""])
    """The tree of the untracked files in a folder."""
    starts: list[int] = field(default_factory=lambda: [0, 0])

    paths: list[bytes] = field(default_factory=list)
    stats: Signatures = field(default_factory=Signatures)
    ids: list[bytes] = field(default_factory=list)
    marks: bytearray = field(default_factory=bytearray)
    reasons: bytearray = field(default_factory=bytearray)
    """Why a file was left out, as 1 + the position in `SkipReason`; 0 when it was not."""

    ignore_files: list[bytes] = field(default_factory=list)
    """Paths of the `.gitignore` files in the folders that are listed, whether or not they are recorded."""
    ignore_stats: Signatures = field(default_factory=Signatures)
    ignore_digests: list[int] = field(default_factory=list)
    attribute_files: list[bytes] = field(default_factory=list)
    """Paths of the `.gitattributes` files likewise."""

    about: dict[str, str] = field(default_factory=dict)
    """What the rest was found with: the index's signature, the rules, the options, the staged state."""

    stale: bytearray = field(default_factory=bytearray)
    """While a snapshot is taken: files that are to be recorded anew. Not kept."""
    dirty: bytearray = field(default_factory=lambda: bytearray(1))
    """While a snapshot is taken: folders whose tree is to be built anew. Not kept."""

    @classmethod
    def empty(cls) -> Table:
        """A table of a working tree of which nothing is known."""
        table = cls()
        table.folder_stats.append(NOTHING)
        return table

    def folder_of(self, position: int) -> int:
        """The folder that the file at `position` is in."""
        return bisect_right(self.starts, position) - 1

    def row(self, position: int) -> Row:
        """All that is known of the file at `position`."""
        return (
            self.paths[position],
            self.stats[position],
            self.ids[position],
            self.marks[position],
            self.reasons[position],
            self.stale[position],
        )

    def add_folder(self, path: bytes, parent: int, signature: Signature, state: int) -> int:
        """Put a folder without files at the end; answers its number."""
        self.folders.append(path)
        self.parents.append(parent)
        self.folder_stats.append(signature)
        self.states.append(state)
        self.trees.append(b"")
        self.untracked.append(b"")
        self.starts.append(self.starts[-1])
        self.dirty.append(1)
        return len(self.folders) - 1

    def relisted(self, listings: Mapping[int, Sequence[Row]], dropped: Container[int]) -> Table:
        """This table with other files in the folders that `listings` names, and without those `dropped`."""
        new = Table(
            folders=[],
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
        for old, path in enumerate(self.folders):
            if old in dropped:
                continue
            numbers[old] = len(new.folders)
            new.folders.append(path)
            new.parents.append(numbers[self.parents[old]])
            new.folder_stats.append(self.folder_stats[old])
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


def load_table(repository: Repository) -> Table | None:
    """The table that the last snapshot of this working tree left, or `None`.

    It is the caller's alone. One that this process left itself, and that no other has replaced since, need
    not be read from the disk.
    """
    path = repository.patchpoint_folder / _NAME
    kept = _kept.pop(path, None)
    if kept is not None and kept[0] == _file_identity(path):
        table = kept[1]
        return table if table.about.get("worktree") == _identity(repository) else None
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC)
    if data[:head] != _MAGIC or len(data) < head + 4:
        return None
    if zlib.crc32(memoryview(data)[head + 4 :]) != struct.unpack_from("<I", data, head)[0]:
        return None
    try:
        table = _Reader(data, head + 4, repository.id_length).table()
    except (struct.error, ValueError, IndexError):
        return None
    if table.about.get("worktree") != _identity(repository):
        return None
    return table


def keep_table(repository: Repository, table: Table) -> None:
    """Hand `table`, which says what the file says, to the next snapshot that this process takes."""
    path = repository.patchpoint_folder / _NAME
    identity = _file_identity(path)
    if identity is not None and len(table.paths) <= _MOST_KEPT_FILES:
        table.stale = bytearray(len(table.paths))
        table.dirty = bytearray(len(table.folders))
        _kept.clear()
        _kept[path] = (identity, table)


def save_table(repository: Repository, table: Table) -> None:
    """Write `table` for the next snapshot. Failing to is no harm but for speed, and is not told."""
    table.about["worktree"] = _identity(repository)
    parts = list(_parts(table, repository.id_length))
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    path = repository.patchpoint_folder / _NAME
    fresh = path.with_name(f"{_NAME}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(fresh, "wb") as file:
            file.write(_MAGIC + struct.pack("<I", checksum))
            file.writelines(parts)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()


_SPARSE = 64
"""Fewer than one in so many are found faster by looking for each than by going through all."""


def positions(column: bytearray, bits: int) -> list[int]:
    """Where any of `bits` is set."""
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
"""The table of the last snapshot, and which file says the same."""
_MOST_KEPT_FILES = 250_000


def _file_identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _identity(repository: Repository) -> str:
    status = os.stat(repository.worktree)
    return f"{os.fsdecode(repository.worktree)}\n{status.st_dev}:{status.st_ino}"


def _parts(table: Table, width: int) -> list[bytes]:
    nothing = bytes(width)
    parts: list[bytes] = []

    def block(data: bytes) -> None:
        parts.append(struct.pack("<Q", len(data)))
        parts.append(data)

    def signatures(stats: Signatures) -> None:
        for column in stats.columns:
            block(column.tobytes())

    def names(oids: list[bytes]) -> None:
        block(b"".join([oid or nothing for oid in oids]) if b"" in oids else b"".join(oids))

    block(json.dumps(table.about).encode())
    block(b"\x00".join(table.folders))
    block(array("Q", table.parents).tobytes())
    signatures(table.folder_stats)
    block(bytes(table.states))
    names(table.trees)
    names(table.untracked)
    block(array("Q", table.starts).tobytes())
    block(b"\x00".join(table.paths))
    signatures(table.stats)
    names(table.ids)
    block(bytes(table.marks))
    block(bytes(table.reasons))
    block(b"\x00".join(table.ignore_files))
    signatures(table.ignore_stats)
    block(array("Q", table.ignore_digests).tobytes())
    block(b"\x00".join(table.attribute_files))
    return parts


class _Reader:
    """Takes the blocks off, in the order in which `_parts` wrote them."""

    def __init__(self, data: bytes, at: int, width: int) -> None:
        self._data = data
        self._at = at
        self._width = width

    def table(self) -> Table:
        table = Table(
            about=json.loads(self._block()),
            folders=self._block().split(b"\x00"),
            parents=self._numbers().tolist(),
            folder_stats=self._signatures(),
            states=bytearray(self._block()),
            trees=self._names(),
            untracked=self._names(),
            starts=self._numbers().tolist(),
            paths=self._paths(),
            stats=self._signatures(),
            ids=self._names(),
            marks=bytearray(self._block()),
            reasons=bytearray(self._block()),
            ignore_files=self._paths(),
            ignore_stats=self._signatures(),
            ignore_digests=self._numbers().tolist(),
            attribute_files=self._paths(),
        )
        lengths = {len(table.folders), len(table.parents), len(table.folder_stats), len(table.states)}
        lengths |= {len(table.trees), len(table.untracked), len(table.starts) - 1}
        files = {len(table.paths), len(table.stats), len(table.ids), len(table.marks), len(table.reasons)}
        if len(lengths) != 1 or len(files) != 1 or table.starts[-1] != len(table.paths):
            raise ValueError("columns of different lengths")
        table.stale = bytearray(len(table.paths))
        table.dirty = bytearray(len(table.folders))
        return table

    def _block(self) -> bytes:
        (size,) = struct.unpack_from("<Q", self._data, self._at)
        start = self._at + 8
        self._at = start + size
        return self._data[start : self._at]

    def _numbers(self) -> array[int]:
        return array("Q", self._block())

    def _signatures(self) -> Signatures:
        return Signatures([self._numbers() for _ in range(COLUMNS)])

    def _paths(self) -> list[bytes]:
        block = self._block()
        return block.split(b"\x00") if block else []

    def _names(self) -> list[bytes]:
        block, width = self._block(), self._width
        oids = [block[at : at + width] for at in range(0, len(block), width)]
        nothing = bytes(width)
        return [oid if oid != nothing else b"" for oid in oids] if nothing in oids else oids
