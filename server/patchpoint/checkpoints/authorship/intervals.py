"""Who was at work between two checkpoints, by the order of the sessions' checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.dataclass import dataclass

WITHIN_A_TURN = (CheckpointKind.STEP, CheckpointKind.AFTER_STEP)


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

    A session is at work from a checkpoint of its own until its next one. It was not done before that if that
    was taken after a run (`CheckpointKind.AFTER_RUN`), around another step, or for the same message.
    """
    ordered = sorted(checkpoints, key=lambda each: each.id)
    open_ended = _open_ended(ordered)
    at_work: dict[str, Checkpoint] = {}
    turns: dict[str, str | None] = {}
    found: list[Interval] = []
    for number, each in enumerate(ordered):
        if each.session is not None:
            at_work.pop(each.session, None)
            if each.kind is not CheckpointKind.AFTER_RUN:
                at_work[each.session] = each
            if each.message is not None or each.kind not in WITHIN_A_TURN:
                turns[each.session] = each.message
        found.append(
            Interval(
                each,
                ordered[number + 1] if number + 1 < len(ordered) else None,
                {session: turns.get(session) for session in at_work},
                frozenset(session for session, since in at_work.items() if since.id in open_ended),
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
            after.kind is CheckpointKind.AFTER_RUN
            or after.kind in WITHIN_A_TURN
            or (after.message is not None and after.message == each.message)
        )
        if not goes_on:
            found.add(each.id)
        following[each.session] = each
    return found
