"""Prove that objects are in a store, by their names in pack indexes and directories, without reading them.

Sixty thousand take some 20 ms. See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
from contextlib import suppress

from patchpoint.git.odb.blob_sizes import object_stores
from patchpoint.git.odb.ids import RawObjectID
from patchpoint.git.odb.pack_file import PackFile

_FULL_SCAN_RATIO = 16
"""All ids of a pack are gone through when more than 1 in 16 of them is wanted."""
_LEAST_PACK_BYTES = 32
"""Bytes of the shortest pack: its header and a checksum."""


def missing_objects(objects: bytes, wanted: set[RawObjectID], width: int) -> set[RawObjectID]:
    """Return the ids in `wanted` of which the store at `objects` and its alternates have no object, or an
    empty loose one; `width` is the length of an id."""
    missing = wanted
    for store in object_stores(objects):
        for stem in _packs_by_size(store):
            if not missing:
                return missing
            pack = PackFile(stem, width)
            if len(missing) > pack.count // _FULL_SCAN_RATIO:
                missing = missing.difference(pack.ids())
            else:
                missing = {oid for oid in missing if pack.position(oid) is None}
        missing = {oid for oid in missing if not _is_loose(store, oid)}
    return missing


def _packs_by_size(store: bytes) -> list[bytes]:
    """Return the paths, without their extensions, of a store's packs that have an index, largest first."""
    sizes: dict[bytes, int] = {}
    indexes: list[bytes] = []
    with suppress(OSError), os.scandir(os.path.join(store, b"pack")) as entries:
        for entry in entries:
            if entry.name.endswith(b".idx"):
                indexes.append(entry.path[:-4])
            elif entry.name.endswith(b".pack"):
                sizes[entry.path[:-5]] = entry.stat().st_size
    found = [stem for stem in indexes if sizes.get(stem, 0) >= _LEAST_PACK_BYTES]
    return sorted(found, key=sizes.__getitem__, reverse=True)


def _is_loose(store: bytes, oid: RawObjectID) -> bool:
    digits = oid.hex().encode()
    try:
        return os.stat(b"%b/%b/%b" % (store, digits[:2], digits[2:])).st_size > 0
    except OSError:
        return False
