"""How folders and editors spell a path where the disk finds a file by several spellings of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from patchpoint.filesystem.directory_tree import folded, own_spelling


def own_parts(root: Path, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a path below `root` as the folders that they are in spell them."""
    try:
        return tuple(os.fsdecode(own_spelling(root, os.fsencode("/".join(parts)))).split("/"))
    except ValueError:  # a character that no path can have
        return tuple(parts)


def as_opened(root: Path, relative: str, open_files: Collection[Path]) -> Path | None:
    """Return the path under which an editor has the file `relative`, if that is another spelling of it."""
    wanted = folded(os.fsencode(root / relative))
    for path in open_files:
        if folded(os.fsencode(path)) != wanted or not path.is_relative_to(root):
            continue
        if "/".join(own_parts(root, path.relative_to(root).parts)) == relative:
            return path
    return None
