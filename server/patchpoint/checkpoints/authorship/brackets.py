"""When the steps of sessions were at work, in intervals between checkpoints, and what they may write."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from patchpoint.checkpoints.authorship.intervals import WITHIN_A_TURN, Interval
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.steps import AnnouncedStep, Event, SavedFile, StepEnd
from patchpoint.dataclass import dataclass, field
from patchpoint.stated_change import StatedChange


@dataclass(slots=True, kw_only=True)
class Bracket:
    """A step of a session, or a stretch of its work of which no step is known."""

    session: str
    since: Checkpoint
    """The session's newest checkpoint when it began."""
    turn: str | None
    low: int
    high: int
    """The intervals that it was at work in, by their numbers: from `low` to before `high`."""
    writes: frozenset[bytes] | None
    """The files that it may have written; `None` for any."""
    changes: Mapping[bytes, StatedChange] = field(default_factory=dict)
    """What it did to files, as far as it said so."""
    is_done: bool = False
    """Whether it is known that it did what it said."""
    is_vague: bool = False
    """Whether its session never says that a step is done: what one says is then no more than a hint."""
    is_open: bool = False
    """Whether it may have been done long before."""

    def may_write(self, path: bytes) -> bool:
        """Return whether it may have written `path` without saying what."""
        is_said = path in self.changes and not self.is_vague
        return not is_said and (self.writes is None or path in self.writes)


def brackets(known: Sequence[Interval], events: Sequence[Event]) -> list[Bracket]:
    """Return when steps were at work in the intervals `known`, which are in order, by what was recorded.

    Of a session that announced prompts alone nothing is known: its agent's hook may not be called before a
    step, so each stretch from a checkpoint of its own to the next is one that may have written any file.
    """
    ids = [interval.start.id for interval in known]
    announcing = {
        event.session
        for event in events
        if isinstance(event, AnnouncedStep) and (event.is_of_all or event.writes != ())
    }
    found = [
        bracket
        for session in sorted(announcing)
        for bracket in _Session(session, known, ids).brackets(
            [event for event in events if not isinstance(event, SavedFile) and event.session == session]
        )
    ]
    sessions = {one.start.session for one in known} - announcing
    for session in sorted(filter(None, sessions)):
        found += _Session(session, known, ids).stretches()
    return found


class _Session:
    """A session, and where its checkpoints are."""

    def __init__(self, session: str, known: Sequence[Interval], ids: Sequence[str]) -> None:
        self._session = session
        self._known = known
        self._ids = ids
        self._own = [number for number, each in enumerate(known) if each.start.session == session]

    def stretches(self) -> list[Bracket]:
        """Return the stretches of work between its checkpoints."""
        begun = [low for low in self._own if self._known[low].start.kind is not CheckpointKind.AFTER_RUN]
        found = [self._bracket(low, self._next(low), None) for low in begun]
        for each in found:
            each.is_vague = True
        return found

    def brackets(self, events: Sequence[Event]) -> list[Bracket]:
        """Return the steps that its `events` announce."""
        says_when_done = any(isinstance(event, StepEnd) for event in events)
        found: list[Bracket] = []
        running: list[tuple[AnnouncedStep, Bracket]] = []
        for number, event in enumerate(events):
            if isinstance(event, AnnouncedStep) and event.writes != ():
                bracket = self._begun(event)
                bracket.is_vague = not says_when_done
                if says_when_done:
                    bracket.is_open = True
                    bracket.high = self._next_batch(events[number + 1 :], bracket.low)
                running.append((event, bracket))
                found.append(bracket)
            elif isinstance(event, StepEnd) and (ended := _ended_by(event, running)) is not None:
                running.remove(ended)
                self._end(*ended, event)
        return [bracket for bracket in found if bracket.low < bracket.high]

    def _begun(self, event: AnnouncedStep) -> Bracket:
        """Return a step of whose end nothing is known.

        One that names its files may be done until the turn is, any other until the session's next checkpoint.
        """
        low = max(0, bisect_right(self._ids, event.after) - 1)
        writes = None if event.writes is None else frozenset(map(os.fsencode, event.writes))
        high = self._next(low) if writes is None else self._turn_end(low)
        bracket = self._bracket(low, high, writes)
        bracket.changes = {os.fsencode(path): change for path, change in event.changes.items()}
        if event.after not in self._ids:
            bracket.is_open = True
        return bracket

    def _end(self, step: AnnouncedStep, bracket: Bracket, end: StepEnd) -> None:
        position = bisect_left(self._ids, end.newest)
        is_there = self._ids[position : position + 1] == [end.newest]
        # One that is taken at this very moment may not hold it yet, the next one does.
        bracket.high = min(position if end.is_recorded else position + 2, len(self._known))
        bracket.is_open = step.after not in self._ids or (end.is_recorded and not is_there)
        changes = {os.fsencode(path): change for path, change in end.changes.items()}
        bracket.changes = {**bracket.changes, **changes}
        if end.has_failed and bracket.changes:
            bracket.changes = {}
            bracket.high = bracket.high if end.is_recorded else bracket.low
        bracket.is_done = not end.has_failed

    def _bracket(self, low: int, high: int, writes: frozenset[bytes] | None) -> Bracket:
        own = [number for number in self._own if number <= low]
        since = self._known[own[-1] if own else low].start
        turn = self._known[low].at_work.get(self._session, since.message)
        return Bracket(session=self._session, since=since, turn=turn, low=low, high=high, writes=writes)

    def _next(self, low: int) -> int:
        """Return where its next checkpoint is."""
        return next((number for number in self._own if number > low), len(self._known))

    def _turn_end(self, low: int) -> int:
        later = (number for number in self._own if number > low)
        ends = (number for number in later if self._known[number].start.kind not in WITHIN_A_TURN)
        return next(ends, len(self._known))

    def _next_batch(self, events: Sequence[Event], low: int) -> int:
        """Return where the session certainly went on to something else: it may run several steps at once."""
        others_ended = False
        for event in events:
            others_ended = others_ended or isinstance(event, StepEnd)
            if isinstance(event, AnnouncedStep) and (others_ended or event.writes == ()):
                return min(bisect_left(self._ids, event.after), self._turn_end(low))
        return self._turn_end(low)


def _ended_by(
    end: StepEnd, running: Sequence[tuple[AnnouncedStep, Bracket]]
) -> tuple[AnnouncedStep, Bracket] | None:
    """Return the step that `end` is of: the one that is called so, else the last one that writes the same."""
    if end.call is not None:
        named = [each for each in running if each[0].call == end.call]
        if named:
            return named[-1]
    alike = [each for each in running if each[0].writes == end.writes and None in (end.call, each[0].call)]
    return alike[-1] if alike else None
