"""How large many objects of a store are, read from the heads of pack entries and loose files without
unpacking them.

With it the index's word for a file is checked: where git converted the file on its way in (under a setting
that may be gone by now), or where the blob has been lost, the blob's size is not the file's.
"""

from __future__ import annotations

import mmap
import os
import re
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress

from patchpoint.checkpoints.packs import OFS_DELTA, REF_DELTA, entry_head

_INDEX_HEAD = 8 + 1024
"""Bytes of a version 2 pack index before the names: magic, version and fan-out."""
_FAR = 1 << 31
_LONG_BLOB = 8 | 3
"""The upper half of an entry's first byte: a blob, and its size goes on in the next byte."""
_HEAD_BYTES = 80
"""Enough for the head of a pack entry and the first bytes of its content."""
_MOST_LINKS = 5
_WORTH_ALL = 16
"""One name wanted of so many in a pack makes it worth to go through all of them."""


def blob_sizes(objects: bytes, wanted: Iterable[bytes], width: int) -> dict[bytes, int]:
    """The sizes of the objects with the raw names `wanted` that are in the store at `objects` or in one
    that it borrows from; those that are not there (or not readable in a plain way) are missing from the
    answer."""
    missing = set(wanted)
    found: dict[bytes, int] = {}
    for folder in _stores(objects):
        for stem in _packs_by_size(folder):
            if not missing:
                return found
            with suppress(OSError, ValueError, struct.error, IndexError, zlib.error):
                found.update(_sizes_in_pack(stem, missing, width))
                missing -= found.keys()
        for oid in list(missing):
            size = _loose_size(folder, oid)
            if size is not None:
                found[oid] = size
                missing.discard(oid)
    return found


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


def _sizes_in_pack(stem: bytes, wanted: set[bytes], width: int) -> dict[bytes, int]:
    with open(stem + b".idx", "rb") as file:
        index = file.read()
    if index[:8] != b"\xfftOc\x00\x00\x00\x02":
        return {}
    (count,) = struct.unpack_from(">I", index, _INDEX_HEAD - 4)
    names_end = _INDEX_HEAD + count * width
    near = array("I", index[names_end + 4 * count : names_end + 8 * count])
    if struct.pack("=I", 1) != struct.pack(">I", 1):
        near.byteswap()
    sizes: dict[bytes, int] = {}
    with (
        open(stem + b".pack", "rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pack,
    ):
        for oid, at in _positions(index, count, width, wanted):
            offset = near[at]
            if offset >= _FAR:
                (offset,) = struct.unpack_from(">Q", index, names_end + 8 * count + 8 * (offset - _FAR))
            first, second = pack[offset], pack[offset + 1]
            # The most frequent cases, for which a call would cost as much as all the rest: a blob of 16 bytes
            # to 2 KB, or to 256 KB, that is no delta.
            if first >> 4 != _LONG_BLOB:
                sizes[oid] = _entry_size(pack[offset : offset + _HEAD_BYTES], width)
            elif second < 0x80:
                sizes[oid] = first & 15 | second << 4
            elif (third := pack[offset + 2]) < 0x80:
                sizes[oid] = first & 15 | (second & 0x7F) << 4 | third << 11
            else:
                sizes[oid] = _entry_size(pack[offset : offset + _HEAD_BYTES], width)
    return sizes


def _positions(index: bytes, count: int, width: int, wanted: set[bytes]) -> Iterator[tuple[bytes, int]]:
    """Those of the `wanted` names that stand in a pack index, each with its position there."""
    names_end = _INDEX_HEAD + count * width
    if len(wanted) > count // _WORTH_ALL:
        names: list[bytes] = re.findall(b"(?s).{%d}" % width, index[_INDEX_HEAD:names_end])
        yield from [(oid, at) for at, oid in enumerate(names) if oid in wanted]
        return
    ends = struct.unpack_from(">256I", index, 8)
    for oid in wanted:
        start = _INDEX_HEAD + (ends[oid[0] - 1] if oid[0] else 0) * width
        end = _INDEX_HEAD + ends[oid[0]] * width
        at = index.find(oid, start, end)
        while at >= 0 and (at - _INDEX_HEAD) % width:
            at = index.find(oid, at + 1, end)
        if at >= 0:
            yield oid, (at - _INDEX_HEAD) // width


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


def _loose_size(folder: bytes, oid: bytes) -> int | None:
    name = oid.hex().encode()
    try:
        descriptor = os.open(
            os.path.join(folder, name[:2], name[2:]), os.O_RDONLY | getattr(os, "O_BINARY", 0)
        )
    except OSError:
        return None
    try:
        head = zlib.decompressobj().decompress(os.read(descriptor, 64), 32)
    except (OSError, zlib.error):
        return None
    finally:
        os.close(descriptor)
    found = re.match(rb"[a-z]+ (\d+)\x00", head)
    return int(found[1]) if found else None
