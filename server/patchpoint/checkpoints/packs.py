"""Finding and reading objects in the packs of one store, however many packs there are.

    packs = Packs(objects, width=20)
    packs.holding(oid)     # a pack that holds the object
    packs.read(oid)        # its kind and content

A repository that is worked in soon has dozens of packs, and a snapshot asks for thousands of objects. The
object library asks one pack after the other, at some 25 µs each; here the names of small packs are one
dictionary, and a large pack's index is searched where it lies. The formats are git's (gitformat-pack). What
is read is not proven here, and what is not understood counts as not there.
"""

from __future__ import annotations

import mmap
import os
import struct
import threading
import zlib
from collections.abc import Collection, Iterable
from contextlib import suppress

from dulwich.errors import ApplyDeltaError
from dulwich.pack import apply_delta

from patchpoint.checkpoints.pack_file import OFS_DELTA, REF_DELTA, PackFile, entry_head

_FEW = 100
"""After so many questions it is worth having the names of small packs in a dictionary."""
_SMALL = 20_000
"""A pack of up to so many objects has its names there (some 150 bytes each)."""
_LONGEST_CHAIN = 100
_MOST_OPEN = 32
"""Each takes one of the files that a process may have open."""
_HEAD_BYTES = 64
_UNREADABLE = (OSError, ValueError, IndexError, struct.error, zlib.error, ApplyDeltaError)


class Packs:
    """The packs in the store at `objects`; see the module's text. Alternates are not looked into."""

    def __init__(self, objects: bytes, width: int) -> None:
        self._folder = os.path.join(objects, b"pack")
        self._width = width
        self._packs: tuple[PackFile, ...] | None = None
        self._large: list[PackFile] = []
        self._small: dict[bytes, PackFile] | None = None
        self._asked = 0
        self._listed_at = 0
        self._open: list[PackFile] = []
        """Packs that were read from, the last one last."""
        self._opening = threading.Lock()

    def refresh(self) -> None:
        """Take notice of packs that came or went."""
        known = {(pack.stem, pack.made): pack for pack in self._packs or ()}
        found: list[PackFile] = []
        self._listed_at = self._time_stamp()
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.endswith(b".idx"):
                    status = entry.stat()
                    stem, made = entry.path[:-4], (status.st_ino, status.st_mtime_ns, status.st_size)
                    found.append(known.get((stem, made)) or PackFile(stem, self._width, made))
        if self._packs is None or set(found) != set(self._packs):
            self._packs = tuple(found)
            self._let_go_of_all_but(self._packs)
            if self._small is not None:
                self._gather_names(known.values())

    def holding(self, oid: bytes) -> bytes | None:
        """The path of a pack that holds the object with this raw name."""
        found = self._find(oid)
        return None if found is None else found[0].stem + b".pack"

    def read(self, oid: bytes) -> tuple[int, bytes] | None:
        """Kind (git's number) and content of the object with this raw name; `None` when no pack has it in a
        readable way."""
        return self._read(oid, _LONGEST_CHAIN)

    def _find(self, oid: bytes) -> tuple[PackFile, int | None] | None:
        """A pack that holds the object, and its position there when that is known."""
        if self._packs is None:
            self.refresh()
        packs: Iterable[PackFile] = self._packs or ()
        self._asked += 1
        if self._asked > _FEW:
            small = self._gather_names(()) if self._small is None else self._small
            if (pack := small.get(oid)) is not None:
                return pack, None
            packs = self._large
        for pack in packs:
            if (position := pack.position(oid)) is not None:
                return pack, position
        return None

    def _gather_names(self, gathered: Iterable[PackFile]) -> dict[bytes, PackFile]:
        """Which small pack holds an object, by its name; that is known already of the packs `gathered`."""
        before, packs = set(gathered), self._packs or ()
        kept = self._small is not None and before <= set(packs)
        small = dict(self._small or {}) if kept else {}
        for pack in packs:
            if pack.count <= _SMALL and not (kept and pack in before):
                small.update(dict.fromkeys(pack.names(), pack))
        self._large = [pack for pack in packs if pack.count > _SMALL]
        self._small = small
        return small

    def _time_stamp(self) -> int:
        try:
            return os.stat(self._folder).st_mtime_ns
        except OSError:
            return 0

    def _read(self, oid: bytes, links: int) -> tuple[int, bytes] | None:
        found = self._find(oid)
        if found is None and self._time_stamp() != self._listed_at:
            self.refresh()
            found = self._find(oid)
        if found is not None:
            pack, position = found
            with suppress(*_UNREADABLE):
                position = pack.position(oid) if position is None else position
                if position is not None:
                    return self._unpacked(pack, pack.offset(position), links)
        return None

    def _content(self, pack: PackFile) -> bytes | mmap.mmap:
        with self._opening:
            if pack in self._open:
                self._open.remove(pack)
            while len(self._open) >= _MOST_OPEN:
                self._open.pop(0).close()
            self._open.append(pack)
            return pack.content

    def _let_go_of_all_but(self, kept: Collection[PackFile]) -> None:
        with self._opening:
            for pack in self._open:
                if pack not in kept:
                    pack.close()
            self._open = [pack for pack in self._open if pack in kept]

    def _unpacked(self, pack: PackFile, offset: int, links: int) -> tuple[int, bytes]:
        """The object whose entry begins at `offset`. Raises one of `_UNREADABLE`."""
        if links < 0:
            raise ValueError("the chain of deltas does not end")
        content = self._content(pack)
        head = content[offset : offset + _HEAD_BYTES]
        kind, size, at = entry_head(head)
        base: tuple[int, bytes] | None = None
        if kind == OFS_DELTA:
            byte = head[at]
            back, at = byte & 0x7F, at + 1
            while byte & 0x80:
                byte = head[at]
                back, at = (back + 1) << 7 | byte & 0x7F, at + 1
            if not 0 < back < offset:
                raise ValueError("a delta is made of nothing")
            base = self._unpacked(pack, offset - back, links - 1)
        elif kind == REF_DELTA:
            base = self._read(head[at : at + self._width], links - 1)
            at += self._width
        # However badly it was packed, it does not take more than that.
        start, longest = offset + at, size + (size >> 9) + 128
        data = zlib.decompressobj().decompress(content[start : start + longest], size + 1)
        if len(data) != size:
            raise ValueError("an entry is not as long as it says")
        if kind not in (OFS_DELTA, REF_DELTA):
            return kind, data
        if base is None:
            raise ValueError("what a delta is made of is not there")
        return base[0], b"".join(apply_delta(base[1], data))
