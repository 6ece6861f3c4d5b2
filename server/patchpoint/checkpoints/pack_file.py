"""One pack and its index, version 2 (gitformat-pack): which objects are in it, and where.

What is read is not proven here. Whatever is not to be understood holds no objects.
"""

from __future__ import annotations

import mmap
import re
import struct
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_MAGIC = b"\xfftOc\x00\x00\x00\x02"
_NAMES = 8 + 1024
"""Where the names begin in an index of version 2: behind magic, version and fan-out."""
_FAR = 1 << 31
OFS_DELTA, REF_DELTA = 6, 7
_READ_WHOLE = 4 << 20
"""A smaller index is read: what is mapped takes one of the files that a process may have open (often 1,024),
and a repository may have hundreds of packs."""


@dataclass(eq=False)
class PackFile:
    """One pack and its index, opened when they are first asked."""

    stem: bytes
    """Its path without the ending."""
    width: int
    """Bytes of an object's raw name."""
    made: tuple[int, int, int] = (0, 0, 0)
    """What tells this index from a later one of the same name."""

    def position(self, oid: bytes) -> int | None:
        """Where the name stands in the index."""
        if not self.count:
            return None
        index, width = self._index, self.width
        first, last = struct.unpack_from(">II", index, 4 + 4 * oid[0])
        first = first if oid[0] else 0  # what stands before the fan-out is the version
        start, end = _NAMES + first * width, _NAMES + last * width
        at = index.find(oid, start, end)
        while at >= 0 and (at - _NAMES) % width:
            at = index.find(oid, at + 1, end)
        return None if at < 0 else (at - _NAMES) // width

    @cached_property
    def count(self) -> int:
        """How many objects it holds; none when its index is not to be understood."""
        return int(struct.unpack_from(">I", self._index, _NAMES - 4)[0]) if self._index else 0

    def names(self) -> list[bytes]:
        """The raw names of all objects in it."""
        names = self._index[_NAMES : _NAMES + self.count * self.width]
        return re.findall(b"(?s).{%d}" % self.width, names)

    def offset(self, position: int) -> int:
        """Where in the pack the object at this position of the index begins."""
        near = _NAMES + self.count * (self.width + 4)
        (offset,) = struct.unpack_from(">I", self._index, near + 4 * position)
        if offset >= _FAR:
            far = near + 4 * self.count + 8 * (offset - _FAR)
            (offset,) = struct.unpack_from(">Q", self._index, far)
        return int(offset)

    def offsets(self, positions: Sequence[int]) -> list[int]:
        """Likewise of the objects at many positions."""
        start = _NAMES + self.count * (self.width + 4)
        near = array("I", self._index[start : start + 4 * self.count])
        if sys.byteorder == "little":
            near.byteswap()
        offsets = list(map(near.__getitem__, positions))
        return offsets if max(offsets, default=0) < _FAR else list(map(self.offset, positions))

    @cached_property
    def content(self) -> bytes | mmap.mmap:
        """The pack itself. It takes one of the files that a process may have open, until `close`."""
        return _mapped(self.stem + b".pack")

    def close(self) -> None:
        """Let go of the pack itself, which may be asked again."""
        self.__dict__.pop("content", None)

    @cached_property
    def _index(self) -> bytes | mmap.mmap:
        """The index; empty when it is not to be understood."""
        try:
            index = _read_or_mapped(self.stem + b".idx")
            if index[:8] != _MAGIC:
                return b""
            (count,) = struct.unpack_from(">I", index, _NAMES - 4)
        except (OSError, ValueError, struct.error):
            return b""
        return index if len(index) >= _NAMES + count * (self.width + 8) else b""


def entry_head(data: bytes) -> tuple[int, int, int]:
    """Kind and size of the pack entry that begins with `data`, and how many bytes say so."""
    byte = data[0]
    kind, size, shift, at = byte >> 4 & 7, byte & 15, 4, 1
    while byte & 0x80:
        byte = data[at]
        size |= (byte & 0x7F) << shift
        shift += 7
        at += 1
    return kind, size, at


def _read_or_mapped(path: bytes) -> bytes | mmap.mmap:
    with open(path, "rb") as file:
        content = file.read(_READ_WHOLE)
    return content if len(content) < _READ_WHOLE else _mapped(path)


def _mapped(path: bytes) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
