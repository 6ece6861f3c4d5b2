"""Write one pack and its index (gitformat-pack), and compress content for it.

All in one thread: zlib releases the interpreter while it works, but threads that compress small objects wait
for the interpreter longer than they save (measured). See docs/decisions/packs.md.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from contextlib import suppress
from typing import BinaryIO

from dulwich.object_format import SHA1
from dulwich.pack import pack_object_header, write_pack_index_v2

from patchpoint.filesystem.atomic_write import put_in_place
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.open_to_read import open_to_read
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
_KEEP, _KEPT_BY_US = b".keep", b"patchpoint: until the checkpoint has its ref\n"
"""The extension of the file that makes git keep a pack, and its content if it is ours."""
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
    """

    def __init__(self, directory: bytes, object_format: str, *, fast: bool = False) -> None:
        self._fast = fast
        os.makedirs(directory, exist_ok=True)
        self._format = object_format
        self._path = directory
        self._directory = OpenDirectory(directory)
        try:
            self._pack = self._directory.create_temporary(b"tmp_pack_")
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
        head = pack_object_header(kind, None, len(content), SHA1)  # the format matters to deltas only
        data = head + compressed(kind, content, fast=self._fast)
        self._entries.append((oid, self._offset, zlib.crc32(data)))
        self._file.write(data)
        self._offset += len(data)

    def finish(self) -> None:
        """Write the index, and put both in place durably; the pack first, for git finds packs by their
        indexes.

        The pack is kept, as those of git's own fetch are until its refs exist, until `release_kept_packs`: a
        `git repack -ad` removes what no ref reaches yet, without regard to its age.
        """
        self._file.seek(4)
        self._file.write(struct.pack(">II", 2, len(self._entries)))
        checksum = _file_digest(self._file, self._format)
        self._file.write(checksum)
        self._file.close()
        self._pack.set_permissions(0o444)
        entries = sorted(self._entries)
        ids = hashlib.new(self._format, b"".join([oid for oid, _, _ in entries]), usedforsecurity=False)
        stem = b"pack-" + ids.hexdigest().encode()
        index = self._directory.create_temporary(b"tmp_idx_")
        try:
            with open(index.descriptor, "wb", closefd=False) as file:
                write_pack_index_v2(file, entries, checksum)
            index.set_permissions(0o444)
            _keep(os.path.join(self._path, stem + _KEEP))
            put_in_place([(self._pack, stem + b".pack"), (index, stem + b".idx")])
        finally:
            index.discard()
        self._directory.close()

    def discard(self) -> None:
        """Delete what was written; does nothing after `finish`."""
        with suppress(OSError, ValueError):
            self._file.close()
        self._pack.discard()
        self._directory.close()


def release_kept_packs(directory: bytes) -> None:
    """Let git repack the packs in `directory` that `PackWriter` kept; those that others keep stay kept.

    The caller holds the lock of the checkpoints, and the refs exist: then a mark of ours that is there still
    was left by this turn, or by a process that died.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(_KEEP):
                with suppress(OSError):
                    if _content(entry.path) == _KEPT_BY_US:
                        os.unlink(entry.path)


def _keep(place: bytes) -> None:
    """Create the file that makes git keep a pack, unless it is there."""
    with suppress(FileExistsError):
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, _KEPT_BY_US)
        finally:
            os.close(descriptor)


def _content(place: bytes) -> bytes:
    with open_to_read(place) as file:
        return file.read(len(_KEPT_BY_US) + 1)


def _file_digest(file: BinaryIO, object_format: str) -> bytes:
    """Return the digest of the whole file, and leave the position at its end."""
    digest = hashlib.new(object_format, usedforsecurity=False)
    file.seek(0)
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.digest()
