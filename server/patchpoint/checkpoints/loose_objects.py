"""Objects that stand in a store as files of their own (gitformat-loose). What is read is not proven here."""

from __future__ import annotations

import os
import re
import zlib

KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}
"""Git's numbers of the kinds of object."""
_HEAD = re.compile(rb"([a-z]+) (\d{1,20})\0")
_HEAD_BYTES = 32


def read_loose(objects: bytes, oid: bytes) -> tuple[int, bytes] | None:
    """Kind (git's number) and content of the object with this raw name; `None` when it does not stand there
    in a readable way."""
    try:
        with open(_place(objects, oid), "rb") as file:
            data = zlib.decompress(file.read())
    except (OSError, zlib.error):
        return None
    head = _HEAD.match(data)
    if head is None or head[1] not in KINDS or len(data) - head.end() != int(head[2]):
        return None
    return KINDS[head[1]], data[head.end() :]


def loose_size(objects: bytes, oid: bytes) -> int | None:
    """How many bytes the content of the object with this raw name has, likewise."""
    try:
        with open(_place(objects, oid), "rb", buffering=0) as file:
            head = _HEAD.match(zlib.decompressobj().decompress(file.read(2 * _HEAD_BYTES), _HEAD_BYTES))
    except (OSError, zlib.error):
        return None
    return int(head[2]) if head else None


def _place(objects: bytes, oid: bytes) -> bytes:
    name = oid.hex().encode()
    return os.path.join(objects, name[:2], name[2:])
