"""The object stores of a repository, its own and its alternates, and the packs in each.

Only names and stats are read here; `pack_file.py` reads a pack.
"""

from __future__ import annotations

import os
from contextlib import suppress

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import read_file_bytes

_MOST_ALTERNATES = 5
_LEAST_PACK_BYTES = 32
"""Bytes of the shortest pack: its header and a checksum."""


@dataclass(frozen=True, slots=True)
class StoredPack:
    """A pack in a store that has an index, as the file system has both; another one of the same name differs.

    The pack's own time says nothing: git and `ObjectWriter` renew it, so that the pack is kept.
    """

    stem: bytes
    """Its path without the ending."""
    index: tuple[int, int, int]
    """Inode, modification time in nanoseconds and size of the index."""
    pack: tuple[int, int]
    """Inode and size of the pack."""


def object_stores(objects: bytes) -> list[bytes]:
    """Return the store at `objects` and its alternates, direct or not."""
    found = [objects]
    for store in found:
        if len(found) > _MOST_ALTERNATES:
            break
        try:
            lines = read_file_bytes(os.path.join(store, b"info", b"alternates")).split(b"\n")
        except OSError as error:
            raise_if_exhausted(error)
            continue
        found += [os.path.join(store, line) for line in lines if line[:1] not in (b"", b"#")]
    return found


def stored_pack(stem: bytes) -> StoredPack:
    """Return the pack at this path, without its ending. Raises `OSError`."""
    return _stored_pack(stem, os.stat(stem + b".idx"), os.stat(stem + b".pack"))


def packs_in(store: bytes) -> list[StoredPack]:
    """Return the packs in a store that have an index and can hold an object, the one with the largest index
    first."""
    indexes: list[os.DirEntry[bytes]] = []
    packs: dict[bytes, os.DirEntry[bytes]] = {}
    try:
        with os.scandir(os.path.join(store, b"pack")) as entries:
            for entry in entries:
                if entry.name.endswith(b".idx"):
                    indexes.append(entry)
                elif entry.name.endswith(b".pack"):
                    packs[entry.path[:-5]] = entry
    except OSError as error:
        raise_if_exhausted(error)
    found: list[StoredPack] = []
    for entry in indexes:
        stem = entry.path[:-4]
        with suppress(OSError, KeyError):
            index, pack = entry.stat(), packs[stem].stat()
            if pack.st_size >= _LEAST_PACK_BYTES:
                found.append(_stored_pack(stem, index, pack))
    return sorted(found, key=lambda each: each.index[2], reverse=True)


def _stored_pack(stem: bytes, index: os.stat_result, pack: os.stat_result) -> StoredPack:
    return StoredPack(stem, (index.st_ino, index.st_mtime_ns, index.st_size), (pack.st_ino, pack.st_size))
