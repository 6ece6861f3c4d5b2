"""`patchpoint hook`: what an agent calls before it changes anything. It is never in the agent's way.

Whatever happens, it ends with status 0 within some 5 seconds, and prints what the agent demands and no more.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.filesystem.user_state import state_home
from patchpoint.hooks.answers import answer
from patchpoint.hooks.events import HookEvent, Moment, read_event
from patchpoint.hooks.firings import record_firing

if TYPE_CHECKING:
    import argparse

    from patchpoint.cli.terminal import Terminal

LIMIT_S = 5.0
"""Seconds after which a hook gives up, whatever it is doing."""
LIMIT_VARIABLE = "PATCHPOINT_HOOK_LIMIT"
"""The environment variable with another limit, for folders whose checkpoints take long; a lock is not waited
for any longer."""

_TO_SAY_WHY_S = 0.5
"""Seconds before the limit at which it stops waiting for a lock, so that it can still say who has it."""

_LONGEST_LIMIT_S = 600.0
_TURNS = 64
"""The number of files that hooks of different folders wait for; two folders may share one."""

_LONGEST_INPUT = 64 << 20
"""Bytes; an edit tool may be about to write a large file, all of which is sent."""


def hook(options: argparse.Namespace, _: Terminal) -> int:
    """Take a checkpoint before what the JSON on standard input announces."""
    return run_hook(options.agent)


def run_hook(agent: str | None = None) -> int:
    """Take a checkpoint before what the JSON on standard input announces, and return 0."""
    lost = process_age()
    call = _Call(agent, _limit(), lost)
    guard = threading.Timer(max(0.0, call.limit - lost), call.give_up)
    guard.daemon = True
    guard.start()
    try:
        call.run()
    except BaseException as error:
        # Also what should never happen: an agent that is not stopped matters more than a traceback.
        call.report(f"no checkpoint: {str(error) or type(error).__name__}")
    guard.cancel()
    return 0


class _Call:
    """One call of the hook."""

    def __init__(self, agent: str | None, limit: float, lost: float) -> None:
        self.limit = limit
        """Seconds."""
        self._end = time.monotonic() + limit - lost
        self._agent = agent
        self._folder = ""

    def run(self) -> None:
        """Read what the agent sends, answer it, and take a checkpoint if something is about to change."""
        if sys.stdin is None or sys.stdin.isatty():
            self.report("it is for an agent to call, with JSON on standard input")
            return
        data = _read_json()
        event = read_event(data)
        self._folder = event.folder or ""
        _print(answer(self._agent, event, data))
        if event.moment is Moment.OTHER:
            record_firing(self._agent, self._folder, "nothing was about to change")
            return
        self._take(event)

    def _take(self, event: HookEvent) -> None:
        with one_at_a_time(self._folder or os.getcwd()):  # noqa: PTH109 - a text is all that is needed
            from patchpoint.hooks.take import take_for
            from patchpoint.progress import Silent

            wait = max(0.0, min(LIMIT_S, self._end - time.monotonic()) - _TO_SAY_WHY_S)
            taken = take_for(event, self._agent or "agent", wait, Silent())
        record_firing(self._agent, self._folder or taken.root, f"checkpoint {taken.id}")

    def give_up(self) -> None:
        """End the process where it is; a checkpoint that is not there yet is as if never begun."""
        with suppress(BaseException):
            self.report(
                f"gave up after {self.limit:g} seconds; where the folder is large, take a first checkpoint "
                "with `patchpoint checkpoint`: later ones take less"
            )
        os._exit(0)

    def report(self, says: str) -> None:
        """Say to a person what went wrong, where agents show it, and keep it for `patchpoint doctor`."""
        record_firing(self._agent, self._folder, says)
        with suppress(OSError, ValueError, AttributeError):
            from patchpoint.text.shown import visible_line

            sys.stderr.write(f"patchpoint hook: {visible_line(says)}\n")
            sys.stderr.flush()


@contextmanager
def one_at_a_time(folder: str) -> Iterator[None]:
    """Let one hook of a folder load what a checkpoint needs, and take it, while the others wait.

    A hundred at once would keep the processors busy with loading until all of them give up. Where there is no
    such lock, they go all at once.
    """
    place = state_home() / "hooks" / f"turn-{zlib.crc32(folder.encode('utf-8', 'replace')) % _TURNS}"
    descriptor = None
    try:
        if sys.platform != "win32":
            with suppress(OSError, ValueError):
                import fcntl

                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
                descriptor = os.open(place, flags, 0o600)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def process_age() -> float:
    """Return for how many seconds this process has existed, which on a busy machine is long before it runs.

    0 where the system does not say so: Linux does, in /proc/self/stat (proc(5), `starttime`).
    """
    try:
        ticks = int(Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
    return age if 0 <= age <= _LONGEST_LIMIT_S else 0.0


def _limit() -> float:
    try:
        limit = float(os.environ.get(LIMIT_VARIABLE, ""))
    except ValueError:
        return LIMIT_S
    return limit if 0 < limit <= _LONGEST_LIMIT_S else LIMIT_S


def _read_json() -> object:
    """Return what is on standard input, or `None` if it is no JSON."""
    text = sys.stdin.buffer.read(_LONGEST_INPUT)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _print(text: str) -> None:
    if text:
        with suppress(OSError, ValueError):
            sys.stdout.write(text)
            sys.stdout.flush()
