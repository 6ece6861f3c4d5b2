"""The changes of a review as the client shows them: where each is in a document, and its diagnostic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.dataclass import dataclass
from patchpoint.lsp.pending.diagnostics import SOURCE
from patchpoint.lsp.session.positions import range_of
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.review.decisions import Review
from patchpoint.review.files import ReviewedFile
from patchpoint.review.hunks import Hunk
from patchpoint.schema.uris import uri_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import LineTable, Span, split_at_line_feeds
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

REVIEW_CODE = "review-change"
"""The code of the diagnostic on a change that nobody has decided about."""

_MOST_LINES = 8
"""Lines that are gone which a diagnostic shows."""
_LONGEST_LINE = 200
"""Characters of such a line."""


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One change, in the document that shows it."""

    review: str
    file: ReviewedFile
    hunk: Hunk
    uri: str
    decision: Decision
    table: LineTable
    span: Span
    """Its lines; where it only removed some, the line that is there now or, at the end, the last one."""
    where: str
    """In which definition it is, as "in Cart > total"; empty where that is not known."""

    @property
    def is_gone(self) -> bool:
        """Whether the file was deleted, so that there is no document of it."""
        return self.file.operation is FileOperation.DELETE

    @property
    def line(self) -> int:
        """The line that it begins at, from 0."""
        return self.table.line_of(self.span[0])

    def touches(self, span: Span) -> bool:
        """Return whether a selection is in it, or at one of its ends."""
        return self.span[0] <= span[1] and span[0] <= self.span[1]


def shown_changes(review: Review, file: ReviewedFile, root: Path, places: Sequence[str]) -> list[ShownChange]:
    """Return the changes of a file, from top to bottom; `places` says in which definition each is."""
    texts = file.shown_texts
    table = LineTable.of(texts[1] if texts is not None else "")
    found = []
    for hunk, where in zip(file.hunks, places, strict=True):
        start, end = file.spans(hunk)[1]
        # Empty, a range is not seen; and the line feed at its end is the beginning of the next line.
        first = min(table.line_of(start), table.line_count - 1)
        if end == start == len(table.text) and first and table.line_start(first) == start:
            # Many editors show no line after the last line feed, and no cursor can get there.
            first -= 1
        last = table.line_of(end - 1) if end > start else first
        span = table.line_start(first), table.content_span(last)[1]
        found.append(
            ShownChange(
                review=review.since,
                file=file,
                hunk=hunk,
                uri=uri_of(root / file.path_now),
                decision=review.decision(hunk),
                table=table,
                span=span,
                where=where,
            )
        )
    return found


def diagnostic_of(session: Session, change: ShownChange, since: str) -> types.Diagnostic:
    """Return the diagnostic of an open change, with what was there; `since` names the checkpoint."""
    severity, breaks = types.DiagnosticSeverity, change.file.risks.get(change.hunk.id) is Risk.UNPARSABLE
    more = f", and {NO_LONGER_PARSES}" if breaks else ""
    return types.Diagnostic(
        range=range_of(change.table, change.span, session.client.unit),
        severity=severity.Warning if breaks else severity.Information,
        code=REVIEW_CODE,
        source=SOURCE,
        message="\n".join((f"{_said(change)} since {since}{more}: keep it or revert it.", *_was(change))),
        data={"review": change.review, "hunk": change.hunk.id},
    )


def _said(change: ShownChange) -> str:
    file = change.file
    if file.is_whole:
        notes = file.notes
        done = notes.pop(0) if notes and file.operation is not FileOperation.UPDATE else "changed"
        return f"The file was {done}" + (f" ({'; '.join(notes)})" if notes else "")
    removed, added = (len(split_at_line_feeds(text)) for text in (change.hunk.removed, change.hunk.added))
    if not removed:
        said = f"{plural(added, 'line')} added"
    elif not added:
        said = f"{plural(removed, 'line')} removed here"
    else:
        said = f"{plural(removed, 'line')} changed" + ("" if removed == added else f" to {added}")
    return f"{change.where.removeprefix('in ')}: {said}" if change.where else said


def _was(change: ShownChange) -> Iterator[str]:
    """Yield the first lines that are gone, each after a minus, and how many more there are."""
    if change.file.is_whole and not change.is_gone:
        return
    lines = [line.rstrip("\r\n") for line in split_at_line_feeds(change.hunk.removed)]
    shown = lines if len(lines) <= _MOST_LINES + 1 else lines[:_MOST_LINES]
    for line in shown:
        yield f"- {line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + '…'}".rstrip()
    if len(shown) < len(lines):
        yield f"and {len(lines) - len(shown)} more"
