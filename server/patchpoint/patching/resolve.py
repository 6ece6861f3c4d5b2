"""One edit against one text: its place, its changes there, or the reason why it is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from patchpoint.dataclass import replace as changed
from patchpoint.edit import QUOTING, Edit, Operation
from patchpoint.locate.hints import Hints
from patchpoint.locate.ladder import Ladder, locate
from patchpoint.locate.rungs.exact import is_inside_indentation
from patchpoint.locate.rungs.table import STRICTNESS
from patchpoint.locate.source import SourceText, indentation, plain
from patchpoint.locate.verdict import Find, Quote, Verdict, VerdictKind
from patchpoint.outcome import Guard, Outcome, Reason, Rung, Status, percent
from patchpoint.patching.merging.minimal_splices import matched, splices_between
from patchpoint.patching.merging.reindent import Depths, depths_seen
from patchpoint.patching.named.candidates import (
    MOST_CANDIDATES,
    candidate_at,
    candidates_at,
    in_definitions,
    offered,
    rows_span,
)
from patchpoint.patching.proposal import SLIGHT, as_doubted, with_proposal, without_proposal
from patchpoint.patching.reasons import refusal, row_of, sentence
from patchpoint.patching.syntax_guard import guarded
from patchpoint.progress import Progress, Silent
from patchpoint.structure.parse import TextBefore
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex
from patchpoint.text.shown import reordering_notes
from patchpoint.text.splice import Splice

_MAY_LEAVE_OUT = regex(
    r"\.\.\.|…|existing|unchanged|rest of|remaining|same as|stays? the same", re.IGNORECASE
)
"""What a mark of lines that are left out may have."""


def resolve_edit(
    text: str | SourceText,
    edit: Edit,
    ladder: Ladder | None = None,
    *,
    chosen: Span | None = None,
    whole: bool = False,
    progress: Progress | None = None,
    guard: bool = True,
) -> Outcome:
    """Return the outcome of `edit` against `text`: matched, with splices and the new text, or refused.

    Whoever resolves several edits of one text makes one `SourceText` of it: its forms are then made once.
    `chosen` is the span of a candidate that an earlier call on the same text returned: the edit is then
    merged into the lines there, and is refused if that would lose a line that it does not quote. With
    `whole`, the lines there give way to the replacement of an edit that has a search text. Without `guard`
    the new text may no longer parse: whoever combines edits judges them together.
    Raises `ValueError` for an operation that does not change a text, and what `progress` raises.
    """
    ladder, progress = ladder or Ladder(), progress or Silent()
    source = text if isinstance(text, SourceText) else SourceText(text)
    if edit.search and edit.format in QUOTING and _MAY_LEAVE_OUT.search(edit.search + edit.replace):
        from patchpoint.patching.left_out import with_left_out

        if isinstance(complete := with_left_out(edit, source.text), Outcome):
            return complete
        edit = complete
    if edit.operation is Operation.REPLACE:
        choice = _Choice(chosen, whole) if chosen is not None else None
        in_cells = _in_cells(source, edit, ladder, choice, progress)
        outcome = in_cells or _replace(source, edit, ladder, choice, progress)
    elif edit.operation is Operation.BETWEEN:
        outcome = _between(source, edit, ladder, chosen, progress)
    elif edit.operation is Operation.INSERT:
        outcome = _insert(source, edit, chosen)
    elif edit.operation is Operation.MERGE:
        from patchpoint.patching.shown.code import merge_shown_code

        outcome = merge_shown_code(source, edit, ladder, chosen)
    elif edit.operation is Operation.PLACE and edit.target is not None:
        from patchpoint.patching.named_places import place_named

        outcome = place_named(source, edit, edit.target, ladder, chosen)
    else:
        raise ValueError(f"a file's text says nothing about how to {edit.operation.value} it")
    if chosen is None and outcome.status is Status.NOT_FOUND and edit.operation is Operation.REPLACE:
        from patchpoint.patching.named_places import with_definition_proposed

        outcome = with_definition_proposed(source, edit, outcome, ladder)
    if chosen is None and edit.lead and (outcome.matched or outcome.reason is Reason.SEVERAL):
        from patchpoint.patching.named_places import with_named_place_proposed

        outcome = with_named_place_proposed(source, edit, outcome, partial(resolve_edit, ladder=ladder))
    outcome = as_doubted(edit, outcome)
    if guard and Guard.BREAKS_SYNTAX not in ladder.without:
        outcome = guarded(TextBefore(edit.path, source.text), edit, outcome, is_chosen=chosen is not None)
    if outcome.status in (Status.AMBIGUOUS, Status.NOT_FOUND, Status.PROPOSED):
        outcome = changed(outcome, candidates=in_definitions(source, edit.path, outcome.candidates))
    if outcome.matched:
        return outcome
    from patchpoint.patching.feedback import feedback

    return changed(outcome, feedback=feedback(source, edit, outcome))


class _Choice(NamedTuple):
    """The candidate that a person chose, and whether its lines are to be replaced whole."""

    span: Span
    whole: bool


def _replace(
    source: SourceText, edit: Edit, ladder: Ladder, choice: _Choice | None, progress: Progress
) -> Outcome:
    if edit.splits:
        return _most_plausible_split(source, edit, ladder, choice, progress)
    quote = Quote.of(edit.search, edit.replace)
    if not quote.solid:
        return _nothing_quoted(source, edit, quote)
    if "..." in edit.search or "…" in edit.search:
        from patchpoint.locate.rungs.elision import is_only_elision

        if is_only_elision(source, quote):
            return _refused(source, edit, (), Reason.ONLY_ELISION)
    literal = _literal(source, edit)
    if literal is not None:
        return literal
    hints = Hints(edit.replace_all, edit.occurrence, edit.line, edit.scope, edit.at_end, edit.section)
    verdict = locate(source, quote, hints, ladder, progress)
    if choice is None:
        return _of_verdict(source, edit, verdict, ladder, progress)
    at_place = [find for find in verdict.finds if source.exact_span(find.span) == choice.span]
    if at_place and choice.whole:
        return _replaced_whole(source, edit, at_place[0])
    if at_place:
        return _written(source, edit, at_place[:1], ladder, progress, chosen_of=verdict.finds)
    outcome = _of_verdict(source, edit, verdict, ladder, progress)
    if outcome.matched:
        # The span around all the places of an edit that is meant for all of them is one place, too.
        return outcome if outcome.span == choice.span else _refused(source, edit, verdict.finds, Reason.MOVED)
    outcome = without_proposal(outcome)
    return changed(outcome, message=f"{sentence(Reason.MOVED, edit.path)} {outcome.message}")


def _in_cells(
    source: SourceText, edit: Edit, ladder: Ladder, choice: _Choice | None, progress: Progress
) -> Outcome | None:
    """Return the outcome of an edit that quotes the source of a notebook's cell, and not its JSON."""
    if not edit.path.lower().endswith(".ipynb") or not edit.search.strip():
        return None
    from patchpoint.patching.named.sources import CellSources
    from patchpoint.structure.notebook import notebook_of

    notebook = notebook_of(source.plain)
    if notebook is None:
        return None
    cells = CellSources(notebook)
    quoting = changed(edit, line=None, at_end=False)
    inner = SourceText(cells.text)
    found = without_proposal(_replace(inner, quoting, ladder, None, progress))
    if choice is not None and not found.matched:
        spans = {source.exact_span(cells.outward(one.span)): one.span for one in found.candidates}
        if choice.span in spans:
            inside = choice._replace(span=spans[choice.span])
            found = without_proposal(_replace(inner, quoting, ladder, inside, progress))
    is_exact = found.matched and found.rung is Rung.EXACT
    if not is_exact and plain(edit.search) in source.plain:
        return None
    candidates = tuple(cells.in_notebook(source, one) for one in found.candidates)
    if not found.matched or found.span is None:
        return changed(found, candidates=candidates)
    is_one = edit.replace_all or cells.is_within_a_cell(found.span)
    new = cells.with_splices(found.splices) if is_one else None
    if new is None:
        return None
    problem = cells.problem_of(found.splices) if not is_exact and choice is None else ""
    if problem:
        place = cells.place_of(source, found)
        return refusal(Reason.BREAKS_SYNTAX, edit.path, (place,), problem=problem)
    splices = splices_between(source, (0, len(source.plain)), new)
    span = source.exact_span(cells.outward(found.span))
    outcome = _matched_exact(source, edit, span, found.rung or Rung.EXACT, found.similarity or 1.0, splices)
    return changed(outcome, notes=tuple(dict.fromkeys((*outcome.notes, *found.notes))), candidates=candidates)


def _of_verdict(
    source: SourceText, edit: Edit, verdict: Verdict, ladder: Ladder, progress: Progress
) -> Outcome:
    if verdict.kind is VerdictKind.FOUND:
        return _written(source, edit, verdict.finds, ladder, progress)
    if verdict.kind is VerdictKind.DOUBTED:
        return _written(source, edit, verdict.finds[:1], ladder, progress, verdict=verdict)
    if verdict.kind is VerdictKind.ALREADY:
        outcome = _already(source, edit, verdict.finds)
    else:
        outcome = _refused(source, edit, verdict.finds, verdict.reason or Reason.NOTHING_SIMILAR)
    return changed(outcome, guard=verdict.guard)


def _most_plausible_split(
    source: SourceText, edit: Edit, ladder: Ladder, choice: _Choice | None, progress: Progress
) -> Outcome:
    """Return the outcome of the reading, of a block with several dividers, whose search text is in the file.

    The search text of each reading begins with that of every shorter one, so that all readings shorter than
    one that is found are found, too: the longest is meant.
    """
    readings = [changed(edit, search=split.search, replace=split.replace, splits=()) for split in edit.splits]
    outcomes = [without_proposal(_replace(source, reading, ladder, choice, progress)) for reading in readings]
    located = [
        (STRICTNESS[outcome.rung], -len(reading.search), number)
        for number, (reading, outcome) in enumerate(zip(readings, outcomes, strict=True))
        if outcome.matched and outcome.rung is not None
    ]
    if located:
        return outcomes[min(located)[2]]
    ambiguous = [outcome for outcome in outcomes if outcome.status is Status.AMBIGUOUS]
    return ambiguous[-1] if ambiguous else outcomes[0]


def _nothing_quoted(source: SourceText, edit: Edit, quote: Quote) -> Outcome:
    """Return the outcome of an edit with a blank search text, which can only fill an empty text."""
    if source.plain.strip():
        return _refused(source, edit, (), Reason.EMPTY)
    span = (0, len(source.plain))
    return _matched(source, edit, span, Rung.EXACT, 1.0, splices_between(source, span, quote.replace))


def _literal(source: SourceText, edit: Edit) -> Outcome | None:
    r"""Return the outcome of a literal replacement, if the edit's line endings are the file's and are meant.

    They are meant when the search text is in the file with them and the replacement has carriage returns that
    fit: otherwise line endings are what transport made of them, and the file's own are written.
    """
    if "\r" not in edit.replace or edit.replace_all or edit.search not in source.text:
        return None
    mixed = edit.replace.count("\n") != edit.replace.count("\r\n") or "\r" in edit.replace.replace("\r\n", "")
    if "\r" not in source.text and "\n" in source.text and not mixed:
        return None
    start = source.text.find(edit.search)
    if source.text.find(edit.search, start + 1) >= 0:
        return None
    end = start + len(edit.search)
    if source.text[end - 1 : end + 1] == "\r\n" or source.text[start - 1 : start + 1] == "\r\n":
        return None
    span = (start, end)
    splices = (Splice(start, end, edit.replace),) if edit.replace != edit.search else ()
    return _matched_exact(source, edit, span, Rung.EXACT, 1.0, splices)


def _written(
    source: SourceText,
    edit: Edit,
    finds: Sequence[Find],
    ladder: Ladder,
    progress: Progress,
    *,
    chosen_of: Sequence[Find] = (),
    verdict: Verdict | None = None,
) -> Outcome:
    """Return the outcome of an edit that goes to `finds`, unless a doubt speaks against a similar place.

    Of a place that a person chose, one of `chosen_of`, only what the merge loses or leaves undone is doubted.
    What a look settles, as in a doubted `verdict`, makes a proposal of it.
    """
    splices: list[Splice] = []
    notes: list[str] = []
    doubts = list(verdict.doubts) if verdict is not None else []
    loses = False
    for find in finds:
        progress.check()
        span, new = find.span, find.quote.replace
        if find.pairs:
            from patchpoint.patching.merging.characters import in_the_files_characters
            from patchpoint.patching.merging.doubts import (
                doubt_of_choice,
                doubts_of,
                loses_unquoted,
                misquoted,
            )
            from patchpoint.patching.merging.merge import merge

            find = in_the_files_characters(source, find)
            merged = merge(source, find)
            doubt = doubt_of_choice(source, find, merged) if chosen_of else None
            if doubt is not None:
                refused = _refused(source, edit, chosen_of, doubt)
                return changed(refused, message=_not_merged(source, edit, find, doubt))
            if find.rung is Rung.SIMILARITY and not chosen_of:
                heard = doubts_of(source, find, merged, is_inverse=edit.is_inverse)
                doubts += Guard.heard(heard, ladder.without)
            loses |= bool(doubts) and loses_unquoted(source, find, merged)
            span = source.whole_lines(find.lines[0], merged.end)
            new = _ended(source, span, merged.lines)
            notes += misquoted(merged)
        splices += splices_between(source, span, new)
    span = (finds[0].span[0], max(span[1], finds[-1].span[1]))
    similarity = min(find.similarity for find in finds)
    outcome = _matched(source, edit, span, _rung_of(source, finds), similarity, tuple(splices))
    outcome = changed(outcome, notes=(*outcome.notes, *notes))
    if not splices and edit.search != edit.replace and SLIGHT.issuperset(doubts):
        return _already(source, edit, finds)
    if doubts:
        nearest = verdict.finds if verdict is not None else finds
        refused = changed(_refused(source, edit, nearest, doubts[0].reason), guard=doubts[0])
        return refused if loses else with_proposal(refused, edit, outcome, doubts)
    return outcome


def _rung_of(source: SourceText, finds: Sequence[Find]) -> Rung:
    """Return how an edit was found; where new lines go deeper than they were written, by its indentation."""
    if finds[0].rung is Rung.EXACT and any(
        find.pairs or is_inside_indentation(source, find.quote, find.span[0]) for find in finds
    ):
        return Rung.INDENTATION
    return finds[0].rung


def _not_merged(source: SourceText, edit: Edit, find: Find, doubt: Reason) -> str:
    """Return why an edit is not merged into the lines that a person chose, and what else they can choose."""
    place = candidates_at(source, [find])
    lines = f"{place[0].lines_named} can only be replaced whole"
    return f"{sentence(doubt, edit.path, place)} It cannot be merged there; {lines}."


def _replaced_whole(source: SourceText, edit: Edit, find: Find) -> Outcome:
    """Return the outcome of an edit whose replacement takes the place of all lines of `find`, as written."""
    span = source.whole_lines(*find.lines)
    splices = splices_between(source, span, _ended(source, span, Quote.of("", edit.replace).replace_lines))
    outcome = _matched(source, edit, span, find.rung, find.similarity, splices)
    note = f"Replaces {candidates_at(source, [find])[0].lines_named} as a whole."
    return changed(outcome, notes=(*outcome.notes, note), needs_confirmation=True)


def _between(
    source: SourceText, edit: Edit, ladder: Ladder, chosen: Span | None, progress: Progress
) -> Outcome:
    """Replace the lines between two anchors, at the anchors' depth."""
    if not edit.before.strip() and not edit.after.strip():
        return _refused(source, edit, (), Reason.EMPTY)
    hints = Hints(edit.replace_all, edit.occurrence, edit.line, edit.scope, edit.at_end, edit.section)
    from patchpoint.locate.anchors import gaps_between

    gaps, reason = gaps_between(source, edit.before, edit.after, hints, ladder, progress)
    if chosen is not None:
        gaps = [gap for gap in gaps if rows_span(source, gap.lines) == chosen]
        reason = None if gaps else Reason.MOVED
    if not gaps:
        reason = Reason.ANCHORS_MISSING if reason in (None, Reason.NOTHING_SIMILAR) else reason
        return refusal(reason, edit.path)
    if len(gaps) > 1:
        places = tuple(candidate_at(source, gap.lines) for gap in gaps)
        return changed(refusal(Reason.SEVERAL, edit.path, places), candidates=places[:MOST_CANDIDATES])
    gap = gaps[0]
    quote = Quote.of("", edit.replace)
    depths = _anchor_depths(source, [find for find in (gap.before, gap.after) if find], quote)
    lines = [
        depths.of_new_line(indentation(line), 0) + line.lstrip() if line.strip() else line
        for line in quote.replace_lines
    ]
    span = source.whole_lines(*gap.lines)
    splices = splices_between(source, span, _ended(source, span, lines))
    outcome = _matched(source, edit, span, gap.rung, 1.0, splices)
    if not splices:
        return _already(source, edit, [find for find in (gap.before, gap.after) if find is not None])
    removed = gap.lines[1] - gap.lines[0]
    note = f"The {removed} lines between the anchors are replaced." if removed != 1 else ""
    return changed(outcome, notes=(*outcome.notes, note or "The line between the anchors is replaced."))


def _anchor_depths(source: SourceText, anchors: list[Find], quote: Quote) -> Depths:
    seen = [entry for find in anchors for entry in depths_seen(source, find)]
    quoted = [line for find in anchors for line in find.quote.search_lines]
    return Depths(tuple(seen), quoted + quote.replace_lines, source.lines, quote.replace_lines)


def _insert(source: SourceText, edit: Edit, chosen: Span | None) -> Outcome:
    """Insert the replacement after line number `line`, 0 being the top, or where one chose in its scope."""
    if edit.scope and edit.line is None and not edit.at_end:
        from patchpoint.patching.named_places import placed_in_scope

        if isinstance(placed := placed_in_scope(source, edit, chosen), Outcome):
            return placed
        edit = placed
    line = edit.line if edit.line is not None else len(source.lines)
    if not 0 <= line <= len(source.lines):
        return refusal(Reason.NO_SUCH_LINE, edit.path, line=line, length=len(source.lines))
    lines = Quote.of("", edit.replace).replace_lines
    at = source.starts[line]
    new = "".join(f"{line}\n" for line in lines)
    if at and source.plain[at - 1] != "\n":
        new = "\n" + new.removesuffix("\n")
    return _matched(source, edit, (at, at), Rung.EXACT, 1.0, splices_between(source, (at, at), new))


def _ended(source: SourceText, span: Span, lines: Sequence[str]) -> str:
    """Return the lines as one text, with the line ending at its end that the stretch it replaces has."""
    new = "\n".join(lines)
    at_open_end = span[1] == len(source.plain) and not source.plain.endswith("\n")
    if not lines:
        return new
    if span[0] == span[1] and at_open_end and span[0]:
        return "\n" + new
    return new if at_open_end and span[0] < span[1] else new + "\n"


def _matched(
    source: SourceText, edit: Edit, span: Span, rung: Rung, similarity: float, splices: tuple[Splice, ...]
) -> Outcome:
    return _matched_exact(source, edit, source.exact_span(span), rung, similarity, splices)


def _matched_exact(
    source: SourceText, edit: Edit, span: Span, rung: Rung, similarity: float, splices: tuple[Splice, ...]
) -> Outcome:
    notes = reordering_notes(source.text, (splice.text for splice in splices)) if splices else ("No change.",)
    how = "exactly" if rung is Rung.EXACT else f"by {rung.value}"
    if rung is Rung.SIMILARITY:
        how += f" ({percent(similarity)}%)"
    message = f"Found {how} in {edit.path or 'the text'}."
    return changed(
        matched(source, edit.path, rung, span, splices, message),
        similarity=similarity,
        notes=notes,
        needs_confirmation=rung is Rung.SIMILARITY,
    )


def _already(source: SourceText, edit: Edit, finds: Sequence[Find]) -> Outcome:
    candidates = candidates_at(source, finds)
    where = f", line {candidates[0].line}" if candidates else ""
    return refusal(Reason.ALREADY_APPLIED, edit.path, candidates, where=where)


def _refused(source: SourceText, edit: Edit, finds: Sequence[Find], reason: Reason) -> Outcome:
    from patchpoint.locate.evidence.guards import other_name

    is_lost = row_of(reason).status is Status.NOT_FOUND
    candidates = candidates_at(source, offered(source, finds) if is_lost else finds)
    outcome = refusal(reason, edit.path, candidates, len(finds))
    names = other_name(source, finds[0]) if reason is Reason.OTHER_NAME else None
    if names is not None:
        said = f"It declares {names[1]}; the search text declares {names[0]}."
        outcome = changed(outcome, message=f"{outcome.message} {said}")
    return changed(outcome, similarity=candidates[0].similarity) if candidates else outcome
