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
from patchpoint.review.planned import DROPPED, Choice, left_over, planned_files, without_dropped
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
    kept: tuple[int, ...]
    """The indexes, in the whole request, of the edits of `request`."""
    full: PlannedEdits
    """The plan of `request` with all of its hunks; see `applied_to`."""
    hunks: tuple[ListedChange, ...] = ()
    """The dropped hunks of that plan."""

    def applied_to(self, planned: PlannedEdits) -> tuple[LeftOut, PlannedEdits]:
        """Return this and the plan of `request` without the hunks that were dropped.

        Raises `RequestFailed` when one of them is not in the plan: then it is not known what to leave out.
        """
        there = {one.hunk.id: one for one in changes_of(planned_files(planned.plan))}
        edits = {self.whole.request.id_of(index) for index in range(len(self.whole.plan.outcomes))}
        missing = self.choice.left_out - there.keys() - edits
        if missing:
            raise RequestFailed(
                "not-in-preview",
                f"{plural(len(missing), 'change')} that you dropped cannot be left out any more; preview "
                "the edits again, and choose again.",
            )
        dropped = self.choice.left_out & there.keys()
        reduced = replace(planned, plan=without_dropped(planned.plan, dropped))
        return replace(
            self, hunks=tuple(there[name] for name in there if name in dropped), full=planned
        ), reduced

    def dropped_edits(self) -> Iterator[tuple[Outcome, str]]:
        """Yield the outcomes of the edits that were dropped as such, and their ids."""
        for outcome in self.whole.plan.outcomes:
            if outcome.index not in self.kept:
                yield outcome, self.whole.request.id_of(outcome.index)

    @property
    def unplaced(self) -> frozenset[str]:
        """The ids of the edits that are left out because they have no place; nobody has refused them."""
        return frozenset(
            name
            for outcome, name in self.dropped_edits()
            if outcome.status not in PLACED and self.choice.decision(name) is Decision.OPEN
        )


async def leave_out(session: Session, request: EditRequest, choice: Choice, work: Progress) -> LeftOut:
    """Return a request without the edits that were dropped."""
    whole = await plan_edits(session, request, work)
    kept = tuple(
        index for index in range(len(request.edits)) if whole.request.id_of(index) not in choice.left_out
    )
    fewer = replace(
        request,
        edits=tuple(request.edits[index] for index in kept),
        chosen={at: request.chosen[one] for at, one in enumerate(kept) if one in request.chosen},
        chosen_in={at: request.chosen_in[one] for at, one in enumerate(kept) if one in request.chosen_in},
        whole=frozenset(at for at, one in enumerate(kept) if one in request.whole),
        is_answer=False,
    )
    return LeftOut(choice=choice, whole=whole, request=fewer, kept=kept, full=whole)


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


def pending_of(left: LeftOut, applied: AppliedEdits) -> dict[str, PendingEdit]:
    """Return what waits after the others were applied, by the id of the edit or hunk that was dropped."""
    waiting = {}
    for outcome, name in left.dropped_edits():
        pending = as_pending(left.whole, outcome.index)
        if left.choice.decision(name) is Decision.OPEN and pending is not None:
            waiting[name] = pending
    for change in left.hunks:
        name, makers = change.hunk.id, change.file.makers(change.hunk)
        if left.choice.decision(name) is not Decision.OPEN:
            continue
        if any(applied.outcomes[index].status is Status.APPLIED for index in makers):
            pending = _left_over(left, change)
        else:
            # Its edits were dropped whole, and wait as they are.
            pending = as_pending(left.full, makers[0]) if makers else None
        if pending is not None:
            waiting[name] = pending
    return waiting


def discarded_edits(left: LeftOut, applied: AppliedEdits) -> set[str]:
    """Return the ids of the edits that are neither applied nor wait, because all of them was discarded."""
    gone = {name for _, name in left.dropped_edits() if left.choice.decision(name) is Decision.TAKE_BACK}
    for outcome in applied.outcomes:
        own = [one.hunk for one in left.hunks if outcome.index in one.file.makers(one.hunk)]
        is_dropped = outcome.status is Status.HELD and outcome.message == DROPPED and bool(own)
        if is_dropped and all(left.choice.decision(hunk.id) is Decision.TAKE_BACK for hunk in own):
            gone.add(left.full.request.id_of(outcome.index))
    return gone


def with_left_out(
    result: responses.EditsResult, left: LeftOut, applied: AppliedEdits, dry: responses.EditsResult
) -> responses.EditsResult:
    """Return the result of applying what was kept, completed by what was dropped.

    `dry` is the result of a dry run of the whole request.
    """
    waiting = {name: one.id for name, one in pending_of(left, applied).items()}
    dropped = tuple(_dropped(left, waiting, dry))
    result = with_dropped_edits(result, left, dry)
    return replace(result, dropped=dropped, summary=summary_of(result.edits, dropped, left))


def with_dropped_edits(
    result: responses.EditsResult, left: LeftOut, dry: responses.EditsResult
) -> responses.EditsResult:
    """Return a result with the edits that were dropped, each at its place in the whole request.

    `dry` is the result of a dry run of the whole request.
    """
    edits = {left.kept[edit.index]: replace(edit, index=left.kept[edit.index]) for edit in result.edits}
    for edit in dry.edits:
        if edit.index not in edits:
            has_place = edit.status is Status.MATCHED
            edits[edit.index] = replace(edit, status=Status.HELD, message=DROPPED) if has_place else edit
    return replace(result, edits=tuple(edits[index] for index in sorted(edits)))


def summary_of(
    edits: Sequence[responses.OutcomeData], dropped: Sequence[responses.DroppedData], left: LeftOut
) -> str:
    """Return what was applied and what was not, as plain text for the model that wrote it.

    Nothing in it is read as an edit.
    """
    done = [edit for edit in edits if edit.status in (Status.APPLIED, Status.ALREADY_APPLIED)]
    parts = [f"Your edits were reviewed: {len(done)} of {plural(len(edits), 'edit')} applied."]
    refused = [one for one in dropped if one.id not in left.unplaced]
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
    left: LeftOut, waiting: dict[str, str], dry: responses.EditsResult
) -> Iterator[responses.DroppedData]:
    uris = {edit.index: edit.uri for edit in dry.edits}
    for outcome, name in left.dropped_edits():
        edit = left.whole.request.edit_at(outcome.index)
        old, new = (edit.search, edit.content or edit.replace) if isinstance(edit, Edit) else ("", "")
        yield responses.DroppedData(
            id=name,
            uri=uris.get(outcome.index, ""),
            diff="".join(one.text for one in unified_hunks(old, new)),
            pending=waiting.get(name),
        )
    for one in left.hunks:
        uri, name = left.full.uri(one.file.path), one.hunk.id
        yield responses.DroppedData(id=name, uri=uri, diff=one.file.diff(one.hunk), pending=waiting.get(name))


def _left_over(left: LeftOut, change: ListedChange) -> PendingEdit | None:
    """Return a dropped hunk of an edit that was applied otherwise, as an edit of what is there now."""
    file, planned = change.file, left.full
    dropped = [one.hunk.id for one in left.hunks if one.file is file]
    edit = left_over(file, dropped).get(change.hunk.id)
    if edit is None:
        return None
    place = planned.request.place_of(file.path)
    first = min(file.makers(change.hunk), default=0)
    return PendingEdit(
        id=edit_id(place, edit),
        file=place,
        edit=edit,
        source=planned.asked.source,
        title=planned.asked.title,
        index=planned.asked.first + first,
    )
