"""What a restore will do to the files: worked out whole, from two trees, before anything is touched."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dulwich.index import validate_path_element_hfs, validate_path_element_ntfs

from patchpoint.checkpoints.checkpoint import LeftOut
from patchpoint.checkpoints.errors import UnsafePathError
from patchpoint.checkpoints.proven import Change, Entry


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path and what becomes of it: from `old` (saved in the safety checkpoint) to `new`.

    `None` is for a path where nothing stands.
    """

    path: bytes
    old: Entry | None
    new: Entry | None

    def reversed(self) -> FileChange:
        """The change that takes this one back."""
        return FileChange(self.path, self.new, self.old)


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """All that a restore will do to the files, each list sorted by path."""

    writes: tuple[FileChange, ...]
    deletes: tuple[FileChange, ...]
    kept: tuple[LeftOut, ...]
    """What is not as the checkpoint has it and stays as it is, each with its reason."""

    def ordered(self) -> list[FileChange]:
        """The changes in the order to make them: what stands in the way of a write goes, then come all
        writes, then the other deletions."""
        needed = {change.path.lower() for change in self.writes}
        folders = {folder for path in needed for folder in folders_above(path)}
        in_the_way = {
            change
            for change in self.deletes
            if change.path.lower() in needed
            or change.path.lower() in folders
            or any(folder in needed for folder in folders_above(change.path.lower()))
        }
        first = [change for change in self.deletes if change in in_the_way]
        last = [change for change in self.deletes if change not in in_the_way]
        return [*first, *self.writes, *last]


def plan(
    changes: Iterable[Change],
    *,
    not_recorded: Mapping[bytes, str],
    not_saved: Mapping[bytes, str],
    is_ignored: Callable[[bytes], bool],
    is_hidden: Callable[[bytes], bool],
) -> RestorePlan:
    """What to do for `changes`, which lead from the state saved just now to the one to restore.

    `not_recorded` is what the checkpoint left out, with reasons: it is not known to have come afterwards and
    is not deleted.
    `not_saved` is what could not be saved just now: it is not overwritten. `is_ignored` says whether a path
    is ignored by the rules of the one state or the other: it is not deleted either. `is_hidden` says whether
    a sparse checkout hides it now: it stays hidden.

    Raises `UnsafePathError` for a path that must never be written.
    """
    writes: list[FileChange] = []
    deletes: list[FileChange] = []
    kept: list[LeftOut] = []
    for change in changes:
        reason = _reason_to_keep(change, not_recorded, not_saved)
        if reason is None and is_hidden(change.path):
            reason = "a sparse checkout hides it"
        if reason is None and change.new is None and is_ignored(change.path):
            reason = "it is ignored, so it may be older than the checkpoint"
        if reason is not None:
            kept.append(LeftOut(os.fsdecode(change.path), reason))
        elif change.new is None:
            deletes.append(FileChange(change.path, change.old, None))
        else:
            refuse_unsafe(change.path)
            writes.append(FileChange(change.path, change.old, change.new))
    return RestorePlan(
        tuple(sorted(writes, key=_path)),
        tuple(sorted(deletes, key=_path)),
        tuple(sorted(kept, key=lambda left: left.path)),
    )


def is_within(path: bytes, paths: Collection[bytes]) -> bool:
    """Whether `path` is one of `paths` or below one. No paths at all stand for everything."""
    if not paths or b"" in paths or path in paths:
        return True
    return any(folder in paths for folder in folders_above(path))


def refuse_unsafe(path: bytes) -> None:
    """Raise `UnsafePathError` for a path that some file system takes for one into `.git` or out of the tree.

    The rules of NTFS and of HFS+ hold everywhere: a checkpoint made here may be restored there. A name that
    is no UTF-8 cannot stand on HFS+, whose rules then say nothing.
    """
    for element in path.split(b"/"):
        if not _is_safe(element):
            raise UnsafePathError(
                f"The checkpoint holds '{path.decode('utf-8', 'replace')}', which may not be written; "
                "restore the other files by name."
            )


def folders_above(path: bytes) -> tuple[bytes, ...]:
    """The folders above `path`, outermost last."""
    folder = path.rpartition(b"/")[0]
    return _with_those_above(folder) if folder else ()


@lru_cache(maxsize=4096)
def _with_those_above(folder: bytes) -> tuple[bytes, ...]:
    return (folder, *folders_above(folder))


@lru_cache(maxsize=4096)
def _is_safe(element: bytes) -> bool:
    return validate_path_element_ntfs(element) and (
        not _is_utf8(element) or validate_path_element_hfs(element)
    )


def _reason_to_keep(
    change: Change, not_recorded: Mapping[bytes, str], not_saved: Mapping[bytes, str]
) -> str | None:
    if (reason := _covering(change.path, not_saved)) is not None:
        return f"it could not be saved first: {reason}"
    if change.new is None and (reason := _covering(change.path, not_recorded)) is not None:
        return f"the checkpoint does not hold it: {reason}"
    if (change.old and change.old.is_gitlink) or (change.new and change.new.is_gitlink):
        return "it is a repository of its own"
    return None


def _covering(path: bytes, reasons: Mapping[bytes, str]) -> str | None:
    """The reason given for `path` or for a folder above it."""
    if not reasons:
        return None
    for candidate in (path, *folders_above(path)):
        if (reason := reasons.get(candidate)) is not None:
            return reason
    return None


def _path(change: FileChange) -> bytes:
    return change.path


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
