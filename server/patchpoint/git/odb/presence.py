"""Prove that objects are in a store, by their names in pack indexes and directories, without reading them.

    proof = prove_presence(objects, wanted, width=20)
    proof.holds()                                       # later: whether all that was proven is there still
    prove_presence(objects, new, width=20, given=proof)    # also of what is new since; `proof` has to hold

To look for sixty thousand objects takes some 20 ms; to see that a proof of them still holds, as long as it
takes to list the packs. See docs/decisions/packs.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Set

from patchpoint.dataclass import dataclass
from patchpoint.git.odb.ids import RawObjectID, to_binary
from patchpoint.git.odb.loose import LooseNames
from patchpoint.git.odb.pack_file import PackFile
from patchpoint.git.odb.stores import StoredPack, object_stores, packs_in

_FULL_SCAN_RATIO = 16
"""All ids of a pack are gone through when more than 1 in 16 of them is wanted."""
_FEW = 1_000
"""Up to so many objects are looked for among the loose ones first: an index of a large pack, of which more
than a megabyte is read, takes as long as so many names."""
_FEW_LOOSE = 100
"""Up to so many objects are asked for one by one; for more, the directories that they are in are listed."""
_MOST_LOOSE = 2_000
"""Loose objects up to which a proof can be kept; each of them is looked for again by its name."""


class ObjectsMissingError(Exception):
    """Objects that were to be proven present are in no store."""

    def __init__(self, missing: set[RawObjectID]) -> None:
        self.example = min(missing).hex()
        """The id of one of them, hexadecimal."""
        super().__init__(f"{len(missing)} objects are missing, such as {self.example}")


@dataclass(frozen=True, slots=True)
class PresenceProof:
    """What the presence of a set of objects rests on: the packs that hold them, and those that are loose.

    A pack that vanished, was replaced or has another size than when it was proven voids the proof, as does a
    loose object that vanished or is empty. Packs that are new since do not.
    """

    objects: bytes
    """The path of the store."""
    packs: frozenset[StoredPack] = frozenset()
    loose: frozenset[RawObjectID] = frozenset()

    @property
    def is_small(self) -> bool:
        """Whether it is worth keeping: not, where many objects are loose."""
        return len(self.loose) <= _MOST_LOOSE

    def holds(self) -> bool:
        """Return whether all that the proof rests on is still there."""
        stores = object_stores(self.objects)
        there = {pack for store in stores for pack in packs_in(store)}
        if not self.packs <= there:
            return False
        if self.is_small:
            return all(any(_is_loose(store, oid) for store in stores) for oid in self.loose)
        # It is of this very moment, and only a power failure leaves empty files.
        names = [LooseNames(store) for store in stores]
        return all(any(oid in each for each in names) for oid in self.loose)

    def to_json(self) -> str:
        """Return the proof as JSON, which `from_json` reads."""
        packs = [[os.fsdecode(pack.stem), *pack.index, *pack.pack] for pack in sorted(self.packs, key=_stem)]
        return json.dumps([packs, [oid.hex() for oid in sorted(self.loose)]])

    def resting_also_on(self, packs: Iterable[StoredPack]) -> PresenceProof:
        """Return the proof of what is in `packs`, too."""
        return PresenceProof(self.objects, self.packs.union(packs), self.loose)

    @classmethod
    def from_json(cls, objects: bytes, text: str) -> PresenceProof | None:
        """Return the proof of objects of the store at `objects` that was written as `text`; `None` if none
        was."""
        try:
            match json.loads(text):
                case [list(packs), list(loose)]:
                    return cls(
                        objects,
                        frozenset(_stored_pack(*fields) for fields in packs),
                        frozenset(map(_id, loose)),
                    )
        except (ValueError, TypeError, RecursionError):
            pass
        return None


def prove_presence(
    objects: bytes,
    wanted: set[RawObjectID],
    width: int,
    given: PresenceProof | None = None,
    read: Set[RawObjectID] = frozenset(),
) -> PresenceProof:
    """Return the proof that the store at `objects`, with its alternates, has the objects `wanted`, and those
    of which `given`, which holds, is a proof; `width` is the length of an id.

    An empty loose object is none; those that were `read` just now are not empty. Raises
    `ObjectsMissingError`.
    """
    proven = given or PresenceProof(objects)
    missing = wanted
    packs: set[StoredPack] = set()
    loose: set[RawObjectID] = set()
    stores = object_stores(objects)
    for store in stores if len(wanted) <= _FEW else ():
        loose.update(_loose_of(store, missing, read))
        missing = wanted - loose
    for store in stores:
        for stored in packs_in(store) if missing else ():
            absent = _absent_from(PackFile(stored.stem, width), missing)
            if len(absent) < len(missing):
                packs.add(stored)
                missing = absent
            if not missing:
                break
        found = _loose_of(store, missing, read)
        loose.update(found)
        missing = missing.difference(found)
    if missing:
        raise ObjectsMissingError(missing)
    return PresenceProof(objects, proven.packs | packs, proven.loose | loose)


def _absent_from(pack: PackFile, wanted: set[RawObjectID]) -> set[RawObjectID]:
    if len(wanted) > pack.count // _FULL_SCAN_RATIO:
        return wanted.difference(pack.ids())
    return {oid for oid in wanted if pack.position(oid) is None}


def _loose_of(store: bytes, wanted: set[RawObjectID], read: Set[RawObjectID]) -> list[RawObjectID]:
    if len(wanted) <= _FEW_LOOSE:
        return [oid for oid in wanted if _is_loose(store, oid)]
    names = LooseNames(store)
    return [oid for oid in wanted if oid in names and (oid in read or _is_loose(store, oid))]


def _is_loose(store: bytes, oid: RawObjectID) -> bool:
    digits = oid.hex().encode()
    try:
        return os.stat(b"%b/%b/%b" % (store, digits[:2], digits[2:])).st_size > 0
    except OSError:
        return False


def _stem(pack: StoredPack) -> bytes:
    return pack.stem


def _stored_pack(
    stem: str, inode: int, time_ns: int, size: int, pack_inode: int, pack_size: int
) -> StoredPack:
    return StoredPack(os.fsencode(stem), (inode, time_ns, size), (pack_inode, pack_size))


def _id(digits: str) -> RawObjectID:
    if len(digits) not in (40, 64):
        raise ValueError("no object id")
    return to_binary(digits)
