"""Write the files of a restore: stage them, check their targets again, rename over.

Everything is done relative to directories that are held open, each reached from the root without following a
link: one that another process swaps for a symbolic link leads nothing outside.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from patchpoint.checkpoints.errors import path_obstructed, tree_moved
from patchpoint.checkpoints.restore.plan import WorktreeChange, directories_above, renamed_by_case
from patchpoint.checkpoints.restore.replaced import ReplacedFiles
from patchpoint.checkpoints.restore.staging import (
    Place,
    StagingDirectory,
    StagingPlaces,
    content_of,
    is_in_worktree,
    staged_near,
)
from patchpoint.checkpoints.snapshot.file_stat import FileStats, Signature, signature, stat_files
from patchpoint.checkpoints.snapshot.stat_cache import RecordedFiles
from patchpoint.checkpoints.snapshot.trees import FilePermissions
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.directory_tree import DirectoryTree, is_working_directory, lists, own_spelling
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.write import put_back
from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_binary, to_hexadecimal

_NO_ID = ObjectID(b"")
_DIRECTORY = Entry(stat.S_IFDIR, _NO_ID)


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """One change of a restore, and where its new content is staged (`None` for a deletion): see `staging`."""

    change: WorktreeChange
    staged: bytes | None


class WorktreeWriter:
    """Changes files below one root, never following a symbolic link out of it.

    A restore calls `expect`, `stage` for every step, `refuse_touched`, then `apply` for every step. An
    interrupted one is finished by `complete`, which goes by the content on the disk and needs nothing staged.
    """

    def __init__(
        self,
        root: Path,
        objects: ObjectReader,
        staging: StagingDirectory,
        *,
        trust_mode: bool = True,
        symlinks: bool = True,
    ) -> None:
        """`trust_mode` and `symlinks` are git's core.fileMode and core.symlinks. Raises `OSError`."""
        self._prefix = os.path.join(os.fsencode(root), b"")
        self._objects = objects
        self._staging = staging
        self._trust_mode = trust_mode
        self._symlinks = symlinks
        self.permissions = FilePermissions()
        """The permission bits that the files had in the state to be restored."""
        self._tree = DirectoryTree(root)
        self._signatures: dict[bytes, Signature | None] = {}
        """What the targets are, by path."""
        self._untouched: tuple[list[bytes], FileStats] = [], FileStats()
        """The targets that were found as they were saved."""
        self._twins: dict[bytes, bytes] = {}
        """The paths that the restore creates, with the other spelling of each that it deletes."""
        self._seen: set[bytes] = set()
        """Directories that exist. While a restore is planned they are not checked again."""

    def __enter__(self) -> WorktreeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tree.close()
        self._staging.close()

    def steps(self, changes: Sequence[WorktreeChange], restore: str) -> list[RestoreStep]:
        """Return the steps for `changes`; `restore`, an id, makes the places to stage at its own."""
        places = self._places(restore)
        self.note(changes)
        return [
            RestoreStep(change, None if change.new is None else places.of(change.path, b"%d" % number))
            for number, change in enumerate(changes)
        ]

    def reversed_steps(self, steps: Sequence[RestoreStep], restore: str) -> list[RestoreStep]:
        """Return the steps that put back what `steps`, of the restore with this id, change; last first."""
        places = self._places(restore)
        found = []
        for number, step in enumerate(reversed(steps)):
            staged = None
            if step.change.old is not None:
                staged = step.staged or places.of(step.change.path, b"back-%d" % number)
            found.append(RestoreStep(step.change.reversed(), staged))
        self.note([step.change for step in found])
        return found

    def note(self, changes: Sequence[WorktreeChange]) -> None:
        """Note all changes of a restore before the first of its steps: some may change but a name's case."""
        self._twins = renamed_by_case(changes)

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
            if change.old is not None:  # it was just recorded there
                self._seen.update(directories_above(change.path)[:1])
                continue
            for directory in directories_above(change.path):
                if directory in clear:
                    break
                kind = self._mode_at(directory, self._seen)
                if stat.S_ISDIR(kind):
                    self._seen.add(directory)
                elif kind and directory not in gone:
                    raise path_obstructed(change.path, directory)
                clear.add(directory)
            kind = self._mode_at(change.path, self._seen)
            if stat.S_ISDIR(kind):
                for below in self._tree.files_below(change.path):
                    if below not in gone:
                        raise path_obstructed(change.path, below)
            elif kind and not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
                raise path_obstructed(change.path, change.path)

    def expect(self, steps: Iterable[RestoreStep], saved: RecordedFiles) -> None:
        """Look at all targets at once, so that `stage` looks only at those that are not as they were
        `saved`."""
        wanted = {step.change.path: to_binary(step.change.old.oid) for step in steps if step.change.old}
        paths, stats = self._untouched = saved.untouched(self._prefix, wanted)
        self._signatures.update({path: stats.signature(at) for at, path in enumerate(paths)})

    def stage(self, step: RestoreStep) -> None:
        """Verify that the target is as it was saved, and stage the new content, verified too.

        Raises `TreeMovedError`, `CheckpointDamagedError` or `OSError`.
        """
        change = step.change
        if change.path not in self._signatures:
            self._signatures[change.path] = self._verified(change)
        if step.staged is not None and change.new is not None:
            there = self._signatures[change.path]
            self._write(*self._staged_place(step.staged), change, there[3] if there else 0)

    def refuse_touched(self) -> None:
        """Raise `TreeMovedError` when one of the targets that `stage` did not read was touched meanwhile."""
        paths, before = self._untouched
        for at in stat_files(self._prefix, paths).changed_since(before):
            raise tree_moved(paths[at])

    def _verified(self, change: WorktreeChange) -> Signature | None:
        """Return what the target is, after reading it. Raises `TreeMovedError`."""
        place, status = self._tree.find(change.path)
        twin = self._twins.get(change.path)
        if twin is not None and status is not None and twin == own_spelling(self._prefix, change.path):
            place = status = None  # found by another spelling, whose deletion comes first
        if not self._is_same(self._entry_on_disk(place, status), change.old):
            raise tree_moved(change.path)
        return signature(status)

    def apply(self, step: RestoreStep, replaced: ReplacedFiles) -> bool:
        """Rename the staged content over the target, or delete the target; the one that was there is kept.

        Returns false, with nothing done, when the target is not what `stage` saw.
        """
        place, status = self._find_after_deletions(path := step.change.path)
        if signature(status) != self._signatures.pop(path):
            return False
        try:
            if place is not None and status is not None and stat.S_ISREG(status.st_mode):
                if replaced.are_many and (kept := self._exchanged(step, place)):
                    replaced.held.hold_by_name(path, *kept, status)
                    return True
                if not replaced.keep(path, *place, status):
                    return False
            self._finish(step, place, status)
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            if gone and (step.staged is None or self._is_staged(step.staged)):
                return False  # a directory went, or became something else, at this instant
            error.filename = os.fsdecode(path)
            raise
        return True

    def put_back(self, written: Iterable[tuple[bytes, bytes, int]]) -> list[bytes]:
        """Put files back that were `written` to while they were replaced; return their paths."""
        paths = []
        for path, content, permissions in written:
            with suppress(OSError):
                put_back(*self._tree.of(path, create=True), content, permissions)
                paths.append(path)
        return paths

    def has(self, path: bytes, entry: Entry | None) -> bool:
        """Return whether what is at `path` is `entry`, its executable bit included."""
        if entry is None and own_spelling(self._prefix, path) != path:
            return True  # a disk that folds case finds another file
        return self._is_complete(self._entry_on_disk(*self._tree.find(path)), entry)

    def complete(self, step: RestoreStep, *, power_failed: bool = False) -> bool:
        """Complete one step of an interrupted restore, whether or not it had been applied. Idempotent.

        Returns false, with nothing done, when the target has neither the old content nor the new. After the
        power failed, a file that `is_zero_filled` counts as new content that did not reach the disk.
        """
        change = step.change
        place, status = self._find_after_deletions(change.path)
        present = self._entry_on_disk(place, status)
        if self._is_complete(present, change.new) or (present == _DIRECTORY and change.new is None):
            return True
        if power_failed and change.new is not None and self.is_zero_filled(change.path):
            present = change.new
        if not self._is_same(present, change.old) and not self._is_same(present, change.new):
            if present != _DIRECTORY:
                return False
            if next(iter(self._tree.files_below(change.path)), None) is not None:
                return False
        if step.staged is not None and change.new is not None:
            step = RestoreStep(change, self._clear_staging(step.staged))
            self._write(*self._staged_place(step.staged or b""), change, status.st_mode if status else 0)
        self._finish(step, None, status)
        return True

    def is_zero_filled(self, path: bytes) -> bool:
        """Return whether a file is empty or all zeros, as when the power fails before its data is written."""
        if not stat.S_ISREG(self._mode_at(path)):
            return False
        return not self.content(path)[1].strip(b"\0")

    def discard(self, steps: Iterable[RestoreStep], restore: str) -> None:
        """Remove the staged files of `steps` that exist, and all that `restore` staged in the git directory.

        Raises nothing.
        """
        for step in steps:
            if step.staged is None:
                continue
            places = [staged_near(step.change.path, step.staged)]
            if is_in_worktree(step.staged):
                places = [step.staged, step.staged[step.staged.rfind(b"/") + 1 :]]
            for place in places:
                with suppress(OSError):
                    directory, name = self._tree.of(place)
                    directory.remove(name)
        self._staging.clear(restore)

    def remove_empty_directories(self, deleted: Iterable[bytes]) -> None:
        """Remove the directories that the deletion of these paths left empty, but for the working
        directory."""
        directories = {directory for path in deleted for directory in directories_above(path)}
        for place in sorted(directories, reverse=True):  # what is below a directory comes before it
            with suppress(OSError):
                directory, name = self._tree.of(place)
                if not is_working_directory(self._prefix + place):
                    directory.remove_directory(name)

    def content(self, path: bytes) -> tuple[int, bytes]:
        """Return git's mode and the raw bytes of the file or symbolic link at `path`."""
        place, status = self._tree.find(path)
        return content_of(place, status) if place and status else (0, b"")

    def saved_in(self, objects_writer: ObjectWriter, paths: Iterable[bytes]) -> dict[bytes, Entry | None]:
        """Write the files at `paths`, ignored ones to be overwritten, as blobs; return their entries."""
        contents = {path: self.content(path) for path in paths}
        return {
            path: Entry(mode, to_hexadecimal(objects_writer.add(BLOB, content)))
            for path, (mode, content) in contents.items()
        }

    def _entry_on_disk(self, place: Place | None, status: os.stat_result | None) -> Entry | None:
        """Return the entry of what is at `place`, with this `lstat`; only files and links have an object
        id."""
        if place is None or status is None:
            return None
        kind = stat.S_IFMT(status.st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFLNK):
            return Entry(kind, _NO_ID)
        mode, content = content_of(place, status)
        return Entry(mode, to_hexadecimal(object_id(BLOB, content, self._objects.object_format)))

    def _nearest_directory(self, directory: bytes) -> bytes:
        """Return `directory`, or the nearest existing one above it."""
        while (
            directory
            and directory not in self._seen
            and not stat.S_ISDIR(self._mode_at(directory, self._seen))
        ):
            directory = directory.rpartition(b"/")[0]
        return directory

    def _places(self, restore: str) -> StagingPlaces:
        return StagingPlaces(self._staging, self._prefix, self._nearest_directory, restore)

    def _find_after_deletions(self, path: bytes) -> tuple[Place | None, os.stat_result | None]:
        place, status = self._tree.find(path)
        if path in self._twins and place is not None and not lists(*place):
            return None, None  # the system remembers what was deleted by the other spelling
        return place, status

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

    def _staged_place(self, staged: bytes) -> Place:
        return self._tree.of(staged) if is_in_worktree(staged) else self._staging.place(staged)

    def _is_staged(self, staged: bytes) -> bool:
        with suppress(OSError):
            directory, name = self._staged_place(staged)
            return directory.has(name)
        return False

    def _clear_staging(self, staged: bytes) -> bytes:
        """Return a path to stage at, after removing what an earlier attempt left there."""
        if is_in_worktree(staged):
            above, slash, name = staged.rpartition(b"/")
            if slash and not stat.S_ISDIR(self._mode_at(above)):
                staged = name
        directory, name = self._staged_place(staged)
        with suppress(FileNotFoundError):
            directory.remove(name)
        return staged

    def _write(
        self,
        directory: OpenDirectory,
        name: bytes,
        change: WorktreeChange,
        replaced: int,
    ) -> None:
        """Write the new content of `change` to a new file.

        It gets the permissions that it had; where it replaces a file, with the mode `replaced`, only those
        that this has, too.
        """
        entry = change.new
        assert entry is not None
        content = self._objects.blob(entry.oid)
        if entry.is_symlink and self._symlinks:
            directory.symlink(content, name)
            return
        executable = bool(entry.mode & 0o100)
        there = replaced if stat.S_ISREG(replaced) else None
        bits = self.permissions.of_new(change.path, there, executable=executable)
        usual = 0o777 if executable else 0o666
        # Nobody reads it before it has the permissions that it gets.
        directory.write_new(name, content, permissions=usual if bits is None else bits & 0o777, exactly=bits)

    def _exchanged(self, step: RestoreStep, place: Place) -> Place | None:
        """Return where the file at `place` is, if it and what is staged for it got each other's names."""
        if step.staged is None or step.change.new is None or is_in_worktree(step.staged):
            return None
        there, staged = self._staging.place(step.staged)
        is_done = place[0].exchange(place[1], staged, there)  # who watches sees it go, then the new one come
        return (there, staged) if is_done else None

    def _finish(self, step: RestoreStep, place: Place | None, replaced: os.stat_result | None) -> None:
        """Delete the target of `step`, or rename what is staged over it.

        `place` is where it is, if that was found, and `replaced` its `lstat`.
        """
        path, new = step.change.path, step.change.new
        if step.staged is None or new is None:
            directory, name = place or self._tree.of(path)
            directory.remove(name)
            return
        if replaced is not None and stat.S_ISDIR(replaced.st_mode):
            self._tree.remove_empty(path)
            place = None
        directory, name = place or self._tree.of(path, create=True)
        if is_in_worktree(step.staged):
            above, _, staged = step.staged.rpartition(b"/")
            with self._tree.root.below(above) as source:
                source.rename_over(staged, name, directory)
            return
        source, staged = self._staging.place(step.staged)
        try:
            source.rename_over(staged, name, directory)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            # The same file system, mounted twice, or with a quota of its own for a directory.
            near = staged_near(path, step.staged).rpartition(b"/")[2]
            with suppress(FileNotFoundError):
                directory.remove(near)
            self._write(directory, near, step.change, replaced.st_mode if replaced else 0)
            directory.rename_over(near, name)

    def _is_complete(self, present: Entry | None, wanted: Entry | None) -> bool:
        if present is None or wanted is None:
            return present == wanted
        is_plain_link = not self._symlinks and wanted.is_symlink
        if self._trust_mode and present.mode != wanted.mode and not is_plain_link:
            return False
        return self._is_same(present, wanted)

    def _is_same(self, present: Entry | None, entry: Entry | None) -> bool:
        """Return whether what is on the disk is `entry`, but for the executable bit.

        Without symbolic links (core.symlinks), a plain file with the target is one.
        """
        if present is None or entry is None:
            return present is entry or present == _DIRECTORY
        kinds = stat.S_IFMT(present.mode), stat.S_IFMT(entry.mode)
        is_plain_link = not self._symlinks and kinds == (stat.S_IFREG, stat.S_IFLNK)
        return present.oid == entry.oid and (kinds[0] == kinds[1] or is_plain_link)
