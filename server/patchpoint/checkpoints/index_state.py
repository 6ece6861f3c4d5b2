"""The staged state as trees, and what trees cannot say of it as a blob.

The blob holds one line a path, ended by NUL: letters, a space, the path. The letters: `a` intended to be
added, `v` assumed to be unchanged, `w` not to be looked for in the working tree. A path that ends with `/`
(of a sparse index) stands for all entries below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from patchpoint.checkpoints.index_read import (
    ASSUME_VALID,
    INTENT_TO_ADD,
    SKIP_WORKTREE,
    STAGE,
    IndexFile,
)
from patchpoint.checkpoints.objects import BLOB, ObjectWriter
from patchpoint.checkpoints.trees import build_from_paths

_LETTERS = ((b"a", INTENT_TO_ADD), (b"v", ASSUME_VALID), (b"w", SKIP_WORKTREE))
_STAGES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """The staged state (all names hexadecimal)."""

    tree: str
    """Of the entries that are not in conflict, without those only intended to be added: what would be
    committed."""
    stages: tuple[str, str, str] | None = None
    """While there are conflicts: the trees of the entries of stages 1 (base), 2 (ours) and 3 (theirs)."""
    flags: str | None = None
    """The blob that tells of flags (see `read_flags`); `None` when there is nothing to tell."""


def record_index(index: IndexFile, writer: ObjectWriter) -> IndexState:
    """Record the staged state. Objects are written only where the index knows no tree that is there."""
    staged = 0
    for flags in set(index.flags):
        staged |= flags
    plain = not staged & (STAGE | INTENT_TO_ADD)
    root = index.trees.get(b"")
    if root is not None and plain and writer.has(root):
        tree = root
    else:
        known = {folder: tree for folder, tree in index.trees.items() if folder and writer.has(tree)}
        tree = build_from_paths(_entries(index, 0), known, writer)
    stages: tuple[str, str, str] | None = None
    if staged & STAGE:
        first, second, third = (
            build_from_paths(_entries(index, stage), {}, writer).hex() for stage in range(1, _STAGES + 1)
        )
        stages = (first, second, third)
    flagged = _flags(index) if staged & (INTENT_TO_ADD | ASSUME_VALID | SKIP_WORKTREE) else b""
    return IndexState(
        tree=tree.hex(), stages=stages, flags=writer.add(BLOB, flagged).hex() if flagged else None
    )


def read_flags(content: bytes) -> Mapping[bytes, int]:
    """The flags (`INTENT_TO_ADD`, `ASSUME_VALID`, `SKIP_WORKTREE`, ored) of the paths that a flags blob
    tells of."""
    found: dict[bytes, int] = {}
    for line in content.split(b"\x00")[:-1]:
        letters, _, path = line.partition(b" ")
        found[path] = sum(flag for letter, flag in _LETTERS if letter in letters)
    return found


def _flags(index: IndexFile) -> bytes:
    every = INTENT_TO_ADD | ASSUME_VALID | SKIP_WORKTREE
    lines: list[bytes] = []
    for path, flags in zip(index.paths, index.flags, strict=True):
        if flags & every and not flags & STAGE:
            letters = b"".join([letter for letter, flag in _LETTERS if flags & flag])
            lines.append(letters + b" " + path + b"\x00")
    return b"".join(lines)


def _entries(index: IndexFile, stage: int) -> list[tuple[bytes, bytes, bytes]]:
    """The entries of one stage as `build_from_paths` wants them."""
    wanted = stage << 12
    return [
        (path.rstrip(b"/"), b"%o" % mode, oid)
        for path, mode, flags, oid in zip(index.paths, index.modes, index.flags, index.ids, strict=True)
        if flags & STAGE == wanted and not flags & INTENT_TO_ADD
    ]
