"""The signals that ask this process to end, and the work that they wait for.

    with obeyed():                # a command: `Stopped` is raised wherever the main thread is
        ...
        with unbroken():          # here a signal waits, and `check` raises `Stopped` where the work can end
            write_all()

Work that nothing asks to end, as in a process that has not called `obeyed`, is not held up by any of this.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
STOPPING = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))
"""Ctrl-C, `kill`, a terminal that is closed; each system has some of them."""
SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program."""


class Stopped(KeyboardInterrupt):
    """A signal asked the process to end; it is raised as Ctrl-C is."""

    def __init__(self, number: int, *, done: bool) -> None:
        super().__init__(number)
        self.done = done
        """Whether work was done before that nothing could break."""


def exit_status(stopped: KeyboardInterrupt) -> int:
    """Return the exit status that a shell reports for a program that was stopped so."""
    number = stopped.args[0] if isinstance(stopped, Stopped) else signal.SIGINT
    return SIGNALLED + int(number)


@contextmanager
def obeyed(end: Callable[[int], None] | None = None) -> Iterator[None]:
    """Let the signals raise `Stopped` in the main thread while the block runs, or call `end` with the number.

    Where one comes during unbroken work, that is first. A signal that the process was started to ignore, as
    by `nohup`, stays ignored. In another thread than the main one, nothing changes.
    """
    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    if threading.current_thread() is threading.main_thread():
        _state.forget(end or _raise)
        for number in STOPPING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _state.come)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if before:
            _state.forget(_raise)


@contextmanager
def unbroken() -> Iterator[None]:
    """Let the signals wait while the block runs; in it, `check` raises `Stopped` if one has come.

    Once the work is done, a signal that came meanwhile raises nothing: the command has little left to do, and
    what it says of its work is true.
    """
    with _state.lock:
        _state.held += 1
    done = False
    try:
        yield
        done = True
    finally:
        with _state.lock:
            _state.done = _state.done or done
            _state.held -= 1
        if not _state.held and _state.come_meanwhile and _state.end is not _raise:
            _in_main_thread(_state.come_meanwhile)


def check() -> None:
    """Raise `Stopped` if a signal waits."""
    if _state.come_meanwhile:
        raise Stopped(_state.come_meanwhile, done=_state.done)


def end_by(number: int) -> None:
    """End the process at once, as this signal does where nobody handles it."""
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _raise(number: int) -> NoReturn:
    raise Stopped(number, done=_state.done)


def _in_main_thread(number: int) -> None:
    """Send this process the signal once more, so that the main thread handles it even if it waits."""
    main = threading.main_thread().ident
    with suppress(OSError):
        if hasattr(signal, "pthread_kill") and main is not None:
            signal.pthread_kill(main, number)
        else:
            signal.raise_signal(number)


class _State:
    """What this process knows of the signals; there is one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.held = 0
        """How much work is going on that nothing may break."""
        self.come_meanwhile = 0
        """The signal that waits, if one does."""
        self.done = False
        """Whether such work is done."""
        self.end: Callable[[int], None] = _raise

    def come(self, number: int, _: FrameType | None) -> None:
        """Handle a signal."""
        if self.held:
            self.come_meanwhile = self.come_meanwhile or number
        else:
            self.end(number)

    def forget(self, end: Callable[[int], None]) -> None:
        """Forget what came, and have `end` called for what comes."""
        self.come_meanwhile, self.done, self.end = 0, False, end


_state = _State()
