"""Read loose objects (gitformat-loose). Their hashes are not verified here.

See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
import re
import zlib

from patchpoint.git.odb.ids import KINDS_BY_NAME, RawObjectID

_HEAD = re.compile(rb"([a-z]+) (\d{1,20})\0")
_HEAD_BYTES = 32


def read_loose(objects: bytes, oid: RawObjectID) -> tuple[int, bytes] | None:
    """Return kind (git's number) and content of the object `oid` of the store at `objects`; `None` if it is
    missing or corrupt."""
    try:
        with open(_path(objects, oid), "rb") as file:
            data = zlib.decompress(file.read())
    except (OSError, zlib.error):
        return None
    head = _HEAD.match(data)
    if head is None or head[1] not in KINDS_BY_NAME or len(data) - head.end() != int(head[2]):
        return None
    return KINDS_BY_NAME[head[1]], data[head.end() :]


def loose_size(objects: bytes, oid: RawObjectID) -> int | None:
    """Return the size in bytes of the object's content, by its header; `None` if it is missing or corrupt."""
    try:
        with open(_path(objects, oid), "rb", buffering=0) as file:
            head = _HEAD.match(zlib.decompressobj().decompress(file.read(2 * _HEAD_BYTES), _HEAD_BYTES))
    except (OSError, zlib.error):
        return None
    return int(head[2]) if head else None


def _path(objects: bytes, oid: RawObjectID) -> bytes:
    digits = oid.hex().encode()
    return os.path.join(objects, digits[:2], digits[2:])
