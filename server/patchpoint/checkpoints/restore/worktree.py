"""Write the files of a restore: stage them next to their targets, check again, rename over."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from patchpoint.checkpoints.errors import PathObstructedError, TreeMovedError
from patchpoint.checkpoints.restore.plan import WorktreeChange, directories_above
from patchpoint.checkpoints.restore.replaced import ReplacedFiles
from patchpoint.checkpoints.snapshot.blobs import read_raw_bytes
from patchpoint.filesystem.atomic_write import rename_over, write_new
from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_hexadecimal

_Signature = tuple[int, int, int, int]
_NO_ID = ObjectID(b"")
_DIRECTORY = Entry(stat.S_IFDIR, _NO_ID)
STAGED_PREFIX = b".patchpoint-"
"""How the name of every staged file begins."""


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """One change of a restore, and where its new content is staged (`None` for a deletion)."""

    change: WorktreeChange
    staged: bytes | None


class WorktreeWriter:
    """Changes files below one root, never following a symbolic link out of it.

    A restore calls `stage` for every step, then `apply` for every step. An interrupted one is finished by
    `complete`, which goes by the content on the disk and needs nothing staged.
    """

    def __init__(self, root: Path, objects: ObjectReader, *, trust_mode: bool = True) -> None:
        self._prefix = os.path.join(os.fsencode(root), b"")
        self._objects = objects
        self._trust_mode = trust_mode
        self._signatures: dict[bytes, _Signature | None] = {}
        self._seen: set[bytes] = set()
        """Directories that exist. While a restore is prepared they are not checked again; only `apply` has to
        notice one that is replaced meanwhile."""

    def steps(self, changes: Sequence[WorktreeChange], restore: str) -> list[RestoreStep]:
        """Return the steps for `changes`.

        Each write has a place to stage its content in the directory of its target, or in the nearest existing
        one above. `restore`, an id, makes the names of staged files unique to this restore.
        """
        steps = []
        nearest: dict[bytes, bytes] = {}
        for number, change in enumerate(changes):
            staged = None
            if change.new is not None:
                directory = change.path.rpartition(b"/")[0]
                if directory not in nearest:
                    nearest[directory] = self._nearest_directory(directory)
                name = b"%s%s-%d" % (STAGED_PREFIX, restore.encode(), number)
                staged = nearest[directory] + b"/" + name if nearest[directory] else name
            steps.append(RestoreStep(change, staged))
        return steps

    def unsaved(self, changes: Iterable[WorktreeChange]) -> list[bytes]:
        """Return the targets of `changes` that hold a file without a saved copy: an ignored one."""
        return [
            change.path
            for change in changes
            if change.old is None and stat.S_IFMT(self._mode_at(change.path)) in (stat.S_IFREG, stat.S_IFLNK)
        ]

    def refuse_obstructed(self, changes: Sequence[WorktreeChange]) -> None:
        """Raise `PathObstructedError` when a write is obstructed by what `changes` do not delete."""
        gone = {change.path for change in changes if change.new is None}
        clear: set[bytes] = set()
        for change in changes:
            if change.new is None:
                continue
            for directory in directories_above(change.path):
                if directory in clear:
                    break
                kind = self._mode_at(directory, self._seen)
                if stat.S_ISDIR(kind):
                    self._seen.add(directory)
                elif kind and directory not in gone:
                    raise _obstructed(change.path, directory)
                clear.add(directory)
            kind = self._mode_at(change.path, self._seen)
            if stat.S_ISDIR(kind):
                for below in self._files_below(change.path):
                    if below not in gone:
                        raise _obstructed(change.path, below)
            elif kind and not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
                raise _obstructed(change.path, change.path)

    def stage(self, step: RestoreStep) -> None:
        """Verify that the target is as it was saved, and write the new content, verified too, next to it.

        Raises `TreeMovedError` or `CheckpointDamagedError`.
        """
        change = step.change
        status = self._lstat(change.path, self._seen)
        self._signatures[change.path] = _signature(status)
        if not _same_content(self._entry_on_disk(change.path, status), change.old):
            raise TreeMovedError(
                f"'{_shown(change.path)}' changed while the restore was prepared; nothing was done. Retry."
            )
        if step.staged is not None and change.new is not None:
            self._write(step.staged, change.new, status)

    def apply(self, step: RestoreStep, replaced: ReplacedFiles) -> bool:
        """Rename the staged content over the target, or delete the target.

        The replaced file is kept in `replaced`. Returns false, with nothing done, when the target is not what
        `stage` saw.
        """
        path = step.change.path
        status = self._lstat(path)
        if _signature(status) != self._signatures.pop(path):
            return False
        if status is not None and stat.S_ISREG(status.st_mode):
            replaced.keep(self._at(path))
        if step.staged is None:
            os.unlink(self._at(path))
        else:
            self._rename(step.staged, path, status)
        return True

    def complete(self, step: RestoreStep, *, power_failed: bool = False) -> bool:
        """Complete one step of an interrupted restore, whether or not it had been applied. Idempotent.

        Returns false, with nothing done, when the target has neither the old content nor the new. After the
        power failed, a file that `is_zero_filled` counts as new content that did not reach the disk.
        """
        change = step.change
        status = self._lstat(change.path)
        present = self._entry_on_disk(change.path, status)
        if self._is_complete(present, change.new):
            return True
        if present == _DIRECTORY and change.new is None:
            return True
        if power_failed and change.new is not None and self.is_zero_filled(change.path):
            present = change.new
        if not _same_content(present, change.old) and not _same_content(present, change.new):
            if present != _DIRECTORY:
                return False
            if next(iter(self._files_below(change.path)), None) is not None:
                return False
        if step.staged is None or change.new is None:
            os.unlink(self._at(change.path))
        else:
            staged = self._clear_staging(step.staged)
            self._write(staged, change.new, status)
            self._rename(staged, change.path, status)
        return True

    def is_zero_filled(self, path: bytes) -> bool:
        """Return whether a file is empty or all zeros, as when the power fails before its data is written."""
        if not stat.S_ISREG(self._mode_at(path)):
            return False
        return not self.content(path)[1].strip(b"\0")

    def discard(self, steps: Iterable[RestoreStep]) -> None:
        """Remove the staged files of `steps` that exist."""
        for step in steps:
            for staged in (step.staged, step.staged.rpartition(b"/")[2]) if step.staged else ():
                with suppress(OSError):
                    os.unlink(self._at(staged))

    def remove_empty_directories(self, deleted: Iterable[bytes]) -> None:
        """Remove the directories that the deletion of these paths left empty."""
        directories = {directory for path in deleted for directory in directories_above(path)}
        seen: set[bytes] = set()
        for directory in sorted(directories, key=lambda directory: directory.count(b"/"), reverse=True):
            if stat.S_ISDIR(self._mode_at(directory, seen)):
                with suppress(OSError):
                    os.rmdir(self._at(directory))

    def content(self, path: bytes) -> tuple[int, bytes]:
        """Return git's mode and the raw bytes of the file or symbolic link at `path`."""
        status = self._lstat(path)
        return self._content(path, status.st_mode if status else 0, status.st_size if status else 0)

    def _entry_on_disk(self, path: bytes, status: os.stat_result | None) -> Entry | None:
        """Return the entry of `path`, whose `lstat` is `status`; only files and links have an object id."""
        kind = status.st_mode if status else 0
        if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
            return Entry(stat.S_IFMT(kind), _NO_ID) if kind else None
        mode, content = self._content(path, kind, status.st_size if status else 0)
        return Entry(mode, to_hexadecimal(object_id(BLOB, content, self._objects.object_format)))

    def _content(self, path: bytes, kind: int, size: int) -> tuple[int, bytes]:
        if stat.S_ISLNK(kind):
            return stat.S_IFLNK, os.fsencode(os.readlink(self._at(path)))
        return 0o100755 if kind & 0o100 else 0o100644, read_raw_bytes(self._at(path), size)

    def _nearest_directory(self, directory: bytes) -> bytes:
        """Return `directory`, or the nearest existing one above it."""
        while (
            directory
            and directory not in self._seen
            and not stat.S_ISDIR(self._mode_at(directory, self._seen))
        ):
            directory = directory.rpartition(b"/")[0]
        return directory

    def _at(self, path: bytes) -> bytes:
        return self._prefix + path

    def _mode_at(self, path: bytes, seen: set[bytes] | None = None) -> int:
        """Return the mode of `path`, following no link; 0 if it is missing, or below a link or file."""
        status = self._lstat(path, seen)
        return status.st_mode if status else 0

    def _lstat(self, path: bytes, seen: set[bytes] | None = None) -> os.stat_result | None:
        """Return the `lstat` of `path`; `None` if it is missing or anything above it is not a directory.

        Directories in `seen` are not checked again; those that are found are added to it.
        """
        found = set() if seen is None else seen
        try:
            known = path.rpartition(b"/")[0] in found
            for directory in () if known else reversed(directories_above(path)):
                if directory not in found:
                    if not stat.S_ISDIR(os.lstat(self._prefix + directory).st_mode):
                        return None
                    found.add(directory)
            return os.lstat(self._prefix + path)
        except OSError:
            return None

    def _files_below(self, directory: bytes) -> Iterable[bytes]:
        waiting = [directory]
        while waiting:
            directory = waiting.pop()
            with os.scandir(self._at(directory)) as entries:
                names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
            for name, is_directory in names:
                path = directory + b"/" + name
                if is_directory:
                    waiting.append(path)
                else:
                    yield path

    def _write(self, staged: bytes, entry: Entry, replaced: os.stat_result | None) -> None:
        """Write the blob of `entry` to the new file `staged`, with the permissions of the file it
        replaces."""
        content = self._objects.blob(entry.oid)
        place = self._at(staged)
        if entry.is_symlink:
            os.symlink(os.fsdecode(content), os.fsdecode(place))
            return
        executable = bool(entry.mode & 0o100)
        kind = replaced.st_mode if replaced else 0
        write_new(
            place,
            content,
            permissions=0o777 if executable else 0o666,
            exactly=_permissions_for(kind, executable) if stat.S_ISREG(kind) else None,
        )

    def _rename(self, staged: bytes, path: bytes, replaced: os.stat_result | None) -> None:
        if replaced is None or stat.S_ISDIR(replaced.st_mode):
            if stat.S_ISDIR(self._mode_at(path)):
                self._remove_empty_tree(path)
            self._make_directories_above(path)
        rename_over(self._at(staged), self._at(path))

    def _make_directories_above(self, path: bytes) -> None:
        missing = []
        for directory in directories_above(path):
            if os.path.isdir(self._at(directory)):
                break
            missing.append(self._at(directory))
        for place in reversed(missing):
            try:
                os.mkdir(place)
            except FileExistsError:
                if not os.path.isdir(place):
                    raise

    def _remove_empty_tree(self, directory: bytes) -> None:
        """Remove a directory that holds nothing but directories, at any depth."""
        found = [directory]
        for each in found:
            with os.scandir(self._at(each)) as entries:
                found += [each + b"/" + entry.name for entry in entries]
        for each in reversed(found):
            os.rmdir(self._at(each))

    def _clear_staging(self, staged: bytes) -> bytes:
        """Return a path to stage at, after removing what an earlier attempt left there."""
        directory, slash, _ = staged.rpartition(b"/")
        if slash and not stat.S_ISDIR(self._mode_at(directory)):
            staged = staged.rpartition(b"/")[2]
        with suppress(OSError):
            os.unlink(self._at(staged))
        return staged

    def _is_complete(self, present: Entry | None, wanted: Entry | None) -> bool:
        if present is None or wanted is None:
            return present == wanted
        if self._trust_mode and present.mode != wanted.mode:
            return False
        return _same_content(present, wanted)


def _signature(status: os.stat_result | None) -> _Signature | None:
    """Return what changes with a file: times, size, inode, mode; `None` if missing or a directory."""
    if status is None or stat.S_ISDIR(status.st_mode):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode


def _same_content(present: Entry | None, entry: Entry | None) -> bool:
    """Return whether both are the same but for the executable bit."""
    if present is None or entry is None:
        return present is entry or present == _DIRECTORY
    return stat.S_IFMT(present.mode) == stat.S_IFMT(entry.mode) and present.oid == entry.oid


def _permissions_for(old: int, executable: bool) -> int:
    """Return the permissions of a file that replaces one of mode `old`: executable by those who may read."""
    permissions = stat.S_IMODE(old) & ~0o111
    return permissions | (permissions & 0o444) >> 2 if executable else permissions


def _obstructed(path: bytes, obstacle: bytes) -> PathObstructedError:
    return PathObstructedError(
        f"'{_shown(path)}' cannot be restored: '{_shown(obstacle)}' is in the way, and a restore does not "
        "delete it; move it away, or restore other files by name."
    )


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "replace")
