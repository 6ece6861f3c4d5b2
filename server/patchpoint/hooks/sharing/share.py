"""Answer a hook, and those that ask meanwhile: one loads what a checkpoint needs, not a hundred."""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from patchpoint.filesystem.state_home import state_home_path
from patchpoint.hooks.meeting_place import MeetingPlace
from patchpoint.hooks.sharing.listener import AskedCall, HookListener
from patchpoint.hooks.sharing.stay import stay_behind
from patchpoint.progress import CancelledError, Silent

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.hooks.take import HookAnswer, HookCall

_FOR_OTHERS_S = 1.0
"""Seconds for which a hook goes on answering others after its own answer, which its agent waits for."""
_LONGEST_TURN_S = 60.0
"""Seconds for which a turn is waited for on Windows; a hook gives up long before."""
_TURNS = 64
"""The number of files that hooks of different folders wait for; two folders may share one."""


def answer_with_others(
    place: MeetingPlace,
    own: Callable[[], HookCall],
    until: float,
    prints_early: Callable[[str], None],
    *,
    lock: int,
) -> str:
    """Answer `own()` and those that asked at `place`, whose `lock` the caller has; return what `own` reports.

    Others are heard until the time `until` of the monotonic clock at most, and by a process that is left
    behind from then on. `prints_early` is called with what `own` prints before its checkpoint is taken.
    """
    try:
        listener = HookListener(place)
    except OSError:
        return answer_alone(own(), prints_early)
    with listener:
        # What it takes is loaded when others can ask already.
        asked = [each for each in listener.wait(0) if each.is_awaited()]
        report = _answer(own(), asked, prints_early)
        until = min(until, time.monotonic() + _FOR_OTHERS_S)
        while time.monotonic() < until and (asked := listener.wait(0)):
            answer_asked(asked)
        stay_behind(listener, place, lock, answer_asked, partial(follow_on, place.root))
    return report


def answer_asked(asked: Sequence[AskedCall], only: str | None = None) -> list[Checkpoint]:
    """Answer hooks that asked and still wait, and return the checkpoints that were taken for them.

    With `only`, a working tree, those that are about another one are refused.
    """
    from patchpoint.hooks.take import answer_each

    awaited = [each for each in asked if each.is_awaited()]
    answers = answer_each([call_of(each) for each in awaited], Awaited(awaited), only=only)
    for each, said in zip(awaited, answers, strict=True):
        reply(each, said)
    return [said.taken for said in answers if said is not None and said.taken is not None]


def follow_on(root: str) -> bool:
    """Go on, for a moment, with what the checkpoints of `root` left to do; return whether more is left."""
    # Loaded by a process that stays, and not by a hook.
    from patchpoint.hooks.follow import follow

    return follow(root)


def answer_alone(own: HookCall, prints_early: Callable[[str], None]) -> str:
    """Answer `own` alone; else as `answer_with_others`."""
    return _answer(own, [], prints_early)


@contextmanager
def one_at_a_time(folder: str) -> Iterator[None]:
    """Let one hook of a folder load what a checkpoint needs, and take it, while the others wait.

    A hundred at once would keep the processors busy with loading until all of them give up. Where there is no
    such lock, they go all at once.
    """
    if sys.platform == "win32":
        with _turn_on_windows(folder):
            yield
        return
    place = _turn_of(folder)
    descriptor = None
    try:
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


@contextmanager
def _turn_on_windows(folder: str) -> Iterator[None]:
    from patchpoint.filesystem.lock import LockBusyError, exclusive_lock

    with ExitStack() as held:
        with suppress(LockBusyError):
            held.enter_context(exclusive_lock(_turn_of(folder), timeout=_LONGEST_TURN_S))
        yield


def _turn_of(folder: str) -> Path:
    name = f"turn-{zlib.crc32(folder.encode('utf-8', 'replace')) % _TURNS}"
    return Path(state_home_path(), "hooks", name)


class Awaited(Silent):
    """Progress of what is done for hooks that asked; it is cancelled when none of them waits any more.

    A snapshot that goes on while the agent does would not be what was there before.
    """

    def __init__(self, asked: Sequence[AskedCall]) -> None:
        self._asked = asked

    def check(self) -> None:
        """Raise `CancelledError` when no hook waits."""
        if not any(each.is_awaited() for each in self._asked):
            raise CancelledError("the hook gave up")


def call_of(asked: AskedCall) -> HookCall:
    """Return the call that a hook asked to be answered."""
    from patchpoint.hooks.take import HookCall

    return HookCall(agent=asked.agent, folder=asked.folder, sent=asked.sent, wait=asked.wait)


def reply(asked: AskedCall, said: HookAnswer | None) -> None:
    """Send a hook its answer; with none, it is refused."""
    if said is None:
        asked.refuse()
    else:
        asked.reply(said.prints, said.report)


def _answer(own: HookCall, asked: list[AskedCall], prints_early: Callable[[str], None]) -> str:
    from patchpoint.hooks.take import answer_each

    def begin(number: int, prints: str) -> None:
        if number == 0:
            prints_early(prints)

    answered, *others = answer_each([own, *(call_of(each) for each in asked)], begin=begin)
    for each, said in zip(asked, others, strict=True):
        reply(each, said)
    return answered.report if answered is not None else ""
