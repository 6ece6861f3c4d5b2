"""What a person keeps and drops of a plan: the hunks of its changes, and the plan without some of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.plan import Plan, PlannedChange
from patchpoint.review.decision import PreviewDecision
from patchpoint.review.hunks import Hunk, hunks_of, whole_id, without_hunks
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import LineTable, Span, split_at_line_feeds
from patchpoint.text.splice import minimal_splices
from patchpoint.text.unified_diff import hunk_text, unified_diff
from patchpoint.wording import plural

DROPPED = "Dropped."


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The ids of edits and hunks that a person does not want to be applied; all others are kept."""

    drop: frozenset[str] = frozenset()
    """Those that stay pending."""
    discard: frozenset[str] = frozenset()

    @property
    def left_out(self) -> frozenset[str]:
        """All that is not to be applied."""
        return self.drop | self.discard

    def decision(self, name: str) -> PreviewDecision:
        """Return what was decided about an edit or a hunk."""
        if name in self.discard:
            return PreviewDecision.DISCARD
        return PreviewDecision.DROP if name in self.drop else PreviewDecision.KEEP

    def deciding(self, names: Collection[str], decision: PreviewDecision) -> Choice:
        """Return the choice after a decision about edits or hunks."""
        drop, discard = self.drop - set(names), self.discard - set(names)
        if decision is PreviewDecision.DROP:
            drop |= set(names)
        elif decision is PreviewDecision.DISCARD:
            discard |= set(names)
        return Choice(drop=drop, discard=discard)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedHunk:
    """A block of lines that a plan changes or, with `spans` of `None`, a file that it changes as a whole."""

    id: str
    path: str
    spans: tuple[Span, Span] | None
    """Its lines in the text before and in the text after, in characters."""
    diff: str
    """The change in the form of a unified diff, without the headers of the file."""
    edits: tuple[int, ...]
    """The indexes of the edits that make it."""


def hunks_of_plan(plan: Plan) -> tuple[PlannedHunk, ...]:
    """Return the hunks of all changes of a plan, in the order of its changes."""
    return tuple(hunk for change in plan.changes for hunk in hunks_of_change(change, plan.outcomes))


def hunks_of_change(change: PlannedChange, outcomes: Sequence[Outcome]) -> Iterator[PlannedHunk]:
    """Yield the hunks of one change, from top to bottom."""
    if not _is_by_hunks(change):
        states = (change.operation.value, change.before or "", change.after or "", change.new_path or "")
        yield PlannedHunk(
            id=whole_id(change.path, *states),
            path=change.path,
            spans=None,
            diff=unified_diff(change.before, change.after, change.path, change.new_path),
            edits=change.edits,
        )
        return
    before, after = change.before or "", change.after or ""
    hunks = hunks_of(change.path, before, after)
    makers = _makers(change, outcomes, hunks)
    lines = split_at_line_feeds(after)
    starts = [_line_starts(text) for text in (before, after)]
    for hunk in hunks:
        yield PlannedHunk(
            id=hunk.id,
            path=change.path,
            spans=(
                (starts[0][hunk.old[0]], starts[0][hunk.old[1]]),
                (starts[1][hunk.new[0]], starts[1][hunk.new[1]]),
            ),
            diff=hunk_text(lines, hunk.new, split_at_line_feeds(hunk.removed)),
            edits=makers[hunk.id],
        )


def carried_over(
    choice: Choice,
    shown: Sequence[tuple[PlannedHunk, frozenset[str]]],
    now: Sequence[tuple[PlannedHunk, frozenset[str]]],
) -> Choice:
    """Return a choice about the hunks that were `shown`, as one about those that there are `now`.

    Each hunk comes with the ids of its edits. A hunk is the same where it changes the same lines of its file,
    the first of equal ones being the first. Where a hunk that was not wanted is not there as it was, nothing
    that its edits change now is wanted: so nothing that was dropped is kept because a file has changed.
    """
    there = defaultdict(list)
    for hunk, _ in now:
        there[_changed_lines(hunk)].append(hunk.id)
    before = defaultdict(list)
    for hunk, _ in shown:
        before[_changed_lines(hunk)].append(hunk.id)
    carried = {hunk.id: frozenset[str]() for hunk, _ in shown}
    for hunk, makers in shown:
        if choice.decision(hunk.id) is PreviewDecision.KEEP:
            continue
        lines = _changed_lines(hunk)
        same, equal = there[lines], before[lines]
        if len(same) == len(equal):
            same = [same[equal.index(hunk.id)]]
        others = [other.id for other, edits in now if makers & edits]
        carried[hunk.id] = frozenset(same or others)
    drop = _carried(choice.drop, carried)
    return Choice(drop=drop, discard=_carried(choice.discard, carried) - drop)


def _carried(names: frozenset[str], carried: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset(one for name in names for one in carried.get(name, frozenset((name,))))


def _changed_lines(hunk: PlannedHunk) -> tuple[str, ...]:
    return hunk.path, *(line for line in hunk.diff.splitlines() if line[:1] in "+-")


def without_dropped(plan: Plan, dropped: Collection[str]) -> Plan:
    """Return a plan without the hunks `dropped`: an edit of which all hunks are dropped is held back."""
    if not dropped:
        return plan
    outcomes = list(plan.outcomes)
    changes = []
    for change in plan.changes:
        hunks = list(hunks_of_change(change, plan.outcomes))
        gone = {hunk.id for hunk in hunks if hunk.id in dropped}
        if not gone:
            changes.append(change)
            continue
        left = []
        for index in change.edits:
            own = [hunk for hunk in hunks if index in hunk.edits]
            count = sum(hunk.id in gone for hunk in own)
            if count == len(own):
                outcomes[index] = held(outcomes[index])
                continue
            left.append(index)
            if count:
                notes = (*outcomes[index].notes, f"{plural(count, 'change')} of {len(own)} dropped.")
                outcomes[index] = replace(outcomes[index], notes=notes)
            outcomes[index] = replace(outcomes[index], new_span=None)
        if len(gone) < len(hunks):
            after = without_hunks(change.path, change.before or "", change.after or "", gone)
            splices = minimal_splices(change.before or "", after)
            changes.append(replace(change, after=after, splices=splices, edits=tuple(left)))
    return Plan(outcomes=tuple(outcomes), changes=tuple(changes))


def held(outcome: Outcome) -> Outcome:
    """Return the outcome of an edit that was dropped whole."""
    return replace(outcome, status=Status.HELD, message=DROPPED, feedback="Rejected by the user.", notes=())


def _is_by_hunks(change: PlannedChange) -> bool:
    return (
        change.operation is FileOperation.UPDATE
        and change.before is not None
        and change.after is not None
        and change.before != change.after
        and change.new_path is None
        and change.mode is None
    )


def _makers(
    change: PlannedChange, outcomes: Sequence[Outcome], hunks: Sequence[Hunk]
) -> Mapping[str, tuple[int, ...]]:
    """Return the indexes of the edits that make each hunk.

    An edit that was placed in what another edit made has its splices in that text, so it makes every hunk at
    its place.
    """
    made: dict[str, list[int]] = {hunk.id: [] for hunk in hunks}
    before, after = LineTable.of(change.before or ""), LineTable.of(change.after or "")
    all_splices = set(change.splices)
    for index in change.edits:
        outcome = outcomes[index]
        touched: set[str] = set()
        if outcome.splices and set(outcome.splices) <= all_splices:
            for splice in outcome.splices:
                touched |= _at([hunk.old for hunk in hunks], hunks, before, (splice.start, splice.end))
        elif outcome.new_span is not None:
            touched = _at([hunk.new for hunk in hunks], hunks, after, outcome.new_span)
        for hunk in hunks:
            if not touched or hunk.id in touched:
                made[hunk.id].append(index)
    return {name: tuple(indexes) for name, indexes in made.items()}


def _at(lines: Sequence[Span], hunks: Sequence[Hunk], table: LineTable, span: Span) -> set[str]:
    """Return the hunks at a span, `lines` being theirs, or the nearest: equal lines let a hunk slide."""
    first, last = table.line_of(span[0]), table.line_of(max(span[0], span[1] - 1))
    found = {
        hunk.id
        for (start, end), hunk in zip(lines, hunks, strict=True)
        if start <= last and first < max(end, start + 1)
    }
    if found:
        return found
    distances = [
        (max(start - last, first - end), hunk.id) for (start, end), hunk in zip(lines, hunks, strict=True)
    ]
    return {min(distances)[1]}


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in split_at_line_feeds(text):
        starts.append(starts[-1] + len(line))
    return starts
