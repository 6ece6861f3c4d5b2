"""What a change does to a file as such, whether an edit makes it or a diff of two trees shows it."""

from __future__ import annotations

from enum import Enum


class FileOperation(str, Enum):
    """What a change does to a file; the values are the protocol's."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RENAME = "rename"
