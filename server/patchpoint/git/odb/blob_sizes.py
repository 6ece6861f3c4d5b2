"""Check blob sizes by object headers, without inflating the objects.

This checks the index's entry for a file: where git converted the file when it was staged (under a setting
that may be gone by now), or where the blob has been lost, the blob's size is not the file's.
See docs/decisions/packs.md.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import compress, count
from operator import ne

from patchpoint.git.odb.ids import OFS_DELTA, REF_DELTA, RawObjectID
from patchpoint.git.odb.loose import LooseNames, loose_sizes
from patchpoint.git.odb.pack_file import PackFile, entry_head
from patchpoint.git.odb.stores import object_stores, packs_in

_HEAD_BYTES = 512
"""Bytes that hold the header of any pack entry and the beginning of its content, which is behind a table of
codes of up to 285 bytes (RFC 1951, 3.2.7)."""
_MOST_INFLATED, _LONGEST_INFLATED = 10_000, 1 << 20
"""Loose blobs, and bytes of one, up to which they are read whole: the end of one may be missing after a power
failure. Git packs more than 6,700 by itself, and reading one takes 20 µs."""
_FULL_SCAN_RATIO = 16
"""All ids of a pack are gone through when more than 1 in 16 of them is wanted."""


def blobs_of_other_size(objects: bytes, expected: Mapping[RawObjectID, int], width: int) -> set[RawObjectID]:
    """Return the ids in `expected` (sizes in bytes by id) whose blob has another size, or is missing or
    unreadable, in the store at `objects` and its alternates; `width` is the length of an id."""
    other: set[RawObjectID] = set()
    missing = expected
    for store in object_stores(objects):
        for stored in packs_in(store):
            if not missing:
                return other
            with suppress(OSError, ValueError, struct.error, IndexError, zlib.error):
                oids, wanted, sizes = _sizes_in_pack(PackFile(stored.stem, width), missing)
                other.update(compress(oids, map(ne, wanted, sizes)))
                missing = _without(missing, oids)
        names = LooseNames(store)
        there = [oid for oid in missing if oid in names]
        longest_read = _LONGEST_INFLATED if len(there) <= _MOST_INFLATED else -1
        loose = loose_sizes(store, there, longest_read=longest_read)
        other.update([oid for oid, size in loose.items() if size != missing[oid]])
        missing = _without(missing, loose)
    return other.union(missing)


def _without(sizes: Mapping[RawObjectID, int], oids: Collection[RawObjectID]) -> Mapping[RawObjectID, int]:
    if not oids:
        return sizes
    if len(oids) == len(sizes):
        return {}
    gone = set(oids)
    return {oid: size for oid, size in sizes.items() if oid not in gone}


def _sizes_in_pack(
    pack: PackFile, expected: Mapping[RawObjectID, int]
) -> tuple[list[RawObjectID], list[int], list[int]]:
    """Return the ids in `expected` that are in the pack, the sizes expected of them and the sizes they have.

    With sixty thousand objects, looking up ids takes most of the time, since each lookup is a cache miss: so
    there is only one for each id.
    """
    if len(expected) > pack.count // _FULL_SCAN_RATIO:
        ids = pack.ids()
        sizes = list(map(expected.get, ids))
        hits = [size is not None for size in sizes]
        oids, positions = list(compress(ids, hits)), list(compress(count(), hits))
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
"""The most frequent headers of entries, as a little-endian word: of a blob (3, with the continuation bit)
whose size needs two bytes (16 bytes to 2 KB) or three (to 256 KB)."""


def _entry_size(head: bytes, width: int) -> int:
    """Return the size of the object whose pack entry begins with `head`."""
    kind, size, at = entry_head(head)
    if kind == OFS_DELTA:
        while head[at] & 0x80:
            at += 1
        at += 1
    elif kind == REF_DELTA:
        at += width
    else:
        return size
    # A delta begins with the sizes of its base and of its result.
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
