"""Edits that were refused before, so that a model which sends one again is told so in other words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from patchpoint.edit import Edit
from patchpoint.feedback import feedback
from patchpoint.ledger import Ledger, Refusal
from patchpoint.outcome import Outcome, Status
from patchpoint.workspace import Request

_TOLD = (Status.AMBIGUOUS, Status.NOT_FOUND)


def told_again(
    request: Request, outcomes: Sequence[Outcome], times_before: Callable[[str], int]
) -> tuple[Outcome, ...]:
    """The outcomes, with other feedback on those edits of `request` that could not land before either.

    `times_before` answers how often the edit of that name was refused.
    """
    told = list(outcomes)
    for at, outcome in enumerate(outcomes):
        edit, target = request.edit_at(outcome.index), request.targets.get(outcome.path)
        if outcome.status not in _TOLD or not isinstance(edit, Edit) or target is None or target.text is None:
            continue
        times = times_before(request.id_of(outcome.index))
        if times > 0:
            told[at] = replace(outcome, feedback=feedback(target.text, edit, outcome, repeated=times))
    return tuple(told)


def refused_before(ledger: Ledger) -> dict[str, int]:
    """How often edits were refused, by their names."""
    return {refusal.edit: refusal.times for refusal in ledger.refusals()}


def note_refused(ledger: Ledger, request: Request, outcomes: Sequence[Outcome]) -> None:
    """Note in `ledger` which edits of `request` were refused, and forget those that are not any more.

    A ledger that cannot be written is no reason to fail.
    """
    before = refused_before(ledger)
    now = dict(before)
    for outcome in outcomes:
        name = request.id_of(outcome.index)
        times = now.pop(name, 0)
        if outcome.status in _TOLD:
            now[name] = times + 1
    if now != before:
        with suppress(OSError):
            ledger.keep_refusals([Refusal(edit=name, times=times) for name, times in now.items()])
