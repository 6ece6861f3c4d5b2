"""What decides about the edits of an answer, each by itself, on the files of folders."""

from __future__ import annotations

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit
from patchpoint.headless.apply import PlannedRequest
from patchpoint.outcome import Rung, Status
from patchpoint.patching.answers.explanation import explain_edit
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.unified_diff import unified_diff


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardExplained:
    """A guard that speaks against an edit."""

    name: str
    found: str
    """What it has found, in a few words."""
    is_settled_by_a_look: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceExplained:
    """A place in the file that an edit could be meant for, or has."""

    first_line: int
    """1-based, as the last line is."""
    last_line: int
    similarity: float | None
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditExplained:
    """What decides about one edit."""

    edit: int
    """Its number in the answer, from 1."""
    path: str
    status: Status
    """What becomes of it by itself."""
    message: str
    rung: Rung | None
    """How its place is found; without one, how it would be if no guard spoke."""
    guards: tuple[GuardExplained, ...]
    """In the order in which they are asked."""
    places: tuple[PlaceExplained, ...]
    """The place, or those that are nearest."""
    why: str
    """What speaks for the proposal, if there is one, and what is in doubt."""
    diff: str
    """What is written or proposed; of what is refused, what would be written if no guard spoke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainResult:
    """What decides about each edit that was asked about."""

    edits: tuple[EditExplained, ...]


def explained(planned: PlannedRequest, index: int) -> EditExplained | None:
    """Return what decides about the edit of that index; `None` for one that quotes nothing of a text."""
    edit = planned.request.edit_at(index)
    target = planned.request.targets.get(edit.path) if isinstance(edit, Edit) else None
    if not isinstance(edit, Edit) or target is None or target.text is None:
        return None
    explanation = explain_edit(target.text, edit, planned.asked.ladder)
    if explanation is None:
        return None
    outcome, without = explanation.outcome, explanation.without
    made = outcome.proposal.accepted if outcome.proposal is not None else without
    places = [
        PlaceExplained(
            first_line=one.line, last_line=one.last_line, similarity=one.similarity, where=one.where
        )
        for one in outcome.candidates
    ]
    if outcome.span is not None:
        first, last = _lines(LineTable.of(target.text), outcome.span)
        places = [PlaceExplained(first_line=first, last_line=last, similarity=outcome.similarity)]
    return EditExplained(
        edit=index + 1,
        path=outcome.path,
        status=outcome.status,
        message=outcome.message,
        rung=made.rung,
        guards=tuple(
            GuardExplained(
                name=one.name.lower(), found=one.title, is_settled_by_a_look=one.is_settled_by_a_look
            )
            for one in explanation.guards
        ),
        places=tuple(places),
        why=outcome.proposal.why if outcome.proposal is not None else "",
        diff=unified_diff(target.text, made.text, outcome.path) if made.text is not None else "",
    )


def _lines(table: LineTable, span: Span) -> tuple[int, int]:
    """Return the numbers of the first and the last line of a span."""
    return table.line_of(span[0]) + 1, table.line_of(max(span[0], span[1] - 1)) + 1
