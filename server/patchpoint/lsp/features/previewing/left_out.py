"""Applying some of the edits of a request: the others, and dropped hunks, are left out and stay pending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit
from patchpoint.lsp.applying.apply import AppliedEdits
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.errors import RequestFailed
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.pending import PENDING, PendingEdit, digest_of, edit_id
from patchpoint.progress import Progress
from patchpoint.review.change_set import ListedChange, changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import change_lines
from patchpoint.review.planned import DROPPED, Choice, dropped, left_over, planned_files, without_dropped
from patchpoint.schema import responses
from patchpoint.text.shown import visible_line
from patchpoint.text.unified_diff import unified_hunks
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A request without the edits that were dropped, and the plan of all of it."""

    choice: Choice
    whole: PlannedEdits
    request: EditRequest
    full: PlannedEdits
    """The plan of `request` with all of its hunks; see `applied_to`."""
    hunks: tuple[ListedChange, ...] = ()
    """The dropped hunks of that plan."""

    def applied_to(self, planned: PlannedEdits) -> tuple[LeftOut, PlannedEdits]:
        """Return this and the plan of `request` without the hunks that were dropped.

        Raises `RequestFailed` when one of them is not in the plan: then it is not known what to leave out.
        """
        there = {one.hunk.id: one for one in changes_of(planned_files(planned.plan))}
        edits = {planned.request.id_of(index) for index in range(len(planned.plan.outcomes))}
        missing = self.choice.decisions.keys() - there.keys() - edits
        if missing:
            raise RequestFailed(
                "not-in-preview",
                f"{plural(len(missing), 'change')} that you dropped cannot be left out any more; preview "
                "the edits again, and choose again.",
            )
        hunks = tuple(one for name, one in there.items() if name in self.choice.decisions)
        reduced = replace(planned, plan=without_dropped(planned.plan, {one.hunk.id for one in hunks}))
        return replace(self, hunks=hunks, full=planned), reduced

    def completed(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return outcomes with those of the edits that were dropped: one without a place says why."""
        whole = [
            replace(dropped(one), new_span=None) if one.status is Status.MATCHED else one
            for one in self.whole.plan.outcomes
        ]
        return tuple(whole[one.index] if one.index in self.request.without else one for one in outcomes)

    def dropped_edits(self) -> Iterator[tuple[Outcome, str]]:
        """Yield the outcomes of the edits that were dropped as such, and their ids."""
        for index in sorted(self.request.without):
            yield self.whole.plan.outcomes[index], self.whole.request.id_of(index)


async def leave_out(session: Session, request: EditRequest, choice: Choice, work: Progress) -> LeftOut:
    """Return a request without the edits that were dropped."""
    whole = await plan_edits(session, request, work)
    every = range(len(request.edits))
    without = frozenset(index for index in every if whole.request.id_of(index) in choice.decisions)
    gone = {name for index, name in whole.plan.accepted.items() if index in without}
    accept = replace(request.accept, ids=request.accept.ids - gone)
    fewer = replace(request, without=without, accept=accept, is_answer=False)
    return LeftOut(choice=choice, whole=whole, request=fewer, full=whole)


def as_pending(planned: PlannedEdits, index: int) -> PendingEdit | None:
    """Return an edit as a pending one; `None` when no file is known for it."""
    edit = planned.request.edit_at(index)
    if not isinstance(edit, Edit) or edit.path not in planned.request.targets:
        return None
    text = planned.request.targets[edit.path].text
    return PendingEdit(
        id=planned.request.id_of(index),
        file=planned.request.place_of(edit.path),
        edit=edit,
        source=planned.asked.source,
        title=planned.asked.title,
        seen=digest_of(text) if text is not None else "",
        index=planned.asked.first + index,
    )


def left_overs(left: LeftOut, applied: AppliedEdits) -> dict[str, PendingEdit]:
    """Return what waits of edits that were applied otherwise, by the id of the hunk that was dropped."""
    waiting = {}
    planned = left.full
    for file in {one.file.path: one.file for one in left.hunks}.values():
        gone = [one.hunk for one in left.hunks if one.file is file]
        place, edits = planned.request.place_of(file.path), left_over(file, {hunk.id for hunk in gone})
        for hunk in gone:
            makers, edit = file.makers[hunk.id], edits.get(hunk.id)
            is_open = left.choice.decision(hunk.id) is Decision.OPEN
            if edit and is_open and any(applied.outcomes[at].status is Status.APPLIED for at in makers):
                whole = as_pending(planned, makers[0])
                assert whole is not None
                waiting[hunk.id] = replace(whole, id=edit_id(place, edit), edit=edit, seen="")
    return waiting


def discarded_edits(left: LeftOut, applied: AppliedEdits) -> set[str]:
    """Return the ids of the edits that are neither applied nor wait, because all of them was discarded."""
    gone = {name for _, name in left.dropped_edits() if left.choice.decision(name) is Decision.TAKE_BACK}
    for outcome in applied.outcomes:
        own = [one.hunk for one in left.hunks if outcome.index in one.file.makers[one.hunk.id]]
        is_dropped = outcome.status is Status.HELD and outcome.message == DROPPED and bool(own)
        if is_dropped and all(left.choice.decision(hunk.id) is Decision.TAKE_BACK for hunk in own):
            gone.add(left.full.request.id_of(outcome.index))
    return gone


def with_left_out(
    result: responses.EditsResult, left: LeftOut, applied: AppliedEdits
) -> responses.EditsResult:
    """Return the result of applying what was kept, completed by what was dropped."""
    gone = tuple(_dropped(left, result, applied))
    return replace(result, dropped=gone, summary=summary_of(result.edits, gone, left))


def summary_of(
    edits: Sequence[responses.OutcomeData], dropped: Sequence[responses.DroppedData], left: LeftOut
) -> str:
    """Return what was applied and what was not, as plain text for the model that wrote it.

    Nothing in it is read as an edit.
    """
    done = [edit for edit in edits if edit.status in (Status.APPLIED, Status.ALREADY_APPLIED)]
    parts = [f"Your edits were reviewed: {len(done)} of {plural(len(edits), 'edit')} applied."]
    # Nobody has refused an edit that is left out because it has no place.
    unplaced = {edit.id for edit in edits if edit.status not in PLACED}
    unplaced -= left.choice.of_kind(Decision.TAKE_BACK)
    refused = [one for one in dropped if one.id not in unplaced]
    unwanted = {one.id for one in refused}
    waiting = [
        edit
        for edit in edits
        if edit.status in PENDING and edit.message != DROPPED and edit.id not in unwanted
    ]
    if waiting:
        parts.append("Not applied yet, but not rejected; waiting for a person:")
    for edit in waiting:
        path = left.whole.request.edit_at(edit.index).path
        parts.append(f"- {visible_line(path)}: {visible_line(' '.join(edit.message.split()))}")
    if refused:
        parts.append("Rejected, so it is not in the files; do not write it again unchanged:")
    paths = {name: outcome.path for outcome, name in left.dropped_edits()}
    paths |= {one.hunk.id: one.file.path for one in left.hunks}
    for one in refused:
        lines = [line for line in one.diff.splitlines() if line[:1] in ("+", "-")]
        parts += [f"- {visible_line(paths.get(one.id, ''))}", *change_lines(lines)]
    return "\n".join(parts) + "\n"


PLACED = (Status.MATCHED, Status.HELD, Status.ALREADY_APPLIED)
"""The statuses of edits that have a place."""


def _dropped(
    left: LeftOut, result: responses.EditsResult, applied: AppliedEdits
) -> Iterator[responses.DroppedData]:
    statuses, over = [one.status for one in applied.outcomes], left_overs(left, applied)
    for outcome, name in left.dropped_edits():
        edit = left.whole.request.edit_at(outcome.index)
        old, new = (edit.search, edit.content or edit.replace) if isinstance(edit, Edit) else ("", "")
        waits = left.choice.decision(name) is Decision.OPEN and statuses[outcome.index] in PENDING
        yield responses.DroppedData(
            id=name,
            uri=result.edits[outcome.index].uri,
            diff="".join(one.text for one in unified_hunks(old, new)),
            pending=name if waits else None,
        )
    for one in left.hunks:
        uri, name, makers = left.full.uri(one.file.path), one.hunk.id, one.file.makers[one.hunk.id]
        waiting = over[name].id if name in over else None
        if left.choice.decision(name) is Decision.OPEN and makers and waiting is None:
            # Its edits may have been dropped whole, and wait as they are.
            is_held = not any(statuses[index] is Status.APPLIED for index in makers)
            waiting = left.full.request.id_of(makers[0]) if is_held else None
        yield responses.DroppedData(id=name, uri=uri, diff=one.file.diff(one.hunk), pending=waiting)
