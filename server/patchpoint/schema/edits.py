"""Edits read from a request, and outcomes written to a result.

Offsets become positions here, in the unit that the caller counts in: a language client's negotiated encoding,
or code points (`Unit.UTF_32`) on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, ObjectionCode, Operation
from patchpoint.patching.pending import ChangeStatus
from patchpoint.text.lines import LineTable
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.edit import TurnRead, Unplaced
    from patchpoint.outcome import Candidate, Outcome, Proposal
    from patchpoint.schema.ranges import RangeData
    from patchpoint.schema.requests import EditData
    from patchpoint.schema.responses import CandidateData, OutcomeData, ProposalData, UnplacedData
    from patchpoint.text.lines import Span
    from patchpoint.text.positions import Unit


UNSEEN = "unseen"
"""The code of an edit that the editor says it has made and has not shown yet."""


def edit_from_data(data: EditData) -> Edit:
    """Return the edit that a caller gave as data."""
    from patchpoint.schema.uris import named

    return Edit(
        path=data.path or named(data.uri or ""),
        operation=Operation(data.operation.value),
        search=data.search or "",
        replace=data.replace or "",
        replace_all=data.replace_all,
        occurrence=data.occurrence,
        line=data.line,
        scope=data.scope,
        new_path=data.new_path,
        content=data.content,
    )


def outcome_data(
    outcome: Outcome,
    *,
    edit_id: str,
    uri: str,
    before: LineTable | None,
    after: LineTable | None,
    unit: Unit,
    changes: ChangeStatus = ChangeStatus.UNCHANGED,
    unseen: bool = False,
) -> OutcomeData:
    """Return `outcome` of the edit `edit_id` in the shape of the protocol.

    `uri` names the edit's document, `before` and `after` are its texts; a range of a text that is `None` is
    left out. `unseen` is for what an editor says that it has made, and has not shown since.
    """
    from patchpoint.patching.reasons import OUTCOME_CODES
    from patchpoint.schema.responses import OutcomeData

    return OutcomeData(
        id=edit_id,
        index=outcome.index,
        uri=uri,
        status=outcome.status,
        code=UNSEEN if unseen else OUTCOME_CODES.get(outcome.reason) if outcome.reason is not None else None,
        rung=outcome.rung,
        similarity=outcome.similarity,
        range=_optional_range(before, outcome.span, unit),
        new_range=_optional_range(after, outcome.new_span, unit),
        candidates=tuple(_candidate(before, one, unit) for one in outcome.candidates) if before else (),
        message=" ".join((outcome.message, *outcome.notes)).strip(),
        feedback=outcome.feedback,
        changes=changes,
        proposal=_proposal(outcome.proposal, uri, unit) if outcome.proposal is not None else None,
    )


def unplaced_data(one: Unplaced) -> UnplacedData:
    """Return a piece of an answer that is not carried out in the shape of the protocol."""
    from patchpoint.schema.responses import UnplacedData

    objection = one.objection
    return UnplacedData(
        line=one.line,
        message=one.message,
        code=objection.code if objection is not None else None,
        name=objection.name if objection is not None else "",
    )


def reading_remark(turn: TurnRead, unplaced: Sequence[Unplaced]) -> str:
    """Return which answer was read and how many blocks are the user's; empty where that is nothing new."""
    parts = []
    if turn.count > 1:
        which = f"{turn.number} of {turn.count}" if turn.number else f"all {turn.count}"
        which = f"the last of {turn.count}" if turn.number == turn.count else which
        parts.append(f"read {which} answers with edits")
    codes = [one.objection.code for one in unplaced if one.objection is not None]
    yours = codes.count(ObjectionCode.NOT_SAID_BY_THE_MODEL)
    if yours:
        are, were = ("is", "was") if yours == 1 else ("are", "were")
        parts.append(f"{plural(yours, 'block')} {are} yours and {were} left alone")
    return "; ".join(parts)


def range_data(table: LineTable, span: Span, unit: Unit) -> RangeData:
    """Return the range of `span`, its positions counted in `unit`."""
    from patchpoint.schema.ranges import PositionData, RangeData
    from patchpoint.text.positions import position_at

    start, end = (position_at(table, offset, unit) for offset in span)
    return RangeData(PositionData(start.line, start.character), PositionData(end.line, end.character))


def _optional_range(table: LineTable | None, span: Span | None, unit: Unit) -> RangeData | None:
    return range_data(table, span, unit) if table is not None and span is not None else None


def _proposal(proposal: Proposal, uri: str, unit: Unit) -> ProposalData:
    from patchpoint.schema.responses import ProposalData

    made = proposal.accepted
    table, span = LineTable.of(made.before or ""), made.span or (0, 0)
    return ProposalData(
        id=proposal.id, diff=proposal.diff, why=proposal.why, uri=uri, range=range_data(table, span, unit)
    )


def _candidate(table: LineTable, candidate: Candidate, unit: Unit) -> CandidateData:
    from patchpoint.schema.responses import CandidateData

    return CandidateData(
        range=range_data(table, candidate.span, unit),
        similarity=candidate.similarity,
        preview=candidate.preview,
        where=candidate.where,
    )
