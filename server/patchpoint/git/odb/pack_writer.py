"""Write one pack and its index (gitformat-pack), and compress content for it.

All in one thread: zlib releases the interpreter while it works, but threads that compress small objects wait
for the interpreter longer than they save (measured). See docs/decisions/packs.md.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import BinaryIO

from patchpoint.filesystem.atomic_write import put_in_place
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.git.odb.ids import TREE, RawObjectID

_LEVEL = 1
"""zlib's level for all but trees: on source text level 6 takes half as long again for a tenth fewer bytes
(measured). Trees are stored uncompressed: most of a tree is object ids, which do not compress, and trying
takes zlib fifteen times as long as copying."""
_SMALL, _SMALL_WINDOW = 4096, 12
"""Bytes of small content, and the power of 2 that is the window it fits into. Initialising the usual window,
of 32 KiB, takes zlib longer than compressing a small text: the small one halves the time and costs no byte
(measured)."""
_STORED, _LENGTHS, _LARGEST_STORED = b"\x78\x01\x01", struct.Struct("<HH"), 0xFFFF
"""zlib's format of uncompressed content, in one block, the last (RFC 1950 and 1951): making it with zlib
costs three times as much as hashing the content."""
KEEP = b".keep"
"""The ending of the file that makes git keep a pack."""
TEMPORARY_PREFIX = b"patchpoint-tmp-"
"""Of the files of a pack that is being written. Not `tmp_`: what begins so, a `git prune --expire=now`
deletes however new it is."""
_LARGE = 1 << 31
"""The first offset that is not in the table of four bytes each, but in one behind it."""
_Entry = tuple[RawObjectID, int, int]
"""Id, offset in the pack, CRC-32 of the entry."""


def compressed(kind: int, content: bytes, *, fast: bool = False) -> bytes:
    """Return `content`, of an object of this kind (git's number), in zlib's format; `fast` does not compress
    small content."""
    size = len(content)
    small = size <= _SMALL
    if (kind == TREE or (small and fast)) and size <= _LARGEST_STORED:
        check = zlib.adler32(content)
        return b"%b%b%b%b" % (_STORED, _LENGTHS.pack(size, size ^ 0xFFFF), content, check.to_bytes(4, "big"))
    level = 0 if kind == TREE else _LEVEL
    packer = zlib.compressobj(level, wbits=_SMALL_WINDOW if small else zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


class PackWriter:
    """One pack as it grows, in a temporary file of its directory.

    Ends with `finish`, after which it is on the disk under its name, or with `discard`. Raises `OSError` when
    it cannot be written.

    Git keeps the pack as long as there is a file of its name that ends in `.keep`, which will hold `mark`.
    """

    def __init__(self, directory: bytes, object_format: str, mark: bytes, *, fast: bool = False) -> None:
        self._fast = fast
        self._mark = mark
        os.makedirs(directory, exist_ok=True)
        self._format = object_format
        self._path = directory
        self._directory = OpenDirectory(directory)
        try:
            self._pack = self._directory.create_temporary(TEMPORARY_PREFIX)
        except BaseException:
            self._directory.close()
            raise
        self._file = open(  # noqa: SIM115 - closed by finish or discard
            self._pack.descriptor, "r+b", buffering=1 << 20, closefd=False
        )
        self._file.write(b"PACK" + struct.pack(">II", 2, 0))
        self._offset = 12
        self._entries: list[_Entry] = []

    def add(self, oid: RawObjectID, kind: int, content: bytes) -> None:
        """Add the object with this id, kind (git's number) and content."""
        self.add_entry(oid, _head(kind, len(content)) + compressed(kind, content, fast=self._fast))

    def add_entry(self, oid: RawObjectID, entry: bytes | bytearray) -> None:
        """Add the object with this id as the entry of another pack, which is no delta."""
        self._entries.append((oid, self._offset, zlib.crc32(entry)))
        self._file.write(entry)
        self._offset += len(entry)

    def finish(self, meanwhile: Callable[[], None] | None = None) -> bytes:
        """Write the index, and put both in place durably; return the path of the pack without its ending.

        While the disk is waited for, `meanwhile` is done.

        The pack comes first, for git finds packs by their indexes, and what makes git keep it before that: a
        `git repack -ad` deletes what it has seen without, also when no ref reaches it yet. The name is a new
        one: a `git repack` that runs deletes packs by their names.
        """
        self._file.seek(4)
        self._file.write(struct.pack(">II", 2, len(self._entries)))
        checksum = _file_digest(self._file, self._format)
        self._file.write(checksum)
        self._file.close()
        self._pack.set_permissions(0o444)
        entries = sorted(self._entries)
        stem = new_pack_name(self._format)
        index = self._directory.create_temporary(TEMPORARY_PREFIX)
        try:
            with open(index.descriptor, "wb", closefd=False) as file:
                file.write(index_of(entries, checksum, self._format))
            index.set_permissions(0o444)
            self._directory.write_new(stem + KEEP, self._mark, permissions=0o600)
            put_in_place([(self._pack, stem + b".pack"), (index, stem + b".idx")], meanwhile)
        finally:
            index.discard()
        self._directory.close()
        return os.path.join(self._path, stem)

    def discard(self) -> None:
        """Delete what was written; does nothing after `finish`."""
        with suppress(OSError, ValueError):
            self._file.close()
        self._pack.discard()
        self._directory.close()


def new_pack_name(object_format: str) -> bytes:
    """Return a name for a pack, without an ending, that no pack has had."""
    return b"pack-" + os.urandom(hashlib.new(object_format).digest_size).hex().encode()


def index_of(entries: Sequence[_Entry], checksum: bytes, object_format: str) -> bytes:
    """Return the index (version 2) of a pack with this checksum and these entries, in the order of ids."""
    beginnings = Counter(oid[0] for oid, _, _ in entries)
    large = [offset for _, offset, _ in entries if offset >= _LARGE]
    places = iter(range(_LARGE, _LARGE + len(large)))
    up_to = accumulate(beginnings[first] for first in range(256))
    content = b"".join(
        (
            b"\xfftOc",
            struct.pack(">257I", 2, *up_to),
            *(oid for oid, _, _ in entries),
            struct.pack(f">{len(entries)}I", *(crc for _, _, crc in entries)),
            struct.pack(
                f">{len(entries)}I",
                *(offset if offset < _LARGE else next(places) for _, offset, _ in entries),
            ),
            struct.pack(f">{len(large)}Q", *large),
            checksum,
        )
    )
    return content + hashlib.new(object_format, content, usedforsecurity=False).digest()


def _head(kind: int, size: int) -> bytearray:
    """Return what an entry begins with that is no delta: its kind (git's number) and its content's size."""
    head = bytearray()
    word, size = kind << 4 | size & 0xF, size >> 4
    while size:
        head.append(word | 0x80)
        word, size = size & 0x7F, size >> 7
    head.append(word)
    return head


def _file_digest(file: BinaryIO, object_format: str) -> bytes:
    """Return the digest of the whole file, and leave the position at its end."""
    digest = hashlib.new(object_format, usedforsecurity=False)
    file.seek(0)
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.digest()
