"""Write git's index: its entries without extensions (cached trees, untracked cache, file system monitor,
offsets, split), which would have to agree with them; git rebuilds the ones it wants.

See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from array import array

from patchpoint.filesystem.atomic_write import Durability, write_atomically
from patchpoint.git.index.read import STAT_WORDS, IndexFile
from patchpoint.git.repository import Repository

_EXTENDED = 0x4000
_NAME_LENGTH = 0xFFF
_DATA_BITS = 0xB000
"""Of the first word of flags: assume-valid and stage."""
_MODE_WORD = 6
_DEFAULT_MODE = 0o644


def write_index(repository: Repository, index: IndexFile) -> None:
    """Replace the working tree's index by the entries of `index`, atomically.

    They must be sorted by path, then stage. The caller holds git's lock (`index.lock`). After a power failure
    the file has its old content or the new. Raises `OSError`.
    """
    data = index_content(index, repository.object_format)
    path = os.path.join(repository.gitdir, b"index")
    try:
        mode = os.stat(path).st_mode & 0o777
    except OSError:
        mode = _DEFAULT_MODE
    write_atomically(
        path,
        data,
        permissions=mode,
        durability=Durability.CONTENT,
        temporary=f"index.patchpoint-{os.getpid()}",
    )


def index_content(index: IndexFile, object_format: str) -> bytes:
    """Return the bytes of an index file with the entries of `index`."""
    extended = any(flags >> 16 for flags in index.flags)
    stats = array("I", index.stats)
    for at, mode in enumerate(index.modes):
        stats[at * STAT_WORDS + _MODE_WORD] = mode
    if sys.byteorder == "little":
        stats.byteswap()
    words = stats.tobytes()
    size = STAT_WORDS * 4
    parts = [b"DIRC" + struct.pack(">II", 3 if extended else 2, len(index))]
    for at, (path, oid, flags) in enumerate(zip(index.paths, index.ids, index.flags, strict=True)):
        low = flags & _DATA_BITS | min(len(path), _NAME_LENGTH)
        if flags >> 16:
            head = struct.pack(">HH", low | _EXTENDED, flags >> 16)
        else:
            head = struct.pack(">H", low)
        length = size + len(oid) + len(head) + len(path)
        parts.append(b"".join([words[at * size : (at + 1) * size], oid, head, path, bytes(8 - length % 8)]))
    data = b"".join(parts)
    return data + hashlib.new(object_format, data, usedforsecurity=False).digest()
