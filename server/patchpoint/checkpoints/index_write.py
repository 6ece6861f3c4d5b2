"""Writing git's index: entries, and the trees that are known; none of the extensions that would have to
agree with what they say (untracked cache, file system monitor, offsets, split)."""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from array import array
from collections.abc import Mapping
from contextlib import suppress

from patchpoint.checkpoints.index_read import STAT_WORDS, IndexFile
from patchpoint.checkpoints.repository import Repository

_EXTENDED = 0x4000
_NAME_LENGTH = 0xFFF
_DATA_BITS = 0xB000
"""Of the first word of flags: assume-valid and stage."""
_MODE_WORD = 6
_DEFAULT_MODE = 0o644


def write_index(repository: Repository, index: IndexFile) -> None:
    """Put `index` in place of the working tree's index, durably and at once.

    The entries must be sorted by path, then stage. The caller holds git's lock (`index.lock`).
    """
    data = index_content(index, repository.object_format)
    path = os.path.join(repository.gitdir, b"index")
    try:
        mode = os.stat(path).st_mode & 0o777
    except OSError:
        mode = _DEFAULT_MODE
    fresh = path + b".patchpoint-%d" % os.getpid()
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(fresh)
        raise


def index_content(index: IndexFile, object_format: str) -> bytes:
    """The bytes of an index file."""
    extended = any(flags >> 16 for flags in index.flags)
    stats = array("I", index.stats)
    for at, mode in enumerate(index.modes):
        stats[at * STAT_WORDS + _MODE_WORD] = mode
    if sys.byteorder == "little":
        stats.byteswap()
    words = stats.tobytes()
    size = STAT_WORDS * 4
    parts = [b"DIRC" + struct.pack(">II", 3 if extended else 2, len(index))]
    for at, (path, oid, flags) in enumerate(zip(index.paths, index.ids, index.flags, strict=True)):
        low = flags & _DATA_BITS | min(len(path), _NAME_LENGTH)
        if flags >> 16:
            head = struct.pack(">HH", low | _EXTENDED, flags >> 16)
        else:
            head = struct.pack(">H", low)
        length = size + len(oid) + len(head) + len(path)
        parts.append(b"".join([words[at * size : (at + 1) * size], oid, head, path, bytes(8 - length % 8)]))
    if index.trees:
        trees = _trees(index)
        parts.append(b"TREE" + struct.pack(">I", len(trees)) + trees)
    data = b"".join(parts)
    return data + hashlib.new(object_format, data, usedforsecurity=False).digest()


def _trees(index: IndexFile) -> bytes:
    """The TREE extension: every folder in pre-order, with how many entries and folders are in it."""
    counts: dict[bytes, int] = {b"": 0}
    inside: dict[bytes, set[bytes]] = {b"": set()}
    for path in index.paths:
        counts[b""] += 1
        cut = path.find(b"/")
        above = b""
        while cut >= 0:
            folder = path[:cut]
            counts[folder] = counts.get(folder, 0) + 1
            inside.setdefault(folder, set())
            inside[above].add(folder)
            above = folder
            cut = path.find(b"/", cut + 1)
    parts: list[bytes] = []
    _append_tree(b"", index.trees, counts, inside, parts)
    return b"".join(parts)


def _append_tree(
    folder: bytes,
    trees: Mapping[bytes, bytes],
    counts: Mapping[bytes, int],
    inside: Mapping[bytes, set[bytes]],
    parts: list[bytes],
) -> None:
    tree = trees.get(folder)
    count = counts[folder] if tree is not None else -1
    below = sorted(inside[folder], key=lambda each: (len(each), each))
    parts.append(b"%b\x00%d %d\n%b" % (folder[folder.rfind(b"/") + 1 :], count, len(below), tree or b""))
    for each in below:
        _append_tree(each, trees, counts, inside, parts)
