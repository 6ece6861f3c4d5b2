"""The columns of many files' stats through the C library's `fstatat`, on 64-bit Linux.

The paths are looked up from the directory instead of from the root, and the results go straight into one
buffer, from which the columns are sliced. Two threads look at many files, as git does: the interpreter's lock
is released for each call. See docs/decisions/ctypes.md and docs/decisions/unchanged-time.md.
"""

from __future__ import annotations

import os
import sys
import threading
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import repeat

from patchpoint.dataclass import dataclass

_BATCH = 1024
"""How many files are examined before their columns are sliced out of the buffer."""
_BATCHES_FOR_TWO = 4
"""From so many on they are looked at by two threads, if there are two processors."""
_AT_SYMLINK_NOFOLLOW = 0x100


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of `struct stat`."""

    size: int
    """In bytes."""
    words: tuple[int, ...]
    """Where each column is, in 64-bit words: inode, mode, size, then seconds and nanoseconds of mtime and
    ctime."""
    above_mode: str
    """What the upper half of the mode's word holds, as `os.stat_result` calls it."""


_LAYOUTS = {
    "x86_64": _Layout(144, (1, 3, 6, 11, 12, 13, 14), "st_uid"),
    "aarch64": _Layout(128, (1, 2, 6, 11, 12, 13, 14), "st_nlink"),
}
"""By machine; part of the interface of Linux, which does not change."""


def known_layout() -> _Layout | None:
    """Return the layout of `struct stat` on this machine, if it is known."""
    if sys.platform != "linux" or sys.byteorder != "little" or sys.maxsize < 1 << 32:
        return None
    return _LAYOUTS.get(os.uname().machine)


@dataclass(frozen=True, slots=True)
class FstatatReader:
    """The C library's `fstatat`, and the layout of what it writes."""

    _fstatat: Callable[[int, bytes, object, int], None]
    _layout: _Layout

    @classmethod
    def load(cls) -> FstatatReader | None:
        """Return a reader, or `None` where the layout is not known or the C library has no `fstatat`."""
        layout = known_layout()
        if layout is None:
            return None
        import ctypes

        try:
            fstatat = ctypes.CDLL(None)["fstatat"]
        except (OSError, AttributeError):
            return None
        # What it returns would be made an object for each file: where it fails, nothing is written.
        fstatat.restype = None
        return cls(fstatat, layout)

    def columns(self, root: bytes, paths: Sequence[bytes]) -> list[array[int]] | None:
        """Return one column for each word of the layout; all zero for a file that is missing.

        The upper half of a word of the mode's column holds something else. `None` when `root` is not a
        directory that can be opened.
        """
        try:
            directory = os.open(root, os.O_PATH | os.O_DIRECTORY)
        except OSError:
            return None
        starts = range(0, len(paths), _BATCH)
        found: dict[int, list[array[int]]] = {}
        try:
            waiting = deque(starts)
            if len(starts) < _BATCHES_FOR_TWO or len(os.sched_getaffinity(0)) < 2:
                self._look(directory, paths, waiting, found)
            else:
                self._look_with_two(directory, paths, waiting, found)
        finally:
            os.close(directory)
        columns = [array("Q") for _ in self._layout.words]
        for start in starts:
            for column, words in zip(columns, found.pop(start), strict=True):
                column.extend(words)
        return columns

    def _look_with_two(
        self,
        directory: int,
        paths: Sequence[bytes],
        waiting: deque[int],
        found: dict[int, list[array[int]]],
    ) -> None:
        """Do what `_look` does with the help of another thread: each takes a batch while there are any."""

        def helped() -> None:
            with suppress(MemoryError):
                self._look(directory, paths, waiting, found)

        helper = threading.Thread(target=helped, name="stats")
        everything = tuple(waiting)
        with suppress(RuntimeError):  # no more threads: this one does it all
            helper.start()
        try:
            self._look(directory, paths, waiting, found)
        finally:
            waiting.clear()
            if helper.ident is not None:
                helper.join()
        waiting.extend(start for start in everything if start not in found)
        self._look(directory, paths, waiting, found)

    def _look(
        self,
        directory: int,
        paths: Sequence[bytes],
        waiting: deque[int],
        found: dict[int, list[array[int]]],
    ) -> None:
        """Examine the batches of `paths` that begin at `waiting` until none is left; add the columns of each
        to `found`."""
        import ctypes

        size, words, fstatat = self._layout.size, self._layout.words, self._fstatat
        stride = size // 8
        buffer = array("Q", bytes(size * min(_BATCH, len(paths))))
        memory = (ctypes.c_char * (size * min(_BATCH, len(paths)))).from_buffer(buffer)
        slots = [ctypes.byref(memory, at) for at in range(0, len(memory), size)]
        while True:
            try:
                start = waiting.popleft()
            except IndexError:
                return
            batch = paths[start : start + _BATCH]
            ctypes.memset(memory, 0, len(memory))
            deque(map(fstatat, repeat(directory), batch, slots, repeat(_AT_SYMLINK_NOFOLLOW)), maxlen=0)
            end = len(batch) * stride
            found[start] = [buffer[word:end:stride] for word in words]
