"""A plan as a change set: its changes are decided about before they are written.

A person keeps and drops its hunks; what is left of it is a plan, too, and what was dropped is edits to come.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.plan import Plan, PlannedChange
from patchpoint.review.change_set import FileChanges, FileState, ListedChange
from patchpoint.review.decision import Decision
from patchpoint.text.encoding import DecodedText, Encoding
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.splice import Splice, minimal_splices
from patchpoint.text.unified_diff import CONTEXT, unified_diff
from patchpoint.wording import plural

DROPPED = "Dropped."
_EXECUTABLE = 0o100


Choice = Mapping[str, Decision]
"""What was decided about edits and hunks, by their ids; all others are kept."""


def choice_of(drop: Iterable[str], discard: Iterable[str]) -> Choice:
    """Return the choice that leaves some open, which stay pending, and discards others."""
    return {**dict.fromkeys(discard, Decision.TAKE_BACK), **dict.fromkeys(drop, Decision.OPEN)}


def deciding(choice: Choice, names: Iterable[str], decision: Decision) -> Choice:
    """Return the choice after a decision about edits or hunks."""
    decided = {**choice, **dict.fromkeys(names, decision)}
    return {name: what for name, what in decided.items() if what is not Decision.KEEP}


def of_kind(choice: Choice, decision: Decision) -> frozenset[str]:
    """Return those of which this was decided: `OPEN` stays pending, `TAKE_BACK` is not seen again."""
    return frozenset(name for name, what in choice.items() if what is decision)


@dataclass(frozen=True, kw_only=True)
class PlannedFile(FileChanges):
    """A file as a plan changes it. Its hunks name the edits that make them."""

    change: PlannedChange
    outcomes: tuple[Outcome, ...]

    @property
    def whole_diff(self) -> str:
        """The difference of the file as a whole."""
        change = self.change
        # A plan names a mode where it is to be another one than the file has.
        was = change.mode ^ _EXECUTABLE if change.mode is not None else None
        return unified_diff(
            change.before, change.after, self.path, self.new_path, mode=was, new_mode=change.mode
        )

    @cached_property
    def makers(self) -> Mapping[str, tuple[int, ...]]:
        """The indexes of the edits that make each hunk.

        An edit that was placed in what another edit made has its splices in that text, so it makes every hunk
        at its place.
        """
        made: dict[str, list[int]] = {hunk.id: [] for hunk in self.hunks}
        splices = set(self.change.splices)
        for index in self.change.edits:
            touched = self._touched(self.outcomes[index], splices) if self.texts is not None else set()
            for name in touched or made:
                made[name].append(index)
        return {name: tuple(indexes) for name, indexes in made.items()}

    def _touched(self, outcome: Outcome, splices: Set[Splice]) -> set[str]:
        lines, starts = [hunk.new for hunk in self.hunks], self._starts[1]
        spans = [outcome.new_span] if outcome.new_span is not None else []
        if outcome.splices and set(outcome.splices) <= splices:
            lines, starts = [hunk.old for hunk in self.hunks], self._starts[0]
            spans = [(splice.start, splice.end) for splice in outcome.splices]
        return {self.hunks[number].id for span in spans for number in _at(lines, starts, span)}


def planned_files(plan: Plan) -> tuple[PlannedFile, ...]:
    """Return the files that a plan changes, in its order."""
    found = []
    for change in plan.changes:
        old, new = map(_state, (change.before, change.after))
        if new is not None and (change.mode is not None or change.before == change.after):
            # Another mode than before makes it one change: its hunks would not say all that it does.
            new = replace(new, mode=0)
        file = PlannedFile(change.path, old, new, change.new_path, change=change, outcomes=plan.outcomes)
        found.append(file)
    return tuple(found)


def _state(text: str | None) -> FileState | None:
    if text is None:
        return None
    known = DecodedText(text, Encoding.UTF_8, bom=False)
    return FileState(0o100644, text.encode(errors="surrogatepass"), known)


def carried_over(choice: Choice, shown: Iterable[ListedChange], now: Iterable[ListedChange]) -> Choice:
    """Return a choice about the hunks that were `shown` of edits, as one about those that there are `now`.

    A hunk is the same where it changes the same lines of its file, the first of equal ones being the first.
    Where a hunk that was not wanted is not there as it was, nothing that its edits change now is wanted: so
    nothing that was dropped is kept because a file has changed.
    """
    known, there = {one.hunk.id: one for one in shown}, list(now)
    before: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    after: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for found, changes in (before, known.values()), (after, there):
        for one in changes:
            found[_changed_lines(one)].append(one.hunk.id)

    def carried(name: str) -> Iterable[str]:
        if name not in known:
            return [name]
        lines, edits = _changed_lines(known[name]), set(known[name].file.makers[name])
        if len(before[lines]) == len(after[lines]):
            return [after[lines][before[lines].index(name)]]
        return after[lines] or [
            one.hunk.id for one in there if edits.intersection(one.file.makers[one.hunk.id])
        ]

    drop, discard = (
        chain.from_iterable(map(carried, of_kind(choice, decision)))
        for decision in (Decision.OPEN, Decision.TAKE_BACK)
    )
    return choice_of(drop, discard)


def _changed_lines(change: ListedChange) -> tuple[str, ...]:
    return change.file.path, change.hunk.removed, change.hunk.added


def without_dropped(plan: Plan, names: Collection[str]) -> Plan:
    """Return a plan without the hunks of these names: an edit of which all hunks are dropped is held back."""
    if not names:
        return plan
    outcomes, changes = list(plan.outcomes), []
    for file in planned_files(plan):
        change, left = file.change, []
        gone = [hunk.id for hunk in file.hunks if hunk.id in names]
        for index in change.edits if gone else ():
            own = [hunk.id for hunk in file.hunks if index in file.makers[hunk.id]]
            count = sum(name in gone for name in own)
            if count == len(own):
                outcomes[index] = dropped(outcomes[index])
                continue
            left.append(index)
            note = [f"{plural(count, 'change')} of {len(own)} dropped."] if count else []
            notes = (*outcomes[index].notes, *note)
            outcomes[index] = replace(outcomes[index], notes=notes, new_span=None)
        if len(gone) == len(file.hunks):
            continue
        if gone:
            after = file.text_without(gone)
            splices = minimal_splices(change.before or "", after)
            change = replace(change, after=after, splices=splices, edits=tuple(left))
        changes.append(change)
    return Plan(outcomes=tuple(outcomes), changes=tuple(changes))


def dropped(outcome: Outcome) -> Outcome:
    """Return the outcome of an edit that a person does not want."""
    said = "Rejected by the user."
    return replace(outcome, status=Status.HELD, message=DROPPED, feedback=said, notes=(), new_span=None)


def left_over(file: FileChanges, dropped: Collection[str]) -> dict[str, Edit]:
    """Return, by id, the dropped hunks of a file as edits of the text that is left without them.

    A hunk with nothing but blank lines around it, which no edit could quote, is not among them. Raises
    as `FileChanges.text_without`.
    """
    lines = split_at_line_feeds(file.text_without(dropped))
    found = {}
    shift = 0
    for hunk in file.hunks:
        if hunk.id not in dropped:
            shift += (hunk.new[1] - hunk.new[0]) - (hunk.old[1] - hunk.old[0])
            continue
        start, end = hunk.old[0] + shift, hunk.old[1] + shift
        first, last = max(start - CONTEXT, 0), min(end + CONTEXT, len(lines))
        search = "".join(lines[first:last])
        if search.strip():
            new = "".join((*lines[first:start], hunk.added, *lines[end:last]))
            found[hunk.id] = Edit(
                path=file.path, search=search, replace=new, line=first + 1, format=Format.REQUEST
            )
    return found


def _at(lines: Sequence[Span], starts: Sequence[int], span: Span) -> list[int]:
    """Return which of these lines are at a span, or the nearest: equal lines let a hunk slide."""
    first, last = (bisect_right(starts, at) - 1 for at in (span[0], max(span[0], span[1] - 1)))
    distances = [max(start - last, first - max(end, start + 1) + 1, 0) for start, end in lines]
    return [at for at, distance in enumerate(distances) if not distance] or [distances.index(min(distances))]
