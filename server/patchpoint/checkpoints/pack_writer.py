"""Writing one pack and its index (gitformat-pack), and how content is packed.

All in one thread: zlib lets go of the interpreter while it works, but threads that pack small objects wait
for the interpreter longer than they save (measured).
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import suppress

COMMIT, TREE, BLOB, TAG = 1, 2, 3, 4
"""Git's numbers of the kinds of object."""

_LEVEL = 1
"""zlib's level for all but trees: on source text level 6 takes half as long again for a tenth fewer bytes
(measured). Trees are stored as they are: most of a tree is object names, in which there is nothing to pack,
and looking for it takes zlib fifteen times as long as copying."""
_SMALL, _SMALL_WINDOW = 4096, 12
"""Content of up to so many bytes fits into a window of 2 to that power. Making ready the usual window, of 32
KiB, takes zlib longer than packing a small text: half of the time goes with it, and no byte more comes out
(measured)."""
_STORED, _LENGTHS, _LARGEST_STORED = b"\x78\x01\x01", struct.Struct("<HH"), 0xFFFF
"""zlib's format of content that is stored as it is, in one block, the last (RFC 1950 and 1951): asking zlib
for it costs three times as much as hashing the content."""
_Entry = tuple[bytes, int, int]
"""Raw name, checksum of what is in the pack, offset there."""


def packed(kind: int, content: bytes, *, hurried: bool = False) -> bytes:
    """`content`, of an object of this kind, as it is stored: in zlib's format. `hurried` stores what is small
    as it is."""
    size = len(content)
    small = size <= _SMALL
    if (kind == TREE or (small and hurried)) and size <= _LARGEST_STORED:
        check = zlib.adler32(content)
        return b"%b%b%b%b" % (_STORED, _LENGTHS.pack(size, size ^ 0xFFFF), content, check.to_bytes(4, "big"))
    level = 0 if kind == TREE else _LEVEL
    packer = zlib.compressobj(level, wbits=_SMALL_WINDOW if small else zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def sync_folders(folders: Iterable[bytes]) -> None:
    """Make the names in `folders` durable, where the system can."""
    if os.name == "nt":
        return
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class PackWriter:
    """One pack as it grows, in a temporary file beside its place.

    Ends with `finish`, after which it is on the disk under its name, or with `discard`. Raises `OSError` when
    it cannot be written.
    """

    def __init__(self, folder: bytes, object_format: str, *, hurried: bool = False) -> None:
        self._hurried = hurried
        os.makedirs(folder, exist_ok=True)
        self._folder = folder
        self._format = object_format
        descriptor, name = tempfile.mkstemp(prefix="tmp_pack_", dir=os.fsdecode(folder))
        self._name = name
        self._file = open(descriptor, "wb", buffering=1 << 20)  # noqa: SIM115 - closed by finish or discard
        self._file.write(b"PACK" + struct.pack(">II", 2, 0))
        self._offset = 12
        self._entries: list[_Entry] = []

    def add(self, oid: bytes, kind: int, content: bytes) -> None:
        """Add the object with this raw name, kind (git's number) and content."""
        data = _entry_head(kind, len(content)) + packed(kind, content, hurried=self._hurried)
        self._entries.append((oid, zlib.crc32(data), self._offset))
        self._file.write(data)
        self._offset += len(data)

    def finish(self) -> None:
        """Write the index, and put both in place, durably."""
        self._file.seek(4)
        self._file.write(struct.pack(">II", 2, len(self._entries)))
        self._file.close()
        checksum = _file_digest(self._name, self._format)
        with open(self._name, "ab") as file:
            file.write(checksum)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(self._name, 0o444)
        entries = sorted(self._entries)
        names = hashlib.new(self._format, b"".join([oid for oid, _, _ in entries]), usedforsecurity=False)
        stem = os.path.join(self._folder, b"pack-" + names.hexdigest().encode())
        index, index_name = tempfile.mkstemp(prefix="tmp_idx_", dir=os.fsdecode(self._folder))
        try:
            with open(index, "wb") as file:
                file.write(_pack_index(entries, checksum, self._format))
                file.flush()
                os.fsync(file.fileno())
            os.chmod(index_name, 0o444)
            os.replace(self._name, stem + b".pack")
            os.replace(index_name, stem + b".idx")
        except BaseException:
            with suppress(OSError):
                os.unlink(index_name)
            raise
        sync_folders([self._folder])

    def discard(self) -> None:
        """Throw away what was written."""
        with suppress(OSError, ValueError):
            self._file.close()
        with suppress(OSError):
            os.unlink(self._name)


def _entry_head(kind: int, size: int) -> bytes:
    """What says kind and size of an object, in front of it in a pack."""
    byte = kind << 4 | size & 15
    size >>= 4
    head = bytearray()
    while size:
        head.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    head.append(byte)
    return bytes(head)


def _pack_index(entries: list[_Entry], pack_checksum: bytes, object_format: str) -> bytes:
    """The version 2 index of a pack; `entries` are sorted."""
    counts = [0] * 256
    for oid, _, _ in entries:
        counts[oid[0]] += 1
    fan_out, total = [], 0
    for count in counts:
        total += count
        fan_out.append(total)
    far = [offset for _, _, offset in entries if offset >= 1 << 31]
    near: list[int] = []
    for _, _, offset in entries:
        near.append(offset if offset < 1 << 31 else 1 << 31 | far.index(offset))
    data = b"".join(
        [
            b"\xfftOc" + struct.pack(">I", 2),
            struct.pack(">256I", *fan_out),
            b"".join([oid for oid, _, _ in entries]),
            struct.pack(f">{total}I", *[crc for _, crc, _ in entries]),
            struct.pack(f">{total}I", *near),
            struct.pack(f">{len(far)}Q", *far),
            pack_checksum,
        ]
    )
    return data + hashlib.new(object_format, data, usedforsecurity=False).digest()


def _file_digest(name: str, object_format: str) -> bytes:
    digest = hashlib.new(object_format, usedforsecurity=False)
    with open(name, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.digest()
