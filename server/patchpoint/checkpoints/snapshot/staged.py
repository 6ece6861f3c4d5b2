"""The staged state: the index as trees, and the flags of its entries as a blob.

The blob has one line for each path with flags, ended by NUL: letters, a space, the path. The letters: `a`
intent-to-add, `v` assume-unchanged, `w` skip-worktree. A path that ends with `/` (of a sparse index) means
all entries below it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from patchpoint.checkpoints.snapshot.trees import build_from_paths
from patchpoint.dataclass import dataclass, replace
from patchpoint.git.index.read import ASSUME_VALID, INTENT_TO_ADD, SKIP_WORKTREE, STAGE, IndexFile
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, ObjectID, RawObjectID

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.git.objects.reader import ObjectReader

_LETTERS = ((b"a", INTENT_TO_ADD), (b"v", ASSUME_VALID), (b"w", SKIP_WORKTREE))
_STAGES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """The staged state (all names hexadecimal)."""

    tree: str
    """The tree that would be committed: the entries without conflicts, without intent-to-add entries."""
    stages: tuple[str, str, str] | None = None
    """While there are conflicts: the trees of the entries of stages 1 (base), 2 (ours) and 3 (theirs)."""
    flags: str | None = None
    """The blob of the flags (see `read_flags`); `None` when no entry has any."""

    def to_text(self) -> str:
        """Return it as JSON."""
        return json.dumps([self.tree, self.stages, self.flags])

    @classmethod
    def from_text(cls, text: str) -> IndexState:
        """Return what `to_text` returned."""
        tree, stages, flags = json.loads(text)
        return cls(tree=tree, stages=tuple(stages) if stages else None, flags=flags)


def record_index(index: IndexFile, writer: ObjectWriter) -> IndexState:
    """Record the staged state. Objects are written only where the TREE extension names no existing tree."""
    staged = 0
    for flags in set(index.flags):
        staged |= flags
    plain = not staged & (STAGE | INTENT_TO_ADD)
    root = index.trees.get(b"")
    if root is not None and plain and writer.has(root):
        tree = root
    else:
        known = {directory: tree for directory, tree in index.trees.items() if directory and writer.has(tree)}
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
    """Return the flags (`INTENT_TO_ADD`, `ASSUME_VALID`, `SKIP_WORKTREE`, ored) by path of a flags blob."""
    found: dict[bytes, int] = {}
    for line in content.split(b"\x00")[:-1]:
        letters, _, path = line.partition(b" ")
        found[path] = sum(flag for letter, flag in _LETTERS if letter in letters)
    return found


def is_staged_alike(one: IndexState | None, other: IndexState | None, objects: ObjectReader) -> bool:
    """Return whether two states have the same staged, whatever of it a sparse checkout hides."""
    if one is None or other is None or replace(one, flags=None) != replace(other, flags=None):
        return one == other
    blobs = (objects.blob(ObjectID(each.flags.encode())) if each.flags else b"" for each in (one, other))
    first, second = (
        {path: kept for path, flags in read_flags(blob).items() if (kept := flags & ~SKIP_WORKTREE)}
        for blob in blobs
    )
    return first == second


def _flags(index: IndexFile) -> bytes:
    every = INTENT_TO_ADD | ASSUME_VALID | SKIP_WORKTREE
    lines: list[bytes] = []
    for path, flags in zip(index.paths, index.flags, strict=True):
        if flags & every and not flags & STAGE:
            letters = b"".join([letter for letter, flag in _LETTERS if flags & flag])
            lines.append(letters + b" " + path + b"\x00")
    return b"".join(lines)


def _entries(index: IndexFile, stage: int) -> list[tuple[bytes, bytes, RawObjectID]]:
    """Return the entries of one stage in the form that `build_from_paths` takes."""
    wanted = stage << 12
    return [
        (path.rstrip(b"/"), b"%o" % mode, oid)
        for path, mode, flags, oid in zip(index.paths, index.modes, index.flags, index.ids, strict=True)
        if flags & STAGE == wanted and not flags & INTENT_TO_ADD
    ]
