"""One edit against one text: its place, its changes there, or the reason why it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from patchpoint.dataclass import dataclass
from patchpoint.dataclass import replace as changed
from patchpoint.edit import OF_LINES, Edit, Operation, Side
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
    exact_rows,
    in_definitions,
    offered,
    rows_span,
)
from patchpoint.patching.proposal import SLIGHT, as_doubted, with_proposal, without_proposal
from patchpoint.patching.quoted.completed import completed_edit
from patchpoint.patching.reasons import MOVED, REASONS, refusal, sentence
from patchpoint.patching.syntax_guard import guarded
from patchpoint.progress import Progress, Silent
from patchpoint.structure.parse import TextBefore
from patchpoint.text.lines import Span
from patchpoint.text.shown import reordering_notes
from patchpoint.text.splice import Splice

_PAGES = (".md", ".mdx", ".markdown", ".rst", ".txt")
"""In files of text, what begins like a comment may be a title."""


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
    ladder = ladder or Ladder()
    source = text if isinstance(text, SourceText) else SourceText(text)
    completed = completed_edit(edit, source)
    if isinstance(completed, Outcome):
        return completed
    edit = completed
    outcome = _made(_Attempt(source, edit, ladder, progress or Silent(), chosen, whole))
    if chosen is None:
        outcome = _with_places_proposed(source, edit, outcome, ladder)
        if edit.operation is Operation.INSERT and edit.format in OF_LINES:
            from patchpoint.patching.places.without_context import placed_by_likeness

            outcome = placed_by_likeness(source, edit, ladder, outcome)
    outcome = as_doubted(edit, outcome)
    if guard and Guard.BREAKS_SYNTAX not in ladder.without:
        outcome = guarded(TextBefore(edit.path, source.text), edit, outcome, is_chosen=chosen is not None)
    if outcome.status in (Status.AMBIGUOUS, Status.NOT_FOUND, Status.PROPOSED):
        outcome = changed(outcome, candidates=in_definitions(source, edit.path, outcome.candidates))
    if outcome.matched:
        return outcome
    from patchpoint.patching.feedback import feedback

    return changed(outcome, feedback=feedback(source, edit, outcome))


def _made(attempt: _Attempt) -> Outcome:
    """Return what becomes of an edit, by its operation."""
    edit = attempt.edit
    if edit.operation is Operation.REPLACE:
        return attempt.in_cells() or attempt.replaced()
    if edit.operation is Operation.BETWEEN:
        return attempt.between()
    if edit.operation is Operation.INSERT:
        return attempt.inserted()
    if edit.operation is Operation.MERGE:
        from patchpoint.patching.shown.code import merge_shown_code

        return merge_shown_code(attempt.source, edit, attempt.ladder, attempt.chosen)
    if edit.operation is Operation.PLACE and edit.target is not None:
        from patchpoint.patching.named_places import place_named

        return place_named(attempt.source, edit, edit.target, attempt.ladder, attempt.chosen)
    raise ValueError(f"a file's text says nothing about how to {edit.operation.value} it")


def _with_places_proposed(source: SourceText, edit: Edit, outcome: Outcome, ladder: Ladder) -> Outcome:
    """Return an outcome, refused where its lines are next to its place, or with a place that words name."""
    side = edit.target.side if edit.target is not None else None
    puts_lines = edit.operation is Operation.INSERT or side in (Side.BEFORE, Side.AFTER)
    if puts_lines and outcome.matched and len(outcome.splices) == 1:
        from patchpoint.patching.merging.doubled import is_next_to

        if is_next_to(source.text, outcome.splices[0]):
            outcome = refusal(Reason.ALREADY_APPLIED, edit.path)
    if outcome.status is Status.NOT_FOUND and edit.operation is Operation.REPLACE:
        from patchpoint.patching.named_places import with_definition_proposed

        outcome = with_definition_proposed(source, edit, outcome, ladder)
    if (edit.lead or edit.section) and (outcome.matched or outcome.reason is Reason.SEVERAL):
        from patchpoint.patching.named_places import with_named_place_proposed

        outcome = with_named_place_proposed(source, edit, outcome, partial(resolve_edit, ladder=ladder))
    return outcome


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One edit that is looked for in one text."""

    source: SourceText
    edit: Edit
    ladder: Ladder
    progress: Progress
    chosen: Span | None
    """The span of the candidate that a person chose."""
    whole: bool
    """Whether its lines are to be replaced whole."""

    def replaced(self) -> Outcome:
        """Return the outcome of an edit with a search text."""
        source, edit = self.source, self.edit
        if edit.splits:
            return self._most_plausible_split()
        quote = Quote.of(edit.search, edit.replace)
        name = why = ""
        if not quote.solid:
            # A blank search text can only fill an empty text.
            if not source.plain.strip():
                return self._put((0, len(source.plain)), quote.replace, Rung.EXACT)
            name, why = "an empty search text", "the text is not empty; quote the lines that the edit changes"
        elif "..." in edit.search or "…" in edit.search:
            from patchpoint.locate.rungs.elision import is_only_elision

            if is_only_elision(source, quote):
                name, why = "omitted lines", "the search text only marks them; quote the lines around them"
        if why:
            return refusal(Reason.NOT_PLACED, edit.path, name=name, why=why)
        literal = self._literal()
        if literal is not None:
            return literal
        verdict = locate(source, quote, self._hints(), self.ladder, self.progress)
        if self.chosen is None:
            return self._of_verdict(verdict)
        at_place = [find for find in verdict.finds if source.exact_span(find.span) == self.chosen]
        if at_place and self.whole:
            return self._replaced_whole(at_place[0])
        if at_place:
            return self._written(at_place[:1], chosen_of=verdict.finds)
        outcome = self._of_verdict(verdict)
        if outcome.matched:
            # The span around all the places of an edit that is meant for all of them is one place, too.
            is_all = outcome.span == self.chosen
            return outcome if is_all else self._refused(verdict.finds, Reason.NOT_THERE, why=MOVED)
        moved = sentence(Reason.NOT_THERE, edit.path, why=MOVED)
        return changed(without_proposal(outcome), message=f"{moved} {outcome.message}")

    def in_cells(self) -> Outcome | None:
        """Return the outcome of an edit that quotes the source of a notebook's cell, and not its JSON."""
        source, edit = self.source, self.edit
        if not edit.path.lower().endswith(".ipynb") or not edit.search.strip():
            return None
        from patchpoint.patching.named.sources import CellSources
        from patchpoint.structure.notebook import notebook_of

        notebook = notebook_of(source.plain)
        if notebook is None:
            return None
        cells = CellSources(notebook)
        inner = SourceText(cells.text)
        inside = changed(self, source=inner, edit=changed(edit, line=None, at_end=False), chosen=None)
        found = without_proposal(inside.replaced())
        if self.chosen is not None and not found.matched:
            spans = {source.exact_span(cells.outward(one.span)): one.span for one in found.candidates}
            if self.chosen in spans:
                found = without_proposal(changed(inside, chosen=spans[self.chosen]).replaced())
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
        similarity = found.similarity or 1.0
        problem = cells.problem_of(new) if not is_exact and self.chosen is None else ""
        if problem:
            place = candidate_at(inner, exact_rows(inner, found.span), found.span, similarity=similarity)
            place = cells.in_notebook(source, place)
            return refusal(Reason.BREAKS_SYNTAX, edit.path, (place,), problem=problem)
        splices = splices_between(source, (0, len(source.plain)), new)
        span = source.exact_span(cells.outward(found.span))
        outcome = self._matched(span, found.rung or Rung.EXACT, similarity, splices)
        notes = tuple(dict.fromkeys((*outcome.notes, *found.notes)))
        return changed(outcome, notes=notes, candidates=candidates)

    def between(self) -> Outcome:
        """Return the outcome of replacing the lines between two anchors, at the anchors' depth."""
        source, edit = self.source, self.edit
        if not edit.before.strip() and not edit.after.strip():
            why = "both anchors are empty; quote the lines before or after it"
            return refusal(Reason.NOT_PLACED, edit.path, name="what is between", why=why)
        from patchpoint.locate.anchors import gaps_between

        gaps, missing = gaps_between(
            source, edit.before, edit.after, self._hints(), self.ladder, self.progress
        )
        if self.chosen is not None:
            gaps = [gap for gap in gaps if rows_span(source, gap.lines) == self.chosen]
            missing = MOVED
        if not gaps:
            return refusal(Reason.NOT_THERE, edit.path, why=missing)
        if len(gaps) > 1:
            places = tuple(candidate_at(source, gap.lines) for gap in gaps)
            return changed(refusal(Reason.SEVERAL, edit.path, places), candidates=places[:MOST_CANDIDATES])
        gap = gaps[0]
        anchors = [find for find in (gap.before, gap.after) if find]
        new = Quote.of("", edit.replace).replace_lines
        seen = tuple(entry for find in anchors for entry in depths_seen(source, find))
        quoted = [line for find in anchors for line in find.quote.search_lines]
        depths = Depths(seen, quoted + new, source.lines, new)
        lines = [
            depths.of_new_line(indentation(line), 0) + line.lstrip() if line.strip() else line for line in new
        ]
        span = source.whole_lines(*gap.lines)
        outcome = self._put(span, self._ended(span, lines), gap.rung)
        if not outcome.splices:
            return self._already(anchors)
        removed = gap.lines[1] - gap.lines[0]
        what = "line between the anchors is" if removed == 1 else f"{removed} lines between the anchors are"
        return changed(outcome, notes=(*outcome.notes, f"The {what} replaced."))

    def inserted(self) -> Outcome:
        """Return the outcome of new lines after line number `line`, 0 being the top, or in a scope."""
        source, edit = self.source, self.edit
        if edit.scope and edit.line is None and not edit.at_end:
            name, why = f"lines inside {edit.scope[-1].strip()}", "quote a line that it goes next to"
            return refusal(Reason.NOT_PLACED, edit.path, name=name, why=why)
        line = edit.line if edit.line is not None else len(source.lines)
        if not 0 <= line <= len(source.lines):
            missing = f"line {line}; it has {len(source.lines)} lines"
            return refusal(Reason.NOT_THERE, edit.path, why=missing)
        at = source.starts[line]
        new = "".join(f"{line}\n" for line in Quote.of("", edit.replace).replace_lines)
        if at and source.plain[at - 1] != "\n":
            new = "\n" + new.removesuffix("\n")
        return self._put((at, at), new, Rung.EXACT)

    def _hints(self) -> Hints:
        edit = self.edit
        of_lines = edit.format in OF_LINES and not edit.path.lower().endswith(_PAGES)
        where = (edit.replace_all, edit.occurrence, edit.line, edit.scope, edit.at_end, edit.section)
        return Hints(*where, of_lines)

    def _of_verdict(self, verdict: Verdict) -> Outcome:
        if verdict.kind is VerdictKind.FOUND:
            return self._written(verdict.finds)
        if verdict.kind is VerdictKind.DOUBTED:
            found = verdict.finds if self.edit.replace_all else verdict.finds[:1]
            return self._written(found, verdict=verdict)
        if verdict.kind is VerdictKind.ALREADY:
            return changed(self._already(verdict.finds), guard=verdict.guard)
        reason = verdict.reason or Reason.NOTHING_SIMILAR
        return self._refused(verdict.finds, reason, verdict.guard, why=verdict.missing)

    def _most_plausible_split(self) -> Outcome:
        """Return the outcome of the reading, of a block with several dividers, whose search text is there.

        The search text of each reading begins with that of every shorter one, so that all readings shorter
        than one that is found are found, too: the longest is meant.
        """
        readings = [
            changed(self.edit, search=one.search, replace=one.replace, splits=()) for one in self.edit.splits
        ]
        outcomes = [without_proposal(changed(self, edit=reading).replaced()) for reading in readings]
        located = [
            (STRICTNESS[outcome.rung], -len(reading.search), number)
            for number, (reading, outcome) in enumerate(zip(readings, outcomes, strict=True))
            if outcome.matched and outcome.rung is not None
        ]
        if located:
            return outcomes[min(located)[2]]
        return next((one for one in outcomes[::-1] if one.status is Status.AMBIGUOUS), outcomes[0])

    def _literal(self) -> Outcome | None:
        """Return the outcome of what undoes a change of text with carriage returns: it is as it was."""
        text, search, new = self.source.text, self.edit.search, self.edit.replace
        if not self.edit.is_inverse or "\r" not in search + new or text.count(search) != 1:
            return None
        start = text.find(search)
        splices = (Splice(start, start + len(search), new),) if new != search else ()
        return self._matched((start, start + len(search)), Rung.EXACT, 1.0, splices)

    def _written(
        self, finds: Sequence[Find], *, chosen_of: Sequence[Find] = (), verdict: Verdict | None = None
    ) -> Outcome:
        """Return the outcome of an edit that goes to `finds`, unless a doubt speaks against a similar place.

        Of a place that a person chose, one of `chosen_of`, only what the merge loses or leaves undone is
        doubted. What a look settles, as in a doubted `verdict`, makes a proposal of it.
        """
        source, edit = self.source, self.edit
        splices: list[Splice] = []
        notes: list[str] = []
        doubts = list(verdict.doubts) if verdict is not None else []
        loses = False
        for find in finds:
            self.progress.check()
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
                    at = candidates_at(source, [find])[0].lines_named
                    other = f"It cannot be merged there; {at} can only be replaced whole."
                    message = f"In {edit.path or 'the text'}, {doubt.title}. {other}"
                    return changed(self._refused(chosen_of, doubt.reason, doubt), message=message)
                if find.rung is Rung.SIMILARITY and not chosen_of:
                    heard = doubts_of(source, find, merged)
                    doubts += Guard.heard(heard, self.ladder.without)
                loses |= bool(doubts) and loses_unquoted(source, find, merged)
                span = source.whole_lines(find.lines[0], merged.end)
                new = self._ended(span, merged.lines)
                notes += misquoted(merged)
            splices += splices_between(source, span, new)
        if not splices and edit.search != edit.replace and SLIGHT.issuperset(doubts):
            return self._already(finds)
        span = source.exact_span((finds[0].span[0], max(span[1], finds[-1].span[1])))
        similarity = min(find.similarity for find in finds)
        outcome = self._matched(span, _rung_of(source, finds), similarity, tuple(splices))
        outcome = changed(outcome, notes=(*outcome.notes, *notes))
        if not doubts:
            return outcome
        nearest = verdict.finds if verdict is not None else finds
        refused = self._refused(nearest, doubts[0].reason, doubts[0])
        return refused if loses else with_proposal(refused, edit, outcome, doubts)

    def _replaced_whole(self, find: Find) -> Outcome:
        """Return the outcome of an edit whose replacement takes the place of all lines of `find`."""
        span = self.source.whole_lines(*find.lines)
        new = self._ended(span, Quote.of("", self.edit.replace).replace_lines)
        outcome = self._put(span, new, find.rung, find.similarity)
        note = f"Replaces {candidates_at(self.source, [find])[0].lines_named} as a whole."
        return changed(outcome, notes=(*outcome.notes, note), needs_confirmation=True)

    def _ended(self, span: Span, lines: Sequence[str]) -> str:
        """Return the lines as one text, with the line ending at its end that the stretch it replaces has."""
        new, text = "\n".join(lines), self.source.plain
        at_open_end = span[1] == len(text) and not text.endswith("\n")
        if not lines:
            return new
        if span[0] == span[1] and at_open_end and span[0]:
            return "\n" + new
        return new if at_open_end and span[0] < span[1] else new + "\n"

    def _put(self, span: Span, new: str, rung: Rung, similarity: float = 1.0) -> Outcome:
        """Return the outcome of an edit that puts a text in the place of a stretch of the plain text."""
        splices = splices_between(self.source, span, new)
        return self._matched(self.source.exact_span(span), rung, similarity, splices)

    def _matched(self, span: Span, rung: Rung, similarity: float, splices: tuple[Splice, ...]) -> Outcome:
        texts = (splice.text for splice in splices)
        notes = reordering_notes(self.source.text, texts) if splices else ("No change.",)
        how = "exactly" if rung is Rung.EXACT else f"by {rung.value}"
        if rung is Rung.SIMILARITY:
            how += f" ({percent(similarity)}%)"
        message = f"Found {how} in {self.edit.path or 'the text'}."
        return changed(
            matched(self.source, self.edit.path, rung, span, splices, message),
            similarity=similarity,
            notes=notes,
            needs_confirmation=rung is Rung.SIMILARITY,
        )

    def _already(self, finds: Sequence[Find]) -> Outcome:
        candidates = candidates_at(self.source, finds)
        where = f", line {candidates[0].line}" if candidates else ""
        where = f"in {self.edit.path or 'the text'}{where}"
        return refusal(Reason.ALREADY_APPLIED, self.edit.path, candidates, where=where)

    def _refused(
        self, finds: Sequence[Find], reason: Reason, guard: Guard | None = None, why: str = ""
    ) -> Outcome:
        """Return the refusal of an edit whose places are `finds`, for what the guard found, or for `why`."""
        from patchpoint.locate.evidence.guards import other_name

        is_lost = REASONS[reason].status is Status.NOT_FOUND
        candidates = candidates_at(self.source, offered(self.source, finds) if is_lost else finds)
        why = why or (guard.title if guard is not None else "")
        outcome = refusal(reason, self.edit.path, candidates, len(finds), why=why)
        names = other_name(finds[0]) if guard is Guard.OTHER_NAME else None
        if names is not None:
            said = f"It declares {names[1]}; the search text declares {names[0]}."
            outcome = changed(outcome, message=f"{outcome.message} {said}")
        return changed(outcome, guard=guard, similarity=candidates[0].similarity if candidates else None)


def _rung_of(source: SourceText, finds: Sequence[Find]) -> Rung:
    """Return how an edit was found; where new lines go deeper than they were written, by its indentation."""
    is_deeper = finds[0].rung is Rung.EXACT and any(
        find.pairs or is_inside_indentation(source, find.quote, find.span[0]) for find in finds
    )
    return Rung.INDENTATION if is_deeper else finds[0].rung
