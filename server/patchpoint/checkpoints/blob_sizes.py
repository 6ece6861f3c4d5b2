"""Whether the blobs of a store are as large as they should be, by the heads of pack entries and loose files,
without unpacking them.

With it the index's word for a file is checked: where git converted the file on its way in (under a setting
that may be gone by now), or where the blob has been lost, the blob's size is not the file's.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from array import array
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import compress, count
from operator import ne

from patchpoint.checkpoints.loose_objects import loose_size
from patchpoint.checkpoints.pack_file import OFS_DELTA, REF_DELTA, PackFile, entry_head

_HEAD_BYTES = 80
"""Enough for the head of a pack entry and the first bytes of its content."""
_MOST_LINKS = 5
_WORTH_ALL = 16
"""One name wanted of so many in a pack makes it worth to go through all of them."""


def blobs_of_other_size(objects: bytes, expected: Mapping[bytes, int], width: int) -> set[bytes]:
    """Those of the blobs `expected` (bytes by raw name) that are of another size in the store at `objects` or
    in one that it borrows from, or not there (or not readable in a plain way)."""
    other: set[bytes] = set()
    missing = expected
    for folder in _stores(objects):
        for stem in _packs_by_size(folder):
            if not missing:
                return other
            with suppress(OSError, ValueError, struct.error, IndexError, zlib.error):
                oids, wanted, sizes = _sizes_in_pack(PackFile(stem, width), missing)
                other.update(compress(oids, map(ne, wanted, sizes)))
                missing = _without(missing, oids)
        loose = {oid: size for oid in missing if (size := loose_size(folder, oid)) is not None}
        other.update([oid for oid, size in loose.items() if size != missing[oid]])
        missing = _without(missing, loose)
    return other.union(missing)


def _without(sizes: Mapping[bytes, int], oids: Collection[bytes]) -> Mapping[bytes, int]:
    if not oids:
        return sizes
    if len(oids) == len(sizes):
        return {}
    gone = set(oids)
    return {oid: size for oid, size in sizes.items() if oid not in gone}


def _stores(objects: bytes) -> list[bytes]:
    """The store and those it borrows from, directly or not."""
    found = [objects]
    for folder in found:
        if len(found) > _MOST_LINKS:
            break
        with suppress(OSError), open(os.path.join(folder, b"info", b"alternates"), "rb") as file:
            found += [
                os.path.join(folder, line) for line in file.read().split(b"\n") if line[:1] not in (b"", b"#")
            ]
    return found


def _packs_by_size(folder: bytes) -> list[bytes]:
    """The packs of a store without their endings, the largest first."""
    packs: list[tuple[int, bytes]] = []
    with suppress(OSError), os.scandir(os.path.join(folder, b"pack")) as entries:
        packs = [(entry.stat().st_size, entry.path[:-4]) for entry in entries if entry.name.endswith(b".idx")]
    return [stem for _, stem in sorted(packs, reverse=True)]


def _sizes_in_pack(pack: PackFile, expected: Mapping[bytes, int]) -> tuple[list[bytes], list[int], list[int]]:
    """Those of the objects `expected` that are in the pack, the sizes they should have and those they have.

    With sixty thousand objects it is the looking up of names that takes the time, each in another corner of
    the memory: one look a name.
    """
    if len(expected) > pack.count // _WORTH_ALL:
        names = pack.names()
        sizes = list(map(expected.get, names))
        hits = [size is not None for size in sizes]
        oids, positions = list(compress(names, hits)), list(compress(count(), hits))
        wanted = [size for size in sizes if size is not None]
    else:
        found = {oid: at for oid in expected if (at := pack.position(oid)) is not None}
        oids, positions = list(found), list(found.values())
        wanted = [expected[oid] for oid in oids]
    if not positions:
        return [], [], []
    offsets, content = pack.offsets(positions), pack.content
    heads = array("I", b"".join([content[at : at + 4] for at in offsets]))
    if sys.byteorder == "big":
        heads.byteswap()
    # A call for each would cost as much as all the rest.
    there = [
        head & 0xF | head >> 4 & 0x7F0
        if head & _TWO_BYTES == _BLOB_OF_TWO
        else head & 0xF | head >> 4 & 0x7F0 | head >> 5 & 0x3F800
        if head & _THREE_BYTES == _BLOB_OF_THREE
        else _entry_size(content[at : at + _HEAD_BYTES], pack.width)
        for head, at in zip(heads, offsets, strict=True)
    ]
    return oids, wanted, there


_TWO_BYTES, _BLOB_OF_TWO = 0x80F0, 0x00B0
_THREE_BYTES, _BLOB_OF_THREE = 0x8080F0, 0x0080B0
"""The most frequent heads of entries, in a little-endian word: of a blob (3, with the bit that says that its
size goes on) whose size needs two bytes (16 bytes to 2 KB) or three (to 256 KB)."""


def _entry_size(head: bytes, width: int) -> int:
    """The size of the object whose pack entry begins with `head`."""
    kind, size, at = entry_head(head)
    if kind == OFS_DELTA:
        while head[at] & 0x80:
            at += 1
        at += 1
    elif kind == REF_DELTA:
        at += width
    else:
        return size
    # A delta begins with the sizes of what it is made of and of what it makes.
    delta = zlib.decompressobj().decompress(head[at:], 20)
    _, at = _delta_size(delta, 0)
    return _delta_size(delta, at)[0]


def _delta_size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        size |= (byte & 0x7F) << shift
        shift += 7
        at += 1
        if not byte & 0x80:
            return size, at
