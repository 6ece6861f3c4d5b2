"""One pack and its index, version 2 (gitformat-pack): which objects are in it, and where.

Hashes are not verified here. A pack whose index is missing, corrupt or of another version holds no objects.
See docs/decisions/packs.md.
"""

from __future__ import annotations

import mmap
import re
import struct
import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.git.odb.ids import OFS_DELTA, REF_DELTA, RawObjectID

_MAGIC = b"\xfftOc\x00\x00\x00\x02"
_IDS = 8 + 1024
"""Offset of the ids in an index of version 2: after magic, version and fan-out."""
_FAR = 1 << 31
"""The bit of an offset that says that it is a position in the table of 8-byte offsets."""
_READ_WHOLE = 4 << 20
"""Bytes; a smaller index is read, a larger one mapped. A mapping takes one of the files that a process may
have open (often 1,024), and a repository may have hundreds of packs."""


@dataclass(eq=False)
class PackFile:
    """One pack and its index, opened on first use."""

    stem: bytes
    """Its path without the ending."""
    width: int
    """Length of a binary object id."""
    identity: tuple[int, int, int] = (0, 0, 0)
    """Inode, modification time in nanoseconds and size of the index: another one of the same name differs."""

    def position(self, oid: RawObjectID) -> int | None:
        """Return the position of an object in the index; `None` if it is not in the pack."""
        if not self.count:
            return None
        index, width = self._index, self.width
        first, last = struct.unpack_from(">II", index, 4 + 4 * oid[0])
        first = first if oid[0] else 0  # the word before the fan-out is the version
        start, end = _IDS + first * width, _IDS + last * width
        at = index.find(oid, start, end)
        while at >= 0 and (at - _IDS) % width:
            at = index.find(oid, at + 1, end)
        return None if at < 0 else (at - _IDS) // width

    @cached_property
    def count(self) -> int:
        """The number of objects in the pack; 0 if its index cannot be read."""
        return int(struct.unpack_from(">I", self._index, _IDS - 4)[0]) if self._index else 0

    def ids(self) -> list[RawObjectID]:
        """Return the ids of all objects in the pack, in the index's order."""
        ids = self._index[_IDS : _IDS + self.count * self.width]
        return re.findall(b"(?s).{%d}" % self.width, ids)

    def offset(self, position: int) -> int:
        """Return the offset in the pack of the object at this position of the index."""
        near = _IDS + self.count * (self.width + 4)
        (offset,) = struct.unpack_from(">I", self._index, near + 4 * position)
        if offset >= _FAR:
            far = near + 4 * self.count + 8 * (offset - _FAR)
            (offset,) = struct.unpack_from(">Q", self._index, far)
        return int(offset)

    def offsets(self, positions: Sequence[int]) -> list[int]:
        """Return the offsets in the pack of the objects at many positions."""
        start = _IDS + self.count * (self.width + 4)
        near = array("I", self._index[start : start + 4 * self.count])
        if sys.byteorder == "little":
            near.byteswap()
        offsets = list(map(near.__getitem__, positions))
        return offsets if max(offsets, default=0) < _FAR else list(map(self.offset, positions))

    def entries(self) -> list[tuple[RawObjectID, bytes]] | None:
        """Return the id and the entry of each object, as the pack has it; `None` if one is a delta, or
        damaged."""
        try:
            content, ids = self.content, self.ids()
            offsets = self.offsets(range(len(ids)))
            order = sorted(range(len(ids)), key=offsets.__getitem__)
            ends = [*(offsets[at] for at in order[1:]), len(content) - self.width]
            at_checks = _IDS + self.count * self.width
            checks = struct.unpack_from(f">{self.count}I", self._index, at_checks)
            found: list[tuple[RawObjectID, bytes]] = []
            for at, end in zip(order, ends, strict=False):
                entry = bytes(content[offsets[at] : end])
                if zlib.crc32(entry) != checks[at] or entry_head(entry)[0] in (OFS_DELTA, REF_DELTA):
                    return None
                found.append((ids[at], entry))
        except (OSError, ValueError, IndexError, struct.error) as error:
            raise_if_exhausted(error)
            return None
        return found

    @cached_property
    def content(self) -> bytes | mmap.mmap:
        """The pack itself, mapped. It takes one of the files that a process may have open, until `close`."""
        return _mapped(self.stem + b".pack")

    def close(self) -> None:
        """Unmap the pack; the next use of `content` maps it again."""
        self.__dict__.pop("content", None)

    @cached_property
    def _index(self) -> bytes | mmap.mmap:
        """The index; empty if it is missing, corrupt or of another version."""
        try:
            index = _read_or_mapped(self.stem + b".idx")
            if index[:8] != _MAGIC:
                return b""
            (count,) = struct.unpack_from(">I", index, _IDS - 4)
        except (OSError, ValueError, struct.error) as error:
            raise_if_exhausted(error)
            return b""
        return index if len(index) >= _IDS + count * (self.width + 8) else b""


def entry_head(data: bytes) -> tuple[int, int, int]:
    """Return kind and size of the pack entry that begins with `data`, and the length of its header."""
    byte = data[0]
    kind, size, shift, at = byte >> 4 & 7, byte & 15, 4, 1
    while byte & 0x80:
        byte = data[at]
        size |= (byte & 0x7F) << shift
        shift += 7
        at += 1
    return kind, size, at


def _read_or_mapped(path: bytes) -> bytes | mmap.mmap:
    with open_to_read(path) as file:
        content = file.read(_READ_WHOLE)
    return content if len(content) < _READ_WHOLE else _mapped(path)


def _mapped(path: bytes) -> mmap.mmap:
    with open_to_read(path) as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
