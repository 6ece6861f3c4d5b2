"""The private refs: their names, and creating, deleting and listing them while other processes do so, too.

See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from dulwich.errors import PackedRefsException
from dulwich.file import FileLocked
from dulwich.refs import DiskRefsContainer, Ref, check_ref_format

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.atomic_write import write_atomically
from patchpoint.filesystem.exhausted import in_words, raise_if_exhausted
from patchpoint.filesystem.lock import WAIT
from patchpoint.filesystem.open_to_read import is_special, read_file_bytes
from patchpoint.git.errors import RepositoryBusyError, UnsupportedRepositoryError, lock_held
from patchpoint.git.odb.ids import ObjectID, object_id_in
from patchpoint.git.ref_creation import create_ref
from patchpoint.git.ref_deletion import content_of, delete_refs

_OWN = b"refs/patchpoint/"
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.1
_LONGEST_CHAIN = 6
"""Symbolic refs that are followed; git follows 5."""

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Namespace:
    """The names of the refs of one working tree."""

    prefix: bytes
    """`refs/patchpoint/` for the main working tree, `refs/patchpoint/worktrees/<name>/` for a linked one."""

    @classmethod
    def of(cls, worktree_name: bytes | None) -> Namespace:
        """Return the namespace of the main working tree (`None`) or of the linked one of this name."""
        if worktree_name is None:
            return cls(_OWN)
        return cls(_OWN + b"worktrees/" + worktree_name + b"/")

    @property
    def checkpoints(self) -> bytes:
        """The prefix of the checkpoints that were asked for."""
        return self.prefix + b"checkpoints/"

    @property
    def safety(self) -> bytes:
        """The prefix of the checkpoints taken before a restore."""
        return self.prefix + b"safety/"

    @property
    def pinned(self) -> bytes:
        """The prefix of the second refs of pinned checkpoints, by the checkpoint's id."""
        return self.prefix + b"pinned/"

    @property
    def undone(self) -> bytes:
        """The prefix of commits that a restore removed from a branch, by the id of its safety checkpoint."""
        return self.prefix + b"undone/"


_CHOSEN = b"patchpoint-namespace"
"""The file in which a linked working tree says under which name it has its checkpoints, if not its own."""


def namespace_of(refs: Refs, gitdir: bytes, worktree_name: bytes | None) -> Namespace:
    """Return the namespace of a working tree, which has its own part of the repository at `gitdir`.

    That of a linked one is named like it. Where an earlier one, which is gone, had that name and left
    checkpoints, the new one gets another name with its first checkpoint; see `claim_namespace`.
    """
    if worktree_name is None:
        return Namespace.of(None)
    chosen = _chosen_name(gitdir)
    if chosen is not None or os.path.isdir(os.path.join(gitdir, b"patchpoint")):
        return Namespace.of(chosen or worktree_name)
    number = 1
    name = worktree_name
    while names_below(refs, Namespace.of(name).prefix) or (
        name != worktree_name and os.path.lexists(os.path.join(os.path.dirname(gitdir), name))
    ):
        number += 1
        name = worktree_name + b"+%d" % number
    return Namespace.of(name)


def claim_namespace(gitdir: bytes, worktree_name: bytes | None, namespace: Namespace) -> None:
    """Make `namespace`, which `namespace_of` returned, that of a working tree for good. Raises `OSError`."""
    known = (worktree_name, _chosen_name(gitdir))
    if worktree_name is None or namespace in map(Namespace.of, known):
        return
    name = namespace.prefix.rstrip(b"/").rpartition(b"/")[2]
    write_atomically(os.path.join(gitdir, _CHOSEN), name + b"\n", temporary="patchpoint-namespace.new")


def live_namespaces(commondir: bytes) -> set[bytes]:
    """Return the prefixes of the working trees of a repository that are there: the main one, and each linked
    one whose folder exists."""
    found = {Namespace.of(None).prefix}
    above = os.path.join(commondir, b"worktrees")
    try:
        names = os.listdir(above)
    except OSError:
        return found
    for name in names:
        gitdir = os.path.join(above, name)
        with suppress(OSError):
            if os.path.lexists(os.path.join(gitdir, _folder_named(gitdir))):
                chosen = _chosen_name(gitdir)
                if chosen is not None or os.path.isdir(os.path.join(gitdir, b"patchpoint")):
                    found.add(Namespace.of(chosen or name).prefix)
    return found


def _chosen_name(gitdir: bytes) -> bytes | None:
    try:
        name = read_file_bytes(os.path.join(gitdir, _CHOSEN)).strip()
    except OSError as error:
        raise_if_exhausted(error)
        return None
    return name if b"/" not in name and check_ref_format(Ref(Namespace.of(name).checkpoints + b"x")) else None


def _folder_named(gitdir: bytes) -> bytes:
    """Return the path of the `.git` file of a linked working tree."""
    return read_file_bytes(os.path.join(gitdir, b"gitdir")).strip(b"\r\n")


class Refs(DiskRefsContainer):
    """The refs of a repository, in files of their own or in `packed-refs`; no reflog is written."""

    def __init__(
        self, commondir: bytes, gitdir: bytes, digits: int | None = None, patience: float = WAIT
    ) -> None:
        super().__init__(os.fsdecode(commondir), os.fsdecode(gitdir))
        self.patience = patience
        """Seconds for which a lock that another program has is waited for."""
        self.digits = digits
        """The number of hexadecimal digits of an object id; `None` where the object format is unknown."""

    def get_packed_refs(self) -> dict[Ref, ObjectID]:
        """Return the object id of each packed ref.

        Raises `UnsupportedRepositoryError` when `packed-refs` cannot be read.
        """
        try:
            if is_special(os.path.join(self.path, b"packed-refs")):
                raise OSError(errno.EINVAL, "it is not a regular file")
            return super().get_packed_refs()
        except StopIteration:
            return {}  # the file is empty
        except (PackedRefsException, OSError) as error:
            self._packed_refs = None
            place = os.fsdecode(os.path.join(self.path, b"packed-refs"))
            raise UnsupportedRepositoryError(
                f"'{place}' cannot be read ({error}); 'git for-each-ref' names what is wrong with it."
            ) from error

    def read_loose_ref(self, name: Ref) -> bytes | None:
        """Return the content of the file of a ref; nothing of what is no regular file."""
        # A FIFO would be waited for.
        return b"" if is_special(self.refpath(name)) else super().read_loose_ref(name)

    def has(self, name: bytes) -> bool:
        """Return whether there is a ref of this name, damaged or not."""
        place = self.refpath(name)
        return Ref(name) in self.get_packed_refs() or (os.path.lexists(place) and not os.path.isdir(place))


def target(refs: Refs, name: bytes) -> str | None:
    """Return the object id that the ref `name` holds; `None` if there is no such ref, or it holds none."""
    oid = object_id_in(refs.read_ref(Ref(name)), refs.digits)
    return None if oid is None else oid.decode()


def followed(refs: Refs, name: bytes) -> tuple[bytes | None, str | None]:
    """Return the last ref in the chain of symbolic refs that begins with `name`, and its object id.

    There is no id when that ref does not exist (an unborn branch), and no ref when one of the chain is
    damaged: it holds neither an object id nor the name of a ref, or the chain does not end.
    """
    for _ in range(_LONGEST_CHAIN):
        content = refs.read_loose_ref(Ref(name))
        if content is None and not os.path.isfile(refs.refpath(name)):
            content = refs.get_packed_refs().get(Ref(name))
            if content is None:
                return (None if name == b"HEAD" else name), None
        if content is None or not content.startswith(b"ref:"):
            oid = object_id_in(content, refs.digits)
            return (None, None) if oid is None else (name, oid.decode())
        name = content[4:].strip()
        if not name.startswith(b"refs/") or not check_ref_format(Ref(name)):
            return None, None
    return None, None


def create(refs: Refs, name: bytes, commit: str) -> bool:
    """Create the ref `name` at `commit`; return false when it already exists.

    Raises `RepositoryBusyError` when it cannot be written, or its lock is held too long.
    """
    if name.startswith(_OWN):
        return _with_retries(refs, name, lambda: create_ref(refs, name, commit))
    return _with_retries(refs, name, lambda: refs.add_if_new(Ref(name), ObjectID(commit.encode())))


def delete(refs: Refs, name: bytes, commit: str) -> bool:
    """Delete the ref `name` if it is at `commit`; return false when it is not.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    return target(refs, name) == commit and _delete(refs, name)


def delete_all(refs: Refs, commits: Mapping[bytes, str], *, patience: float | None = None) -> list[bytes]:
    """Delete each ref of `commits` that is at its commit there; return the names of those that were deleted.

    One that another program has locked is left. Raises `RepositoryBusyError` when `packed-refs` is locked for
    more than `patience` seconds (by default those of `refs`), or cannot be written.
    """
    contents = {
        name: content_of(refs, name) for name, commit in commits.items() if target(refs, name) == commit
    }
    try:
        waited = refs.patience if patience is None else patience
        return delete_refs(refs, contents, waited) if contents else []
    except OSError as error:
        raise _unwritable(next(iter(contents)), error) from error


def delete_damaged(refs: Refs, name: bytes) -> bool:
    """Delete the ref `name` if it holds no object id; return false when it does, or does not exist.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    return is_damaged(refs, name) and _delete(refs, name)


def is_damaged(refs: Refs, name: bytes) -> bool:
    """Return whether the ref `name` exists and holds no object id."""
    return target(refs, name) is None and refs.has(name)


def below(refs: Refs, prefix: bytes) -> dict[str, str]:
    """Return the refs below `prefix` (which ends in a slash): the rest of each name, and its object id.

    Damaged ones, which hold no object id, are left out.
    """
    found = {rest: target(refs, prefix + os.fsencode(rest)) for rest in names_below(refs, prefix)}
    return {rest: oid for rest, oid in found.items() if oid is not None}


def checkpoints_of_all(refs: Refs) -> dict[str, str]:
    """Return the commits of the checkpoints of all working trees, by the full names of their refs."""
    prefix = os.fsdecode(_OWN)
    return {
        prefix + rest: commit
        for rest, commit in below(refs, _OWN).items()
        if rest.split("/")[-2:-1] in (["checkpoints"], ["safety"])
    }


def damaged_below(refs: Refs, prefix: bytes) -> list[str]:
    """Return the rest of the name of each ref below `prefix` (which ends in a slash) without an object id."""
    return [rest for rest in names_below(refs, prefix) if is_damaged(refs, prefix + os.fsencode(rest))]


def names_below(refs: Refs, prefix: bytes) -> list[str]:
    """Return the rest of the name of each ref below `prefix` (which ends in a slash)."""
    try:
        with os.scandir(refs.refpath(prefix.rstrip(b"/"))) as entries:
            here = list(entries)
        if all(entry.name.isalnum() and entry.is_file(follow_symlinks=False) for entry in here):
            # No name needs a closer look, and dulwich would take one at each letter.
            packed = [name[len(prefix) :] for name in refs.get_packed_refs() if name.startswith(prefix)]
            return [os.fsdecode(name) for name in {*packed, *(entry.name for entry in here)}]
    except OSError as error:
        raise_if_exhausted(error)  # else they would not be found, and count as none
    return [name.decode("utf-8", "surrogateescape") for name in refs.subkeys(Ref(prefix.rstrip(b"/")))]


def move(refs: Refs, name: bytes, old: str | None, new: str | None) -> bool:
    """Move the ref `name` from `old` to `new`; return false when it is not at `old`. `None` is no ref.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    if old is None:
        return new is None or create(refs, name, new)
    if new is None:
        return delete(refs, name, old)
    before, after = ObjectID(old.encode()), ObjectID(new.encode())
    return _with_retries(refs, name, lambda: refs.set_if_equals(Ref(name), before, after))


def refuse_locked(refs: Refs, name: bytes) -> None:
    """Raise `RepositoryBusyError` where another program has locked the ref `name` for too long."""
    lock = refs.refpath(Ref(name)) + b".lock"

    def look() -> None:
        if os.path.lexists(lock):
            raise FileLocked(name, lock)

    _with_retries(refs, name, look)


def _delete(refs: Refs, name: bytes) -> bool:
    """Delete the ref `name` unless its content changes meanwhile."""
    content = content_of(refs, name)
    try:
        if delete_refs(refs, {name: content}, refs.patience):
            return True
    except OSError as error:
        raise _unwritable(name, error) from error
    if content_of(refs, name) != content:
        return False
    raise lock_held(refs.refpath(name) + b".lock")


def _with_retries(refs: Refs, name: bytes, action: Callable[[], _Result]) -> _Result:
    """Do `action`; retry after a pause while another process holds the lock or has just removed the
    directory."""
    deadline = time.monotonic() + refs.patience
    pause = _FIRST_PAUSE
    while True:
        try:
            return action()
        except (FileLocked, FileNotFoundError) as error:
            if time.monotonic() > deadline:
                lock = error.lockfilename if isinstance(error, FileLocked) else name + b".lock"
                raise lock_held(lock) from error
        except OSError as error:
            raise _unwritable(name, error) from error
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _unwritable(name: bytes, error: OSError) -> RepositoryBusyError:
    return RepositoryBusyError(f"'{name.decode('utf-8', 'replace')}' cannot be written: {in_words(error)}.")
