"""The errors by which dulwich and zlib report an object that cannot be read."""

from __future__ import annotations

import struct
import zlib


def unreadable() -> tuple[type[Exception], ...]:
    """Return the errors, without `KeyError`, which says that the object is missing.

    dulwich's are asked for when one was raised, and not loaded for it before. `FileFormatException` includes
    an empty file.
    """
    from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
    from dulwich.pack import PackFileDisappeared, UnresolvedDeltas

    return (
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
