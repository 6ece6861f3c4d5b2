"""The state commit of a checkpoint: staged state, unsaved buffers, permissions, skipped paths.

It is the last parent of the checkpoint's commit, so that every transfer of the checkpoint includes it. Its
tree has these entries, each only if it is not empty:

    index/            what was staged, as it would have been committed
    conflicts/1 2 3   while there were conflicts: base, ours, theirs
    flags             intent-to-add and other flags of the index
    untracked/        the files of the checkpoint that were untracked
    buffers/          the unsaved text of files open in the editor, in UTF-8
    permissions       the permission bits that a tree does not hold, where they are not git's, as JSON
    skipped           the paths that the checkpoint does not hold, with reasons, as JSON
    rules/exclude user  the ignore rules of `info/exclude` and of the user's own file
    under-way/        what git was in the middle of: the files of a merge, and a digest of each one in steps

Message and time of the commit are constant, so the same state has the same object id.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence

from patchpoint.checkpoints.errors import CheckpointDamagedError, UnsafePathError
from patchpoint.checkpoints.record.checkpoint import SkippedPath
from patchpoint.checkpoints.snapshot.staged import IndexState
from patchpoint.checkpoints.snapshot.trees import FilePermissions
from patchpoint.dataclass import dataclass, field
from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.objects.tree_edit import edited_tree, write_tree
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import BLOB, COMMIT, ObjectID, to_hexadecimal
from patchpoint.git.paths import is_safe_path

IDENTITY = b"Patchpoint <patchpoint@localhost>"
"""Author and committer of all commits written here, and the identity in reflog entries."""

_FILE = 0o100644
_NO_TIME = 1_577_836_800
"""2020-01-01 in seconds since 1970: the time of every state commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointState:
    """The content of a state commit; see the module's text."""

    index: IndexState | None = None
    untracked: str | None = None
    """A tree; `None` when there is no repository."""
    buffers: Mapping[str, str]
    """Unsaved text by path."""
    permissions: FilePermissions = field(default_factory=FilePermissions)
    skipped: tuple[SkippedPath, ...] = ()
    rules: tuple[bytes, bytes] = (b"", b"")
    """Ignore rules from outside of the tree: those of the user's own file, and of `info/exclude`."""
    under_way: Mapping[str, bytes] = field(default_factory=dict)
    """What git was in the middle of, as files by name: see `UnderWay.from_record`."""


def write_state(
    objects: ObjectReader, writer: ObjectWriter, state: CheckpointState, also_keep: Sequence[str] = ()
) -> str:
    """Write `state` as a commit and return its id; git keeps the commits `also_keep` as long as it."""
    entries: dict[bytes, Entry] = {}
    if state.index is not None:
        entries[b"index"] = _tree_entry(state.index.tree)
        if state.index.stages is not None:
            stages = {b"%d" % number: _tree_entry(tree) for number, tree in enumerate(state.index.stages, 1)}
            entries[b"conflicts"] = Entry(stat.S_IFDIR, write_tree(writer, stages))
        if state.index.flags is not None:
            entries[b"flags"] = Entry(_FILE, ObjectID(state.index.flags.encode()))
    if state.untracked is not None:
        entries[b"untracked"] = _tree_entry(state.untracked)
    if state.permissions != FilePermissions():
        entries[b"permissions"] = _blob_entry(writer, state.permissions.to_text().encode())
    if state.skipped:
        listed = [[left.path, left.reason] for left in state.skipped]
        entries[b"skipped"] = _blob_entry(writer, json.dumps(listed, indent=0).encode())
    rules = {
        name: _blob_entry(writer, content)
        for name, content in zip((b"user", b"exclude"), state.rules, strict=True)
        if content
    }
    if rules:
        entries[b"rules"] = Entry(stat.S_IFDIR, write_tree(writer, rules))
    buffers = {
        _buffer_path(path): _blob_entry(writer, text.encode("utf-8", "surrogatepass"))
        for path, text in state.buffers.items()
    }
    if (tree := edited_tree(objects, writer, None, buffers)) is not None:
        entries[b"buffers"] = Entry(stat.S_IFDIR, tree)
    files = {name.encode(): _blob_entry(writer, content) for name, content in state.under_way.items()}
    if files:
        entries[b"under-way"] = Entry(stat.S_IFDIR, write_tree(writer, files))
    parents = [ObjectID(commit.encode()) for commit in also_keep]
    message = b"Checkpoint metadata: staged state, unsaved buffers, skipped paths\n"
    return write_commit(writer, write_tree(writer, entries), parents, _NO_TIME, message)


def read_state(objects: ObjectReader, commit: str) -> CheckpointState:
    """Return the state that `write_state` wrote as `commit`. Raises `CheckpointDamagedError`."""
    entries = objects.tree(objects.commit(ObjectID(commit.encode())).tree)
    index = None
    if b"index" in entries:
        stages = objects.tree(entries[b"conflicts"].oid) if b"conflicts" in entries else {}
        index = IndexState(
            tree=entries[b"index"].oid.decode(),
            stages=(_oid(stages[b"1"]), _oid(stages[b"2"]), _oid(stages[b"3"])) if stages else None,
            flags=_oid(entries[b"flags"]) if b"flags" in entries else None,
        )
    rules = objects.tree(entries[b"rules"].oid) if b"rules" in entries else {}
    return CheckpointState(
        index=index,
        untracked=_oid(entries[b"untracked"]) if b"untracked" in entries else None,
        buffers=_read_buffers(objects, entries),
        permissions=_read_permissions(objects, entries),
        skipped=_read_skipped(objects, entries),
        rules=(_optional_blob(objects, rules, b"user"), _optional_blob(objects, rules, b"exclude")),
        under_way=_read_under_way(objects, entries),
    )


def under_way_in(objects: ObjectReader, commit: str) -> Mapping[str, bytes]:
    """Return what git was in the middle of at a state commit, without reading the rest of it."""
    return _read_under_way(objects, objects.tree(objects.commit(ObjectID(commit.encode())).tree))


def skipped_in(objects: ObjectReader, commit: str) -> tuple[SkippedPath, ...]:
    """Return the skipped paths of a state commit, without reading the rest of it."""
    return _read_skipped(objects, objects.tree(objects.commit(ObjectID(commit.encode())).tree))


def permissions_in(objects: ObjectReader, commit: str) -> FilePermissions:
    """Return the permission bits of a state commit, without reading the rest of it."""
    return _read_permissions(objects, objects.tree(objects.commit(ObjectID(commit.encode())).tree))


def write_commit(
    writer: ObjectWriter, tree: bytes, parents: Sequence[bytes], seconds: int, message: bytes
) -> str:
    """Write a commit by `IDENTITY` at `seconds` since 1970; return its id."""
    lines = [b"tree " + tree, *(b"parent " + parent for parent in parents)]
    lines += [b"%s %s %d +0000" % (role, IDENTITY, seconds) for role in (b"author", b"committer")]
    return writer.add(COMMIT, b"\n".join([*lines, b"", message])).hex()


def _read_buffers(objects: ObjectReader, entries: Mapping[bytes, Entry]) -> dict[str, str]:
    if b"buffers" not in entries:
        return {}
    buffers = {}
    for path, entry in objects.files(entries[b"buffers"].oid):
        # It may have come from a remote, and an editor writes it to this path when the user saves it.
        if not is_safe_path(path):
            raise CheckpointDamagedError(
                f"The checkpoint holds unsaved text of '{path.decode('utf-8', 'replace')}', which may not be "
                "written; delete it, or restore its files by name with git."
            )
        try:
            buffers[os.fsdecode(path)] = objects.blob(entry.oid).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise CheckpointDamagedError(
                f"The unsaved text of '{os.fsdecode(path)}' in the checkpoint is not in UTF-8; delete the "
                "checkpoint, or restore its files by name with git."
            ) from error
    return buffers


def _read_skipped(objects: ObjectReader, entries: Mapping[bytes, Entry]) -> tuple[SkippedPath, ...]:
    if b"skipped" not in entries:
        return ()
    try:
        listed = json.loads(objects.blob(entries[b"skipped"].oid))
        return tuple(SkippedPath(path, reason) for path, reason in listed)
    except (ValueError, TypeError) as error:
        raise CheckpointDamagedError(
            "The checkpoint's list of skipped files cannot be read; another program or version wrote it. "
            "Restore files by name with plain git."
        ) from error


def _read_under_way(objects: ObjectReader, entries: Mapping[bytes, Entry]) -> Mapping[str, bytes]:
    files = objects.tree(entries[b"under-way"].oid) if b"under-way" in entries else {}
    return {os.fsdecode(name): objects.blob(entry.oid) for name, entry in files.items()}


def _read_permissions(objects: ObjectReader, entries: Mapping[bytes, Entry]) -> FilePermissions:
    if b"permissions" not in entries:
        return FilePermissions()
    try:
        return FilePermissions.from_text(objects.blob(entries[b"permissions"].oid).decode())
    except ValueError as error:
        raise CheckpointDamagedError(
            "The checkpoint's list of permissions cannot be read; another program or version wrote it. "
            "Restore files by name with plain git."
        ) from error


def _buffer_path(path: str) -> bytes:
    raw = os.fsencode(path.replace(os.sep, "/"))
    if not raw or raw.startswith(b"/"):
        raise UnsafePathError(f"The unsaved text's path '{path}' has to be relative to the working tree.")
    if not is_safe_path(raw):
        raise UnsafePathError(f"The unsaved text's path '{path}' may not be written; leave it out.")
    return raw


def _blob_entry(writer: ObjectWriter, content: bytes) -> Entry:
    return Entry(_FILE, to_hexadecimal(writer.add(BLOB, content)))


def _optional_blob(objects: ObjectReader, entries: Mapping[bytes, Entry], name: bytes) -> bytes:
    return objects.blob(entries[name].oid) if name in entries else b""


def _tree_entry(tree: str) -> Entry:
    return Entry(stat.S_IFDIR, ObjectID(tree.encode()))


def _oid(entry: Entry) -> str:
    return entry.oid.decode()
