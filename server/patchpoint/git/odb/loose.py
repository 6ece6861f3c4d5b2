"""Read loose objects (gitformat-loose). Their hashes are not verified here.

See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
import re
import zlib

from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import READ_FLAGS
from patchpoint.git.odb.ids import KINDS_BY_NAME, RawObjectID

_HEAD = re.compile(rb"([a-z]+) (\d{1,20})\0")
_HEAD_BYTES = 32
_PIECE_BYTES = 1 << 16


def read_loose(objects: bytes, oid: RawObjectID) -> tuple[int, bytes] | None:
    """Return kind (git's number) and content of the object `oid` of the store at `objects`; `None` if it is
    missing or corrupt."""
    try:
        data = zlib.decompress(_read(_path(objects, oid)))
    except (OSError, zlib.error) as error:
        raise_if_exhausted(error)
        return None
    head = _HEAD.match(data)
    if head is None or head[1] not in KINDS_BY_NAME or len(data) - head.end() != int(head[2]):
        return None
    return KINDS_BY_NAME[head[1]], data[head.end() :]


def loose_size(objects: bytes, oid: RawObjectID) -> int | None:
    """Return the size in bytes of the object's content, by its header; `None` if it is missing or corrupt."""
    try:
        begin = _read(_path(objects, oid), 2 * _HEAD_BYTES)
        head = _HEAD.match(zlib.decompressobj().decompress(begin, _HEAD_BYTES))
    except (OSError, zlib.error) as error:
        raise_if_exhausted(error)
        return None
    return int(head[2]) if head else None


def _read(path: bytes, at_most: int | None = None) -> bytes:
    """Return the content of a file, or its first bytes.

    A FIFO or a socket in its place is empty, or an error: nothing is waited for, without a look at each file.
    """
    descriptor = os.open(path, READ_FLAGS)
    try:
        if at_most is not None:
            return os.read(descriptor, at_most)
        parts = []
        while piece := os.read(descriptor, _PIECE_BYTES):
            parts.append(piece)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _path(objects: bytes, oid: RawObjectID) -> bytes:
    digits = oid.hex().encode()
    return os.path.join(objects, digits[:2], digits[2:])
