"""The directories below one root, for work on many of their files that must not leave the root.

Also, how they spell their entries: a disk that folds case, as those of macOS and Windows do and exFAT, finds
an entry by other spellings of its name, too.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress

from patchpoint.filesystem.open_directory import AnyPath, OpenDirectory

_NOT_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG}
"""The errors that say that a path leads to nothing, or through what is no directory."""
_MOST_OPEN = 32
"""How many of the directories on the way to one stay open."""


class DirectoryTree:
    """The directories below one root, opened one after the other, following no symbolic link.

    Paths are relative to the root, with `/`; an empty one is the root. Those on the way to the directory that
    was reached last stay open. One is opened again when its path leads to another directory by then. All
    methods raise `OSError`: `NotADirectoryError` when a part of a path is a symbolic link, or a file.
    """

    def __init__(self, root: AnyPath) -> None:
        self.root = OpenDirectory(root)
        self._opened: list[tuple[bytes, OpenDirectory]] = []
        """Directories on the way to the last one, outermost first, each with its path and a `/`."""

    def at(self, path: bytes, *, create: bool = False) -> OpenDirectory:
        """Return the directory `path`, which is open until the next call.

        With `create`, it and those on the way are created when they are missing.
        """
        if not path:
            return self.root
        wanted = path + b"/"
        opened = self._opened
        while opened and not wanted.startswith(opened[-1][0]):
            opened.pop()[1].close()
        if opened and not opened[-1][1].is_at_its_path():
            self._close_opened()
        above, last = opened[-1] if opened else (b"", self.root)
        for name in wanted[len(above) : -1].split(b"/") if wanted != above else ():
            last = _subdirectory(last, name, create)
            above += name + b"/"
            opened.append((above, last))
            if len(opened) > _MOST_OPEN:
                # Every second one: from wherever the next path branches off, the way stays short.
                for _, directory in opened[1:-1:2]:
                    directory.close()
                del opened[1:-1:2]
        return last

    def of(self, path: bytes, *, create: bool = False) -> tuple[OpenDirectory, bytes]:
        """Return the directory that the file `path` is in, as `at` does, and the file's name."""
        above, _, name = path.rpartition(b"/")
        return self.at(above, create=create), name

    def find(self, path: bytes) -> tuple[tuple[OpenDirectory, bytes] | None, os.stat_result | None]:
        """Return the directory that `path` is in, open until the next call, and its name there, and its
        `lstat`.

        It is `None` twice when there is nothing, or when anything above it is not a directory.
        """
        try:
            directory, name = self.of(path)
            return (directory, name), directory.status(name)
        except OSError as error:
            if error.errno not in _NOT_THERE:
                raise
            return None, None

    def files_below(self, path: bytes) -> Iterator[bytes]:
        """Yield the paths of all that is in the directory `path`, at any depth, and is no directory."""
        waiting = [path]
        while waiting:
            path = waiting.pop()
            for name, is_directory in self.at(path).entries():
                if is_directory:
                    waiting.append(path + b"/" + name)
                else:
                    yield path + b"/" + name

    def remove_empty(self, path: bytes) -> None:
        """Remove a directory that holds nothing but directories, at any depth."""
        found = [path]
        for each in found:
            for name, is_directory in self.at(each).entries():
                if not is_directory:
                    place = os.fsdecode(os.path.join(self.root.path, each))
                    raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), place)
                found.append(each + b"/" + name)
        for each in reversed(found):
            directory, name = self.of(each)
            directory.remove_directory(name)

    def close(self) -> None:
        """Close the root and all below it; a second call does nothing."""
        self._close_opened()
        self.root.close()

    def _close_opened(self) -> None:
        while self._opened:
            self._opened.pop()[1].close()


def folded(path: bytes) -> bytes:
    """Return what all spellings of a path have in common that some disk takes for one."""
    if path.isascii():
        return path.lower()
    return composed(os.fsdecode(composed(path)).casefold().encode("utf-8", "surrogateescape"))


def composed(path: bytes) -> bytes:
    """Return a path with each letter and its marks as one character, where Unicode has one (form C)."""
    import unicodedata

    return unicodedata.normalize("NFC", os.fsdecode(path)).encode("utf-8", "surrogateescape")


def own_spelling(root: AnyPath, path: bytes) -> bytes:
    """Return `path`, below the directory `root`, with each name as the directory that it is in spells it.

    The names from the first that is not there on stay as they are, and so do those of directories that cannot
    be listed. A directory is listed only where the disk seems to fold case.
    """
    here = os.fsencode(root)
    spelled: list[bytes] = []
    names = path.split(b"/")
    for at, name in enumerate(names):
        if not os.path.lexists(os.path.join(here, name)):
            return b"/".join([*spelled, *names[at:]])
        spelled.append(_own_name(here, name))
        here = os.path.join(here, spelled[-1])
    return b"/".join(spelled)


def folds_case(root: AnyPath, path: bytes) -> bool:
    """Return whether the disk is seen to fold case in a directory above `path`, up to `root`."""
    directory = os.path.join(os.fsencode(root), path)
    for _ in range(path.count(b"/") + 1):
        directory = os.path.dirname(directory)
        try:
            listed = set(os.listdir(directory))
        except OSError:
            continue
        for name in listed:
            other = name.swapcase()
            if other not in listed:
                if os.path.lexists(os.path.join(directory, other)):
                    return True
                break
    return False


def is_working_directory(path: bytes) -> bool:
    """Return whether this process works in the directory `path`: whoever called it may still be in there."""
    try:
        return os.path.samestat(os.stat("."), os.stat(path))
    except OSError:
        return False


def lists(directory: OpenDirectory, name: bytes) -> bool:
    """Return whether a directory has an entry `name`, in whatever spelling, going by its listing alone."""
    return any(folded(each) == folded(name) for each, _ in directory.entries())


def _own_name(directory: bytes, name: bytes) -> bytes:
    """Return the name by which `directory` lists the entry that it finds by `name`."""
    other = name.swapcase()
    if name.isascii() and (other == name or not os.path.lexists(os.path.join(directory, other))):
        return name
    try:
        listed = os.listdir(directory)
    except OSError:
        return name
    if name in listed:
        return name
    same = [each for each in listed if folded(each) == folded(name)]
    return same[0] if len(same) == 1 else name


def _subdirectory(directory: OpenDirectory, name: bytes, create: bool) -> OpenDirectory:
    try:
        return directory.subdirectory(name)
    except FileNotFoundError:
        if not create:
            raise
    with suppress(FileExistsError):
        directory.make_directory(name)
    return directory.subdirectory(name)
