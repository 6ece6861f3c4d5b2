"""The policy of a store: what its snapshots leave out, and which checkpoints it keeps."""

from __future__ import annotations

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.lock import WAIT

KEEP_DAYS = 30
"""Days for which checkpoints are kept."""
MIRROR_BYTES = 2048 << 20
"""Bytes that the mirror of a repository may take, beyond what the repository takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotOptions:
    """What a snapshot leaves out beyond what git ignores, and what it records of that."""

    max_file_size: int = 50 * 1024 * 1024
    """Bytes; a larger file is left out unless git has exactly this content already."""
    exclude: tuple[str, ...] = ()
    """Patterns as in a `.gitignore` at the working tree's root, for tracked and untracked files alike."""
    include: tuple[str, ...] = ()
    """Such patterns of files that are recorded although git ignores them, but not in ignored folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """Which checkpoints are deleted: never pinned ones, and none by a limit that is `None`."""

    keep: int | None = None
    """How many of each session's newest are kept, and of its steps; those without a session count as one."""
    older_than_days: float | None = None
    """Age in days beyond which checkpoints are deleted."""
    max_bytes: int | None = None
    """Bytes on the disk, summed from the newest; the one that exceeds them and all older ones are deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """What the user chose for the checkpoints of one folder."""

    snapshot: SnapshotOptions = field(default_factory=SnapshotOptions)
    retention: RetentionPolicy = field(default_factory=lambda: RetentionPolicy(older_than_days=KEEP_DAYS))
    """Applied after each checkpoint that is taken, and by `prune` where it is given no limit."""
    mirror_bytes: int | None = MIRROR_BYTES
    """What the second copy of checkpoints outside of the repository may take; `None`: none is made."""
    wait: float = WAIT
    """Seconds for which a lock that another program has, of the checkpoints or git's own, is waited for."""
