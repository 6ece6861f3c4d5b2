"""One edit against one text: where it belongs, what it changes there, or why it may not."""

from __future__ import annotations

from patchpoint.edit import Edit, Operation
from patchpoint.feedback import message_of
from patchpoint.locate.ladder import Ladder, locate
from patchpoint.locate.source import Source
from patchpoint.locate.verdict import Answer, Find, Quote, Verdict
from patchpoint.outcome import Candidate, Outcome, Rung, Splice, Status
from patchpoint.progress import Progress, Silent
from patchpoint.reconcile import merge
from patchpoint.splices import spliced, splices_between
from patchpoint.text.lines import Span

PREVIEW_LINES = 5
CANDIDATES = 100


def resolve_edit(
    text: str,
    edit: Edit,
    ladder: Ladder | None = None,
    *,
    chosen: Span | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """What becomes of `edit` against `text`: a matched outcome with splices and the new text, or a refusal.

    `chosen` is the span of a candidate that an earlier call on the same text answered: the edit then goes
    there. Raises `ValueError` for an operation that does not change a text, `CancelledError` through `progress`.
    """
    ladder, progress = ladder or Ladder(), progress or Silent()
    source = Source(text)
    if edit.operation is Operation.REPLACE:
        return _replace(source, edit, ladder, chosen, progress)
    raise ValueError(f"resolve_edit cannot {edit.operation.value} a file")


def _replace(source: Source, edit: Edit, ladder: Ladder, chosen: Span | None, progress: Progress) -> Outcome:
    quote = Quote.of(edit.search, edit.replace)
    if not quote.search.strip():
        if source.plain.strip():
            return Outcome(status=Status.REJECTED, path=edit.path, message="The search text is empty.")
        return _matched(source, edit, (), _whole(source, quote))
    verdict = locate(source, quote, ladder, progress)
    if chosen is not None:
        for find in verdict.finds:
            if source.exact_span(find.span) == chosen:
                verdict = Verdict(Answer.FOUND, (find,))
    if verdict.answer is Answer.FOUND:
        return _written(source, edit, verdict.finds)
    status = {
        Answer.SEVERAL: Status.AMBIGUOUS,
        Answer.NOWHERE: Status.NOT_FOUND,
        Answer.ALREADY: Status.ALREADY_APPLIED,
    }[verdict.answer]
    return Outcome(
        status=status,
        path=edit.path,
        candidates=tuple(_candidate(source, find) for find in verdict.finds[:CANDIDATES]),
        message=message_of(source, verdict),
    )


def _whole(source: Source, quote: Quote) -> tuple[Splice, ...]:
    return splices_between(source, (0, len(source.plain)), quote.replace)


def _written(source: Source, edit: Edit, finds: tuple[Find, ...]) -> Outcome:
    splices: list[Splice] = []
    for find in finds:
        splices += splices_between(source, find.span, _new_text(source, find))
    return _matched(source, edit, finds, tuple(splices))


def _new_text(source: Source, find: Find) -> str:
    if not find.pairs:
        return find.quote.replace
    merged = merge(source, find)
    new = "\n".join(merged.lines)
    ended = source.plain[find.span[1] - 1 : find.span[1]] == "\n"
    return new + "\n" if merged.lines and ended else new


def _matched(source: Source, edit: Edit, finds: tuple[Find, ...], splices: tuple[Splice, ...]) -> Outcome:
    span = source.exact_span((finds[0].span[0], finds[-1].span[1]) if finds else (0, len(source.plain)))
    grown = sum(len(splice.text) - (splice.end - splice.start) for splice in splices)
    return Outcome(
        status=Status.MATCHED,
        path=edit.path,
        rung=finds[0].rung if finds else Rung.EXACT,
        similarity=min((find.similarity for find in finds), default=1.0),
        span=span,
        new_span=(span[0], span[1] + grown),
        splices=splices,
        text=spliced(source.text, splices),
        needs_confirmation=any(find.rung is Rung.SIMILARITY for find in finds),
        message="",
    )


def _candidate(source: Source, find: Find) -> Candidate:
    first, end = find.lines
    return Candidate(
        span=source.exact_span(find.span),
        similarity=find.similarity,
        line=first + 1,
        last_line=end,
        preview="\n".join(source.lines[first : min(end, first + PREVIEW_LINES)]),
    )
