"""Which names git allows in a tree on every system."""

from __future__ import annotations

import stat

from dulwich.index import validate_path_element_hfs, validate_path_element_ntfs

_SUSPICIOUS = (b".g", b"gi")


def is_safe_name(name: bytes, mode: int) -> bool:
    """Whether git (and a restore) would take a file or folder of this name: it is not `.git` as some file
    system spells it, and `.gitmodules` is not a symbolic link."""
    start = name[:2].lower()
    if start not in _SUSPICIOUS and name.isascii():
        return True
    if stat.S_ISLNK(mode) and name.lower() == b".gitmodules":
        return False
    return validate_path_element_ntfs(name) and (not _is_utf8(name) or validate_path_element_hfs(name))


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
