"""One review that is shown: its files, their changes, where each is in a document, and its diagnostic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.dataclass import dataclass, field
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.pending.diagnostics import SOURCE
from patchpoint.lsp.session.positions import range_of
from patchpoint.review.change_set import FileChanges, ListedChange
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.schema.uris import document_key, path_of, uri_of
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import LineTable, Span, split_at_line_feeds
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session
    from patchpoint.review.records import ReviewRecords
    from patchpoint.review.tree import SinceCheckpoint
    from patchpoint.schema.reviews import ReviewedFileData

REVIEW_CODE = "review-change"
"""The code of the diagnostic on a change that nobody has decided about."""

_MOST_LINES = 8
"""Lines that are gone which a diagnostic shows."""
_LONGEST_LINE = 200
"""Characters of such a line."""


@dataclass(frozen=True, slots=True)
class ShownChange(ListedChange):
    """One change, in the document that shows it."""

    review: str
    uri: str
    decision: Decision
    table: LineTable
    span: Span
    """Its lines; where it only removed some, the line that is there now or, at the end, the last one."""
    where: str
    """In which definition it is, as "in Cart > total"; empty where that is not known."""

    @property
    def line(self) -> int:
        """The line that it begins at, from 0."""
        return self.table.line_of(self.span[0])


@dataclass
class OpenReview:
    """A review that is shown."""

    tree: SinceCheckpoint
    records: ReviewRecords
    files: dict[str, FileChanges] = field(default_factory=dict)
    """The files that differ, by the key of their document."""
    shown: dict[str, list[ShownChange]] = field(default_factory=dict)
    past: dict[str, str] = field(default_factory=dict)
    """The URIs of documents that show what the deleted files were, by the keys of these."""

    @property
    def root(self) -> Path:
        """The root of the working tree."""
        return self.tree.store.root

    @property
    def record(self) -> str:
        """The URI of the file with its decisions."""
        return uri_of(self.records.path(self.tree.review.since))

    @property
    def name(self) -> str:
        """What the checkpoint is called."""
        checkpoint = self.tree.checkpoint
        return f"“{checkpoint.label}”" if checkpoint.label else f"checkpoint {checkpoint.id}"

    def uri(self, file: FileChanges) -> str:
        """Return the URI of the document in which a file's changes are: of a deleted one, what it was."""
        return self.past.get(self.key(file), uri_of(self.root / file.path_now))

    def key(self, file: FileChanges) -> str:
        """Return the key of the document that shows a file."""
        return document_key(uri_of(self.root / file.path_now))

    def shown_in(self, key: str) -> str:
        """Return the key of the file that a document is about: the deleted one of which it is what it was."""
        return next((gone for gone, past in self.past.items() if document_key(past) == key), key)

    def path(self, uri: str) -> str | None:
        """Return the path of a document below the root of the working tree, if that is where it is."""
        path = path_of(uri)
        if path is None or not path.is_relative_to(self.root):
            return None
        return path.relative_to(self.root).as_posix()

    def paths(self, uris: Sequence[str]) -> tuple[str, ...]:
        """Return the paths of files and folders of the working tree. Raises `RequestFailed` for any other."""
        found = []
        for uri in uris:
            path = self.path(uri)
            if path is None:
                raise RequestFailed("outside-root", f"{uri} is not below {self.root}.")
            found.append(path)
        return tuple(found)


def shown_changes(review: str, file: FileChanges, sent: ReviewedFileData) -> list[ShownChange]:
    """Return the changes of a file, from top to bottom; `sent` is what the client is sent of it."""
    table, found = LineTable.of((file.texts or ("", ""))[1]), []
    for hunk, data in zip(file.hunks, sent.hunks, strict=True):
        start, end = file.spans(hunk)[1]
        # Empty, a range is not seen; and the line feed at its end is the beginning of the next line.
        first = min(table.line_of(start), table.line_count - 1)
        if end == start == len(table.text) and first and table.line_start(first) == start:
            # Many editors show no line after the last line feed, and no cursor can get there.
            first -= 1
        last = table.line_of(end - 1) if end > start else first
        span = table.line_start(first), table.content_span(last)[1]
        found.append(ShownChange(file, hunk, review, sent.uri, data.decision, table, span, data.where))
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
    if change.file.is_whole and change.file.operation is not FileOperation.DELETE:
        return
    lines = [line.rstrip("\r\n") for line in split_at_line_feeds(change.hunk.removed)]
    shown = lines if len(lines) <= _MOST_LINES + 1 else lines[:_MOST_LINES]
    for line in shown:
        yield f"- {line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + '…'}".rstrip()
    if len(shown) < len(lines):
        yield f"and {len(lines) - len(shown)} more"
