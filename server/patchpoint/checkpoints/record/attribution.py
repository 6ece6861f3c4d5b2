"""Who was at work between two checkpoints, by the order of the sessions' checkpoints and by their steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.steps import AnnouncedStep
from patchpoint.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """The time between two checkpoints that follow one another."""

    start: Checkpoint
    end: Checkpoint | None
    """`None` for the present."""
    at_work: Mapping[str, str | None]
    """The sessions that were at work, each with its message (the turn), if that is known."""
    open_ended: frozenset[str]
    """Those of them of which no checkpoint says when they were done: they may have been idle."""
    announced: Mapping[str, frozenset[str]]
    """Those of them that announced each file they were about to write, with these files."""


def intervals(checkpoints: Iterable[Checkpoint], steps: Sequence[AnnouncedStep] = ()) -> list[Interval]:
    """Return the time since the first of `checkpoints`, in any order, cut at each of them, oldest first.

    A session is at work from a checkpoint of its own until its next one. It was not done before that if that
    was taken after a run (`CheckpointKind.AFTER_RUN`), before another step, or for the same message. Of a
    session that records its `steps`, those since its turn began say which files it was to write; one that may
    have written any file counts up to the session's next checkpoint.
    """
    ordered = sorted(checkpoints, key=lambda each: each.id)
    open_ended = _open_ended(ordered)
    at_work: dict[str, Checkpoint] = {}
    turns: dict[str, str] = {}
    found: list[Interval] = []
    for number, each in enumerate(ordered):
        if each.session is not None:
            at_work.pop(each.session, None)
            if each.kind is not CheckpointKind.AFTER_RUN:
                at_work[each.session] = each
            if each.kind is not CheckpointKind.STEP or each.session not in turns:
                turns[each.session] = each.id
        end = ordered[number + 1] if number + 1 < len(ordered) else None
        announced = {
            session: files
            for session, since in at_work.items()
            if (files := _announced(steps, session, turns[session], since, end)) is not None
        }
        found.append(
            Interval(
                each,
                end,
                {session: since.message for session, since in at_work.items()},
                frozenset(session for session, since in at_work.items() if since.id in open_ended),
                announced,
            )
        )
    return found


def _open_ended(ordered: Sequence[Checkpoint]) -> set[str]:
    """Return the ids of the checkpoints whose session may have been done long before its next one."""
    found: set[str] = set()
    following: dict[str, Checkpoint] = {}
    for each in reversed(ordered):
        if each.session is None:
            continue
        after = following.get(each.session)
        goes_on = after is not None and (
            after.kind in (CheckpointKind.AFTER_RUN, CheckpointKind.STEP)
            or (after.message is not None and after.message == each.message)
        )
        if not goes_on:
            found.add(each.id)
        following[each.session] = each
    return found


def _announced(
    steps: Sequence[AnnouncedStep], session: str, turn: str, since: Checkpoint, end: Checkpoint | None
) -> frozenset[str] | None:
    """Return the files that a session was to write before `end`; `None` where it may have written any.

    `turn` is the id of the checkpoint that its turn began with, `since` the newest of its own. Of a session
    that announced prompts alone nothing is known: its agent's hook may not be called before a step.
    """
    if not any(step.session == session and step.writes != () for step in steps):
        return None
    before = [
        step
        for step in steps
        if step.session == session and turn <= step.after and (end is None or step.after < end.id)
    ]
    if not before or any(step.writes is None and since.id <= step.after for step in before):
        return None
    return frozenset(path for step in before for path in step.writes or ())
