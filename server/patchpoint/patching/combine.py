"""Several edits of one text, each located in the text that the model saw, in any order.

An edit that is not found there is located in the text that earlier edits of the same request make. Edits that
change the same characters are refused, both of them, by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from patchpoint.edit import Edit
from patchpoint.outcome import Outcome, Reason, Rung, Status
from patchpoint.patching.reasons import refusal
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splice import Splice, apply_splices, compose, merge, moved_span, overlap


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
    refused: dict[int, Outcome] = {}
    while True:
        # Other edits may depend on the two that are refused, so the rest is combined again.
        draft = _combined([pair for pair in edits if pair[0] not in refused], text, found, resolve)
        if not draft.clashes:
            return Combined({**draft.outcomes, **refused}, draft.splices)
        table = LineTable.of(text)
        for one, other in draft.clashes:
            refused[one] = _clash(found[one], other, table)
            refused.setdefault(other, _clash(found[other], one, table))


@dataclass(slots=True)
class _Combination:
    outcomes: dict[int, Outcome]
    splices: tuple[Splice, ...]
    clashes: list[tuple[int, int]]


def _combined(
    edits: Sequence[tuple[int, Edit]],
    text: str,
    found: Mapping[int, Outcome],
    resolve: Callable[[int, Edit, str], Outcome],
) -> _Combination:
    outcomes = {index: found[index] for index, _ in edits}
    direct: list[int] = []
    later: list[tuple[int, Edit, int | None]] = []  # with the edit it overlaps, if that is why
    for index, edit in edits:
        outcome = found[index]
        if outcome.status is not Status.MATCHED:
            if outcome.status in (Status.NOT_FOUND, Status.ALREADY_APPLIED):
                later.append((index, edit, None))
            continue
        rival = next((i for i in direct if overlap(found[i].splices, outcome.splices)), None)
        if rival is None:
            direct.append(index)
        elif found[rival].splices == outcome.splices:
            same = refusal(Reason.SAME_CHANGE, edit.path, other=rival + 1)
            outcomes[index] = replace(same, index=index)
        else:
            later.append((index, edit, rival))
    splices = merge(found[index].splices for index in direct)
    written = {
        index: [moved_span((s.start, s.end), splices) for s in found[index].splices] for index in direct
    }
    places = {index: moved_span(found[index].span or (0, 0), splices) for index in direct}
    clashes: list[tuple[int, int]] = []
    for index, edit, rival in later:
        second = resolve(index, edit, apply_splices(text, splices))
        below = _depends_on(second, found[index], {i: spans for i, spans in written.items() if i < index})
        if below is None:
            if rival is not None:
                clashes.append((index, rival))
            continue
        splices = compose(splices, second.splices, len(text))
        written = {i: [moved_span(span, second.splices) for span in spans] for i, spans in written.items()}
        places = {i: moved_span(span, second.splices) for i, span in places.items()}
        written[index] = [moved_span((s.start, s.end), second.splices) for s in second.splices]
        places[index] = second.new_span or (0, 0)
        outcomes[index] = replace(second, span=outcomes[below].span)
    for index, place in places.items():
        outcomes[index] = replace(outcomes[index], new_span=place, before=None)
    return _Combination(outcomes, splices, clashes)


def _depends_on(second: Outcome, first: Outcome, written: Mapping[int, Sequence[Span]]) -> int | None:
    """Return the edit in whose new text `second` was found, if that is where the edit belongs."""
    if second.status is not Status.MATCHED or second.span is None:
        return None
    if first.status is not Status.NOT_FOUND and second.rung is not Rung.EXACT:
        return None
    start, end = second.span
    for index, spans in written.items():
        if any(low <= end and start <= high for low, high in spans):
            return index
    return None


def _clash(outcome: Outcome, other: int, table: LineTable) -> Outcome:
    line = table.line_of(outcome.splices[0].start) + 1 if outcome.splices else 1
    conflict = refusal(Reason.SAME_TEXT, outcome.path, other=other + 1, line=line)
    return replace(conflict, index=outcome.index, span=outcome.span)
