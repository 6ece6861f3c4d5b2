"""What guards and rungs are worth: each is left out where it decides, and the results are compared."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context

from patchpoint import Ladder
from patchpoint.outcome import Guard, Outcome, Rung
from tests.weighing.cases import Case, Judgement

Switch = Guard | Rung

SILENT = (Guard.CLOSES_ANOTHER,)
"""Guards that send the search on to the next rung: no outcome names them."""
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Weighing:
    """A case as it is, and with each switch left out that decides it."""

    group: str
    kind: str
    name: str
    now: Judgement
    guard: Guard | None
    rung: Rung | None
    without: tuple[tuple[Switch, Judgement], ...]
    together: Judgement | None
    """With all guards of a set left out that was asked for; `None` where that changes nothing."""


@dataclass(slots=True)
class Weight:
    """How many cases a switch decides, and what changes without it."""

    decides: int = 0
    saves: Counter[str] = field(default_factory=Counter)
    """Writes that are wrong only without it, by group: for a guard, the wrong writes that it alone stops."""
    costs: Counter[str] = field(default_factory=Counter)
    """Writes that are right only without it, by group."""
    finds: Counter[str] = field(default_factory=Counter)
    """Writes that are right only with it, by group."""
    mistakes: Counter[str] = field(default_factory=Counter)
    """Writes that are wrong only with it, by group."""


def weigh(
    cases: Iterable[Case], *, jobs: int = 1, together: frozenset[Guard] = frozenset()
) -> Iterator[Weighing]:
    """Yield the weighing of each case, in their order, with so many processes."""
    pairs = ((case, together) for case in cases)
    if jobs == 1:
        yield from map(_weighed, pairs)
        return
    with get_context("spawn").Pool(jobs) as pool:
        # A bounded lead: what makes the cases is not far ahead of those that weigh them.
        while batch := list(islice(pairs, 8 * jobs * _AT_ONCE)):
            yield from pool.imap(_weighed, batch, chunksize=_AT_ONCE)


def weights_of(weighings: Sequence[Weighing]) -> dict[Switch, Weight]:
    """Return what each switch is worth, in the order of the enums."""
    weights: dict[Switch, Weight] = {switch: Weight() for switch in (*Guard, *Rung)}
    for each in weighings:
        for switch, then in each.without:
            weight = weights[switch]
            weight.decides += 1
            if then is Judgement.WRONG and each.now is not Judgement.WRONG:
                weight.saves[each.group] += 1
            if then is Judgement.RIGHT and each.now is not Judgement.RIGHT:
                weight.costs[each.group] += 1
            if each.now is Judgement.RIGHT and then is not Judgement.RIGHT:
                weight.finds[each.group] += 1
            if each.now is Judgement.WRONG and then is not Judgement.WRONG:
                weight.mistakes[each.group] += 1
    return weights


def processors() -> int:
    """Return how many processes can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _weighed(pair: tuple[Case, frozenset[Guard]]) -> Weighing:
    case, together = pair
    outcome = case.outcome(Ladder())
    now = case.judgement(outcome.text)
    without = []
    for switch in _deciding(outcome):
        then = case.outcome(_ladder_without(switch))
        if switch not in SILENT or then.text != outcome.text:
            without.append((switch, case.judgement(then.text)))
    all_out = None
    if outcome.guard in together or any(guard in together for guard in SILENT):
        all_out = case.judgement(case.outcome(Ladder(without=together)).text)
    rung = outcome.rung if outcome.text is not None else None
    return Weighing(case.group, case.kind, case.name, now, outcome.guard, rung, tuple(without), all_out)


def _deciding(outcome: Outcome) -> Iterator[Switch]:
    """Yield what may change the outcome when it is left out."""
    if outcome.guard is not None:
        yield outcome.guard
    if outcome.text is not None and outcome.rung is not None:
        yield outcome.rung
    if outcome.rung is not Rung.EXACT:
        yield from SILENT


def _ladder_without(switch: Switch) -> Ladder:
    if isinstance(switch, Guard):
        return Ladder(without=frozenset({switch}))
    return Ladder(rungs=tuple(rung for rung in Rung if rung is not switch))
