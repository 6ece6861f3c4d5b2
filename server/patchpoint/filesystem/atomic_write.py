"""Atomic writes and renames, of files by their paths.

    write_atomically(path, data)                              # one file: old content or new, never a part

    with OpenDirectory(path) as directory:                    # several files, in place together
        staged = directory.create_temporary(b"tmp_pack_")
        staged.write(data)
        put_in_place([(staged, b"name")])

The directory of each file is opened once and everything is done relative to it; see `open_directory`.

A rename is atomic for other processes. What a power failure leaves is another matter: without a `sync` of
the file before, some file systems keep the new name of a file that has no content yet; without a `sync` of
the directory after, the old name may come back. Every function says which of the two it does. All raise
`OSError`.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum

from patchpoint.filesystem.open_directory import AnyPath, OpenDirectory, StagedFile
from patchpoint.filesystem.open_to_read import is_special


class Durability(Enum):
    """What a write survives in addition to the end of the process, which it always survives."""

    NONE = "none"
    """Nothing is synchronised: after a power failure the file may have its old content, the new, or none. For
    what can be computed again."""
    CONTENT = "content"
    """The file is synchronised: after a power failure it has its old content or the new, in whole."""
    NAME = "name"
    """The file and its directory are synchronised: once the call returns, the new content stays."""


def write_atomically(
    path: AnyPath,
    data: bytes | Iterable[bytes | memoryview],
    *,
    permissions: int = 0o666,
    durability: Durability = Durability.NAME,
    temporary: str | None = None,
    removes_first: bool = False,
) -> None:
    """Replace the content of `path`, or create it, so that a reader sees the old content or the new.

    The file gets `permissions` less the umask. `durability` decides what survives a power failure; a failure
    to synchronise the directory is not raised, for the new content is in place by then. A device, a FIFO or a
    socket is never replaced, which whoever may do everything could do to `/dev/null`. `temporary` is the
    name of the temporary file, which replaces one that an earlier process left. When the write fails, the
    file is as it was and the temporary file is removed.

    With `removes_first` the old file is removed, once the new one is written, and only then the new one gets
    its name: for what is large and can be computed again. Some file systems (ext4) bring a file that replaces
    another to the disk at once, and whatever is synchronised next waits for that.
    """
    above, name = os.path.split(os.fsencode(path))
    if is_special(path):
        raise OSError(errno.EINVAL, "it is not a regular file", os.fsdecode(path))
    with OpenDirectory(above) as directory:
        if temporary is None:
            staged = directory.create_temporary(name + b".", permissions)
        else:
            staged = _created_again(directory, os.fsencode(temporary), permissions)
        try:
            for piece in (data,) if isinstance(data, bytes) else data:
                staged.write(piece)
            if durability is not Durability.NONE:
                staged.sync()
            if removes_first and os.name == "posix":
                with suppress(OSError):
                    directory.remove(name)
            staged.rename_over(name)
        except BaseException:
            staged.discard()
            raise
        if durability is Durability.NAME:
            with suppress(OSError):
                directory.sync()


def write_new(path: AnyPath, data: bytes, *, permissions: int = 0o666, exactly: int | None = None) -> None:
    """Write a new file; see `OpenDirectory.write_new`."""
    above, name = os.path.split(os.fsencode(path))
    with OpenDirectory(above) as directory:
        directory.write_new(name, data, permissions=permissions, exactly=exactly)


def put_in_place(
    files: Sequence[tuple[StagedFile, bytes]], meanwhile: Callable[[], None] | None = None
) -> None:
    """Give staged files the names that go with them, in order, and make all of it durable.

    Each is synchronised before the first gets its name, all at the same time, and each directory once after
    the last. While the files are waited for, this thread does `meanwhile`, which raises nothing. When it
    fails, some may have their names.
    """
    _sync_all([file for file, _ in files], meanwhile)
    for file, name in files:
        file.rename_over(name)
    for directory in dict.fromkeys(file.directory for file, _ in files):
        directory.sync()


def rename_over(source: AnyPath, target: AnyPath) -> None:
    """Rename `source` to `target`, replacing what is there.

    Nothing is synchronised: after a power failure the file may have either name; see `sync_directory`.
    """
    above, old = os.path.split(os.fsencode(source))
    target_above, new = os.path.split(os.fsencode(target))
    with OpenDirectory(above) as directory:
        if target_above == above:
            directory.rename_over(old, new)
        else:
            with OpenDirectory(target_above) as goal:
                directory.rename_over(old, new, goal)


def rename_new(source: AnyPath, target: AnyPath) -> None:
    """Rename `source` to `target`, raising `FileExistsError` if that name is taken.

    See `OpenDirectory.rename_new`. Nothing is synchronised.
    """
    above, old = os.path.split(os.fsencode(source))
    target_above, new = os.path.split(os.fsencode(target))
    with OpenDirectory(above) as directory, OpenDirectory(target_above) as goal:
        directory.rename_new(old, new, goal)


def rename_durably(directory: AnyPath, old: str, new: str) -> None:
    """Rename the file `old` of a directory to `new`, replacing what is there, and synchronise the directory.

    A power failure meanwhile leaves the old name or the new; once this returns, it is the new. A failure to
    synchronise the directory is not raised.
    """
    with OpenDirectory(directory) as opened:
        opened.rename_over(os.fsencode(old), os.fsencode(new))
        with suppress(OSError):
            opened.sync()


def sync_directory(path: AnyPath) -> None:
    """Make renames, links and removals in a directory survive a power failure, where the system can.

    A failure is not raised.
    """
    with suppress(OSError), OpenDirectory(path) as directory:
        directory.sync()


def _sync_all(files: Sequence[StagedFile], meanwhile: Callable[[], None] | None) -> None:
    """Synchronise `files`, in a thread each, for all that it does is to wait for the disk; the last in this
    one if there is nothing to do `meanwhile`."""
    failures: list[OSError] = []

    def sync(file: StagedFile) -> None:
        try:
            file.sync()
        except OSError as error:
            failures.append(error)

    waiting: list[threading.Thread] = []
    for file in files if meanwhile is not None else files[:-1]:
        thread = threading.Thread(target=sync, args=(file,))
        try:
            thread.start()
        except RuntimeError:  # no more threads
            sync(file)
        else:
            waiting.append(thread)
    try:
        if meanwhile is not None:
            meanwhile()
        else:
            sync(files[-1])
    finally:
        for thread in waiting:
            thread.join()
    if failures:
        raise failures[0]


def _created_again(directory: OpenDirectory, name: bytes, permissions: int) -> StagedFile:
    try:
        return directory.create(name, permissions)
    except FileExistsError:
        with suppress(FileNotFoundError):
            directory.remove(name)
        return directory.create(name, permissions)
