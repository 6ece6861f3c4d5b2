"""The files of a working tree that differ from one of its checkpoints, and reverting changes in them.

What is reverted is restored as a checkpoint is: after a safety checkpoint, all of it or nothing, so that it
survives a crash and can be undone.

Of what one session wrote, each file is compared with what it would be without that. What others wrote
meanwhile is on both sides then, in the same file as well, and so is what nobody is known to have written:
neither is shown, and neither is reverted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial

from patchpoint.checkpoints.arguments import git_path
from patchpoint.checkpoints.changed_files import changes_between, restore_changed
from patchpoint.checkpoints.diff import renames_among
from patchpoint.checkpoints.errors import HunkNotFoundError
from patchpoint.checkpoints.maintenance.abandoned import finish_left_undone
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.state_commit import read_state
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.restore.prepare import Restored
from patchpoint.checkpoints.session_revert import WithoutSession, without_session
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.open_to_read import is_special, read_file_bytes
from patchpoint.git.objects.reader import Change, Entry
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_hexadecimal
from patchpoint.operations.log import Cause, OperationKind
from patchpoint.progress import Progress, Silent
from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.decision import Risk
from patchpoint.review.decisions import Review
from patchpoint.review.hunks import HunkMovedError
from patchpoint.text.encoding import EncodingError

_EXECUTABLE = 0o100
_SOON = 1 << 20
"""Bytes, before and now, of files whose lines are compared and whose texts are parsed in a moment."""


@dataclass
class SinceCheckpoint:
    """A working tree, compared with one of its checkpoints."""

    store: CheckpointStore
    checkpoint: Checkpoint
    review: Review
    """What has been decided; it tells changes apart, too."""
    session: str | None = None
    """The session whose changes alone are looked at, if it is one's."""
    _found: WithoutSession = WithoutSession(files={}, contents={}, left=(), unattributed=())
    """What the session was last found to have written; nothing before the files were asked for."""

    @classmethod
    def open(cls, store: CheckpointStore, since: str) -> SinceCheckpoint:
        """Return the working tree of `store`, compared with the checkpoint `since`. Raises as its `show`."""
        checkpoint = store.show(since)
        return cls(store, checkpoint, Review(since=checkpoint.id))

    def files(
        self,
        paths: Collection[str] = (),
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
        first: Callable[[FileChanges], None] | None = None,
    ) -> tuple[FileChanges, ...]:
        """Return the files that differ, those first that no longer parse; `paths` limits it to those.

        `buffers` is the text of the files that are open in an editor, by path. What the checkpoint or the
        present leaves out is not compared, and other repositories inside are passed over. Of several, `first`
        is called with one that has an undecided change before the lines of all are compared.
        """
        watch, opened = progress or Silent(), buffers or {}
        with repository_lock(self.store.records.repository, watch):
            now = self.store.records.snapshot(self.store.options.snapshot, watch)
        within = self._within(paths)
        changes = list(self._changes(now, within))
        known = {os.fsdecode(change.path) for change in changes}
        found = list(self._reviewed(changes, opened))
        for path in sorted(opened.keys() - known):
            if is_within(os.fsencode(path), within) and (old := self._old(path)) is not None:
                found.append(self._with_buffer(FileChanges(path, old, self._on_disk(path, old)), opened))
        found.sort(key=lambda file: file.path)
        if first is not None and len(found) > 1:
            soonest = _first_open(found, self.review)
            if soonest is not None:
                first(soonest)
        changed = []
        for file in found:
            watch.check()
            if file.hunks:
                changed.append(file)
        return tuple(sorted(changed, key=lambda file: file.risk is not Risk.UNPARSABLE))

    def file_now(self, file: FileChanges, buffers: Mapping[str, str]) -> tuple[FileChanges, ...]:
        """Return a file of the review as it is now; a renamed one that has changed since is two.

        Only this file is read, so that this costs as much for a large tree. Raises `OSError`.
        """
        old = self._old(file.path)
        new = self._on_disk(file.path_now, old or file.new)
        parts = [FileChanges(file.path, old, new, file.new_path)]
        if file.new_path is not None:
            gone = self._on_disk(file.path, old)
            if gone is not None or old is None or new is None or new.content != old.content:
                came = FileChanges(file.new_path, self._old(file.new_path), new)
                parts = [FileChanges(file.path, old, gone), came]
        return tuple(self._with_buffer(part, buffers) for part in parts)

    def changed_since(self, path: str, buffers: Mapping[str, str]) -> tuple[FileChanges, ...]:
        """Return a file that was as at the checkpoint, if it no longer is, and no text of it is unsaved.

        Raises `OSError`.
        """
        old = self._old(path)
        if old is None or not is_within(os.fsencode(path), self._within(self.review.paths)):
            return ()
        file = self._with_buffer(FileChanges(path, old, self._on_disk(path, old)), buffers)
        return () if file.is_unsaved or not file.hunks else (file,)

    def unsaved(self, files: Iterable[FileChanges], buffers: Mapping[str, str]) -> tuple[FileChanges, ...]:
        """Return those of `files` whose text in `buffers` is not that on the disk, as they are on the disk.

        So are those in which everything was reverted. Raises `OSError`.
        """
        every = {one.path: FileChanges(one.path, None, None) for one in self.review.taken_back}
        every |= {file.path_now: file for file in files}
        opened = [file for path, file in every.items() if path in buffers]
        now = [part for file in opened for part in self.file_now(file, buffers)]
        return tuple(replace(file, unsaved=None) for file in now if file.is_unsaved)

    def take_back(
        self,
        wanted: Mapping[str, Collection[str]],
        texts: Mapping[str, str] | None = None,
        *,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Revert changes on the disk: of each file (by its path at the checkpoint) those with these ids.

        All of them, or none. `texts` are, by their ids, written in the place of the lines that changes have
        now. `buffers` is the text that is unsaved in the editor, for the safety checkpoint. Raises
        `HunkNotFoundError` when a file no longer has one of the changes, and what `CheckpointStore.restore`
        raises.
        """
        watch, since, records = progress or Silent(), f"since {self.checkpoint.id}", self.store.records
        with repository_lock(records.repository, watch):
            finish_left_undone(records, watch, recover=self.store.recovers)
            take = partial(records.snapshot, self.store.options.snapshot, watch)
            now = take()
            changes: dict[bytes, Entry | None] = {}
            contents: dict[ObjectID, bytes] = {}
            changed = self._changes(now, self._within(()))
            files = {file.path: file for file in self._reviewed(changed, {}, wanted.keys())}
            for path, ids in wanted.items():
                if path not in files:
                    same = f"'{path}' is the same as in the checkpoint; list the changes again."
                    raise HunkNotFoundError(same)
                try:
                    states = files[path].without(ids, texts)
                except HunkMovedError as error:
                    raise HunkNotFoundError(str(error)) from error
                except EncodingError as error:
                    raise HunkNotFoundError(f"'{path}' could not be changed: it {error}.") from error
                for place, state in states.items():
                    changes[os.fsencode(place)] = None
                    if state is not None:
                        oid = to_hexadecimal(object_id(BLOB, state.content, records.objects.object_format))
                        contents[oid] = state.content
                        changes[os.fsencode(place)] = Entry(state.mode, oid)
            return restore_changed(
                records,
                now,
                changes,
                contents,
                f"With a change {since} edited" if texts else f"Without changes {since}",
                take,
                watch,
                buffers=buffers or {},
                held_by=dict.fromkeys(changes, self.checkpoint),
                cause=Cause(kind=OperationKind.REVIEW),
            )

    def left_out(self) -> list[str]:
        """Return, in sentences, what is not shown although it changed while the session was at work."""
        shown = set(map(os.fsdecode, self._found.files))
        left = [f"{each.path}: {each.reason}" for each in self._found.left]
        others = [
            f"{path}: {'also ' if path in shown else ''}changed by no step that is known"
            for path in self._found.unattributed
        ]
        return list(dict.fromkeys((*left, *others)))

    @cached_property
    def _unsaved_then(self) -> Mapping[str, str]:
        return read_state(self.store.records.objects, self.checkpoint.state).buffers

    def _within(self, paths: Collection[str]) -> tuple[bytes, ...]:
        if not paths:
            return (self.store.records.repository.prefix,)
        return tuple(git_path(self.store.root, path) for path in paths)

    def _changes(self, now: Snapshot, within: Sequence[bytes]) -> Iterable[Change]:
        objects = self.store.records.objects
        if self.session is None:
            return changes_between(objects, self.checkpoint, now, within)
        found = self._found = without_session(self.store.records, now, self.session, self.checkpoint.id)
        tree = ObjectID(now.tree.encode())
        paths = sorted(path for path in found.files if is_within(path, within))
        return [Change(path, found.files[path], objects.at(tree, path)) for path in paths]

    def _reviewed(
        self, changes: Iterable[Change], buffers: Mapping[str, str], wanted: Collection[str] | None = None
    ) -> Iterator[FileChanges]:
        """Yield the files of `changes`, or those of them with a path at the checkpoint in `wanted`."""
        remaining, renames = renames_among(changes)
        for gone, came in (*((change, change) for change in remaining), *renames):
            path = os.fsdecode(gone.path)
            is_other = any(entry is not None and entry.is_gitlink for entry in (gone.old, came.new))
            if is_other or (wanted is not None and path not in wanted):
                continue
            new_path = None if gone is came else os.fsdecode(came.path)
            file = FileChanges(path, self._state(gone.old), self._state(came.new), new_path)
            yield self._with_buffer(file, buffers)

    def _with_buffer(self, file: FileChanges, buffers: Mapping[str, str]) -> FileChanges:
        text = buffers.get(file.path_now)
        return replace(
            file,
            unsaved=None if text is None or file.is_misread_as(text) else file.as_saved(text),
            unsaved_then=self._unsaved_then.get(file.path),
            split=frozenset(self.review.split),
            alignment=self.review.aligned.get(file.path),
        )

    def _old(self, path: str) -> FileState | None:
        tree = ObjectID(self.checkpoint.tree.encode())
        entry = self.store.records.objects.at(tree, os.fsencode(path))
        return None if entry is None or entry.is_tree or entry.is_gitlink else self._state(entry)

    def _on_disk(self, path: str, like: FileState | None) -> FileState | None:
        """Return a file as it is on the disk. Where its mode cannot be trusted, it is that of `like`."""
        place = self.store.root / path
        with suppress(FileNotFoundError, NotADirectoryError):
            status = place.lstat()
            if stat.S_ISLNK(status.st_mode):
                return FileState(0o120000, os.fsencode(place.readlink()))
            if stat.S_ISREG(status.st_mode) and not is_special(place):
                mode = 0o100755 if status.st_mode & _EXECUTABLE else 0o100644
                trusts_modes = self.store.records.repository.flag(b"core", b"filemode", True)
                if like is not None and stat.S_ISREG(like.mode) and not trusts_modes:
                    mode = like.mode
                return FileState(mode, read_file_bytes(place))
        return None

    def _state(self, entry: Entry | None) -> FileState | None:
        if entry is None:
            return None
        made, oid = self._found.contents, entry.oid
        return FileState(entry.mode, made[oid] if oid in made else self.store.records.objects.blob(oid))


def _first_open(files: Iterable[FileChanges], review: Review) -> FileChanges | None:
    """Return the file with an undecided change that is riskiest, of those that are compared in a moment."""
    soon, left = [], _SOON
    for file in files:
        size = sum(len(state.content) for state in (file.old, file.new) if state is not None)
        if size <= left:
            soon.append(file)
            left -= size
    undecided, worst_first = (file for file in soon if review.tally([file]).open), [*Risk, None]
    return min(undecided, key=lambda file: worst_first.index(file.risk), default=None)
