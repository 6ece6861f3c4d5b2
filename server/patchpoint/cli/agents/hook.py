"""`patchpoint hook`: what an agent calls before it changes anything. It is never in the agent's way.

Whatever happens, it ends with status 0 within some 5 seconds, and prints what the agent demands and no more.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import time

from patchpoint.hooks.fields import Fields, folder_in
from patchpoint.hooks.tools.passed_over import is_passed_over

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    import argparse
    from typing import TextIO

    from patchpoint.cli.terminal import Terminal
    from patchpoint.hooks.meeting_place import MeetingPlace
    from patchpoint.hooks.sharing.ask import AskResult
    from patchpoint.hooks.take import HookCall

LIMIT_S = 5.0
"""Seconds after which a hook gives up, whatever it is doing."""
LIMIT_VARIABLE = "PATCHPOINT_HOOK_LIMIT"
"""The environment variable with another limit, for folders whose checkpoints take long; a lock is not waited
for any longer."""

_TO_SAY_WHY_S = 0.5
"""Seconds before the limit at which it stops waiting for a lock, so that it can still say who has it."""

_ASKED = 0.6
"""The part of the limit for which another process is asked, before the checkpoint is taken here."""
_ASKED_AT_LEAST_S = 1.5
"""Seconds for which it is asked, however late it is."""
_LONGEST_LIMIT_S = 600.0

_LONGEST_INPUT = 64 << 20
"""Bytes; an edit tool may be about to write a large file, all of which is sent."""


def hook(options: argparse.Namespace, _: Terminal) -> int:
    """Take a checkpoint before what the JSON on standard input announces."""
    return run_hook(options.agent, repair=options.repair, lines=options.lines)


def run_hook(agent: str | None = None, *, repair: bool = False, lines: bool = False) -> int:
    """Take a checkpoint before what the JSON on standard input announces, and return 0.

    With `repair`, a patch that drifted is answered with one that has not, or with a refusal. With `lines`,
    each line of standard input announces something, until there is no more, and an empty line says that it
    was answered; a process that ends without one is to be asked once more, as a new one.
    """
    lost = process_age()
    if not lines:
        _run(_Call(agent, lost, repair=repair))
        return 0
    from patchpoint.hooks.sharing.stay import LoadedFiles

    loaded = LoadedFiles()
    for line in iter(lambda: sys.stdin.buffer.readline(_LONGEST_INPUT), b""):
        if loaded.have_changed():
            break
        call = _Call(agent, lost, repair=repair, ends_with="\n")
        _run(call, line)
        loaded.add_new()
        _print(call.ends_with)
        lost = 0.0
    return 0


def _run(call: _Call, sent: bytes | None = None) -> None:
    # Not by `threading`, which would be loaded for this alone.
    _thread.start_new_thread(call.give_up_after, (call.left(),))
    try:
        if sent is None:
            call.run()
        else:
            call.answer(sent)
    except BaseException as error:
        # Also what should never happen: an agent that is not stopped matters more than a traceback.
        call.report(f"no checkpoint: {str(error) or type(error).__name__}")
    call.is_done = True


class _Call:
    """One call of the hook."""

    def __init__(self, agent: str | None, lost: float, *, repair: bool, ends_with: str = "") -> None:
        self.limit = _limit()
        """Seconds."""
        self.ends_with = ends_with
        """What is printed after the answer."""
        self.is_done = False
        self._begun = time.monotonic() - lost
        self._agent = agent
        self._repair = repair
        self._folder = ""
        self._data: object = None
        """What the agent sent, as soon as it is known."""

    def run(self) -> None:
        """Read what the agent sends, and answer it."""
        if sys.stdin is None or sys.stdin.isatty():
            _say("this command reads an agent's JSON on standard input")
            return
        self.answer(sys.stdin.buffer.read(_LONGEST_INPUT))

    def answer(self, sent: bytes) -> None:
        """Answer what the agent sends, and have a checkpoint taken if something is about to change.

        A server is asked to take it, or another hook that is just taking one; else it is taken here.
        """
        self._data = _data(sent)
        given = Fields(self._data)
        named = folder_in(given) or ""
        here = _working_directory(named)
        self._folder = os.path.join(here, named)  # noqa: PTH118
        if is_passed_over(self._agent, given):
            from patchpoint.hooks.firings import record_firing

            record_firing(self._agent, self._folder, "nothing was about to change")
            return
        place = _meeting_place(self._folder)
        try:
            report = self._answered(place, here, sent)
        finally:
            if place is not None:
                place.close()
        if report:
            self._miss(report)
        if self._repair:
            # After the checkpoint, which does not wait for what else it takes to judge a patch.
            from patchpoint.hooks.repair import repaired

            _print(repaired(sent, here))

    def _answered(self, place: MeetingPlace | None, here: str, sent: bytes) -> str:
        """Print the answer, and return what is to be reported."""
        from patchpoint.hooks.sharing.ask import AskResult, close_lock

        asked = self._ask(place, here, sent) if place is not None else AskResult()
        if asked.answer is not None:
            prints, report = asked.answer
            _print(prints)
            return report
        if place is not None and asked.lock is not None:
            from patchpoint.hooks.sharing.share import answer_with_others

            until = self._begun + self.limit - _TO_SAY_WHY_S
            try:
                return answer_with_others(
                    place, lambda: self._own(here, sent), until, _print, lock=asked.lock
                )
            finally:
                # What was left behind has it as well, and keeps it.
                close_lock(asked.lock)
        from patchpoint.hooks.sharing.share import answer_alone, one_at_a_time

        with one_at_a_time(self._folder):
            return answer_alone(self._own(here, sent), _print)

    def left(self) -> float:
        """Return for how many seconds it may go on."""
        return max(0.0, self._begun + self.limit - time.monotonic())

    def give_up_after(self, seconds: float) -> None:
        """End the process after that time, wherever it is, if it is not done by then.

        A checkpoint that is not there yet is as if never begun.
        """
        time.sleep(seconds)
        if self.is_done:
            return
        try:
            self.report(
                f"gave up after {self.limit:g} seconds; in a large folder, take the first checkpoint with "
                "`patchpoint checkpoint`: later ones are faster"
            )
            _print(self.ends_with)
        finally:
            os._exit(0)

    def report(self, says: str) -> None:
        """Say to a person what went wrong, where agents show it, and keep it for `patchpoint doctor`."""
        try:
            from patchpoint.hooks.firings import record_firing

            record_firing(self._agent, self._folder, says)
        except Exception:
            pass  # it only informs
        self._miss(says)

    def _miss(self, says: str) -> None:
        """Say why there is no checkpoint, and keep that for `patchpoint list` and `doctor`."""
        try:
            from patchpoint.hooks.missed import record_missed

            record_missed(self._agent, self._folder, self._data, says)
        except Exception:
            pass  # it only informs
        _say(says)

    def _ask(self, place: MeetingPlace, here: str, sent: bytes) -> AskResult:
        """Ask as long as there will be time to take the checkpoint here, should there be no answer."""
        now = time.monotonic()
        # Where it was late to begin, others are as well: all the more reason to ask.
        latest = min(now + _ASKED_AT_LEAST_S, self._begun + self.limit - _TO_SAY_WHY_S)
        until = max(self._begun + self.limit * _ASKED, latest)
        from patchpoint.hooks.sharing.ask import ask

        return ask(place, self._agent, here, sent, until=until, end=now + self._patience())

    def _own(self, here: str, sent: bytes) -> HookCall:
        from patchpoint.hooks.take import HookCall

        return HookCall(agent=self._agent, folder=here, sent=sent, wait=self._patience())

    def _patience(self) -> float:
        """Return for how many seconds from now a lock may be waited for."""
        left = self._begun + self.limit - time.monotonic()
        return max(0.0, min(LIMIT_S, left) - _TO_SAY_WHY_S)


def process_age() -> float:
    """Return for how many seconds this process has existed, which on a busy machine is long before it runs.

    0 where the system does not say so: Linux does, in /proc/self/stat (proc(5), `starttime`).
    """
    try:
        with open("/proc/self/stat", "rb") as stat:  # noqa: PTH123
            ticks = int(stat.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
    return age if 0 <= age <= _LONGEST_LIMIT_S else 0.0


def _working_directory(named: str) -> str:
    """Return where the hook runs or, where an agent has deleted that, the folder that it has `named`.

    That may be deleted, too: then the nearest one above, in the same repository. Raises `FileNotFoundError`.
    """
    try:
        return os.getcwd()  # noqa: PTH109 - a text is all that is needed
    except FileNotFoundError:
        at = named if os.path.isabs(named) else os.environ.get("PWD", "")  # noqa: PTH117
        if os.path.isdir(at):  # noqa: PTH112
            return at
        while not os.path.lexists(os.path.join(at, ".git")):  # noqa: PTH118
            if at == (above := os.path.dirname(at)):  # noqa: PTH120
                raise
            at = above
        return at


def _limit() -> float:
    try:
        limit = float(os.environ.get(LIMIT_VARIABLE, ""))
    except ValueError:
        return LIMIT_S
    return limit if 0 < limit <= _LONGEST_LIMIT_S else LIMIT_S


def _data(sent: bytes) -> object:
    """Return the JSON that the agent sends, or nothing where it is none."""
    try:
        return json.loads(sent)
    except (ValueError, RecursionError):
        return None


def _meeting_place(folder: str) -> MeetingPlace | None:
    """Return where who answers hooks of this folder is met, or `None` where nobody can be."""
    from patchpoint.hooks.meeting_place import working_tree_of
    from patchpoint.hooks.sharing.ask import meeting_place

    try:
        return meeting_place(working_tree_of(folder))
    except (OSError, ValueError, RuntimeError):
        return None


def _say(report: str) -> None:
    from patchpoint.text.shown import visible_line

    _write(sys.stderr, f"patchpoint hook: {visible_line(report)}\n")


def _print(text: str) -> None:
    if text:
        _write(sys.stdout, text)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):
        pass  # whoever reads it is gone
