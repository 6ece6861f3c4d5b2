"""Find and read loose objects (gitformat-loose). Their hashes are not verified here.

    names = LooseNames(objects)
    loose_sizes(objects, [oid for oid in wanted if oid in names])

To ask for thousands of objects one by one takes several times as long as to list their directories.
See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress

from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import READ_FLAGS
from patchpoint.git.odb.ids import KINDS_BY_NAME, RawObjectID
from patchpoint.text.regex import regex

_HEAD = regex(rb"([a-z]+) (\d{1,20})\0")
_HEAD_BYTES = 32
_BEGIN_BYTES = 512
"""Bytes of a file that hold the header of the object, also behind the longest table of codes: up to 285 bytes
(RFC 1951, 3.2.7)."""
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
    return loose_sizes(objects, [oid]).get(oid)


def loose_sizes(
    objects: bytes, oids: Iterable[RawObjectID], *, longest_read: int = -1
) -> dict[RawObjectID, int]:
    """Return the size in bytes of each object's content, by its header, without those that are missing or
    corrupt.

    Contents of up to `longest_read` bytes are read: one that ends too early has the size -1.
    """
    found: dict[RawObjectID, int] = {}
    for oid in oids:
        try:
            descriptor = os.open(_path(objects, oid), READ_FLAGS)
            try:
                data = os.read(descriptor, _BEGIN_BYTES if longest_read < 0 else _PIECE_BYTES)
                inflater = zlib.decompressobj()
                begin = inflater.decompress(data, _HEAD_BYTES)
                head = _HEAD.match(begin)
                if head is None:
                    continue
                found[oid] = size = int(head[2])
                if size <= longest_read and not _has(size + head.end() - len(begin), descriptor, inflater):
                    found[oid] = -1
            finally:
                os.close(descriptor)
        except (OSError, zlib.error) as error:
            raise_if_exhausted(error)
    return found


class LooseNames:
    """The loose objects of the store at `objects`, by the names of their files, which may be damaged.

    Each directory is listed once, when it is asked for first; what comes later may be missing.
    """

    def __init__(self, objects: bytes) -> None:
        self._objects = objects
        self._listed: dict[int, frozenset[str]] = {}

    def __contains__(self, oid: RawObjectID) -> bool:
        names = self._listed.get(oid[0])
        if names is None:
            names = self._listed[oid[0]] = self._names_in(b"%02x" % oid[0])
        return bool(names) and oid[1:].hex() in names

    def _names_in(self, directory: bytes) -> frozenset[str]:
        try:
            return frozenset(os.listdir(os.fsdecode(os.path.join(self._objects, directory))))
        except OSError as error:
            raise_if_exhausted(error)
            return frozenset()


def _has(size: int, descriptor: int, inflater: zlib._Decompress) -> bool:
    """Return whether `size` more bytes are to be inflated from a file, and no more."""
    data = inflater.unconsumed_tail or os.read(descriptor, _PIECE_BYTES)
    with suppress(zlib.error):
        while data:
            size -= len(inflater.decompress(data))
            data = os.read(descriptor, _PIECE_BYTES)
    return inflater.eof and not size


def _read(path: bytes) -> bytes:
    """Return the content of a file.

    A FIFO or a socket in its place is empty, or an error: nothing is waited for, without a look at each file.
    """
    descriptor = os.open(path, READ_FLAGS)
    try:
        parts = []
        while piece := os.read(descriptor, _PIECE_BYTES):
            parts.append(piece)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _path(objects: bytes, oid: RawObjectID) -> bytes:
    digits = oid.hex().encode()
    return b"%b/%b/%b" % (objects, digits[:2], digits[2:])
