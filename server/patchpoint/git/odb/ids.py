"""Object ids and kinds of objects: what the object database is addressed by.

    oid = object_id(BLOB, content)       # binary, 20 or 32 bytes: in packs, trees and the index
    to_hexadecimal(oid)                  # as digits: in refs, commits and what a person sees

The two types are dulwich's, and only the type checker tells them apart: both are bytes.
"""

from __future__ import annotations

import hashlib

from dulwich.objects import ObjectID, RawObjectID

from patchpoint.text.regex import regex

__all__ = [
    "BLOB",
    "COMMIT",
    "KINDS_BY_NAME",
    "KIND_NAMES",
    "NO_ID",
    "OFS_DELTA",
    "REF_DELTA",
    "TAG",
    "TREE",
    "ObjectID",
    "RawObjectID",
    "object_id",
    "object_id_in",
    "to_binary",
    "to_hexadecimal",
]

COMMIT, TREE, BLOB, TAG = 1, 2, 3, 4
"""Git's numbers of the kinds of object (gitformat-pack)."""
OFS_DELTA, REF_DELTA = 6, 7
"""Kinds of pack entries only: a delta against the entry at an offset, or against the object of an id."""

KIND_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob", TAG: b"tag"}
KINDS_BY_NAME = {name: kind for kind, name in KIND_NAMES.items()}


NO_ID = RawObjectID(b"")
"""In place of the id of an object that does not exist."""


def object_id(kind: int, content: bytes, object_format: str = "sha1") -> RawObjectID:
    """Return the id of the object of this kind (git's number) and content, in a repository of this format
    (`sha1` or `sha256`)."""
    head = b"%s %d\x00" % (KIND_NAMES[kind], len(content))
    if object_format == "sha1":
        digest = hashlib.sha1(head, usedforsecurity=False)
    else:
        digest = hashlib.new(object_format, head, usedforsecurity=False)
    digest.update(content)
    return RawObjectID(digest.digest())


def object_id_in(content: bytes | None, digits: int | None = None) -> ObjectID | None:
    """Return the object id that a ref with this content holds, in small letters, or `None` if it holds none.

    It has `digits` hexadecimal digits, or as many as one of the object formats, and is not all zeros. As for
    git, anything may follow it after white space.
    """
    found = _REF_CONTENT.match(content) if content else None
    if found is None or len(found[1]) not in ((40, 64) if digits is None else (digits,)):
        return None
    return ObjectID(found[1].lower()) if found[1].strip(b"0") else None


_REF_CONTENT = regex(rb"([0-9a-fA-F]+)(?:\s|\Z)")


def to_hexadecimal(oid: RawObjectID) -> ObjectID:
    """Return the hexadecimal form of a binary id."""
    return ObjectID(oid.hex().encode())


def to_binary(oid: ObjectID | str) -> RawObjectID:
    """Return the binary form of a hexadecimal id. Raises `ValueError`."""
    return RawObjectID(bytes.fromhex(oid if isinstance(oid, str) else oid.decode("ascii")))
