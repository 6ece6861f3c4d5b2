"""Diagnostics of edits, gathered from wherever they are known and published when they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.lsp.convert import position_of, range_of
from patchpoint.lsp.uris import document_key, name_of
from patchpoint.outcome import Outcome, Rung, Status
from patchpoint.outcome import percent as whole_percent
from patchpoint.pending import ChangeStatus
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

SOURCE = "patchpoint"

_CODES = {
    Status.AMBIGUOUS: "ambiguous-edit",
    Status.NOT_FOUND: "edit-not-found",
    Status.CONFLICT: "edit-conflict",
    Status.REJECTED: "edit-rejected",
    Status.MALFORMED: "malformed-edit",
    Status.HELD: "held-edit",
}

_SEVERITIES = {
    Status.REJECTED: types.DiagnosticSeverity.Error,
    Status.MALFORMED: types.DiagnosticSeverity.Error,
    Status.MATCHED: types.DiagnosticSeverity.Information,
    Status.HELD: types.DiagnosticSeverity.Information,
}


_CHANGES = {
    ChangeStatus.UNCHANGED: "",
    ChangeStatus.MODIFIED: "M: the file has changes that are not committed.",
    ChangeStatus.ADDED: "A: the file has never been committed.",
    ChangeStatus.MOVED_ON: "~: the file has changed since the edit was first held against it.",
    ChangeStatus.MODIFIED_AND_MOVED_ON: "~M: the file has changed since the edit was first held against it, "
    "and has changes that are not committed.",
}


class Diagnostics:
    """What the client shows, by document and by who found it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self._uris: dict[str, str] = {}
        self._published: dict[str, list[types.Diagnostic]] = {}

    def show(self, finder: str, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Show what `finder` found in a document instead of what it found there before."""
        key = document_key(uri)
        document = self._session.documents.find(uri)
        self._uris[key] = document.uri if document is not None else uri
        self._found.setdefault(key, {})[finder] = list(diagnostics)
        self._publish(key)

    def clear(self, finder: str, except_for: Sequence[str] = ()) -> None:
        """Show nothing more of what `finder` found, save in the documents named."""
        kept = {document_key(uri) for uri in except_for}
        for key, found in list(self._found.items()):
            if key not in kept and found.pop(finder, []):
                self._publish(key)

    def publish_again(self) -> None:
        """Publish everything as the settings now want it."""
        for key in list(self._found):
            self._publish(key)

    def _publish(self, key: str) -> None:
        shown = [one for found in self._found[key].values() for one in found]
        if not self._session.settings.diagnostics:
            shown = []
        if shown == self._published.get(key, []):
            return
        self._published[key] = shown
        uri = self._uris[key]
        document = self._session.documents.find(uri)
        version = (
            document.version if document is not None and self._session.client.diagnostic_version else None
        )
        self._session.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=shown, version=version)
        )


def target_diagnostic(
    session: Session, name: str, uri: str, table: LineTable, outcome: Outcome, changes: ChangeStatus
) -> types.Diagnostic | None:
    """What a pending edit, called `name`, shows in its file; `None` if there is nothing to say."""
    code = code_of(outcome)
    if code is None:
        return None
    unit = session.client.unit
    places = [candidate.span for candidate in outcome.candidates] or ([outcome.span] if outcome.span else [])
    related = None
    if session.client.diagnostic_related and outcome.candidates:
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(uri=uri, range=range_of(table, candidate.span, unit)),
                message=f"candidate {number}, {percent(candidate.similarity)} similar",
            )
            for number, candidate in enumerate(outcome.candidates, 1)
        ]
    return types.Diagnostic(
        range=_shown_range(session, table, places),
        severity=_SEVERITIES.get(outcome.status, types.DiagnosticSeverity.Warning),
        code=code,
        source=SOURCE,
        message="\n".join(filter(None, (message_of(outcome, name_of(uri)), _CHANGES[changes]))),
        related_information=related,
        data={"edit": name},
    )


def code_of(outcome: Outcome) -> str | None:
    """The code of the diagnostic that an outcome deserves; `None` for one that is as it should be."""
    if outcome.status is Status.MATCHED:
        return None if outcome.rung in (None, Rung.EXACT) else "fuzzy-edit"
    return _CODES.get(outcome.status)


def severity_of(outcome: Outcome) -> types.DiagnosticSeverity:
    """How much an outcome matters."""
    return _SEVERITIES.get(outcome.status, types.DiagnosticSeverity.Warning)


def message_of(outcome: Outcome, file: str) -> str:
    """What a person is told of an outcome, its candidates by file and line included."""
    sentences = [outcome.message, *outcome.notes]
    if outcome.candidates:
        places = (
            f"candidate {number}: {file}:{candidate.line} ({percent(candidate.similarity)} similar)"
            for number, candidate in enumerate(outcome.candidates, 1)
        )
        sentences.append("; ".join(places))
    return "\n".join(sentence for sentence in sentences if sentence)


def percent(similarity: float) -> str:
    """A similarity as people read it; what is not wholly alike never shows as 100 %."""
    return f"{whole_percent(similarity)} %"


def _shown_range(session: Session, table: LineTable, places: Sequence[Span]) -> types.Range:
    """Where a diagnostic stands: on the first place; a place that is nowhere is the first line."""
    unit = session.client.unit
    if places:
        start, end = places[0]
        return range_of(table, (start, end), unit)
    start, end = table.content_span(0)
    return types.Range(start=position_of(table, start, unit), end=position_of(table, end, unit))
