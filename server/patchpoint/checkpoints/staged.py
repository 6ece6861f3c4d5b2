"""Bringing the staged state back as it was."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from patchpoint.checkpoints.index_read import INTENT_TO_ADD, STAGE, STAT_WORDS, IndexFile, read_index
from patchpoint.checkpoints.index_state import IndexState, read_flags
from patchpoint.checkpoints.index_write import write_index
from patchpoint.checkpoints.objects import BLOB, object_id
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.repository import Repository

_STAGE_SHIFT = 12
_MODE_WORD = 6
_Place = tuple[bytes, int]
"""Path and stage: what an index is sorted by."""


@dataclass(frozen=True, slots=True)
class _Staged:
    oid: bytes
    mode: int
    flags: int
    stat: array[int] | None


def restore_staged(
    repository: Repository, objects: ProvenObjects, before: IndexState, wanted: IndexState
) -> None:
    """Make the index, which says what `before` says, say what `wanted` says. The caller holds its lock.

    What is known of a file on the disk is kept for entries that stay the same; of others it is left blank,
    and git looks at the file itself the next time. Doing it again after it was done is no harm.
    """
    if before == wanted:
        return
    current = read_index(repository)
    if any(path.endswith(b"/") for path in current.paths):
        entries: dict[_Place, _Staged] = {}
        changes = objects.changes(None, wanted.tree.encode())
    else:
        entries = {place: staged for place, staged in _entries(current) if not place[1]}
        changes = objects.changes(before.tree.encode(), wanted.tree.encode())
    for change in changes:
        if change.new is None:
            entries.pop((change.path, 0), None)
        else:
            oid = bytes.fromhex(change.new.oid.decode())
            _set(entries, (change.path, 0), oid, change.new.mode)
    for stage, tree in enumerate(wanted.stages or (), 1):
        for path, entry in objects.files(tree.encode()):
            _set(entries, (path, stage), bytes.fromhex(entry.oid.decode()), entry.mode)
    flags = read_flags(objects.blob(wanted.flags.encode())) if wanted.flags else {}
    intended = {path for path, bits in flags.items() if bits & INTENT_TO_ADD}
    empty = object_id(BLOB, b"", repository.object_format)
    for path in intended:
        mode = entries[path, 0].mode if (path, 0) in entries else 0o100644
        _set(entries, (path, 0), empty, mode)
    was_intended = {path for (path, _), staged in entries.items() if staged.flags & INTENT_TO_ADD}
    for path in was_intended - intended:
        if objects.at(wanted.tree.encode(), path) is None:
            del entries[path, 0]
    write_index(repository, _index(entries, flags))


def _entries(index: IndexFile) -> Iterator[tuple[_Place, _Staged]]:
    for number, (path, oid, mode, flags) in enumerate(
        zip(index.paths, index.ids, index.modes, index.flags, strict=True)
    ):
        stat = index.stats[number * STAT_WORDS : (number + 1) * STAT_WORDS]
        yield (path, (flags & STAGE) >> _STAGE_SHIFT), _Staged(oid, mode, flags, stat)


def _set(entries: dict[_Place, _Staged], place: _Place, oid: bytes, mode: int) -> None:
    there = entries.get(place)
    if there is None or (there.oid, there.mode) != (oid, mode):
        entries[place] = _Staged(oid, mode, 0, None)


def _index(entries: Mapping[_Place, _Staged], flags: Mapping[bytes, int]) -> IndexFile:
    folders = tuple(path for path in flags if path.endswith(b"/"))
    index = IndexFile()
    for (path, stage), staged in sorted(entries.items()):
        bits = flags.get(path, 0)
        for folder in folders:
            if path.startswith(folder):
                bits |= flags[folder]
        index.paths.append(path)
        index.ids.append(staged.oid)
        index.modes.append(staged.mode)
        index.flags.append(stage << _STAGE_SHIFT | (bits if not stage else 0))
        blank = array("I", [0] * STAT_WORDS)
        blank[_MODE_WORD] = staged.mode
        index.stats.extend(staged.stat if staged.stat is not None else blank)
    return index
