"""The errors by which dulwich and zlib report an object that cannot be read."""

from __future__ import annotations

import struct
import zlib

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.pack import PackFileDisappeared, UnresolvedDeltas

UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    IndexError,
    AssertionError,
    struct.error,
    zlib.error,
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    PackFileDisappeared,
    UnresolvedDeltas,
)
"""Without `KeyError`, which says that the object is missing. `FileFormatException` includes an empty file."""
