"""Restore the staged state."""

from __future__ import annotations

import os
import stat
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.restore.plan import WorktreeChange, is_within
from patchpoint.checkpoints.snapshot.staged import IndexState, read_flags
from patchpoint.dataclass import dataclass, replace
from patchpoint.git.index.read import (
    INTENT_TO_ADD,
    SKIP_WORKTREE,
    STAGE,
    STAT_WORDS,
    IndexFile,
    read_index,
)
from patchpoint.git.index.write import write_index
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import BLOB, ObjectID, RawObjectID, object_id, to_binary
from patchpoint.git.repository import Repository

_STAGE_SHIFT = 12
_MODE_WORD = 6
_SIZE_WORD = 9
_Key = tuple[bytes, int]
"""Path and stage, by which an index is sorted."""


@dataclass(frozen=True, slots=True)
class _IndexEntry:
    oid: RawObjectID
    mode: int
    flags: int
    stat: array[int] | None


def restore_index(
    repository: Repository,
    objects: ObjectReader,
    before: IndexState,
    wanted: IndexState,
    files: Iterable[WorktreeChange],
) -> None:
    """Change the index from the state `before` to the state `wanted`. The caller holds its lock.

    Entries that stay the same keep the stat of their file; that of others is left blank, so that git reads
    the file the next time. So is that of one of the `files` that has another size now: where git
    converts line endings, it would take the file for a modified one without reading it. Idempotent.
    """
    written = {change.path: change for change in files if change.new is not None}
    if before == wanted and not (written and _may_convert(repository)):
        return
    current = read_index(repository)
    resized = _resized(repository, current, written)
    if before == wanted:
        resized = {path: oid for path, oid in resized.items() if _same_lines(objects, written[path], oid)}
        if not resized:
            return
    if any(path.endswith(b"/") for path in current.paths):
        entries: dict[_Key, _IndexEntry] = {}
        changes = objects.changes(None, ObjectID(wanted.tree.encode()))
    else:
        entries = {place: staged for place, staged in _entries(current) if not place[1]}
        changes = objects.changes(ObjectID(before.tree.encode()), ObjectID(wanted.tree.encode()))
    for change in changes:
        if change.new is None:
            entries.pop((change.path, 0), None)
        else:
            oid = to_binary(change.new.oid)
            _set(entries, (change.path, 0), oid, change.new.mode)
    for stage, tree in enumerate(wanted.stages or (), 1):
        for path, entry in objects.files(ObjectID(tree.encode())):
            _set(entries, (path, stage), to_binary(entry.oid), entry.mode)
    flags = dict(_flags_of(objects, wanted))
    if before.flags != wanted.flags:
        flags |= _still_hidden(repository, (path for path, _ in entries), _flags_of(objects, before), flags)
    intended = {path for path, bits in flags.items() if bits & INTENT_TO_ADD}
    empty = object_id(BLOB, b"", repository.object_format)
    for path in intended:
        mode = entries[path, 0].mode if (path, 0) in entries else _mode_on_disk(repository, path)
        _set(entries, (path, 0), empty, mode)
    was_intended = {path for (path, _), staged in entries.items() if staged.flags & INTENT_TO_ADD}
    for path in was_intended - intended:
        if objects.at(ObjectID(wanted.tree.encode()), path) is None:
            del entries[path, 0]
    for place in [(path, 0) for path in resized if (path, 0) in entries]:
        entries[place] = replace(entries[place], stat=None)
    write_index(repository, _index(entries, flags))


def _mode_on_disk(repository: Repository, path: bytes) -> int:
    """Return the mode that git would intend to add a file with; of one that is not there, a plain one's."""
    try:
        mode = os.lstat(os.path.join(repository.worktree, path)).st_mode
    except OSError:
        return 0o100644
    if stat.S_ISLNK(mode) and repository.flag(b"core", b"symlinks", True):
        return 0o120000
    return 0o100755 if mode & 0o100 and repository.flag(b"core", b"filemode", True) else 0o100644


def _may_convert(repository: Repository) -> bool:
    """Return whether git may convert files of the working tree, as far as can be known at once."""
    attributes = os.path.join(repository.worktree, b".gitattributes")
    crlf = (repository.setting(b"core", b"autocrlf") or b"false").lower()
    return crlf not in (b"false", b"no", b"off", b"0") or os.path.lexists(attributes)


def _resized(
    repository: Repository, index: IndexFile, written: Collection[bytes]
) -> dict[bytes, RawObjectID]:
    """Return those of `written` whose file has another size than their entry says, each with its blob."""
    found = {}
    for number, path in enumerate(index.paths if written else ()):
        size = index.stats[number * STAT_WORDS + _SIZE_WORD]
        if size and path in written:
            with suppress(OSError):
                if os.lstat(os.path.join(repository.worktree, path)).st_size & 0xFFFFFFFF != size:
                    found[path] = index.ids[number]
    return found


def _same_lines(objects: ObjectReader, change: WorktreeChange, staged: RawObjectID) -> bool:
    """Return whether a change is one of line endings alone, and what is `staged` has these lines, too."""
    ids = [entry.oid for entry in (change.old, change.new) if entry is not None]
    if len(ids) != 2 or staged not in map(to_binary, ids):
        return False
    before, after = (objects.blob(oid).replace(b"\r\n", b"\n") for oid in ids)
    return before == after


def _flags_of(objects: ObjectReader, state: IndexState) -> Mapping[bytes, int]:
    return read_flags(objects.blob(ObjectID(state.flags.encode()))) if state.flags else {}


def _still_hidden(
    repository: Repository, paths: Iterable[bytes], before: Mapping[bytes, int], wanted: Mapping[bytes, int]
) -> dict[bytes, int]:
    """Return the flags of the paths that a sparse checkout has hidden since, and that are not on disk.

    Without the flag, git takes such a file for one that was deleted, and would commit that.
    """
    hidden = _hidden(before)
    hidden_then = _hidden(wanted)
    root = Path(os.fsdecode(repository.worktree))
    return (
        {
            path: wanted.get(path, 0) | SKIP_WORKTREE
            for path in paths
            if is_within(path, hidden)
            and not (hidden_then and is_within(path, hidden_then))
            and not os.path.lexists(root / os.fsdecode(path))
        }
        if hidden
        else {}
    )


def _hidden(flags: Mapping[bytes, int]) -> frozenset[bytes]:
    return frozenset(path.rstrip(b"/") for path, bits in flags.items() if bits & SKIP_WORKTREE)


def _entries(index: IndexFile) -> Iterator[tuple[_Key, _IndexEntry]]:
    for number, (path, oid, mode, flags) in enumerate(
        zip(index.paths, index.ids, index.modes, index.flags, strict=True)
    ):
        words = index.stats[number * STAT_WORDS : (number + 1) * STAT_WORDS]
        yield (path, (flags & STAGE) >> _STAGE_SHIFT), _IndexEntry(oid, mode, flags, words)


def _set(entries: dict[_Key, _IndexEntry], place: _Key, oid: RawObjectID, mode: int) -> None:
    known = entries.get(place)
    if known is None or (known.oid, known.mode) != (oid, mode):
        entries[place] = _IndexEntry(oid, mode, 0, None)


def _index(entries: Mapping[_Key, _IndexEntry], flags: Mapping[bytes, int]) -> IndexFile:
    directories = tuple(path for path in flags if path.endswith(b"/"))
    index = IndexFile()
    for (path, stage), staged in sorted(entries.items()):
        bits = flags.get(path, 0)
        for directory in directories:
            if path.startswith(directory):
                bits |= flags[directory]
        index.paths.append(path)
        index.ids.append(staged.oid)
        index.modes.append(staged.mode)
        index.flags.append(stage << _STAGE_SHIFT | (bits if not stage else 0))
        blank = array("I", [0] * STAT_WORDS)
        blank[_MODE_WORD] = staged.mode
        index.stats.extend(staged.stat if staged.stat is not None else blank)
    return index
