"""Find and read objects in the packs of one store, however many packs there are.

    packs = Packs(objects, width=20)
    packs.holding(oid)     # a pack that holds the object
    packs.read(oid)        # its kind and content

A repository in daily use has dozens of packs, and a snapshot looks up thousands of objects. dulwich asks one
pack after the other, at some 25 µs each; here the ids of small packs are one dictionary, and a large pack's
index is searched in place. The formats are git's (gitformat-pack). Hashes are not verified here, and an entry
that cannot be read counts as missing. See docs/decisions/packs.md.
"""

from __future__ import annotations

import mmap
import os
import struct
import threading
import zlib
from collections.abc import Collection, Iterable

from dulwich.errors import ApplyDeltaError

from patchpoint.filesystem.exhausted import raise_if_exhausted
from patchpoint.git.odb.ids import OFS_DELTA, REF_DELTA, RawObjectID
from patchpoint.git.odb.pack_file import PackFile, entry_head
from patchpoint.git.odb.stores import packs_in

_GATHER_AFTER = 100
"""Lookups after which the ids of small packs are gathered in a dictionary."""
_SMALL = 20_000
"""Objects in the largest pack whose ids are gathered (some 150 bytes each)."""
_LONGEST_CHAIN = 100
"""Deltas upon deltas that are followed; git makes chains of 50."""
_MOST_OPEN = 32
"""Packs that are mapped at a time; each takes one of the files that a process may have open."""
_HEAD_BYTES = 64
_UNREADABLE = (OSError, ValueError, IndexError, struct.error, zlib.error, ApplyDeltaError)


class Packs:
    """The packs in the store at `objects`, not those of its alternates; see the module's docstring."""

    def __init__(self, objects: bytes, width: int) -> None:
        self._objects = objects
        self._directory = os.path.join(objects, b"pack")
        self._width = width
        self._packs: tuple[PackFile, ...] | None = None
        self._large: list[PackFile] = []
        self._small: dict[RawObjectID, PackFile] | None = None
        self._lookups = 0
        self._listed_at = 0
        self._open: list[PackFile] = []
        """Packs that are mapped, the last used one last."""
        self._opening = threading.Lock()

    def refresh(self) -> None:
        """List the packs again, so that new ones are found and deleted ones forgotten."""
        known = {(pack.stem, pack.identity): pack for pack in self._packs or ()}
        self._listed_at = self._time_stamp()
        found = [
            known.get((stored.stem, stored.index)) or PackFile(stored.stem, self._width, stored.index)
            for stored in packs_in(self._objects)
        ]
        if self._packs is None or set(found) != set(self._packs):
            self._packs = tuple(found)
            self._close_all_but(self._packs)
            if self._small is not None:
                self._gather_ids(known.values())

    def holding(self, oid: RawObjectID) -> bytes | None:
        """Return the path of a pack that holds the object, or `None`."""
        found = self._find(oid)
        return None if found is None else found[0].stem + b".pack"

    def read(self, oid: RawObjectID) -> tuple[int, bytes] | None:
        """Return kind (git's number) and content of the object; `None` if no pack has it in a readable
        way."""
        return self._read(oid, _LONGEST_CHAIN)

    def _find(self, oid: RawObjectID) -> tuple[PackFile, int | None] | None:
        """Return a pack that holds the object, and its position there if known."""
        if self._packs is None:
            self.refresh()
        packs: Iterable[PackFile] = self._packs or ()
        self._lookups += 1
        if self._lookups > _GATHER_AFTER:
            small = self._gather_ids(()) if self._small is None else self._small
            if (pack := small.get(oid)) is not None:
                return pack, None
            packs = self._large
        for pack in packs:
            if (position := pack.position(oid)) is not None:
                return pack, position
        return None

    def _gather_ids(self, gathered: Iterable[PackFile]) -> dict[RawObjectID, PackFile]:
        """Return the small pack that holds each object; the ids of the packs `gathered` are known already."""
        before, packs = set(gathered), self._packs or ()
        kept = self._small is not None and before <= set(packs)
        small = dict(self._small or {}) if kept else {}
        for pack in packs:
            if pack.count <= _SMALL and not (kept and pack in before):
                small.update(dict.fromkeys(pack.ids(), pack))
        self._large = [pack for pack in packs if pack.count > _SMALL]
        self._small = small
        return small

    def _time_stamp(self) -> int:
        try:
            return os.stat(self._directory).st_mtime_ns
        except OSError:
            return 0

    def _read(self, oid: RawObjectID, links: int) -> tuple[int, bytes] | None:
        found = self._find(oid)
        read = None if found is None else self._read_at(oid, links, *found)
        if read is None and self._time_stamp() != self._listed_at:
            # It came after the packs were listed, or its pack has been replaced by another one since.
            self.refresh()
            found = self._find(oid)
            read = None if found is None else self._read_at(oid, links, *found)
        return read

    def _read_at(
        self, oid: RawObjectID, links: int, pack: PackFile, position: int | None
    ) -> tuple[int, bytes] | None:
        try:
            position = pack.position(oid) if position is None else position
            if position is not None:
                return self._unpacked(pack, pack.offset(position), links)
        except _UNREADABLE as error:
            raise_if_exhausted(error)
        return None

    def _content(self, pack: PackFile) -> bytes | mmap.mmap:
        with self._opening:
            if pack in self._open:
                self._open.remove(pack)
            while len(self._open) >= _MOST_OPEN:
                self._open.pop(0).close()
            self._open.append(pack)
            return pack.content

    def _close_all_but(self, kept: Collection[PackFile]) -> None:
        with self._opening:
            for pack in self._open:
                if pack not in kept:
                    pack.close()
            self._open = [pack for pack in self._open if pack in kept]

    def _unpacked(self, pack: PackFile, offset: int, links: int) -> tuple[int, bytes]:
        """Return the object whose entry begins at `offset`; `links` more deltas are followed. Raises one of
        `_UNREADABLE`."""
        if links < 0:
            raise ValueError("the delta chain is too long")
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
                raise ValueError("the offset of a delta's base is outside of the pack")
            base = self._unpacked(pack, offset - back, links - 1)
        elif kind == REF_DELTA:
            base = self._read(RawObjectID(head[at : at + self._width]), links - 1)
            at += self._width
        # zlib never needs more than that, however badly it compresses.
        start, longest = offset + at, size + (size >> 9) + 128
        data = zlib.decompressobj().decompress(content[start : start + longest], size + 1)
        if len(data) != size:
            raise ValueError("an entry has another size than its header says")
        if kind not in (OFS_DELTA, REF_DELTA):
            return kind, data
        if base is None:
            raise ValueError("the base of a delta is missing")
        from dulwich.pack import apply_delta

        return base[0], b"".join(apply_delta(base[1], data))
