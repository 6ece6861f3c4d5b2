"""Putting the files of a restore into place: staged beside their targets, looked at again, renamed over."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from patchpoint.checkpoints.contents import raw_bytes
from patchpoint.checkpoints.errors import PathObstructedError, TreeMovedError
from patchpoint.checkpoints.proven import Entry, ProvenObjects, object_name
from patchpoint.checkpoints.replaced import ReplacedFiles
from patchpoint.checkpoints.restore_plan import FileChange, folders_above

_Signature = tuple[int, int, int, int]
_FOLDER = Entry(stat.S_IFDIR, b"")
STAGED_PREFIX = b".patchpoint-"
"""How the name of every staged file begins."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a restore, and where its new content is staged (`None` for a deletion)."""

    change: FileChange
    staged: bytes | None


class TreeWriter:
    """Changes files below one root, never following a symbolic link out of it.

    A live restore calls `stage` for every step, then `apply` for every step. One that was cut short is taken
    up by `settle`, which goes by the content it finds and needs nothing staged.
    """

    def __init__(self, root: Path, objects: ProvenObjects, *, trust_mode: bool = True) -> None:
        self._prefix = os.path.join(os.fsencode(root), b"")
        self._objects = objects
        self._trust_mode = trust_mode
        self._signatures: dict[bytes, _Signature | None] = {}
        self._seen: set[bytes] = set()
        """Folders that are there. While a restore is prepared they are not looked at again; it is `apply`
        that must not be led astray by one that someone replaces meanwhile."""

    def steps(self, changes: Sequence[FileChange], restore: str) -> list[Step]:
        """The steps for `changes`, each write with a place for its content in the folder of its target, or in
        the nearest one above that is there. `restore` makes the names of staged files its own."""
        steps = []
        nearest: dict[bytes, bytes] = {}
        for number, change in enumerate(changes):
            staged = None
            if change.new is not None:
                folder = change.path.rpartition(b"/")[0]
                if folder not in nearest:
                    nearest[folder] = self._nearest_folder(folder)
                name = b"%s%s-%d" % (STAGED_PREFIX, restore.encode(), number)
                staged = nearest[folder] + b"/" + name if nearest[folder] else name
            steps.append(Step(change, staged))
        return steps

    def unsaved(self, changes: Iterable[FileChange]) -> list[bytes]:
        """The targets of `changes` where a file stands that was not saved: one that is ignored."""
        return [
            change.path
            for change in changes
            if change.old is None and stat.S_IFMT(self._kind(change.path)) in (stat.S_IFREG, stat.S_IFLNK)
        ]

    def refuse_obstructed(self, changes: Sequence[FileChange]) -> None:
        """Raise `PathObstructedError` when something that is not among the deletions is in a write's way."""
        gone = {change.path for change in changes if change.new is None}
        clear: set[bytes] = set()
        for change in changes:
            if change.new is None:
                continue
            for folder in folders_above(change.path):
                if folder in clear:
                    break
                kind = self._kind(folder, self._seen)
                if stat.S_ISDIR(kind):
                    self._seen.add(folder)
                elif kind and folder not in gone:
                    raise _obstructed(change.path, folder)
                clear.add(folder)
            kind = self._kind(change.path, self._seen)
            if stat.S_ISDIR(kind):
                for below in self._files_below(change.path):
                    if below not in gone:
                        raise _obstructed(change.path, below)
            elif kind and not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
                raise _obstructed(change.path, change.path)

    def stage(self, step: Step) -> None:
        """Prove that the target is as it was saved, and write the new content, itself proven, beside it.

        Raises `TreeMovedError` or `CheckpointDamagedError`.
        """
        change = step.change
        status = self._status(change.path, self._seen)
        self._signatures[change.path] = _signature(status)
        if not _same_content(self._standing(change.path, status), change.old):
            raise TreeMovedError(
                f"'{_shown(change.path)}' changed while the restore was prepared; nothing was done. Retry."
            )
        if step.staged is not None and change.new is not None:
            self._write(step.staged, change.new, status)

    def apply(self, step: Step, replaced: ReplacedFiles) -> bool:
        """Rename the staged content over the target, or delete the target.

        The file that stood there is kept in `replaced`. False (and nothing done) when the target is not what
        `stage` saw.
        """
        path = step.change.path
        status = self._status(path)
        if _signature(status) != self._signatures.pop(path):
            return False
        if status is not None and stat.S_ISREG(status.st_mode):
            replaced.keep(self._at(path))
        if step.staged is None:
            os.unlink(self._at(path))
        else:
            self._rename(step.staged, path, status)
        return True

    def settle(self, step: Step, *, power_failed: bool = False) -> bool:
        """Bring one step of a restore that was cut short to its end, whether or not it had been taken.

        False (and nothing done) when what stands there is neither the old content nor the new; after the
        power failed, what is as `is_hollow` says counts as the new that did not reach the disk.
        """
        change = step.change
        status = self._status(change.path)
        standing = self._standing(change.path, status)
        if self._is_settled(standing, change.new):
            return True
        if standing == _FOLDER and change.new is None:
            return True
        if power_failed and change.new is not None and self.is_hollow(change.path):
            standing = change.new
        if not _same_content(standing, change.old) and not _same_content(standing, change.new):
            if standing != _FOLDER:
                return False
            if next(iter(self._files_below(change.path)), None) is not None:
                return False
        if step.staged is None or change.new is None:
            os.unlink(self._at(change.path))
        else:
            staged = self._settled_staging(step.staged)
            self._write(staged, change.new, status)
            self._rename(staged, change.path, status)
        return True

    def is_hollow(self, path: bytes) -> bool:
        """Whether a file has no content or nothing but zeros, as one has whose data the power failed to
        reach."""
        if not stat.S_ISREG(self._kind(path)):
            return False
        return not self.content(path)[1].strip(b"\0")

    def discard(self, steps: Iterable[Step]) -> None:
        """Remove what is staged for `steps`, as far as it is there."""
        for step in steps:
            for staged in (step.staged, step.staged.rpartition(b"/")[2]) if step.staged else ():
                with suppress(OSError):
                    os.unlink(self._at(staged))

    def remove_empty_folders(self, deleted: Iterable[bytes]) -> None:
        """Remove the folders that the deletion of these paths left empty."""
        folders = {folder for path in deleted for folder in folders_above(path)}
        for folder in sorted(folders, key=lambda folder: folder.count(b"/"), reverse=True):
            if stat.S_ISDIR(self._kind(folder)):
                with suppress(OSError):
                    os.rmdir(self._at(folder))

    def content(self, path: bytes) -> tuple[int, bytes]:
        """Git's mode and the raw bytes of the file or symbolic link at `path`."""
        status = self._status(path)
        return self._content(path, status.st_mode if status else 0, status.st_size if status else 0)

    def _standing(self, path: bytes, status: os.stat_result | None) -> Entry | None:
        """What stands at `path` on disk, of which this is known; a folder, socket or device has no
        content."""
        kind = status.st_mode if status else 0
        if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
            return Entry(stat.S_IFMT(kind), b"") if kind else None
        mode, content = self._content(path, kind, status.st_size if status else 0)
        return Entry(mode, object_name(b"blob", content, self._objects.oid_length))

    def _content(self, path: bytes, kind: int, size: int) -> tuple[int, bytes]:
        if stat.S_ISLNK(kind):
            return stat.S_IFLNK, os.fsencode(os.readlink(self._at(path)))
        return 0o100755 if kind & 0o100 else 0o100644, raw_bytes(self._at(path), size)

    def _nearest_folder(self, folder: bytes) -> bytes:
        """`folder`, or the nearest one above it that is there."""
        while folder and folder not in self._seen and not stat.S_ISDIR(self._kind(folder, self._seen)):
            folder = folder.rpartition(b"/")[0]
        return folder

    def _at(self, path: bytes) -> bytes:
        return self._prefix + path

    def _kind(self, path: bytes, seen: set[bytes] | None = None) -> int:
        """The mode of what stands at `path`, following no link; 0 for nothing, or below a link or file."""
        status = self._status(path, seen)
        return status.st_mode if status else 0

    def _status(self, path: bytes, seen: set[bytes] | None = None) -> os.stat_result | None:
        """Of what stands at `path`, which counts as nothing when a folder above it is a link or no folder.

        Folders in `seen` are not looked at again; those that are found are added to it.
        """
        found = set() if seen is None else seen
        try:
            for folder in reversed(folders_above(path)):
                if folder not in found:
                    if not stat.S_ISDIR(os.lstat(self._prefix + folder).st_mode):
                        return None
                    found.add(folder)
            return os.lstat(self._prefix + path)
        except OSError:
            return None

    def _files_below(self, folder: bytes) -> Iterable[bytes]:
        with os.scandir(self._at(folder)) as entries:
            names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for name, is_folder in names:
            path = folder + b"/" + name
            if is_folder:
                yield from self._files_below(path)
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
        flags = (
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        )
        executable = entry.mode & 0o100
        descriptor = os.open(place, flags, 0o777 if executable else 0o666)
        try:
            remaining = memoryview(content)
            while remaining:
                remaining = remaining[os.write(descriptor, remaining) :]
            kind = replaced.st_mode if replaced else 0
            if stat.S_ISREG(kind) and hasattr(os, "fchmod"):
                os.fchmod(descriptor, _permissions(kind, bool(executable)))
        finally:
            os.close(descriptor)

    def _rename(self, staged: bytes, path: bytes, replaced: os.stat_result | None) -> None:
        if replaced is None or stat.S_ISDIR(replaced.st_mode):
            if stat.S_ISDIR(self._kind(path)):
                self._remove_hollow(path)
            folder = path.rpartition(b"/")[0]
            if folder:
                os.makedirs(self._at(folder), exist_ok=True)
        os.replace(self._at(staged), self._at(path))

    def _remove_hollow(self, folder: bytes) -> None:
        """Remove a folder that holds folders and nothing else."""
        with os.scandir(self._at(folder)) as entries:
            names = [entry.name for entry in entries]
        for name in names:
            self._remove_hollow(folder + b"/" + name)
        os.rmdir(self._at(folder))

    def _settled_staging(self, staged: bytes) -> bytes:
        """A place to stage, free of what an earlier attempt left there."""
        folder, slash, _ = staged.rpartition(b"/")
        if slash and not stat.S_ISDIR(self._kind(folder)):
            staged = staged.rpartition(b"/")[2]
        with suppress(OSError):
            os.unlink(self._at(staged))
        return staged

    def _is_settled(self, standing: Entry | None, wanted: Entry | None) -> bool:
        if standing is None or wanted is None:
            return standing == wanted
        if self._trust_mode and standing.mode != wanted.mode:
            return False
        return _same_content(standing, wanted)


def _signature(status: os.stat_result | None) -> _Signature | None:
    """What changes when a file does; a folder has none, as if nothing stood there."""
    if status is None or stat.S_ISDIR(status.st_mode):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode


def _same_content(standing: Entry | None, entry: Entry | None) -> bool:
    """Whether both are the same but for the executable bit."""
    if standing is None or entry is None:
        return standing is entry or standing == _FOLDER
    return stat.S_IFMT(standing.mode) == stat.S_IFMT(entry.mode) and standing.oid == entry.oid


def _permissions(old: int, executable: bool) -> int:
    """The permissions of a file that replaces one of mode `old`: executable by those who may read."""
    permissions = stat.S_IMODE(old) & ~0o111
    return permissions | (permissions & 0o444) >> 2 if executable else permissions


def _obstructed(path: bytes, obstacle: bytes) -> PathObstructedError:
    return PathObstructedError(
        f"'{_shown(path)}' cannot be restored: '{_shown(obstacle)}' is in its way, and a restore does not "
        "delete it; move it away, or restore other files by name."
    )


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "replace")
