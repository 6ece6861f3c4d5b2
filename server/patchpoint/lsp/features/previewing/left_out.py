"""Applying some of the edits of a request: the others, and dropped hunks, are left out and stay pending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.session.session import Session
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.pending import PENDING, PendingEdit, digest_of, edit_id
from patchpoint.progress import Progress
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import change_lines
from patchpoint.review.planned import DROPPED, Choice, dropped, left_over, planned_files, without_dropped
from patchpoint.schema import responses
from patchpoint.text.shown import visible_line
from patchpoint.text.unified_diff import unified_hunks
from patchpoint.wording import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """An edit that was dropped as such, or a hunk that was."""

    id: str
    path: str
    diff: str
    edits: tuple[int, ...]
    """The index of the edit, or those of the edits that make the hunk."""
    rest: Edit | None = None
    """The hunk as an edit of the text that is left without it, if it can be one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A request without the edits that were dropped."""

    choice: Choice
    request: EditRequest
    outcomes: Mapping[int, Outcome]
    """Those of the edits that were dropped, by their indexes: one without a place says why."""
    dropped: tuple[Dropped, ...] = ()
    """What was dropped of all of it; see `applied_to`."""

    def applied_to(self, planned: PlannedEdits) -> tuple[LeftOut, PlannedEdits]:
        """Return this and the plan of `request` without the hunks that were dropped.

        Raises `RequestFailed` when one of them is not in the plan: then it is not known what to leave out.
        """
        gone = tuple(self._dropped(planned))
        edits = {planned.request.id_of(index) for index in range(len(planned.plan.outcomes))}
        missing = self.choice.keys() - {one.id for one in gone} - edits
        if missing:
            raise RequestFailed(
                "not-in-preview",
                f"{plural(len(missing), 'change')} that you dropped cannot be left out any more; preview "
                "the edits again, and choose again.",
            )
        reduced = replace(planned, plan=without_dropped(planned.plan, {one.id for one in gone}))
        return replace(self, dropped=gone), reduced

    def completed(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return outcomes with those of the edits that were dropped."""
        return tuple(self.outcomes.get(one.index, one) for one in outcomes)

    def _dropped(self, planned: PlannedEdits) -> Iterator[Dropped]:
        for index, outcome in self.outcomes.items():
            edit = planned.request.edit_at(index)
            old, new = (edit.search, edit.content or edit.replace) if isinstance(edit, Edit) else ("", "")
            diff = "".join(hunk.text for hunk in unified_hunks(old, new))
            yield Dropped(id=planned.request.id_of(index), path=outcome.path, diff=diff, edits=(index,))
        for file in planned_files(planned.plan) if self.choice else ():
            gone = [hunk for hunk in file.hunks if hunk.id in self.choice]
            rests = left_over(file, {hunk.id for hunk in gone}) if gone and not file.is_whole else {}
            for hunk in gone:
                diff, edits = file.diff(hunk), file.makers[hunk.id]
                yield Dropped(id=hunk.id, path=file.path, diff=diff, edits=edits, rest=rests.get(hunk.id))


async def leave_out(session: Session, request: EditRequest, choice: Choice, work: Progress) -> LeftOut:
    """Return a request without the edits that were dropped: all of it where nothing was."""
    if not choice:
        return LeftOut(choice=choice, request=request, outcomes={})
    whole = await plan_edits(session, request, work)
    outcomes = {
        one.index: dropped(one) if one.status is Status.MATCHED else one
        for one in whole.plan.outcomes
        if whole.request.id_of(one.index) in choice
    }
    gone = {name for index, name in whole.plan.accepted.items() if index in outcomes}
    accept = replace(request.accept, ids=request.accept.ids - gone)
    fewer = replace(request, without=frozenset(outcomes), accept=accept, is_answer=False)
    return LeftOut(choice=choice, request=fewer, outcomes=outcomes)


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


def left_overs(left: LeftOut, planned: PlannedEdits, outcomes: Sequence[Outcome]) -> dict[str, PendingEdit]:
    """Return what waits of edits that were applied otherwise, by the id of the hunk that was dropped."""
    waiting = {}
    for one in left.dropped:
        is_applied = any(outcomes[at].status is Status.APPLIED for at in one.edits)
        whole = as_pending(planned, one.edits[0]) if is_applied else None
        if whole is not None and one.rest is not None and left.choice[one.id] is Decision.OPEN:
            name = edit_id(planned.request.place_of(one.path), one.rest)
            waiting[one.id] = replace(whole, id=name, edit=one.rest, seen="")
    return waiting


def discarded_edits(left: LeftOut, planned: PlannedEdits, outcomes: Sequence[Outcome]) -> set[str]:
    """Return the ids of the edits that are neither applied nor wait, because all of them was discarded."""
    gone = set()
    for outcome in outcomes:
        own = [left.choice[one.id] for one in left.dropped if outcome.index in one.edits]
        is_dropped = outcome.index in left.outcomes or outcome.message == DROPPED
        if is_dropped and set(own) == {Decision.TAKE_BACK}:
            gone.add(planned.request.id_of(outcome.index))
    return gone


def with_left_out(
    result: responses.EditsResult, left: LeftOut, planned: PlannedEdits, outcomes: Sequence[Outcome]
) -> responses.EditsResult:
    """Return the result of applying what was kept, completed by what was dropped, if anything was."""
    if not left.choice:
        return result
    rests = left_overs(left, planned, outcomes)

    def waiting(one: Dropped) -> str | None:
        if left.choice[one.id] is not Decision.OPEN:
            return None
        if one.id in rests:
            return rests[one.id].id
        # Its edits may have been dropped whole, and wait as they are.
        return next((planned.request.id_of(at) for at in one.edits if outcomes[at].status in PENDING), None)

    gone = tuple(
        responses.DroppedData(id=one.id, uri=planned.uri(one.path), diff=one.diff, pending=waiting(one))
        for one in left.dropped
    )
    return replace(result, dropped=gone, summary=_summary(result.edits, left, planned))


def _summary(edits: Sequence[responses.OutcomeData], left: LeftOut, planned: PlannedEdits) -> str:
    """Return what was applied and what was not, as plain text for the model that wrote it.

    Nothing in it is read as an edit.
    """
    done = [edit for edit in edits if edit.status in (Status.APPLIED, Status.ALREADY_APPLIED)]
    parts = [f"Your edits were reviewed: {len(done)} of {plural(len(edits), 'edit')} applied."]
    # Nobody has refused an edit that is left out because it has no place.
    unplaced = {edit.id for edit in edits if edit.status not in PLACED}
    unplaced -= {name for name, what in left.choice.items() if what is Decision.TAKE_BACK}
    refused = {one.id: one for one in left.dropped if one.id not in unplaced}
    waiting = [
        edit
        for edit in edits
        if edit.status in PENDING and edit.message != DROPPED and edit.id not in refused
    ]
    if waiting:
        parts.append("Not applied yet, but not rejected; waiting for a person:")
    for edit in waiting:
        path = planned.request.edit_at(edit.index).path
        parts.append(f"- {visible_line(path)}: {visible_line(' '.join(edit.message.split()))}")
    if refused:
        parts.append("Rejected, so it is not in the files; do not write it again unchanged:")
    for one in refused.values():
        lines = [line for line in one.diff.splitlines() if line[:1] in ("+", "-")]
        parts += [f"- {visible_line(one.path)}", *change_lines(lines)]
    return "\n".join(parts) + "\n"


PLACED = (Status.MATCHED, Status.HELD, Status.ALREADY_APPLIED)
"""The statuses of edits that have a place."""
