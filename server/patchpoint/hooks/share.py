"""Answer a hook, and those that ask meanwhile: one loads what a checkpoint needs, not a hundred."""

from __future__ import annotations

import time
from collections.abc import Callable

from patchpoint.hooks.listener import AskedCall, HookListener
from patchpoint.hooks.meeting_place import MeetingPlace

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.hooks.take import HookAnswer, HookCall

_FOR_OTHERS_S = 1.0
"""Seconds for which a hook goes on answering others after its own answer, which its agent waits for."""


def answer_with_others(
    place: MeetingPlace, own: Callable[[], HookCall], until: float, prints_early: Callable[[str], None]
) -> str:
    """Answer `own()` and those that asked at `place`, whose lock the caller has; return what `own` reports.

    Others are heard until the time `until` of the monotonic clock at most. `prints_early` is called with what
    `own` prints before its checkpoint is taken.
    """
    try:
        listener = HookListener(place)
    except OSError:
        return answer_alone(own(), prints_early)
    with listener:
        # Loaded when others can ask already.
        from patchpoint.hooks.take import answer_each

        report = _answer(own(), listener.wait(0), prints_early)
        until = min(until, time.monotonic() + _FOR_OTHERS_S)
        while time.monotonic() < until and (asked := listener.wait(0)):
            for each, said in zip(asked, answer_each([call_of(one) for one in asked]), strict=True):
                reply(each, said)
    return report


def answer_alone(own: HookCall, prints_early: Callable[[str], None]) -> str:
    """Answer `own` alone; else as `answer_with_others`."""
    return _answer(own, [], prints_early)


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
