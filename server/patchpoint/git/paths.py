"""Which names and paths git allows in a tree on every system."""

from __future__ import annotations

import os
import stat
from functools import lru_cache

_SUSPICIOUS = (b".g", b"gi")
_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
"""Bytes of which no name means anything to a file system, but one that begins with a full stop."""


def is_safe_name(name: bytes, mode: int) -> bool:
    """Return whether git (and a restore) accepts a file or directory of this name.

    It does not when a file system takes the name for `.git`, or when `.gitmodules` is a symbolic link.
    """
    start = name[:2].lower()
    if start not in _SUSPICIOUS and name.isascii():
        return True
    if stat.S_ISLNK(mode) and name.lower() == b".gitmodules":
        return False
    return _is_safe_element(name)


def is_safe_path(path: bytes) -> bool:
    """Return whether no file system takes `path` for one into `.git` or out of the tree.

    The rules of NTFS and of HFS+ hold everywhere: a checkpoint made here may be restored there. A name that
    is no UTF-8 cannot exist on HFS+, whose rules then say nothing.
    """
    return all(_is_safe_element(element) for element in path.split(b"/"))


@lru_cache(maxsize=4096)
def _is_safe_element(name: bytes) -> bool:
    if os.name != "nt" and name[:1] not in (b"", b".") and not name.translate(None, _PLAIN):
        return True
    # Imported where a name has to be looked at, which few do: its own imports take longer than a checkpoint.
    from dulwich.index import validate_path_element_hfs, validate_path_element_ntfs

    return validate_path_element_ntfs(name) and (not _is_utf8(name) or validate_path_element_hfs(name))


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
