"""What decides about an edit: each guard that speaks against it, and what would be written without them.

A guard that speaks hides those behind it, so that the edit is resolved again without each that has spoken.
"""

from __future__ import annotations

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Operation
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import SourceText
from patchpoint.outcome import Guard, Outcome
from patchpoint.patching.resolve import resolve_edit

_IN_A_TEXT = (Operation.REPLACE, Operation.BETWEEN, Operation.INSERT, Operation.MERGE, Operation.PLACE)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an edit has the outcome that it has."""

    outcome: Outcome
    guards: tuple[Guard, ...]
    """The guards that speak against it, in the order in which they are asked."""
    without: Outcome
    """The outcome if none of them spoke."""


def explain_edit(text: str, edit: Edit, ladder: Ladder | None = None) -> Explanation | None:
    """Return what decides about an edit of a text; `None` for one that is not found in a text.

    Nothing is known here of the other edits of its request.
    """
    if edit.operation not in _IN_A_TEXT:
        return None
    ladder, source = ladder or Ladder(), SourceText(text)
    outcome = now = resolve_edit(source, edit, ladder)
    guards: list[Guard] = []
    while now.guard is not None and now.guard not in guards:
        guards.append(now.guard)
        left_out = ladder.without.union(guards)
        now = resolve_edit(SourceText(text), edit, replace(ladder, without=left_out))
    return Explanation(outcome, tuple(guards), now)
