"""What stands beside the tree of a checkpoint: staged state, unsaved buffers, what was left out.

It is a commit of its own, the last parent of the checkpoint's, so that whatever carries the checkpoint to
another repository carries it too. Its tree holds, each only where there is something to hold:

    index/            what was staged, as it would have been committed
    conflicts/1 2 3   while there were conflicts: base, ours, theirs
    flags             intended additions and other flags of the index
    untracked/        those of the checkpoint's files that were untracked
    buffers/          the unsaved text of files open in the editor, in UTF-8
    skipped           what the checkpoint does not hold and why, as JSON
    rules/exclude user  what is ignored by `info/exclude` and by the user's own file

The commit says nothing else and carries no time, so the same state is the same object again.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from patchpoint.checkpoints.checkpoint import LeftOut
from patchpoint.checkpoints.errors import CheckpointDamagedError, UnsafePathError
from patchpoint.checkpoints.index_state import IndexState
from patchpoint.checkpoints.objects import BLOB, COMMIT, ObjectWriter
from patchpoint.checkpoints.proven import Entry, ProvenObjects
from patchpoint.checkpoints.restore_plan import refuse_unsafe
from patchpoint.checkpoints.tree_edit import edited_tree, write_tree

IDENTITY = b"Patchpoint <patchpoint@localhost>"
"""Author of all commits made here, and who moved a branch in the reflog."""

_FILE = 0o100644
_NO_TIME = 1_577_836_800
"""2020-01-01, for a commit that is to be the same whenever it is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What stands beside the tree; see the module's text."""

    index: IndexState | None = None
    untracked: str | None = None
    """A tree; `None` when there is no repository."""
    buffers: Mapping[str, str]
    """Unsaved text by path."""
    skipped: tuple[LeftOut, ...] = ()
    rules: tuple[bytes, bytes] = (b"", b"")
    """Ignore rules that stand outside the tree: of the user's own file, and of `info/exclude`."""


def write_state(
    objects: ProvenObjects, writer: ObjectWriter, state: State, also_keep: Sequence[str] = ()
) -> str:
    """The name of the commit that holds `state`, and keeps the commits `also_keep` from being collected."""
    entries: dict[bytes, Entry] = {}
    if state.index is not None:
        entries[b"index"] = _folder(state.index.tree)
        if state.index.stages is not None:
            stages = {b"%d" % number: _folder(tree) for number, tree in enumerate(state.index.stages, 1)}
            entries[b"conflicts"] = Entry(stat.S_IFDIR, write_tree(writer, stages))
        if state.index.flags is not None:
            entries[b"flags"] = Entry(_FILE, state.index.flags.encode())
    if state.untracked is not None:
        entries[b"untracked"] = _folder(state.untracked)
    if state.skipped:
        listed = [[left.path, left.reason] for left in state.skipped]
        entries[b"skipped"] = _blob(writer, json.dumps(listed, indent=0).encode())
    rules = {
        name: _blob(writer, content)
        for name, content in zip((b"user", b"exclude"), state.rules, strict=True)
        if content
    }
    if rules:
        entries[b"rules"] = Entry(stat.S_IFDIR, write_tree(writer, rules))
    buffers = {
        _buffer_path(path): _blob(writer, text.encode("utf-8", "surrogatepass"))
        for path, text in state.buffers.items()
    }
    if (tree := edited_tree(objects, writer, None, buffers)) is not None:
        entries[b"buffers"] = Entry(stat.S_IFDIR, tree)
    parents = [commit.encode() for commit in also_keep]
    message = b"What stands beside the tree of a checkpoint\n"
    return write_commit(writer, write_tree(writer, entries), parents, _NO_TIME, message)


def read_state(objects: ProvenObjects, commit: str) -> State:
    """The state that `write_state` put there. Raises `CheckpointDamagedError`."""
    entries = objects.tree(objects.commit(commit.encode()).tree)
    index = None
    if b"index" in entries:
        stages = objects.tree(entries[b"conflicts"].oid) if b"conflicts" in entries else {}
        index = IndexState(
            tree=entries[b"index"].oid.decode(),
            stages=(_name(stages[b"1"]), _name(stages[b"2"]), _name(stages[b"3"])) if stages else None,
            flags=_name(entries[b"flags"]) if b"flags" in entries else None,
        )
    buffers = {}
    if b"buffers" in entries:
        for path, entry in objects.files(entries[b"buffers"].oid):
            buffers[os.fsdecode(path)] = objects.blob(entry.oid).decode("utf-8", "surrogatepass")
    rules = objects.tree(entries[b"rules"].oid) if b"rules" in entries else {}
    return State(
        index=index,
        untracked=_name(entries[b"untracked"]) if b"untracked" in entries else None,
        buffers=buffers,
        skipped=_read_skipped(objects, entries),
        rules=(_optional_blob(objects, rules, b"user"), _optional_blob(objects, rules, b"exclude")),
    )


def skipped_in(objects: ProvenObjects, commit: str) -> tuple[LeftOut, ...]:
    """What the checkpoint with this state leaves out, without reading the rest."""
    return _read_skipped(objects, objects.tree(objects.commit(commit.encode()).tree))


def write_commit(
    writer: ObjectWriter, tree: bytes, parents: Sequence[bytes], seconds: int, message: bytes
) -> str:
    """The name of the commit with this content, by `IDENTITY`, made so many seconds after 1970."""
    lines = [b"tree " + tree, *(b"parent " + parent for parent in parents)]
    lines += [b"%s %s %d +0000" % (role, IDENTITY, seconds) for role in (b"author", b"committer")]
    return writer.add(COMMIT, b"\n".join([*lines, b"", message])).hex()


def _read_skipped(objects: ProvenObjects, entries: Mapping[bytes, Entry]) -> tuple[LeftOut, ...]:
    if b"skipped" not in entries:
        return ()
    try:
        listed = json.loads(objects.blob(entries[b"skipped"].oid))
        return tuple(LeftOut(path, reason) for path, reason in listed)
    except (ValueError, TypeError) as error:
        raise CheckpointDamagedError(
            "What the checkpoint left out cannot be read; it was made by another program or version. "
            "Restore files by name with plain git."
        ) from error


def _buffer_path(path: str) -> bytes:
    raw = os.fsencode(path.replace(os.sep, "/"))
    if not raw or raw.startswith(b"/"):
        raise UnsafePathError(f"The unsaved text's path '{path}' has to be relative to the working tree.")
    refuse_unsafe(raw)
    return raw


def _blob(writer: ObjectWriter, content: bytes) -> Entry:
    return Entry(_FILE, writer.add(BLOB, content).hex().encode())


def _optional_blob(objects: ProvenObjects, entries: Mapping[bytes, Entry], name: bytes) -> bytes:
    return objects.blob(entries[name].oid) if name in entries else b""


def _folder(tree: str) -> Entry:
    return Entry(stat.S_IFDIR, tree.encode())


def _name(entry: Entry) -> str:
    return entry.oid.decode()
