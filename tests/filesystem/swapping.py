"""A directory that is swapped for a symbolic link while work goes on: at one instant, or all the time."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_CHANGING = {
    "open",
    "os.rename",
    "os.link",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.chmod",
    "os.utime",
    "os.symlink",
    "os.scandir",
}
"""What Python announces before it does something to files."""
_AT_CURRENT_DIRECTORY = -100
_EXCHANGE = 2


class SwappedAt:
    """Swaps `directory` for `link`, a symbolic link, before event number `at`, and back before `back`."""

    def __init__(self, directory: Path, link: Path, at: int, back: int) -> None:
        self.directory, self.link = directory, link
        self.instants = (at, back)
        self.seen = 0
        self._is_busy = False
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in _CHANGING or self._is_busy or not self._concerns(arguments[0]):
            return
        self.seen += 1
        if self.seen in self.instants:
            self._is_busy = True
            aside = self.directory.with_name("aside")
            self.directory.rename(aside)
            self.link.rename(self.directory)
            aside.rename(self.link)
            self._is_busy = False

    def _concerns(self, path: object) -> bool:
        """Whether a path may be one in the folder of both: relative to a descriptor, or below it."""
        place = Path(os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else "")
        return not place.is_absolute() or place.is_relative_to(self.directory.parent)


def events_while_swapped(
    work: Callable[[], object], directory: Path, link: Path, at: int = 0, back: int = 0
) -> int | None:
    """Run `work` in a process of its own in which `directory` is swapped for `link` before event number
    `at`, and back before event number `back`. Return how many events there were, or `None` if the work
    failed with an error of Python's own rather than one of Patchpoint's."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            hook = SwappedAt(directory, link, at, back)
            try:
                work()
            except Exception as error:
                if type(error).__module__ == "builtins":
                    raise
            seen, hook.instants = hook.seen, (0, 0)
            os.write(writing, str(seen).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as answer:
        events = answer.read()
    os.waitpid(child, 0)
    return int(events) if events else None


@contextmanager
def swapped_all_the_time(directory: Path, link: Path) -> Iterator[Callable[[], int]]:
    """Let another process swap both as fast as it can while the block runs, which gets a function of how
    often it has. Afterwards `directory` is again what it was."""
    exchange = ctypes.CDLL(None, use_errno=True).renameat2
    names = os.fsencode(directory), os.fsencode(link)
    counter = memoryview(mmap.mmap(-1, 8)).cast("q")
    child = os.fork()
    if child == 0:
        while True:
            failed = exchange(_AT_CURRENT_DIRECTORY, names[0], _AT_CURRENT_DIRECTORY, names[1], _EXCHANGE)
            counter[0] += not failed
            until = time.perf_counter() + counter[0] % 40 * 2e-5
            while time.perf_counter() < until:
                pass
    try:
        yield lambda: counter[0]
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if directory.is_symlink():
            exchange(_AT_CURRENT_DIRECTORY, names[0], _AT_CURRENT_DIRECTORY, names[1], _EXCHANGE)


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
