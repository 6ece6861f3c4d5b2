"""The guard: what edits make of a file that parses is judged, all of them together.

One that was not found exactly is refused where the file would no longer parse. Of an exact one in a text that
a model wrote, that is proposed; one that is given as data, or that a person put at its place, gets a note.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.locate.source import SourceText, plain
from patchpoint.outcome import Guard, Outcome, Reason, Rung
from patchpoint.patching.combine import Combined, combine_edits
from patchpoint.patching.merging.minimal_splices import splices_between
from patchpoint.patching.named.candidates import candidate_at, exact_rows
from patchpoint.patching.proposal import AcceptedEdits, doubted
from patchpoint.patching.reasons import refusal
from patchpoint.structure.languages import is_json
from patchpoint.structure.parse import TextBefore
from patchpoint.structure.problem import Problem
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import LineTable, plain_lines
from patchpoint.text.regex import regex
from patchpoint.text.splice import apply_splices

_MOST_JUDGED = 16
"""Of more edits than this it is not found out which of them breaks the file: each costs a parse."""

_COMMA = "As it is written, it breaks the syntax of the file ({}): a comma is added here, or left out."
_QUOTING = (Operation.REPLACE, Operation.INSERT, Operation.BETWEEN)
"""Operations of edits that say where they go: of those that do not, more is doubted where they are made."""

_BEGINNING = regex(r"\s*(?:(?:return|raise|throw)\b|[\w.@\"'-]+(?:\s+[\w.]+){0,4})")
"""The first words of a line, by which it would be there twice."""

_Edits = Sequence[tuple[int, Edit]]
_Resolve = Callable[[int, Edit, str], Outcome]


def guarded(before: TextBefore, edit: Edit, outcome: Outcome, *, is_chosen: bool = False) -> Outcome:
    """Return the outcome of one edit, refused if it was not found exactly and breaks the file.

    With `is_chosen` a person put it there: it gets a note, and has to be confirmed.
    """
    if not outcome.matched or outcome.rung is Rung.EXACT or not outcome.splices or outcome.text is None:
        return outcome
    problem = before.problem_of(outcome.text)
    if problem is None:
        return _unjudged(before, outcome)
    return _noted(outcome, problem, ask=True) if is_chosen else _refused(before, edit, outcome, problem)


def combine_guarded(
    edits: _Edits,
    before: TextBefore,
    resolve: _Resolve,
    chosen: Container[int] = (),
    accepted: AcceptedEdits | None = None,
) -> Combined:
    """Combine edits of one text as `combine_edits` does, and hold back those that break the file.

    Only what all of them make together is judged, at first: two edits may each break what both keep whole.
    `chosen` are the indexes of edits that a person put at their places; what is `accepted` is made as well.
    """
    taken = accepted or AcceptedEdits()
    known: dict[tuple[int, str], Outcome] = {}
    placed: dict[int, Outcome] = {}

    def found(index: int, edit: Edit, text: str) -> Outcome:
        key = index, text
        if key not in known:
            known[key] = resolve(index, edit, text)
        if known[key].matched:
            placed[index] = known[key]
        return known[key]

    def combined(part: _Edits) -> tuple[Combined, Problem | None]:
        made = combine_edits(part, before.text, found)
        return made, before.problem_of(apply_splices(before.text, made.splices))

    refused: dict[int, Outcome] = {}

    def settled(shown: Mapping[int, Outcome]) -> bool:
        """Return whether there is anything to combine again: what is shown waits, or is made as shown."""
        for index, one in shown.items():
            if not taken.takes(index, one):
                refused[index] = one
            elif one.proposal is not None:
                known[index, before.text] = one.proposal.accepted
        return bool(shown)

    while True:
        rest = [pair for pair in edits if pair[0] not in refused]
        made, problem = combined(rest)
        if problem is None:
            shown = _in_doubt(before, rest, made, placed, chosen, taken, resolve)
            if not settled(shown):
                break
            continue
        matched = [
            index for index, _ in rest if made.outcomes[index].matched and made.outcomes[index].splices
        ]
        doubtful = [i for i in matched if made.outcomes[i].rung is not Rung.EXACT and i not in chosen]

        def parses_without(left_out: Container[int], rest: _Edits = rest) -> bool:
            return combined([pair for pair in rest if pair[0] not in left_out])[1] is None

        few = matched if len(matched) <= _MOST_JUDGED else ()
        blamed = [index for index in few if parses_without((index,))]
        if len(blamed) != 1:
            blamed = doubtful if doubtful and parses_without(doubtful) else matched
        asked = dict(rest)
        if not set(blamed) <= set(doubtful):
            shown = {
                index: _doubted(asked[index], placed[index], problem)
                for index in blamed
                if is_written(asked[index]) and index not in chosen and index not in taken.ids
            }
            if settled(shown):
                continue
            noted = {i: _noted(made.outcomes[i], problem, ask=i in chosen) for i in blamed}
            made = Combined({**made.outcomes, **noted}, made.splices)
            break
        refused |= {i: _refused(before, asked[i], made.outcomes[i], problem) for i in blamed}
    outcomes = {index: _unjudged(before, one) for index, one in made.outcomes.items()}
    return Combined({**outcomes, **refused}, made.splices)


def _doubted(edit: Edit, made: Outcome, problem: Problem) -> Outcome:
    """Return the proposal of an edit that breaks the syntax of its file, with the commas that it lacks."""
    corrected = None
    if is_json(edit.path):
        from patchpoint.structure.json.commas import with_commas_corrected

        corrected = with_commas_corrected(made.text or "")
    if corrected is None or made.before is None:
        return doubted(edit, made, _broken(problem), even_broken=True)
    source = SourceText(made.before)
    splices = splices_between(source, (0, len(source.plain)), plain(corrected))
    return doubted(edit, replace(made, splices=splices, new_span=None), _COMMA.format(problem))


def _in_doubt(
    before: TextBefore,
    edits: _Edits,
    made: Combined,
    placed: Mapping[int, Outcome],
    chosen: Container[int],
    taken: AcceptedEdits,
    resolve: _Resolve,
) -> dict[int, Outcome]:
    """Return the proposals of edits that make something doubtful of a file that parses.

    Where the new text is merged without doubt as code that is shown, without what it quotes, it is that.
    """
    own = {
        index: edit
        for index, edit in edits
        if is_written(edit)
        and edit.operation in _QUOTING
        and made.outcomes[index].matched
        and made.outcomes[index].splices
        and index not in chosen
        and index not in taken.ids
    }
    if not own:
        return {}
    after = apply_splices(before.text, made.splices)
    file, result = (plain_lines(plain(text)) for text in (before.text, after))
    if _begins_as_before(file, result):
        return {}
    from patchpoint.patching.quoted.doubts import doubts_of_result

    table = LineTable.of(after)
    found: dict[int, Outcome] = {}
    for row, why in doubts_of_result(before.path, file, result):
        spans = {index: made.outcomes[index].new_span or (0, 0) for index in own}
        near = [i for i, (a, b) in spans.items() if table.line_of(a) - 1 <= row <= table.line_of(b) + 1]
        for index in near or own:
            if index not in found:
                made_of = _merged(before, index, own[index], resolve) or placed[index]
                found[index] = doubted(own[index], made_of, why)
    return found


def _begins_as_before(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether lines only differ behind their first words, which leaves nothing in doubt."""
    return all(
        [*map(_beginning, file[first:end])] == [*map(_beginning, result[start:stop])]
        for (first, end), (start, stop) in changed_ranges(file, result)
    )


def _beginning(line: str) -> str:
    found = _BEGINNING.match(line)
    return line if found is None or "..." in line or "\u2026" in line else found[0]


def _merged(before: TextBefore, index: int, edit: Edit, resolve: _Resolve) -> Outcome | None:
    """Return what comes of the new text of an edit as shown code; `None` where that is doubtful, too."""
    shown = replace(edit, operation=Operation.MERGE, search="", splits=(), doubt="")
    outcome = resolve(index, shown, before.text)
    if not outcome.matched or outcome.text is None:
        return None
    from patchpoint.patching.quoted.doubts import doubts_of_result

    file, result = (plain_lines(plain(text)) for text in (before.text, outcome.text))
    return None if any(doubts_of_result(before.path, file, result)) else outcome


def is_written(edit: Edit) -> bool:
    """Return whether an edit is read from a text that a model wrote, and undoes nothing."""
    return edit.format is not Format.REQUEST and not edit.is_inverse


def _unjudged(before: TextBefore, outcome: Outcome) -> Outcome:
    """Return an outcome, with a note where a grammar that should judge it is not installed."""
    is_certain = not outcome.matched or outcome.rung is Rung.EXACT or not outcome.splices
    if is_certain or not before.unjudged:
        return outcome
    return replace(outcome, notes=(*outcome.notes, before.unjudged))


def _noted(outcome: Outcome, problem: Problem, *, ask: bool) -> Outcome:
    return replace(
        outcome,
        notes=(*outcome.notes, _broken(problem)),
        needs_confirmation=outcome.needs_confirmation or ask,
    )


def _broken(problem: Problem) -> str:
    return f"This breaks the syntax of the file: {problem}."


def _refused(before: TextBefore, edit: Edit, outcome: Outcome, problem: Problem) -> Outcome:
    """Return the refusal of an edit, with its place as the one candidate, for a person to insist on."""
    source, span = SourceText(before.text), outcome.span or (0, 0)
    place = candidate_at(
        source,
        exact_rows(source, span),
        span,
        similarity=1.0 if outcome.similarity is None else outcome.similarity,
    )
    if edit.target is not None:
        why = f"the file would no longer parse ({problem})"
        refused = refusal(Reason.NOT_PLACED, outcome.path, (place,), name=edit.target.name, why=why)
    else:
        refused = refusal(Reason.BREAKS_SYNTAX, outcome.path, (place,), problem=str(problem))
    refused = replace(refused, guard=Guard.BREAKS_SYNTAX, similarity=place.similarity)
    from patchpoint.patching.feedback import feedback

    return replace(refused, feedback=feedback(source, edit, refused))
