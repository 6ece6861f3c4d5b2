"""Several edits of one text, each located in the text that the model saw, in any order.

An edit that is not found there is located in the text that earlier edits of the same request make. Edits that
contradict each other are refused, all of them, by their numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Side
from patchpoint.locate.source import plain
from patchpoint.outcome import Reason, Rung, Status
from patchpoint.patching.reasons import refusal
from patchpoint.text.lines import LineTable
from patchpoint.text.splice import Moves, apply_splices, compose, merge

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.outcome import Outcome
    from patchpoint.text.lines import Span
    from patchpoint.text.splice import Splice


@dataclass(frozen=True, slots=True)
class Combined:
    """An outcome for every edit, and the combined splices of all that matched."""

    outcomes: Mapping[int, Outcome]
    splices: tuple[Splice, ...]


def combine_edits(
    edits: Sequence[tuple[int, Edit]], text: str, resolve: Callable[[int, Edit, str], Outcome]
) -> Combined:
    """Locate `edits` (each with its index in the request) in `text` by `resolve` and combine them.

    In the outcomes that match, `span` is in `text` and `new_span` in the text that all of them make.
    """
    found = {index: resolve(index, edit, text) for index, edit in edits}
    twins: dict[int, int] = {}
    first_of: dict[tuple[Splice, ...], int] = {}
    for index, outcome in found.items():
        if outcome.status is Status.MATCHED and outcome.splices:
            first = first_of.setdefault(outcome.splices, index)
            twins |= {index: first} if first != index else {}
    refused: dict[int, Outcome] = {}
    table = LineTable.of(text)
    while True:
        # Other edits may depend on those that are refused, so the rest is combined again.
        rest = [pair for pair in edits if pair[0] not in refused and pair[0] not in twins]
        made, clashes = _combined(rest, table, found, resolve)
        rivals: dict[int, list[tuple[int, Reason]]] = defaultdict(list)
        for one, other, reason in clashes:
            rivals[one].append((other, reason))
            rivals[other].append((one, reason))
        for index, others in rivals.items():
            alike = [other for other, reason in others if reason is others[0][1]]
            refused[index] = _clash(found[index], alike, others[0][1], table)
        if not clashes:
            break
    outcomes = {**made.outcomes, **refused}
    for index, first in twins.items():
        where = f"made by edit {first + 1} of this request"
        once = refusal(Reason.ALREADY_APPLIED, found[index].path, where=where)
        # What is said twice is not true once it is contradicted.
        outcomes[index] = refused.get(first, once)
    return Combined(outcomes, made.splices)


_Clash = tuple[int, int, Reason]
"""The indexes of two edits that contradict each other, and how."""


def _combined(
    edits: Sequence[tuple[int, Edit]],
    table: LineTable,
    found: Mapping[int, Outcome],
    resolve: Callable[[int, Edit, str], Outcome],
) -> tuple[Combined, list[_Clash]]:
    from patchpoint.patching.clash import clash_of

    outcomes = {index: found[index] for index, _ in edits}
    text = table.text
    direct: list[int] = []
    clashes: list[_Clash] = []
    distinct: dict[int, tuple[Edit, Span]] = {}
    asked = dict(edits)
    later: list[tuple[int, Edit, list[_Clash]]] = []  # with the edits it contradicts, if that is why
    for index, edit in edits:
        outcome = found[index]
        if outcome.status is not Status.MATCHED:
            is_unsure = outcome.status is Status.AMBIGUOUS and not _is_quoted(edit, text)
            if is_unsure or outcome.is_lost or outcome.status is Status.ALREADY_APPLIED:
                later.append((index, edit, []))
            continue
        reach = _lines_around(outcome, table)
        rivals = [
            (index, i, reason)
            for i, (rival, near) in distinct.items()
            if near[0] <= reach[1]
            and reach[0] <= near[1]
            and (reason := clash_of(rival, found[i], edit, outcome, table)) is not None
        ]
        distinct[index] = edit, reach
        if not rivals:
            direct.append(index)
        elif any(reason is Reason.ALTERNATIVES for _, _, reason in rivals):
            clashes += rivals
        else:
            later.append((index, edit, rivals))
    splices = merge(found[index].splices for index in direct)
    moved = Moves(splices)
    written = {index: [moved((s.start, s.end)) for s in found[index].splices] for index in direct}
    places = {index: moved(found[index].span or (0, 0)) for index in direct}
    for index, edit, rivals in later:
        combined = apply_splices(text, splices)
        second = resolve(index, edit, combined)
        earlier = {i: spans for i, spans in written.items() if i < index}
        below = _depends_on(second, found[index], earlier, found_before=bool(rivals))
        others = [asked[at] for _, at, _ in rivals]
        if below is None and second.matched and others and _only_remove([edit, *others]):
            below = index
        if below is None:
            clashes += rivals
            if not rivals and second.reason is Reason.TOO_MUCH:
                outcomes[index] = second
            elif not rivals and (resembling := _resembling(found[index], edit, text, combined)) is not None:
                outcomes[index] = _clash(resembling, written, Reason.SAME_LINE, table)
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


def _resembling(found: Outcome, edit: Edit, text: str, combined: str) -> Outcome | None:
    """Return the outcome at a place that only resembles what the edit quotes of earlier edits' new text."""
    if found.proposal is None:
        return found if found.status is Status.MATCHED else None
    quotes_new = _is_quoted(edit, combined) and not _is_quoted(edit, text)
    return found.proposal.accepted if quotes_new else None


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


def _clash(outcome: Outcome, others: Iterable[int], reason: Reason, table: LineTable) -> Outcome:
    from patchpoint.patching.clash import edits_named

    line = table.line_of(outcome.splices[0].start) + 1 if outcome.splices else 1
    verb = f"replace the same text differently, at line {line}"
    conflict = refusal(reason, outcome.path, others=edits_named(others), line=line, verb=verb)
    return replace(conflict, span=outcome.span)
