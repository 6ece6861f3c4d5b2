"""Edits that were refused before: a model that sends one again gets other feedback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.outcome import Outcome, Status
from patchpoint.workspace.history.ledger import Ledger, RefusedEdit
from patchpoint.workspace.request import ResolvedRequest

_COUNTED = (Status.AMBIGUOUS, Status.NOT_FOUND, Status.PROPOSED)


def with_repeat_feedback(
    request: ResolvedRequest, outcomes: Sequence[Outcome], times_before: Callable[[str], int]
) -> tuple[Outcome, ...]:
    """Return the outcomes, with other feedback on those edits of `request` that were refused before.

    `times_before` returns how often the edit with that id was refused.
    """
    updated = list(outcomes)
    for at, outcome in enumerate(outcomes):
        edit, target = request.edit_at(outcome.index), request.targets.get(outcome.path)
        if (
            outcome.status not in _COUNTED
            or not isinstance(edit, Edit)
            or target is None
            or target.text is None
        ):
            continue
        times = times_before(request.id_of(outcome.index))
        if times > 0:
            from patchpoint.patching.feedback import feedback

            updated[at] = replace(outcome, feedback=feedback(target.text, edit, outcome, repeated=times))
    return tuple(updated)


def refusal_counts(ledger: Ledger, answer: str = "") -> dict[str, int]:
    """Return how often each edit was refused in other answers than `answer`, by its id."""
    return {one.edit: one.times - _is_again(one, answer) for one in ledger.refusals()}


def record_refusals(
    ledger: Ledger, request: ResolvedRequest, outcomes: Sequence[Outcome], answer: str = ""
) -> None:
    """Record in `ledger` which edits of `request` were refused, and forget those that no longer are.

    An `answer` counts once, however often a person looks at what becomes of it. A ledger that cannot be
    written is ignored.
    """
    before = {one.edit: one for one in ledger.refusals()}
    now = dict(before)
    for outcome in outcomes:
        name = request.id_of(outcome.index)
        last = now.pop(name, RefusedEdit(edit=name, times=0))
        if outcome.status in _COUNTED:
            now[name] = (
                last
                if _is_again(last, answer)
                else RefusedEdit(edit=name, times=last.times + 1, answer=answer)
            )
    if now != before:
        with suppress(OSError):
            ledger.keep_refusals(list(now.values()))


def _is_again(refusal: RefusedEdit, answer: str) -> bool:
    return bool(answer) and refusal.answer == answer
