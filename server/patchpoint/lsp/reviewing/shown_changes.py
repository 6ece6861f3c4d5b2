"""The changes of a review as the client shows them: where each is in a document, and its diagnostic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.dataclass import dataclass
from patchpoint.lsp.pending.diagnostics import SOURCE
from patchpoint.lsp.session.positions import range_of
from patchpoint.review.decision import Decision
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


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One change, in the document that shows it."""

    review: str
    hunk: Hunk
    uri: str
    whole: bool
    decision: Decision
    table: LineTable
    span: Span
    """Its lines; where it only removed some, the line that is there now or, at the end, the last one."""
    is_gone: bool = False
    """Whether the file was deleted, so that there is no document of it."""

    @property
    def line(self) -> int:
        """The line that it begins at, from 0."""
        return self.table.line_of(self.span[0])

    def touches(self, span: Span) -> bool:
        """Return whether a selection is in it, or at one of its ends."""
        return self.span[0] <= span[1] and span[0] <= self.span[1]


def shown_changes(review: Review, file: ReviewedFile, root: Path) -> list[ShownChange]:
    """Return the changes of a file, from top to bottom."""
    texts = file.shown_texts
    table = LineTable.of(texts[1] if texts is not None else "")
    found = []
    for hunk in file.hunks:
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
                hunk=hunk,
                uri=uri_of(root / file.path_now),
                whole=file.is_whole,
                decision=review.decision(hunk),
                table=table,
                span=span,
                is_gone=file.operation is FileOperation.DELETE,
            )
        )
    return found


def diagnostic_of(
    session: Session, change: ShownChange, since: str, operation: FileOperation
) -> types.Diagnostic:
    """Return the diagnostic of an open change; `since` names the checkpoint."""
    return types.Diagnostic(
        range=range_of(change.table, change.span, session.client.unit),
        severity=types.DiagnosticSeverity.Information,
        code=REVIEW_CODE,
        source=SOURCE,
        message=f"{_said(change, operation)} since {since}: keep it or revert it.",
        data={"review": change.review, "hunk": change.hunk.id},
    )


def _said(change: ShownChange, operation: FileOperation) -> str:
    if change.whole:
        done = "changed" if operation is FileOperation.UPDATE else f"{operation.value}d"
        return f"The file was {done}"
    removed, added = (len(split_at_line_feeds(text)) for text in (change.hunk.removed, change.hunk.added))
    if not removed:
        return f"{plural(added, 'line')} added"
    if not added:
        return f"{plural(removed, 'line')} removed here"
    return f"{plural(removed, 'line')} changed" + ("" if removed == added else f" to {added}")
