"""Delete refs, all of them in one rewrite of `packed-refs`, so that a crash leaves no lock that nobody owns.

Every lock is a hard link to one file of ours, the owner. Should the process die, the next one that holds the
lock of the checkpoints recognises them by that, whatever their age, and removes them; a lock of git is
another file. Where the file system has no hard links, a lock that was left behind has to be deleted by hand.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from stat import S_IMODE

from dulwich.refs import DiskRefsContainer, Ref

from patchpoint.filesystem.atomic_write import write_atomically
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.filesystem.process import boot_id
from patchpoint.git.errors import lock_held

_OWNER = os.path.join(b"patchpoint", b"refs.deleting")
_PACKED = b"packed-refs"
_PAUSE = 0.01


def delete_refs(refs: DiskRefsContainer, contents: Mapping[bytes, bytes], patience: float) -> list[bytes]:
    """Delete each ref that still has its content in `contents`, by name; return the names of those deleted.

    One that another program has locked is left. The caller holds the lock of the checkpoints. Raises
    `RepositoryBusyError` when `packed-refs` is locked for more than `patience` seconds, and `OSError`.
    """
    deadline = time.monotonic() + patience
    with _owner_file(refs.path) as owner, ExitStack() as locks:
        held = [name for name in contents if _is_locked(owner, refs.refpath(name), deadline, locks)]
        deleted = [name for name in held if content_of(refs, name) == contents[name]]
        packed = refs.get_packed_refs()
        if any(Ref(name) in packed for name in deleted):
            place = os.path.join(refs.path, _PACKED)
            with ExitStack() as lock:
                if not _is_locked(owner, place, deadline, lock):
                    raise lock_held(place + b".lock")
                _rewrite_without(os.path.realpath(place), frozenset(deleted))
        for name in deleted:
            with suppress(FileNotFoundError):
                os.unlink(refs.refpath(name))
    for name in contents:
        _remove_empty_directories(refs, name)
    return deleted


def is_left_behind(commondir: bytes) -> bool:
    """Return whether refs are locked by a process that is deleting them, or has died while it did."""
    return os.path.lexists(os.path.join(commondir, _OWNER))


def release_left_behind(commondir: bytes) -> None:
    """Remove the locks that `delete_refs` left when its process died. The caller holds the lock of the
    checkpoints, so that no other process is deleting refs."""
    if not is_left_behind(commondir):
        return
    owner = os.path.join(commondir, _OWNER)
    with suppress(OSError):
        locks = [os.path.join(commondir, _PACKED + b".lock")]
        for directory, _, files in os.walk(os.path.join(commondir, b"refs")):
            locks += [os.path.join(directory, name) for name in files if name.endswith(b".lock")]
        for lock in locks:
            _unlink_own(owner, lock)
        os.unlink(owner)


@contextmanager
def _owner_file(commondir: bytes) -> Iterator[bytes]:
    """Create the file that all locks are links to; its content is for people."""
    owner = os.path.join(commondir, _OWNER)
    os.makedirs(os.path.dirname(owner), exist_ok=True)
    note = {"pid": os.getpid(), "boot": boot_id(), "since": time.time()}
    write_atomically(owner, json.dumps(note).encode(), temporary="refs.deleting.new")
    try:
        yield owner
    finally:
        with suppress(OSError):
            os.unlink(owner)


def _is_locked(owner: bytes, place: bytes, deadline: float, locks: ExitStack) -> bool:
    """Lock the file at `place` until `locks` is closed; return false when another program has it."""
    lock = place + b".lock"
    while True:
        try:
            os.link(owner, lock)
            locks.callback(_unlink_own, owner, lock)
            return True
        except FileNotFoundError:
            os.makedirs(os.path.dirname(lock), exist_ok=True)
        except FileExistsError:
            pass
        except OSError:
            with suppress(FileExistsError):
                os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
                locks.callback(os.unlink, lock)
                return True
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)


def _unlink_own(owner: bytes, lock: bytes) -> None:
    with suppress(OSError):
        if os.path.samestat(os.lstat(owner), os.lstat(lock)):
            os.unlink(lock)


def content_of(refs: DiskRefsContainer, name: bytes) -> bytes:
    """Return what a ref has, as a file of its own or in `packed-refs`; nothing for one that is not there."""
    content = refs.read_loose_ref(Ref(name))
    return content if content is not None else refs.get_packed_refs().get(Ref(name), b"")


def _rewrite_without(place: bytes, names: frozenset[bytes]) -> None:
    """Rewrite `packed-refs` without the refs `names`, and without what they are peeled to."""
    with open_to_read(place) as file:
        permissions = S_IMODE(os.fstat(file.fileno()).st_mode)
        lines = file.read().splitlines(keepends=True)
    kept: list[bytes] = []
    dropped = False
    for line in lines:
        if not line.startswith(b"^"):
            dropped = line.rstrip(b"\r\n").partition(b" ")[2] in names and not line.startswith(b"#")
        if not dropped:
            kept.append(line)
    write_atomically(place, b"".join(kept), permissions=permissions, temporary="packed-refs.patchpoint")


def _remove_empty_directories(refs: DiskRefsContainer, name: bytes) -> None:
    above = os.path.dirname(name)
    with suppress(OSError):
        while above.count(b"/"):
            os.rmdir(refs.refpath(above))
            above = os.path.dirname(above)
