"""Taking a snapshot: from a working tree to tree ids, without changing anything of the user's.

    snapshot = take_snapshot(repository, options=SnapshotOptions(), progress=Silent())

The objects are durable when it returns; what anchors them (a commit, a ref) is up to the caller, who must see to
it soon, before a garbage collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SkipReason(str, Enum):
    """Why a path is not in a snapshot; the value ends the sentence 'left out: ...'."""

    SUBMODULE = "a submodule, recorded by its commit only"
    NESTED_REPOSITORY = "a repository of its own"
    SPECIAL_FILE = "not a file (a socket, pipe or device)"
    UNREADABLE = "it could not be read"
    UNSTABLE = "it was being written to"
    TOO_LARGE = "larger than the limit"
    EXCLUDED = "excluded by the settings"
    UNSAFE_NAME = "git does not allow its name"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path (relative to the working tree, `/` between its parts; a file, or a folder with all that is in it)
    that is not in the snapshot's tree. A restore neither overwrites nor deletes it or what is in it."""

    path: bytes
    reason: SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotOptions:
    """What a snapshot leaves out beyond what git ignores."""

    max_file_size: int = 50 * 1024 * 1024
    """Bytes; a file larger than that is left out unless git has it already as it stands."""
    exclude: tuple[str, ...] = ()
    """Patterns as in a `.gitignore` at the working tree's root, for tracked and untracked files alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """The staged state (all names hexadecimal)."""

    tree: str
    """Of the entries that are not in conflict, without those only intended to be added: what would be committed."""
    stages: tuple[str, str, str] | None = None
    """While there are conflicts: the trees of the entries of stages 1 (base), 2 (ours) and 3 (theirs)."""
    flags: str | None = None
    """A blob that tells of intended additions and of flags (see `index_state.read_flags`); `None` when there is
    nothing to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A recorded state of the working tree (all names hexadecimal)."""

    tree: str
    """Raw bytes of tracked and untracked files, symbolic links, executable bits; submodules by their commit."""
    untracked: str
    """The tree of those files in `tree` that were untracked (the empty tree when there were none)."""
    files: int
    skipped: tuple[Skipped, ...]
    index: IndexState | None
    """`None` where there is no repository."""
    head: str | None
    branch: str | None
    """Full name of the branch checked out, such as `refs/heads/main`; `None` when detached."""
    new_objects: int
    """How many objects had to be written."""
