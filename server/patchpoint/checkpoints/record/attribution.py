"""Who was at work between two checkpoints: what the order of the sessions' checkpoints says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind


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


def intervals(checkpoints: Iterable[Checkpoint]) -> list[Interval]:
    """Return the time since the first of `checkpoints`, in any order, cut at each of them, oldest first.

    A session is at work from a checkpoint of its own until its next one. Where that was taken after a run
    (`CheckpointKind.AFTER_RUN`), the session was done then.
    """
    ordered = sorted(checkpoints, key=lambda each: each.id)
    following: dict[str, CheckpointKind | None] = {}
    ends: dict[str, CheckpointKind | None] = {}
    for each in reversed(ordered):
        if each.session is not None:
            ends[each.id] = following.get(each.session)
            following[each.session] = each.kind
    found: list[Interval] = []
    at_work: dict[str, Checkpoint] = {}
    for number, each in enumerate(ordered):
        if each.session is not None:
            at_work.pop(each.session, None)
            if each.kind is not CheckpointKind.AFTER_RUN:
                at_work[each.session] = each
        end = ordered[number + 1] if number + 1 < len(ordered) else None
        found.append(
            Interval(
                each,
                end,
                {session: since.message for session, since in at_work.items()},
                frozenset(
                    session
                    for session, since in at_work.items()
                    if ends[since.id] is not CheckpointKind.AFTER_RUN
                ),
            )
        )
    return found
