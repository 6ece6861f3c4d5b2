"""The files that changed between two states of a working tree, and giving some of them another content."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping

from patchpoint.checkpoints.diff import FileDifference, file_differences
from patchpoint.checkpoints.errors import TreeMovedError
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.editors_own import is_editors_own
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import permissions_in
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.restore.prepare import Restored, RestoreRequest, restore
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.checkpoints.snapshot.trees import FilePermissions
from patchpoint.dataclass import replace
from patchpoint.git.objects.reader import Change, Entry, ObjectReader
from patchpoint.git.objects.tree_edit import edited_tree
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, TREE, ObjectID, to_hexadecimal
from patchpoint.operations.log import Cause
from patchpoint.progress import Progress


def changes_between(
    objects: ObjectReader, old: Checkpoint, new: Checkpoint | Snapshot, within: Collection[bytes]
) -> Iterator[Change]:
    """Yield the changes from `old` to `new` in the files and directories `within`.

    What either of them skipped is not compared, nor are editors' own files.
    """
    skipped = {os.fsencode(left.path) for each in (old, new) for left in each.skipped}
    for change in objects.changes(ObjectID(old.tree.encode()), ObjectID(new.tree.encode())):
        if not is_within(change.path, within) or (skipped and is_within(change.path, skipped)):
            continue
        if not any(is_editors_own(objects, each, change.path) for each in (old, new)):
            yield change


def differences_between(
    objects: ObjectReader,
    old: Checkpoint,
    new: Checkpoint | Snapshot,
    within: Collection[bytes],
    progress: Progress,
) -> tuple[FileDifference, ...]:
    """Return what `changes_between` finds, with the lines that differ."""
    changed = []
    for change in changes_between(objects, old, new, within):
        progress.check()
        changed.append(change)
    return tuple(file_differences(objects, changed))


def restore_changed(
    records: Records,
    now: Snapshot,
    changes: Mapping[bytes, Entry | None],
    contents: Mapping[ObjectID, bytes],
    label: str,
    take: Callable[[ObjectWriter], Snapshot],
    progress: Progress,
    *,
    dry_run: bool = False,
    buffers: Mapping[str, str] | None = None,
    held_by: Mapping[bytes, Checkpoint],
    cause: Cause,
) -> Restored:
    """Restore a checkpoint of the tree `now` with `changes` made in it, those paths alone: all of it or
    nothing, and to be undone.

    `contents` has the blobs of the changes that are new, `label` names the checkpoint, `take` takes a
    snapshot, `buffers` is the text that is unsaved in the editor, `held_by` has the checkpoints by whose
    permissions files are created again, and `cause` is what the log of operations says of it. The caller
    holds the repository's lock, and no restore is unfinished. Raises `TreeMovedError`, with nothing changed,
    when one of the files has changed since `now`, and what `restore` raises.
    """
    objects = records.objects
    with ObjectWriter(records.repository) as writer:
        for content in contents.values():
            writer.add(BLOB, content)
        tree = edited_tree(objects, writer, ObjectID(now.tree.encode()), changes)
        if tree is None:
            tree = to_hexadecimal(writer.add(TREE, b""))
        writer.keep(writer.reused)
        writer.finish()
    request = CheckpointRequest(kind=CheckpointKind.SAFETY, label=label, buffers={})
    permissions = _permissions(objects, now, changes, held_by)
    wanted = records.write(replace(now, permissions=permissions), request, tree=tree.decode())

    def take_the_same(writer: ObjectWriter) -> Snapshot:
        snapshot = take(writer)
        writer.finish()
        for path in changes:
            if objects.at(ObjectID(snapshot.tree.encode()), path) != objects.at(
                ObjectID(now.tree.encode()), path
            ):
                raise TreeMovedError(
                    f"'{os.fsdecode(path)}' changed during the revert; nothing was changed. Try again."
                )
        return snapshot

    done = None
    try:
        paths = RestoreRequest(
            paths=tuple(changes),
            dry_run=dry_run,
            buffers=buffers or {},
            created=frozenset(path for path, entry in changes.items() if entry is None),
            cause=cause,
        )
        done = restore(records, wanted, paths, take_the_same, progress)
    finally:
        if done is None or dry_run:
            records.delete(wanted.id, wanted.commit)
    return done


def _permissions(
    objects: ObjectReader,
    now: Snapshot,
    changes: Mapping[bytes, Entry | None],
    held_by: Mapping[bytes, Checkpoint],
) -> FilePermissions:
    """Return the permissions of `now`, with those of the files that `changes` create again."""
    others = dict(now.permissions.others)
    then: dict[str, FilePermissions] = {}
    for path, entry in changes.items():
        if entry is None or path not in held_by or objects.at(ObjectID(now.tree.encode()), path) is not None:
            continue
        state = held_by[path].state
        if state not in then:
            then[state] = permissions_in(objects, state)
        bits = then[state].of(path, executable=bool(entry.mode & 0o100))
        if bits is not None:
            others[path] = bits
    return replace(now.permissions, others=others)
