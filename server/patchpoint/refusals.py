"""Edits that were refused before, so that a model which sends one again is told so in other words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from patchpoint.edit import Edit
from patchpoint.feedback import feedback
from patchpoint.ledger import Ledger, Refusal
from patchpoint.outcome import Outcome, Status
from patchpoint.pending import edit_id
from patchpoint.workspace import Request

_TOLD = (Status.AMBIGUOUS, Status.NOT_FOUND)


def told_again(ledger: Ledger, request: Request, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes, with other feedback on those edits of `request` that could not land before either.

    Each refusal is noted in `ledger`, and forgotten when the edit is not refused any more. A ledger that
    cannot be written is no reason to fail.
    """
    before = {refusal.edit: refusal.times for refusal in ledger.refusals()}
    now = dict(before)
    names = edit_names(request)
    told = list(outcomes)
    for at, outcome in enumerate(outcomes):
        edit, target = request.items[outcome.index], request.targets.get(outcome.path)
        if not isinstance(edit, Edit) or target is None or target.text is None:
            continue
        name = names[outcome.index]
        times = now.pop(name, 0)
        if outcome.status in _TOLD:
            now[name] = times + 1
            if times:
                told[at] = replace(outcome, feedback=feedback(target.text, edit, outcome, repeated=times))
    if now != before:
        with suppress(OSError):
            ledger.keep_refusals([Refusal(edit=name, times=times) for name, times in now.items()])
    return tuple(told)


def edit_names(request: Request) -> dict[int, str]:
    """The name of each edit of `request` that is for a known file, by its index: the same whenever the same
    edit is asked for again."""
    names = {}
    for index, item in enumerate(request.items):
        if isinstance(item, Edit) and (target := request.targets.get(item.path)) is not None:
            names[index] = edit_id(str(target.resolved.path) if target.resolved else target.name, item)
    return names
