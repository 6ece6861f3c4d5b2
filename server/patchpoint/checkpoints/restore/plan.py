"""Plan what a restore does to the files, from two trees, before anything is changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import (
    ChangedSinceError,
    HunkNotFoundError,
    UnsafePathError,
    changed_since,
)
from patchpoint.checkpoints.record.checkpoint import SkippedPath
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.directory_tree import folded
from patchpoint.git.ignore.editor_files import editor_file
from patchpoint.git.objects.reader import Change, Entry
from patchpoint.git.odb.ids import BLOB, ObjectID, to_hexadecimal
from patchpoint.git.paths import is_safe_path

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.record.state_commit import CheckpointState
    from patchpoint.checkpoints.snapshot.staged import IndexState
    from patchpoint.checkpoints.snapshot.take import Snapshot
    from patchpoint.git.index.under_way import UnderWay
    from patchpoint.git.objects.reader import ObjectReader
    from patchpoint.git.repository import Head

_CACHED_LEVELS = 50
"""Directories that are deeper are not kept in memory: their names take room by the square of the depth."""


@dataclass(frozen=True, slots=True)
class WorktreeChange:
    """One path in the working tree: its entry `old`, saved in the safety checkpoint, and its entry `new`.

    `None` is a path without a file.
    """

    path: bytes
    old: Entry | None
    new: Entry | None

    def reversed(self) -> WorktreeChange:
        """Return the inverse change."""
        return WorktreeChange(self.path, self.new, self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftState:
    """What an operation did, as it left it: it is taken back where all of it is still so."""

    files: Mapping[bytes, Entry | None]
    """What became of each file; `None` for one that was deleted."""
    head: Head | None = None
    """What was checked out then, if branch or staged state are to be taken back, too."""
    index: IndexState | None = None
    """The staged state then, if it is to be taken back."""
    under_way: Mapping[str, bytes] | None = None
    """What git was in the middle of then (see `UnderWay.from_record`), if it is to be taken back."""
    instead: str = ""
    """A sentence: what to do where something has changed since."""

    def refuse_changed(self, is_there: Callable[[bytes, Entry | None], bool], head: Head) -> None:
        """Raise `ChangedSinceError` when files (`is_there` looks) or branch are not as they were left.

        A file that gave way to a folder is gone where the files of that folder are as they were left.
        """
        left = (path for path, entry in self.files.items() if entry is not None)
        folders = {folder for path in left for folder in directories_above(path)}
        changed = [
            os.fsdecode(path)
            for path, entry in self.files.items()
            if not is_there(path, entry) and not (entry is None and path in folders)
        ]
        if changed:
            raise changed_since(sorted(changed), self.instead)
        if self.head not in (None, head):
            raise ChangedSinceError(
                f"Another branch or commit has been checked out since; nothing was changed. {self.instead}"
            )

    def refuse_under_way(self, now: UnderWay) -> None:
        """Raise `ChangedSinceError` when git is in the middle of another merge than it was left in."""
        from patchpoint.git.index.under_way import UnderWay

        if self.under_way is not None and UnderWay.from_record(self.under_way).heads != now.heads:
            raise ChangedSinceError(f"A merge was begun or ended since; nothing was changed. {self.instead}")

    def refuse_staged(self, index: IndexState | None, objects: ObjectReader) -> None:
        """Raise `ChangedSinceError` when the staged state is not as it was left."""
        from patchpoint.checkpoints.snapshot.staged import is_staged_alike

        if self.index not in (None, index) and not is_staged_alike(self.index, index, objects):
            raise ChangedSinceError(f"Something has been staged since; nothing was changed. {self.instead}")


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """All changes of a restore to the files, each list sorted by path."""

    writes: tuple[WorktreeChange, ...]
    deletes: tuple[WorktreeChange, ...]
    kept: tuple[SkippedPath, ...]
    """Paths that differ from the checkpoint and stay as they are, with reasons."""

    def ordered(self) -> list[WorktreeChange]:
        """Return the changes in the order to apply: deletions that make way for a write, writes, other
        deletions."""
        needed = {folded(change.path) for change in self.writes}
        directories = {directory for path in needed for directory in directories_above(path)}
        in_the_way = {
            change
            for change in self.deletes
            if (path := folded(change.path)) in needed
            or path in directories
            or any(directory in needed for directory in directories_above(path))
        }
        first = [change for change in self.deletes if change in in_the_way]
        last = [change for change in self.deletes if change not in in_the_way]
        return [*first, *self.writes, *last]

    def without_moving(self, paths: Collection[bytes]) -> RestorePlan:
        """Return the plan without the files at `paths`, which another program keeps writing."""
        if not paths:
            return self
        left = [change.path for change in (*self.writes, *self.deletes) if change.path in paths]
        kept = [SkippedPath(os.fsdecode(path), "another program keeps writing to it") for path in left]
        writes, deletes = (
            tuple(change for change in changes if change.path not in paths)
            for changes in (self.writes, self.deletes)
        )
        return RestorePlan(writes, deletes, tuple(sorted((*self.kept, *kept), key=lambda left: left.path)))

    def without_twins(self, spellings: Mapping[bytes, bytes], folds: Callable[[bytes], bool]) -> RestorePlan:
        """Return the plan without the writes that would replace another file of the state to restore.

        Where the disk folds case, two paths can lead to one file. `spellings` has how the disk spells paths
        without a file at which it finds one, and `folds` returns whether it folds case at a path.
        """
        going = {change.path for change in self.deletes}
        first: dict[bytes, bytes] = {}
        for change in sorted(self.writes, key=lambda change: (change.old is None, change.path)):
            first.setdefault(folded(change.path), change.path)
        writes, kept = [], list(self.kept)
        for change in self.writes:
            twin = spellings.get(change.path)
            if twin is None or twin in going:
                other = first[folded(change.path)]
                twin = other if other != change.path and folds(change.path) else None
            if twin is None:
                writes.append(change)
            else:
                reason = f"this disk takes it for '{os.fsdecode(twin)}'"
                kept.append(SkippedPath(os.fsdecode(change.path), reason))
        return RestorePlan(tuple(writes), self.deletes, tuple(sorted(kept, key=lambda left: left.path)))


def plan_restore(
    changes: Iterable[Change],
    *,
    not_recorded: Mapping[bytes, str],
    not_saved: Mapping[bytes, str],
    is_ignored: Callable[[bytes], bool],
    is_hidden: Callable[[bytes], bool],
    is_there: Callable[[bytes], bool],
) -> RestorePlan:
    """Return the plan for `changes`, which lead from the state just saved to the one to restore.

    `not_recorded` has the paths that the checkpoint skipped, with reasons: they may be older than it and are
    not deleted. `not_saved` has those that could not be saved just now: they are not overwritten.
    `is_ignored` returns whether a path is ignored by the rules of either state: it is not deleted.
    `is_hidden` returns whether a sparse checkout hides a path now: it stays hidden. `is_there` returns
    whether there is anything at a path: an editor's own file that is there stays.

    Raises `UnsafePathError` for a path that must never be written.
    """
    writes: list[WorktreeChange] = []
    deletes: list[WorktreeChange] = []
    kept: list[SkippedPath] = []
    for change in changes:
        reason = _reason_to_keep(change, not_recorded, not_saved)
        if reason is None and is_hidden(change.path):
            reason = "a sparse checkout hides it"
        if reason is None and change.old is None and (what := editor_file(change.path)):
            reason = f"it is {what}" if is_there(change.path) else None
        if reason is None and change.new is None and is_ignored(change.path):
            reason = "it is ignored by git and may be older than the checkpoint"
        if reason is not None:
            kept.append(SkippedPath(os.fsdecode(change.path), reason))
        elif change.new is None:
            deletes.append(WorktreeChange(change.path, change.old, None))
        else:
            if not is_safe_path(change.path):
                raise UnsafePathError(
                    f"The checkpoint holds '{change.path.decode('utf-8', 'replace')}', "
                    "which may not be written; restore the other files by name."
                )
            writes.append(WorktreeChange(change.path, change.old, change.new))
    return RestorePlan(
        tuple(sorted(writes, key=_path)),
        tuple(sorted(deletes, key=_path)),
        tuple(sorted(kept, key=lambda left: left.path)),
    )


def hunk_change(
    records: Records, checkpoint: Checkpoint, snapshot: Snapshot, paths: Collection[bytes], hunk: str
) -> Change:
    """Return the change that reverts one hunk of the difference of the one file in `paths`.

    Raises `HunkNotFoundError`.
    """
    if len(paths) != 1:
        raise HunkNotFoundError("A hunk belongs to one file; name only that file.")
    (path,), objects = paths, records.objects
    then = objects.at(ObjectID(checkpoint.tree.encode()), path)
    now = objects.at(ObjectID(snapshot.tree.encode()), path)
    for entry in (then, now):
        if entry is not None and not stat.S_ISREG(entry.mode):
            raise HunkNotFoundError(
                f"'{os.fsdecode(path)}' is not a regular file and has no hunks; restore the whole file."
            )
    before = objects.blob(then.oid) if then else b""
    after = objects.blob(now.oid) if now else b""
    from patchpoint.checkpoints.diff import revert_hunk
    from patchpoint.git.objects.writer import ObjectWriter

    content = revert_hunk(before, after, hunk)
    if then is None and not content:
        return Change(path, now, None)
    with ObjectWriter(records.repository) as writer:
        oid = to_hexadecimal(writer.add(BLOB, content))
        writer.finish()
    mode = (now or then or Entry(0o100644, oid)).mode
    return Change(path, now, Entry(mode, oid))


def hidden_by(objects: ObjectReader, index: IndexState | None) -> Callable[[bytes], bool]:
    """Return whether a path (in the index, not on the disk) was hidden by a sparse checkout in `index`."""
    if index is None or index.flags is None:
        return lambda _path: False
    from patchpoint.checkpoints.snapshot.staged import read_flags
    from patchpoint.git.index.read import SKIP_WORKTREE

    flags = read_flags(objects.blob(ObjectID(index.flags.encode())))
    paths = frozenset(path.rstrip(b"/") for path, bits in flags.items() if bits & SKIP_WORKTREE)
    return lambda path: bool(paths) and is_within(path, paths)


def ignored_by_either(
    records: Records, checkpoint: Checkpoint, state: CheckpointState
) -> Callable[[bytes], bool]:
    """Return whether a path is ignored by the current rules or by those of the checkpoint."""
    from patchpoint.filesystem.open_to_read import read_file_bytes
    from patchpoint.git.ignore.rules import IgnoreRules, PathRules, standard_rules

    repository, objects = records.repository, records.objects
    root = Path(os.fsdecode(repository.worktree))

    def on_disk(path: bytes) -> bytes | None:
        place = root / os.fsdecode(path)
        try:
            return read_file_bytes(place) if not place.is_symlink() else None
        except OSError:
            return None

    def in_checkpoint(path: bytes) -> bytes | None:
        entry = objects.at(ObjectID(checkpoint.tree.encode()), path)
        return objects.blob(entry.oid) if entry and stat.S_ISREG(entry.mode) else None

    outside = IgnoreRules(fold=repository.flag(b"core", b"ignorecase", False))
    for content in state.rules:
        outside = outside.within(b"", content)
    now = PathRules(standard_rules(repository), on_disk)
    then = PathRules(outside, in_checkpoint)
    return lambda path: now.ignores(path) or then.ignores(path)


def renamed_by_case(changes: Iterable[WorktreeChange]) -> dict[bytes, bytes]:
    """Return the paths that are created, each with the other spelling of it that is deleted."""
    changes = list(changes)
    going = {folded(change.path): change.path for change in changes if change.new is None}
    coming = (change.path for change in changes if change.old is None) if going else ()
    return {path: going[key] for path in coming if (key := folded(path)) in going}


def is_within(path: bytes, paths: Collection[bytes]) -> bool:
    """Return whether `path` is one of `paths` or below one. No paths at all mean everything."""
    if not paths or b"" in paths or path in paths:
        return True
    return any(directory in paths for directory in directories_above(path))


def directories_above(path: bytes) -> tuple[bytes, ...]:
    """Return the directories above `path`, outermost last."""
    directory = path.rpartition(b"/")[0]
    if directory.count(b"/") > _CACHED_LEVELS:
        return _upwards(directory)
    return _with_those_above(directory) if directory else ()


@lru_cache(maxsize=4096)
def _with_those_above(directory: bytes) -> tuple[bytes, ...]:
    return _upwards(directory)


def _upwards(directory: bytes) -> tuple[bytes, ...]:
    found = []
    while directory:
        found.append(directory)
        directory = directory.rpartition(b"/")[0]
    return tuple(found)


def _reason_to_keep(
    change: Change, not_recorded: Mapping[bytes, str], not_saved: Mapping[bytes, str]
) -> str | None:
    if change.new is not None and change.new.is_gitlink:
        return f"it is a repository of its own; check out {change.new.oid.decode()[:10]} there"
    if change.old is not None and change.old.is_gitlink:
        return "it is a repository of its own"
    if (reason := _covering(change.path, not_saved)) is not None:
        return f"it could not be saved first: {reason}"
    if change.new is None and (reason := _covering(change.path, not_recorded)) is not None:
        return f"the checkpoint does not hold it: {reason}"
    return None


def _covering(path: bytes, reasons: Mapping[bytes, str]) -> str | None:
    """Return the reason given for `path` or for a directory above it."""
    if not reasons:
        return None
    for candidate in (path, *directories_above(path)):
        if (reason := reasons.get(candidate)) is not None:
            return reason
    return None


def _path(change: WorktreeChange) -> bytes:
    return change.path
