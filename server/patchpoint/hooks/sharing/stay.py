"""Leave a process behind that answers the next hooks of a working tree: a fork of one that has loaded all.

It keeps the lock of the meeting place and its socket, and nothing else that the hook had open; no lock of a
repository is held but while it takes a checkpoint, as a hook does, or goes on with its mirror. It ends after
ten minutes without a hook, when a file that it was loaded from is another one, and when a server wants its
place. Killed, it leaves a dead socket, which the next hook replaces.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from patchpoint.hooks.meeting_place import MeetingPlace
from patchpoint.hooks.sharing.listener import AskedCall, HookListener

STAY_VARIABLE = "PATCHPOINT_HOOK_STAY"
"""The environment variable with the seconds for which the process stays after the last hook; 0 for none."""
STAY_S = 600.0

_LONGEST_STAY_S = 3600.0
_MOST = 8
"""Working trees that are listened for at once: each such process has some 40 MB."""
_LATE_S = 60.0
"""Seconds after its time at which the process is ended by the system, if it could not end itself."""
_COLLECTED_AFTER = 700
"""Python's own number of new objects after which it looks for cycles; a hook has raised it."""

_PAUSE_S = 0.05
"""Seconds for which the agent has the processor before what is left to do is gone on with."""

Answering = Callable[[list[AskedCall]], object]
"""What answers the hooks that have asked."""
Following = Callable[[], bool]
"""What goes on with what they left, for a moment, and returns whether more is left."""


def stay_behind(
    listener: HookListener, place: MeetingPlace, lock: int, answering: Answering, following: Following
) -> None:
    """Leave a process behind that listens at `place` and calls `answering`; not where that cannot be.

    At first, and after each answer, it calls `following` until a hook asks or nothing is left. The caller,
    whose listener is closed by that, ends soon after. Raises nothing.
    """
    seconds = _seconds()
    try:
        if seconds <= 0 or not hasattr(os, "fork") or place.count_others() >= _MOST:
            return
    except OSError:
        return
    loaded = LoadedFiles()
    try:
        process = os.fork()
    except OSError:
        return
    if process:
        listener.hand_over()
        return
    try:
        _detach({lock, *place.descriptors(), *listener.descriptors()})
        with listener.taken_over() as mine:
            _serve(mine, seconds, loaded, answering, following)
    finally:
        os._exit(0)


class LoadedFiles:
    """The files that the package has been loaded from, as they were then."""

    def __init__(self) -> None:
        self._stamps: dict[str, tuple[int, ...]] = {}
        self.add_new()

    def have_changed(self) -> bool:
        """Return whether one of them is another one, or gone."""
        return any(_stamp(file) != stamp for file, stamp in self._stamps.items())

    def add_new(self) -> None:
        """Add what has been loaded since."""
        modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "patchpoint"]
        for module in modules:
            file = getattr(module, "__file__", None)
            if file and file not in self._stamps:
                self._stamps[file] = _stamp(file)


def _serve(
    listener: HookListener,
    seconds: float,
    loaded: LoadedFiles,
    answering: Answering,
    following: Following,
) -> None:
    while True:
        # Whatever it is doing then, it is ended.
        signal.alarm(int(seconds + _LATE_S) + 1)
        asked = _asked(listener, seconds, following)
        if not asked or loaded.have_changed():
            for each in asked:
                each.refuse()
            return
        answering(asked)
        loaded.add_new()


def _asked(listener: HookListener, seconds: float, following: Following) -> list[AskedCall]:
    """Return what is asked in so many seconds, in which it is gone on with what is left to do."""
    until = time.monotonic() + seconds
    asked = listener.wait(min(_PAUSE_S, seconds))
    while not (asked or listener.is_stopped) and following() and time.monotonic() < until:
        asked = listener.wait(0)
    return asked or listener.wait(max(0.0, until - time.monotonic()))


def _detach(kept: set[int]) -> None:
    """Have nothing left of what the agent gave the hook: its terminal, its pipes, its folder, its signals."""
    gc.collect()  # what is closed when it is collected must not close what has its number by then
    os.setsid()
    os.chdir("/")
    for name in ("SIGALRM", "SIGTERM", "SIGHUP", "SIGINT"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    for number in list(_open_descriptors()):
        if number > 2 and number not in kept:
            with suppress(OSError):
                os.close(number)
    gc.set_threshold(_COLLECTED_AFTER)
    gc.freeze()


def _open_descriptors() -> Iterator[int]:
    for directory in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            yield from [int(name) for name in os.listdir(directory) if name.isdecimal()]
            return
    yield from range(3, min(os.sysconf("SC_OPEN_MAX"), 4096))


def _stamp(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _seconds() -> float:
    try:
        seconds = float(os.environ.get(STAY_VARIABLE, ""))
    except ValueError:
        return STAY_S
    return min(seconds, _LONGEST_STAY_S)
