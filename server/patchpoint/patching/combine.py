"""Several edits of one text, each located in the text that the model saw, in any order.

An edit that is not found there is located in the text that earlier edits of the same request make. Edits that
contradict each other are refused, all of them, by their numbers. Splices are minimal, so two versions of one
line seldom change the same character of it: what is compared is what each edit says that a line becomes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Operation, Side
from patchpoint.locate.source import plain
from patchpoint.outcome import Outcome, Reason, Rung, Status
from patchpoint.patching.reasons import edits_named, refusal
from patchpoint.text.lines import LineTable
from patchpoint.text.splice import Moves, apply_splices, compose, merge, overlap

if TYPE_CHECKING:
    from patchpoint.text.lines import Span
    from patchpoint.text.splice import Splice

_EACH_ONCE = "The answer has it {count} times, and the file has {count} places for it."
_Numbered = tuple[int, Edit]
"""An edit with its index in the request."""
_Resolve = Callable[[int, Edit, str], Outcome]
_Clash = tuple[int, int, Reason]
"""The indexes of two edits that contradict each other, and how."""


@dataclass(frozen=True, slots=True)
class Combined:
    """An outcome for every edit, and the combined splices of all that matched."""

    outcomes: Mapping[int, Outcome]
    splices: tuple[Splice, ...]


def combine_edits(edits: Sequence[_Numbered], text: str, resolve: _Resolve) -> Combined:
    """Locate `edits` (each with its index in the request) in `text` by `resolve` and combine them.

    In the outcomes that match, `span` is in `text` and `new_span` in the text that all of them make.
    """
    found = {index: resolve(index, edit, text) for index, edit in edits}
    first_of: dict[tuple[Splice, ...], int] = {}
    for index, outcome in found.items():
        if outcome.status is Status.MATCHED and outcome.splices:
            first_of.setdefault(outcome.splices, index)
    twins = {
        index: first_of[one.splices]
        for index, one in found.items()
        if one.status is Status.MATCHED and first_of.get(one.splices, index) != index
    }
    table = LineTable.of(text)
    refused: dict[int, Outcome] = {}
    while True:
        # Other edits may depend on those that are refused, so the rest is combined again.
        rest = [pair for pair in edits if pair[0] not in refused and pair[0] not in twins]
        made, clashes = _combined(rest, table, found, resolve)
        if not clashes:
            break
        rivals: dict[int, dict[Reason, list[int]]] = defaultdict(lambda: defaultdict(list))
        for one, other, reason in clashes:
            rivals[one][reason].append(other)
            rivals[other][reason].append(one)
        for index, by_reason in rivals.items():
            reason, others = next(iter(by_reason.items()))
            refused[index] = _contradicted(found[index], others, reason, table)
    outcomes = {**made.outcomes, **refused}
    for index, first in twins.items():
        where = f"made by edit {first + 1} of this request"
        once = refusal(Reason.ALREADY_APPLIED, found[index].path, where=where)
        # What is said twice is not true once it is contradicted.
        outcomes[index] = refused.get(first, once)
    return Combined(outcomes, made.splices)


def with_each_once(edits: Sequence[_Numbered], text: str) -> list[_Numbered]:
    """Return edits in which several that say the same, and say no place, are for one place each, in doubt.

    The text has to have what they quote as often as it is quoted.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, edit in edits:
        is_placed = (
            edit.replace_all or edit.splits or edit.at_end or edit.scope or edit.lead or edit.section.strip()
        )
        if edit.operation is Operation.REPLACE and not is_placed and edit.line is edit.occurrence is None:
            groups[edit.search, edit.replace].append(index)
    several = {
        index: (number, len(group))
        for (search, _), group in groups.items()
        if len(group) > 1 and search.strip() and plain(text).count(plain(search)) == len(group)
        for number, index in enumerate(group, 1)
    }
    result: list[_Numbered] = []
    for index, edit in edits:
        if index in several:
            number, count = several[index]
            doubt = edit.doubt or _EACH_ONCE.format(count=count)
            edit = replace(edit, occurrence=number, doubt=doubt)
        result.append((index, edit))
    return result


def _combined(
    edits: Sequence[_Numbered], table: LineTable, found: Mapping[int, Outcome], resolve: _Resolve
) -> tuple[Combined, list[_Clash]]:
    outcomes = {index: found[index] for index, _ in edits}
    text, asked = table.text, dict(edits)
    direct: dict[int, Span] = {}  # with the lines that each is next to
    later: dict[int, list[_Clash]] = {}  # with the edits that each contradicts, if that is why
    clashes: list[_Clash] = []
    for index, edit in edits:
        outcome = found[index]
        if outcome.status is not Status.MATCHED:
            is_unsure = outcome.status is Status.AMBIGUOUS and not _is_quoted(edit, text)
            if is_unsure or outcome.is_lost or outcome.status is Status.ALREADY_APPLIED:
                later[index] = []
            continue
        reach = _lines_around(outcome, table)
        rivals = [
            (index, rival, reason)
            for rival, near in direct.items()
            if near[0] <= reach[1]
            and reach[0] <= near[1]
            and (reason := _clash_of(asked[rival], found[rival], edit, outcome, table)) is not None
        ]
        direct[index] = reach
        if any(reason is Reason.ALTERNATIVES for _, _, reason in rivals):
            clashes += rivals
        elif rivals:
            later[index] = rivals
    clashing = {one for one, _, _ in clashes}
    made = [index for index in direct if index not in later and index not in clashing]
    splices = merge(found[index].splices for index in made)
    moved = Moves(splices)
    written = {index: [moved((s.start, s.end)) for s in found[index].splices] for index in made}
    places = {index: moved(found[index].span or (0, 0)) for index in made}
    for index, rivals in later.items():
        edit, proposal, combined = asked[index], found[index].proposal, apply_splices(text, splices)
        second = resolve(index, edit, combined)
        earlier = {i: spans for i, spans in written.items() if i < index}
        below = _depends_on(second, found[index], earlier, found_before=bool(rivals))
        if below is None and rivals and second.matched:
            below = index if _only_remove([edit, *(asked[at] for _, at, _ in rivals)]) else None
        if below is None:
            clashes += rivals
            if not rivals and second.reason is Reason.TOO_MUCH:
                outcomes[index] = second
            elif proposal is not None and _is_quoted(edit, combined) and not _is_quoted(edit, text):
                # it quotes new text, of which the place that is proposed only has the like
                outcomes[index] = _contradicted(proposal.accepted, written, Reason.SAME_LINE, table)
            continue
        splices = compose(splices, second.splices, len(text))
        moved = Moves(second.splices)
        written = {i: list(map(moved, spans)) for i, spans in written.items()}
        places = {i: moved(span) for i, span in places.items()}
        written[index] = [moved((s.start, s.end)) for s in second.splices]
        places[index] = second.new_span or (0, 0)
        outcomes[index] = replace(second, span=outcomes[below].span)
    for index, place in places.items():
        outcomes[index] = replace(outcomes[index], new_span=place, before=None)
    return Combined(outcomes, splices), clashes


def _is_quoted(edit: Edit, text: str) -> bool:
    """Return whether the search text is in `text` as it is, line endings aside."""
    search = plain(edit.search).strip("\n")
    return bool(search) and search in plain(text)


def _only_remove(edits: Iterable[Edit]) -> bool:
    """Return whether edits remove what they name: the blank lines between two may go with either."""
    return all(edit.target is not None and edit.target.side is Side.DELETED for edit in edits)


def _lines_around(outcome: Outcome, table: LineTable) -> Span:
    """Return the first and last line that an edit changes, shows whole or is next to; for none, no lines."""
    if not outcome.splices:
        return 1, 0
    spans = [(splice.start, splice.end) for splice in outcome.splices] + list(outcome.whole)
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    return table.line_of(first) - 1, table.line_of(last) + 1


def _depends_on(
    second: Outcome, first: Outcome, written: Mapping[int, Sequence[Span]], *, found_before: bool
) -> int | None:
    """Return the edit in whose new text `second` was found, if that is where the edit belongs.

    An edit that was `found_before`, in the text that has not been changed, has to quote what the other one
    wrote.
    """
    if second.status is not Status.MATCHED or second.span is None:
        return None
    start, end = second.span
    if not first.is_lost and second.rung is not Rung.EXACT:
        return None
    for index, spans in written.items():
        for low, high in spans:
            if start <= low < high <= end if found_before else low <= end and start <= high:
                return index
    return None


def _contradicted(outcome: Outcome, others: Iterable[int], reason: Reason, table: LineTable) -> Outcome:
    line = table.line_of(outcome.splices[0].start) + 1 if outcome.splices else 1
    verb = f"replace the same text differently, at line {line}"
    conflict = refusal(reason, outcome.path, others=edits_named(others), line=line, verb=verb)
    return replace(conflict, span=outcome.span)


def _clash_of(one: Edit, its: Outcome, other: Edit, others: Outcome, table: LineTable) -> Reason | None:
    """Return why two edits that match in the text of `table` cannot both be made, or `None` if they can.

    Edits that quote the same text are alternatives unless they change different lines of it, with a line that
    neither changes or both keep between what they insert. Other edits contradict each other where they change
    the same line and each has quoted some of the same text in it, or what is next to that. A definition that
    one of them shows whole is as it is shown.
    """
    if not its.splices or not others.splices:
        return None
    if _shows_otherwise(its, others) or _shows_otherwise(others, its):
        return Reason.ALTERNATIVES
    if _quote_alike(one, its, other, others):
        near = [_lines_changed(outcome.splices, table, near=True) for outcome in (its, others)]
        if not near[0].isdisjoint(near[1]):
            return Reason.ALTERNATIVES
    if overlap(its.splices, others.splices):
        return Reason.SAME_LINE
    if one.replace_all or other.replace_all:
        return None
    shared = _lines_changed(its.splices, table) & _lines_changed(others.splices, table)
    spans = [span for span in (its.span, others.span) if span is not None]
    for start, end in map(table.content_span, shared):
        if max(start, *(span[0] for span in spans)) <= min(end, *(span[1] for span in spans)):
            return Reason.SAME_LINE
    return None


def _shows_otherwise(its: Outcome, others: Outcome) -> bool:
    """Return whether an edit shows something whole in which another one makes changes that it does not."""
    return any(
        splice.start < end and start < max(splice.end, splice.start) and splice not in its.splices
        for start, end in its.whole
        for splice in others.splices
    )


def _quote_alike(one: Edit, its: Outcome, other: Edit, others: Outcome) -> bool:
    """Return whether both edits replace the same quotation, white space aside, at the same place."""
    if one.operation is not Operation.REPLACE or other.operation is not Operation.REPLACE:
        return False
    if one.search.split() != other.search.split() or its.span is None or others.span is None:
        return False
    return max(its.span[0], others.span[0]) < min(its.span[1], others.span[1])


def _lines_changed(splices: Sequence[Splice], table: LineTable, *, near: bool = False) -> set[int]:
    """Return the lines of which splices change something; whole lines that are inserted change none.

    With `near` these have both neighbours.
    """
    lines: set[int] = set()
    for splice in splices:
        first, last = table.line_of(splice.start), table.line_of(splice.end)
        at_start = splice.start == table.line_start(first)
        ends = splice.text.endswith(("\n", "\r"))
        at_end = splice.start == table.content_span(first)[1] and splice.text.startswith(("\n", "\r"))
        if splice.start == splice.end and ((at_start and ends) or at_end):
            lines.update(((first - 1, first) if at_start else (first, first + 1)) if near else ())
            continue
        keeps_next = last > first and splice.end == table.line_start(last) and at_start
        keeps_next = keeps_next and (ends or not splice.text)
        lines.update(range(first, last + (not keeps_next)))
    return lines
