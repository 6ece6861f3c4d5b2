"""What became, or would become, of the edits of a plan, in the shape of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.lsp.applying.apply import AppliedEdits
from patchpoint.lsp.applying.planning import PlannedEdits
from patchpoint.lsp.pending.last_answer import LastAnswer
from patchpoint.outcome import Outcome, Status
from patchpoint.review.change_set import are_named
from patchpoint.review.decision import Decision
from patchpoint.review.hunks import Hunk
from patchpoint.review.planned import Choice, planned_files
from patchpoint.schema import responses
from patchpoint.schema.edits import outcome_data, reading_remark, unplaced_data
from patchpoint.schema.reviews import hunks_data
from patchpoint.text.lines import LineTable

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.session.session import Session


def dry_run_result(
    session: Session, planned: PlannedEdits, choice: Choice = MappingProxyType({})
) -> responses.EditsResult:
    """Return what a plan would change, hunk by hunk, and what a person has decided about each."""
    planned_only = AppliedEdits(outcomes=planned.plan.outcomes, changes=planned.plan.changes)
    result = result_of(session, planned, planned_only, None, None)
    changed, unit = planned_files(planned.plan), session.client.unit

    def decision(hunk: Hunk) -> Decision:
        return choice.get(hunk.id, Decision.KEEP)

    files = tuple(
        replace(sent, hunks=hunks_data(file, decision, unit, named=is_named, id_of=planned.request.id_of))
        for sent, file, is_named in zip(result.files, changed, are_named(changed), strict=True)
    )
    return replace(result, files=files)


def result_of(
    session: Session,
    planned: PlannedEdits,
    done: AppliedEdits,
    checkpoint: Checkpoint | None,
    application: str | None,
) -> responses.EditsResult:
    """Return what became of the edits of a plan; `application` names what was applied, if anything was."""
    from patchpoint.schema.checkpoints import checkpoint_data

    befores = {name: _table(target.text) for name, target in planned.request.targets.items()}
    afters = {change.path: _table(change.after) for change in done.changes}
    unit = session.client.unit
    unseen = {index for late in done.unconfirmed for index in late.edits}
    return responses.EditsResult(
        applied=application is not None,
        application=application,
        edits=tuple(
            outcome_data(
                outcome,
                edit_id=planned.request.id_of(outcome.index),
                uri=planned.uri(outcome.path),
                before=befores.get(outcome.path),
                after=afters.get(outcome.path),
                unit=unit,
                unseen=outcome.index in unseen and outcome.status in (Status.APPLIED, Status.REVERTED),
            )
            for outcome in done.outcomes
        ),
        files=tuple(
            responses.FileChangeData(
                uri=planned.uri(change.path),
                operation=change.operation,
                new_uri=planned.uri(change.new_path) if change.new_path is not None else None,
                diff=planned.request.diff(change),
                old_sha256=old,
                new_sha256=new,
            )
            for change in done.changes
            for old, new in (planned.digests(change),)
        ),
        checkpoint=checkpoint_data(checkpoint) if checkpoint is not None else None,
        unplaced=tuple(map(unplaced_data, planned.asked.unplaced)),
        turn=planned.asked.turn.number,
        turns=planned.asked.turn.count,
        remark=reading_remark(planned.asked.turn, planned.asked.unplaced),
        feedback=last_answer(planned, done.outcomes).feedback,
    )


def last_answer(planned: PlannedEdits, outcomes: Sequence[Outcome]) -> LastAnswer:
    """Return the answer that was planned, with what became of its edits; an empty one where there is none."""
    asked = planned.asked
    ids = tuple(planned.request.id_of(one.index) for one in outcomes)
    return LastAnswer(asked.answer, asked.unplaced, tuple(outcomes), ids)


def _table(text: str | None) -> LineTable | None:
    return LineTable.of(text) if text is not None else None
