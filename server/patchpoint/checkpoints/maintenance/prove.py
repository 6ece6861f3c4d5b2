"""Prove that the way back works here: take a checkpoint, restore it next to the tree, compare every byte.

It is restored from the mirror alone, where there is one, as if the repository were gone; else from the
repository. The working tree is only read.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from patchpoint.checkpoints.maintenance.adopt import adopt
from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere, Why
from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.update import complete_mirror
from patchpoint.checkpoints.options import SnapshotOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.mirrored import Described, registered
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.restore.prepare import RestoreRequest, restore
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.new_repository import make_repository
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress

_PREFIX = ".patchpoint-proof-"
_EXECUTABLE = 0o100


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a proof has shown."""

    files: int
    bytes: int
    """What was compared."""
    from_mirror: bool
    """Whether it was restored from the mirror alone."""
    different: tuple[str, ...]
    """Paths that came back otherwise, or not at all."""
    changed: tuple[str, ...]
    """Paths of which nothing can be said, for they were written to meanwhile."""
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether every byte came back."""
        return not self.different


def prove(records: Records, options: SnapshotOptions, progress: Progress) -> Proof:
    """Take a checkpoint, restore it into a folder next to the working tree, and compare it with that.

    The checkpoint and the folder are removed in the end. The caller holds the lock of the checkpoints. Raises
    `CheckpointError`, also where the copy lacks something, and `OSError`.
    """
    began, clock = time.time(), time.monotonic()
    root = Path(os.fsdecode(records.repository.worktree))
    progress.report("Taking a checkpoint")
    request = CheckpointRequest(label="Proof", buffers={})
    taken = records.take_each([request], options, progress)[0]
    above = root.parent if os.access(root.parent, os.W_OK) else None
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX, dir=above)))
    try:
        from_mirror = False
        described = Described(records.repository, records.namespace)
        if records.mirror_bytes is not None and not records.repository.private:
            with suppress(OSError, RuntimeError):
                from_mirror = complete_mirror(records.repository, records.mirror_bytes, described)
        progress.report("Restoring it next to the tree")
        source = (
            place.mirror_directory(records.repository)
            if from_mirror
            else Path(os.fsdecode(records.repository.commondir))
        )
        _restore_aside(records, taken, source, folder, options, progress)
        progress.report("Comparing every byte")
        different, size, changed = _compared(records, taken, root, folder / "tree", began, progress)
        return Proof(
            files=taken.files,
            bytes=size,
            from_mirror=from_mirror,
            different=tuple(different),
            changed=tuple(changed),
            seconds=time.monotonic() - clock,
        )
    finally:
        records.delete(taken.id, taken.commit)
        shutil.rmtree(folder, ignore_errors=True)


def _restore_aside(
    records: Records,
    taken: Checkpoint,
    source: Path,
    folder: Path,
    options: SnapshotOptions,
    progress: Progress,
) -> None:
    (folder / "tree").mkdir()
    object_format = records.repository.object_format
    make_repository(folder / "store", bare=True, object_format=object_format)
    aside: Repository = replace(
        place.opened(folder / "store", object_format, os.fsencode(folder / "tree")),
        config=records.repository.config,
    )
    there = Records(aside, None)
    entry = registered(records.ref_of(taken), taken)
    group = Elsewhere(Why.LOST, str(folder), source, object_format, (entry,))
    adopt(there, group, group.entries, progress)
    take = partial(there.snapshot, replace(options, max_file_size=1 << 62), progress)
    restore(there, there.get(taken.id), RestoreRequest(), take, progress)


def _compared(
    records: Records, taken: Checkpoint, root: Path, copy: Path, began: float, progress: Progress
) -> tuple[list[str], int, list[str]]:
    """Return the paths that differ, the bytes that were compared, and the paths that changed meanwhile."""
    different: list[str] = []
    changed: list[str] = []
    size = 0
    expected = set()
    for path, entry in records.objects.files(ObjectID(taken.tree.encode())):
        progress.check()
        if entry.is_gitlink:
            continue
        name = os.fsdecode(path)
        expected.add(name)
        one, other = _file(root / name), _file(copy / name)
        if one is not None and one == other:
            size += len(one[1])
        elif _changed_since(root / name, began):
            changed.append(name)
        else:
            different.append(name)
    different += [name for name in _files_below(copy) if name not in expected]
    return sorted(different), size, sorted(changed)


def _file(path: Path) -> tuple[int, bytes] | None:
    """Return what a file is, as far as git tells files apart, and its content."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return stat.S_IFLNK, os.fsencode(os.readlink(path))
        return stat.S_IFREG | (status.st_mode & _EXECUTABLE), read_file_bytes(path)
    except OSError:
        return None


def _changed_since(path: Path, began: float) -> bool:
    try:
        return path.lstat().st_ctime >= began - 1
    except OSError:
        return True


def _files_below(folder: Path) -> Iterator[str]:
    for directory, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(directory, name), folder).replace(os.sep, "/")
