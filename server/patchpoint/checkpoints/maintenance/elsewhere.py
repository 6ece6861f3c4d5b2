"""The checkpoints of a folder that are not where its checkpoints are: which there were, and until when.

Their refs are gone, or all of the repository is; they were taken before `git init`, or before the folder was
renamed; or their linked working tree was removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path

from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.place import StoreOrigin
from patchpoint.checkpoints.mirror.register import Registered, registered
from patchpoint.checkpoints.record.checkpoint import is_id
from patchpoint.checkpoints.record.mirrored import Described, taken_at
from patchpoint.checkpoints.record.records import Records
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.user_state import state_directory
from patchpoint.git.refs import Namespace, checkpoints_of_all, live_namespaces
from patchpoint.wording import plural


class Why(str, Enum):
    """Why checkpoints are not where they are looked for."""

    LOST = "lost"
    """Their refs, or the repository, are gone."""
    PRIVATE = "private"
    """They were taken while the folder was in no repository."""
    MOVED = "moved"
    """They were taken of a folder that is gone, and that this one may have been: device and inode agree."""
    REMOVED = "removed"
    """They are of a linked working tree that was removed."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Checkpoints that can be brought back, newest first."""

    why: Why
    folder: str
    """Where they were taken, or for `REMOVED` the name of the working tree."""
    store: Path | None
    """The mirror or private store that has their objects; `None`: the repository itself."""
    object_format: str
    entries: tuple[Registered, ...]

    @property
    def says(self) -> str:
        """What there was, until when, in a sentence."""
        return said_of(self.why, self.folder, self.asked_for or self.entries)

    @property
    def is_own(self) -> bool:
        """Whether they are this very folder's, and not those of another working tree."""
        return self.why is not Why.REMOVED

    @property
    def asked_for(self) -> tuple[Registered, ...]:
        """Those that were asked for, without safety checkpoints."""
        return tuple(each for each in self.entries if "/safety/" not in each.ref)


def said_of(why: Why, folder: str, entries: Sequence[Registered]) -> str:
    """Return what there was, until when, in a sentence without its full stop."""
    until = datetime.fromtimestamp(max(each.taken for each in entries)).strftime("%Y-%m-%d %H:%M")
    were, refs_are = ("were", "their refs, or all of .git, are")
    if len(entries) == 1:
        were, refs_are = "was", "its ref, or all of .git, is"
    there_were = f"Until {until} there {were} {plural(len(entries), 'checkpoint')} of"
    match why:
        case Why.LOST:
            return f"{there_were} '{folder}'; {refs_are} gone"
        case Why.PRIVATE:
            return f"{there_were} '{folder}', from when it was in no repository"
        case Why.MOVED:
            return f"{there_were} '{folder}', which is gone and may be what this folder was called before"
        case Why.REMOVED:
            return f"{there_were} the linked working tree '{folder}', which was removed"


def said_of_broken(dot_git: str) -> str:
    """Return what checkpoints there were in the repository with this `.git`, in a sentence, or nothing."""
    from patchpoint.checkpoints.mirror.give_back import registered_of

    found = registered_of(dot_git).values()
    asked_for = [each for each in found if "/safety/" not in each.ref]
    return f"{said_of(Why.LOST, os.path.dirname(dot_git), asked_for)}." if asked_for else ""


def find_elsewhere(records: Records) -> list[Elsewhere]:
    """Return the checkpoints of this folder that are elsewhere; those that are most surely its own first."""
    repository = records.repository
    known = checkpoints_of_all(repository.refs)
    here = {ref.rpartition("/")[2] for ref in known if _namespace_of(ref) == records.namespace.prefix}
    root = os.fsdecode(repository.worktree)
    found = [] if repository.private else [*_of_repository(records, known), *_removed(records, known)]
    found += [] if repository.private else _before_git(repository.worktree)
    own = Path(os.fsdecode(repository.commondir))
    mirror = None if repository.private else place.mirror_directory(repository)
    status = os.stat(root)
    for store, origin in place.origins().items():
        if store in (own, mirror) or any(store == each.store for each in found):
            continue
        why = _kinship(origin, root, (status.st_dev, status.st_ino))
        if why is not None:
            found += _of_store(store, origin, why, root)
    left: list[Elsewhere] = []
    for group in found:
        each = _without(group, here)
        if each.entries and each.object_format == repository.object_format:
            left.append(each)
            here |= {one.id for one in each.entries}
    return left


def _without(group: Elsewhere, here: set[str]) -> Elsewhere:
    entries = sorted((each for each in group.entries if each.id not in here), key=lambda each: each.id)
    return Elsewhere(group.why, group.folder, group.store, group.object_format, tuple(reversed(entries)))


def _of_repository(records: Records, known: Mapping[str, str]) -> Iterator[Elsewhere]:
    """Find the checkpoints of this working tree, and of those that are gone, whose refs were lost."""
    if not place.has_mirror(records.repository):
        return
    mirror = place.mirror_directory(records.repository)
    damaged = set(map(os.fsdecode, records.damaged_refs()))
    others = live_namespaces(records.repository.commondir) - {records.namespace.prefix}
    lost = [
        each
        for ref, each in registered(mirror).items()
        # Another finding names a damaged one, and its ref is in the way.
        if ref not in known and ref not in damaged and _namespace_of(ref) not in others
    ]
    root = os.fsdecode(records.repository.worktree)
    yield Elsewhere(Why.LOST, root, mirror, records.repository.object_format, tuple(lost))


def _removed(records: Records, known: Mapping[str, str]) -> Iterator[Elsewhere]:
    """Find the checkpoints of linked working trees that are gone."""
    live = live_namespaces(records.repository.commondir) | {records.namespace.prefix}
    by_namespace: dict[bytes, list[Registered]] = {}
    for ref, commit in known.items():
        namespace, id_ = _namespace_of(ref), ref.rpartition("/")[2]
        if namespace not in live and is_id(id_):
            by_namespace.setdefault(namespace, []).append(_described(records, ref, commit))
    for namespace, entries in sorted(by_namespace.items()):
        name = os.fsdecode(namespace.rstrip(b"/").rpartition(b"/")[2])
        yield Elsewhere(Why.REMOVED, name, None, records.repository.object_format, tuple(entries))


def _before_git(root: bytes) -> Iterator[Elsewhere]:
    folder = Path(os.fsdecode(root))
    store = state_directory(folder) / "checkpoints"
    if (store / "HEAD").exists():
        yield from _of_store(
            store, StoreOrigin(directory=str(store), object_format="sha1", roots={}), Why.PRIVATE, str(folder)
        )


def _kinship(origin: StoreOrigin, root: str, identity: place.Identity) -> Why | None:
    if root in origin.roots:
        return Why.LOST
    for path, known in origin.roots.items():
        if known == identity and not _is_there(path, known):
            return Why.MOVED
    return None


def _is_there(path: str, identity: place.Identity) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == identity


def _of_store(store: Path, origin: StoreOrigin, why: Why, root: str) -> Iterator[Elsewhere]:
    """Yield what a mirror, or a private store, has of a working tree."""
    there = place.opened(store, origin.object_format, os.fsencode(root))
    if origin.directory == str(store):
        records = Records(there, None)
        commits = checkpoints_of_all(there.refs)
        entries = [
            _described(records, ref, commit)
            for ref, commit in commits.items()
            if is_id(ref.rpartition("/")[2])
        ]
        why = Why.MOVED if why is Why.MOVED else Why.PRIVATE
    else:
        folders = {root} if why is Why.LOST else origin.roots.keys() - {root}
        entries = [each for each in registered(store).values() if each.root in folders]
    folder = next((path for path in sorted(origin.roots) if path != root), root) if why is Why.MOVED else root
    yield Elsewhere(why, folder, store, origin.object_format, tuple(entries))


def _described(records: Records, ref: str, commit: str) -> Registered:
    """Return what there is to say of a ref, whose commit may be damaged."""
    found = Described(records.repository, records.namespace)(ref, commit)
    if found is not None:
        return found
    return Registered(ref=ref, commit=commit, taken=taken_at(ref.rpartition("/")[2]), root="")


def _namespace_of(ref: str) -> bytes:
    """Return the prefix of the namespace that a ref of a checkpoint is in."""
    parts = os.fsencode(ref).split(b"/")
    return Namespace.of(parts[3] if parts[2] == b"worktrees" else None).prefix
