"""Read git's index: versions 2 to 4, split and sparse ones, SHA-1 and SHA-256 (gitformat-index).

    index = read_index(repository)                  # an empty one when there is none
    index.paths[i], index.ids[i], index.modes[i], index.flags[i], index.stat(i)

Kept in columns, one value an entry, in the index's order (by path, then stage): a loop over sixty thousand
small objects would cost more than reading the file. See docs/decisions/index-reader.md.
"""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.errors import SnapshotFailedError
from patchpoint.git.odb.ids import RawObjectID
from patchpoint.git.repository import Repository

ASSUME_VALID = 0x8000
_EXTENDED = 0x4000
STAGE = 0x3000
"""The bits of the stage: 0, or 1 to 3 (shifted) of a path in conflict."""
_NAME_LENGTH = 0xFFF
SKIP_WORKTREE = 0x40000000
INTENT_TO_ADD = 0x20000000
"""The second word of flags is above the first."""

STAT_WORDS = 10
"""32-bit words at the beginning of an entry: ctime (s, ns), mtime (s, ns), dev, ino, mode, uid, gid, size."""

_HEADER = 12
_STAT_SIZE = STAT_WORDS * 4
_MODE_WORD = 6
_MODE = slice(_MODE_WORD * 4, _MODE_WORD * 4 + 4)
_COMPRESSED_PATHS = 4
"""The version in which a path is stored as its difference from the one before."""
_COMPARED_AT_ONCE = 512
_WORTH_KEEPING = 64 << 20
"""Bytes; a larger index is not kept in memory, and each read parses all of it."""

UNDER_WAY = frozenset(
    {
        *("MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "MERGE_AUTOSTASH", "SQUASH_MSG", "AUTO_MERGE"),
        *("CHERRY_PICK_HEAD", "REVERT_HEAD", "sequencer", "rebase-merge", "rebase-apply", "BISECT_LOG"),
    }
)
"""What is in the git directory while git is in the middle of a merge or the like: see `under_way.py`."""

SPARSE_DIRECTORY = 0o040000
GITLINK = 0o160000
SYMLINK = 0o120000


@dataclass(slots=True)
class IndexFile:
    """The entries of an index, and the trees of its TREE extension."""

    paths: list[bytes] = field(default_factory=list)
    """Relative to the working tree; that of a directory left out by a sparse index ends with `/`."""
    ids: list[RawObjectID] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    stats: array[int] = field(default_factory=lambda: array("I"))
    """`STAT_WORDS` words for each entry."""
    trees: dict[bytes, RawObjectID] = field(default_factory=dict)
    """The TREE extension: the tree of each directory (`b""` the root) whose entries are all as in that tree.
    Intent-to-add entries are in none of them."""
    mtime: tuple[int, int] = (0, 0)
    """Seconds and nanoseconds at which the index was written: entries not older than that are racy."""
    signature: bytes = b""
    """Changes whenever the index does."""
    entries_signature: bytes = b""
    """The signature of an index that had the same paths, modes and flags: this one, or an earlier one."""
    data: bytes = b""
    """The content of the file, for comparison with that of the next read; empty when it is not kept."""
    starts: array[int] = field(default_factory=lambda: array("Q"))
    """The offset in `data` of each entry, and of the end of the last one."""

    def __len__(self) -> int:
        return len(self.paths)


def index_signature(repository: Repository) -> bytes:
    """Return what changes whenever the index does: times, size and inode of the file; empty if missing."""
    try:
        status = os.stat(_index_path(repository))
    except OSError:
        return b""
    return struct.pack(
        "<QQQQ", status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & 0xFFFFFFFFFFFFFFFF
    )


def names_under_way(repository: Repository) -> frozenset[str]:
    """Return those of the names `UNDER_WAY` that are in the git directory."""
    try:
        return UNDER_WAY.intersection(
            () if repository.private else os.listdir(os.fsdecode(repository.gitdir))
        )
    except OSError:
        return frozenset()


def read_index(repository: Repository) -> IndexFile:
    """Return the index of the working tree; an empty one if there is none.

    Raises `SnapshotFailedError` when the file is damaged or has a required extension that is unknown here.
    """
    path = _index_path(repository)
    for _ in range(3):
        signature = index_signature(repository)
        if not signature:
            return IndexFile()
        try:
            data = read_file_bytes(path)
        except FileNotFoundError:
            return IndexFile()
        except OSError as error:
            raise SnapshotFailedError(
                f"The index '{os.fsdecode(path)}' cannot be read ({error.strerror}); check its permissions."
            ) from error
        if index_signature(repository) == signature:
            break
    index = _parsed(data, repository, path, _kept.get(path))
    index.signature = signature
    index.entries_signature = index.entries_signature or signature
    _kept.clear()
    if index.data:
        _kept[path] = index
    seconds, nanoseconds = divmod(struct.unpack_from("<Q", signature)[0], 1_000_000_000)
    index.mtime = (seconds, nanoseconds)
    return index


def _index_path(repository: Repository) -> bytes:
    return os.path.join(repository.gitdir, b"index")


_kept: dict[bytes, IndexFile] = {}
"""The index that was read last, by its path: git rewrites the whole file when it notes that a file was
touched, and few of its entries differ then."""


def _parsed(data: bytes, repository: Repository, path: bytes, kept: IndexFile | None = None) -> IndexFile:
    try:
        return _parse(data, repository, path, kept)
    except (struct.error, IndexError, ValueError) as error:
        raise _damaged(path, "it is truncated") from error


def _damaged(path: bytes, why: str) -> SnapshotFailedError:
    return SnapshotFailedError(
        f"The index '{os.fsdecode(path)}' is damaged ({why}); 'git status' has details; to recreate it, "
        "delete it and run 'git reset'."
    )


def _parse(data: bytes, repository: Repository, path: bytes, kept: IndexFile | None) -> IndexFile:
    width = repository.id_length
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise _damaged(path, f"signature {signature!r}, version {version}")
    body = len(data) - width
    stored = data[body:]
    if (
        any(stored)
        and hashlib.new(repository.object_format, data[:body], usedforsecurity=False).digest() != stored
    ):
        raise _damaged(path, "its checksum is wrong")
    index = _with_other_content(kept, data, width) if kept is not None else None
    if index is None:
        index = IndexFile()
        _read_entries(index, data, version, count, width)
    end = index.starts[-1]
    link: bytes | None = None
    while end + 8 <= body:
        name, size = struct.unpack_from(">4sI", data, end)
        content = data[end + 8 : end + 8 + size]
        end += 8 + size
        if name == b"TREE":
            index.trees = dict(_cached_trees(content, width))
        elif name == b"link":
            link = content
        elif name != b"sdir" and not 0x41 <= name[0] <= 0x5A:
            raise SnapshotFailedError(
                f"The index '{os.fsdecode(path)}' has the extension '{name.decode('ascii', 'replace')}', "
                "which is not supported; no checkpoint can be taken of this working tree."
            )
    if link is not None and any(link[:width]):
        _join_split(index, link, repository, path)
    elif version != _COMPRESSED_PATHS and len(data) <= _WORTH_KEEPING:
        index.data = data
    return index


def _with_other_content(before: IndexFile, data: bytes, width: int) -> IndexFile | None:
    """Return the entries of `data` if they differ from those of the index `before` only in ids, times and
    sizes; otherwise `None`."""
    old, starts = before.data, before.starts
    end = starts[-1]
    if data[:_HEADER] != old[:_HEADER] or len(data) < end:
        return None
    ids, stats = before.ids.copy(), before.stats[:]
    entry = 0
    for at in range(_HEADER, end, _COMPARED_AT_ONCE):
        stop = min(at + _COMPARED_AT_ONCE, end)
        if data[at:stop] == old[at:stop]:
            continue
        entry = max(entry, bisect_right(starts, at) - 1)
        while starts[entry] < stop:
            new, known = data[starts[entry] : starts[entry + 1]], old[starts[entry] : starts[entry + 1]]
            if new != known:
                rest = _STAT_SIZE + width
                if new[rest:] != known[rest:] or new[_MODE] != known[_MODE]:
                    return None
                ids[entry] = RawObjectID(new[_STAT_SIZE:rest])
                stats[entry * STAT_WORDS : (entry + 1) * STAT_WORDS] = _words(new[:_STAT_SIZE])
            entry += 1
    return IndexFile(
        before.paths,
        ids,
        before.modes,
        before.flags,
        stats,
        entries_signature=before.entries_signature,
        starts=starts,
    )


def _read_entries(index: IndexFile, data: bytes, version: int, count: int, width: int) -> None:
    """Fill the columns of `index`."""
    paths, ids, flag_column, starts = index.paths, index.ids, index.flags, index.starts
    words: list[bytes] = []
    head = struct.Struct(f">{width}sH")
    unpack, size, find = head.unpack_from, _STAT_SIZE + head.size, data.index
    at = _HEADER
    previous = b""
    for _ in range(count):
        starts.append(at)
        oid, flags = unpack(data, at + _STAT_SIZE)
        start = at + size
        if flags & _EXTENDED:
            flags |= (data[start] << 8 | data[start + 1]) << 16
            start += 2
        if version == _COMPRESSED_PATHS:
            strip, start = _variable_width(data, start)
            stop = find(0, start)
            name = previous[: len(previous) - strip] + data[start:stop]
            previous = name
            end = stop + 1
        else:
            length = flags & _NAME_LENGTH
            stop = start + length if length < _NAME_LENGTH else find(0, start)
            name = data[start:stop]
            end = at + (stop - at + 8 & ~7)
        paths.append(name)
        ids.append(oid)
        flag_column.append(flags)
        words.append(data[at : at + _STAT_SIZE])
        at = end
    starts.append(at)
    index.stats = _words(b"".join(words))
    index.modes = index.stats[_MODE_WORD::STAT_WORDS].tolist()


def _words(data: bytes) -> array[int]:
    """Return the 32-bit words of `data`, which are big-endian."""
    words = array("I", data)
    if sys.byteorder == "little":
        words.byteswap()
    return words


def _variable_width(data: bytes, at: int) -> tuple[int, int]:
    """Return git's variable-width integer (as in the offsets of packs) at `at`, and where it ends."""
    byte = data[at]
    at += 1
    value = byte & 0x7F
    while byte & 0x80:
        byte = data[at]
        at += 1
        value = (value + 1 << 7) | (byte & 0x7F)
    return value, at


def _cached_trees(content: bytes, width: int) -> Iterator[tuple[bytes, RawObjectID]]:
    """Yield directory and tree of each valid entry of the TREE extension; the entries are in pre-order."""
    at = 0
    above: list[tuple[bytes, int]] = []
    while at < len(content):
        stop = content.index(0, at)
        line = content.index(b"\n", stop)
        entries, subtrees = content[stop + 1 : line].split(b" ")
        directory = (above[-1][0] + b"/" if above and above[-1][0] else b"") + content[at:stop]
        if above:
            above[-1] = (above[-1][0], above[-1][1] - 1)
        at = line + 1
        if int(entries) >= 0:
            yield directory, RawObjectID(content[at : at + width])
            at += width
        above.append((directory, int(subtrees)))
        while above and above[-1][1] == 0:
            above.pop()


def _join_split(index: IndexFile, link: bytes, repository: Repository, path: bytes) -> None:
    """Replace the entries of a split index by all: those of the shared index without the deleted ones, with
    the replaced ones (their paths are empty), and with the added ones."""
    width = repository.id_length
    name = b"sharedindex." + link[:width].hex().encode()
    shared_path = os.path.join(repository.gitdir, name)
    try:
        shared = _parsed(read_file_bytes(shared_path), repository, shared_path)
    except OSError as error:
        raise _damaged(path, f"its part '{name.decode()}' cannot be read") from error
    deleted, replaced = _bitmaps(link[width:])
    for order, position in enumerate(sorted(replaced)):
        shared.ids[position] = index.ids[order]
        shared.modes[position] = index.modes[order]
        shared.flags[position] = index.flags[order]
        words = index.stats[order * STAT_WORDS : (order + 1) * STAT_WORDS]
        shared.stats[position * STAT_WORDS : (position + 1) * STAT_WORDS] = words
    kept = [position for position in range(len(shared)) if position not in deleted]
    added = list(range(len(replaced), len(index)))
    sources = [(shared, i) for i in kept] + [(index, i) for i in added]
    sources.sort(key=lambda each: (each[0].paths[each[1]], each[0].flags[each[1]] & STAGE))
    joined = IndexFile()
    for source, i in sources:
        joined.paths.append(source.paths[i])
        joined.ids.append(source.ids[i])
        joined.modes.append(source.modes[i])
        joined.flags.append(source.flags[i])
        joined.stats.extend(source.stats[i * STAT_WORDS : (i + 1) * STAT_WORDS])
    index.paths, index.ids, index.modes = joined.paths, joined.ids, joined.modes
    index.flags, index.stats = joined.flags, joined.stats


def _bitmaps(content: bytes) -> tuple[set[int], set[int]]:
    """Return the positions deleted and replaced, from the `link` extension (two EWAH bitmaps)."""
    if not content:
        return set(), set()
    deleted, size = _bitmap(content)
    replaced, _ = _bitmap(content[size:])
    return deleted, replaced


def _bitmap(content: bytes) -> tuple[set[int], int]:
    """Return the bits set in the EWAH bitmap that `content` begins with, and its size in bytes."""
    _, words = struct.unpack_from(">II", content)
    size = 8 + words * 8 + 4
    from dulwich.bitmap import EWAHBitmap

    return EWAHBitmap(content[:size]).bits, size
