"""Diagnostics of edits: collected from their owners, published when they change or returned on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.lsp.session.positions import position_of, range_of
from patchpoint.outcome import Outcome, Rung, Status
from patchpoint.outcome import percent as whole_percent
from patchpoint.patching.pending import ChangeStatus, digest_of
from patchpoint.patching.reasons import DIAGNOSTIC_CODES
from patchpoint.schema.uris import document_key, name_of
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.shown import message

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

SOURCE = "patchpoint"

_SEVERITIES = {
    Status.REJECTED: types.DiagnosticSeverity.Error,
    Status.MALFORMED: types.DiagnosticSeverity.Error,
    Status.MATCHED: types.DiagnosticSeverity.Information,
    Status.HELD: types.DiagnosticSeverity.Information,
    Status.PROPOSED: types.DiagnosticSeverity.Hint,
}


_CHANGE_NOTES = {
    ChangeStatus.UNCHANGED: "",
    ChangeStatus.MODIFIED: "M: the file has uncommitted changes.",
    ChangeStatus.ADDED: "A: the file has never been committed.",
    ChangeStatus.MOVED_ON: "~: the file has changed since the edit was first compared with it.",
    ChangeStatus.MODIFIED_AND_MOVED_ON: "~M: the file has changed since the edit was first compared with "
    "it, and has uncommitted changes.",
}


class Diagnostics:
    """The published diagnostics, by document and by owner (pending edits, edit blocks)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._by_owner: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self._uris: dict[str, str] = {}
        self._published: dict[str, list[types.Diagnostic]] = {}

    def show(self, owner: str, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Replace the diagnostics that `owner` has in a document."""
        key = document_key(uri)
        document = self._session.documents.find(uri)
        self._uris[key] = document.uri if document is not None else uri
        for diagnostic in diagnostics:
            diagnostic.message = message(str(diagnostic.message))
        self._by_owner.setdefault(key, {})[owner] = list(diagnostics)
        self._publish(key)

    def clear(self, owner: str, except_for: Sequence[str] = ()) -> None:
        """Remove the diagnostics of `owner` from all documents but those in `except_for`."""
        kept = {document_key(uri) for uri in except_for}
        for key, found in list(self._by_owner.items()):
            if key not in kept and found.pop(owner, []):
                self._publish(key)

    def republish(self) -> None:
        """Publish all diagnostics again, after the settings changed."""
        for key in list(self._by_owner):
            self._publish(key)

    def opened(self, uri: str) -> None:
        """Publish the diagnostics of a document again: a client may drop those of one that is not open."""
        if self.of(uri) and not self._session.client.pulls_diagnostics:
            key = document_key(uri)
            self._published.pop(key, None)
            self._publish(key)

    def of(self, uri: str) -> list[types.Diagnostic]:
        """Return the diagnostics of a document, if the settings want any."""
        if not self._session.settings.diagnostics:
            return []
        owners = self._by_owner.get(document_key(uri), {})
        return [one for found in owners.values() for one in found]

    def of_workspace(
        self, known: Mapping[str, str]
    ) -> list[types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport]:
        """Return the diagnostics of every document that has any, or of which the client has some.

        `known` has the ids of the reports that the client has, by URI; those that are still right are not
        repeated. A client that is sent diagnostics gets none here, or it would show each twice.
        """
        reports: list[
            types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
        ] = []
        if not self._session.client.pulls_diagnostics:
            return reports
        has = {document_key(uri): name for uri, name in known.items()}
        uris = {document_key(uri): uri for uri in known} | self._uris
        for key, uri in uris.items():
            found = self.of(uri)
            if not found and key not in has:
                continue
            name = digest_of(repr(found))
            document = self._session.documents.find(uri)
            version = document.version if document is not None else None
            if has.get(key) == name:
                reports.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, name, version=version))
            else:
                reports.append(
                    types.WorkspaceFullDocumentDiagnosticReport(uri, found, version=version, result_id=name)
                )
        return reports

    def _publish(self, key: str) -> None:
        shown = self.of(self._uris[key])
        if shown == self._published.get(key, []):
            return
        self._published[key] = shown
        if self._session.client.pulls_diagnostics:
            if self._session.client.diagnostic_refresh:
                self._session.workspace_diagnostic_refresh(None)
            return
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
    """Return the diagnostic of the pending edit with the id `name` in its file; `None` if it fits exactly."""
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
                message=f"candidate {number}, {candidate.distinction}",
            )
            for number, candidate in enumerate(outcome.candidates, 1)
        ]
    return types.Diagnostic(
        range=_shown_range(session, table, places),
        severity=_SEVERITIES.get(outcome.status, types.DiagnosticSeverity.Warning),
        code=code,
        source=SOURCE,
        message="\n".join(filter(None, (message_of(outcome, name_of(uri)), _CHANGE_NOTES[changes]))),
        related_information=related,
        data={"edit": name},
    )


def code_of(outcome: Outcome) -> str | None:
    """Return the diagnostic code of an outcome; `None` for one that needs no diagnostic."""
    if outcome.status is Status.MATCHED:
        return None if outcome.rung in (None, Rung.EXACT) else "fuzzy-edit"
    return DIAGNOSTIC_CODES.get(outcome.status)


def severity_of(outcome: Outcome) -> types.DiagnosticSeverity:
    """Return the severity of an outcome's diagnostic."""
    return _SEVERITIES.get(outcome.status, types.DiagnosticSeverity.Warning)


def message_of(outcome: Outcome, file: str) -> str:
    """Return an outcome's message for people: its notes, and its proposal, or its candidates."""
    if outcome.proposal is not None:
        return "\n".join((outcome.proposal.why, *outcome.notes, outcome.proposal.diff.rstrip("\n")))
    sentences = [outcome.message, *outcome.notes]
    if outcome.candidates:
        places = (
            f"candidate {number}: {file}:{candidate.line} ({candidate.distinction})"
            for number, candidate in enumerate(outcome.candidates, 1)
        )
        sentences.append("; ".join(places))
    return "\n".join(sentence for sentence in sentences if sentence)


def percent(similarity: float) -> str:
    """Return a similarity as text; only identical texts show as 100 %."""
    return f"{whole_percent(similarity)} %"


def _shown_range(session: Session, table: LineTable, places: Sequence[Span]) -> types.Range:
    """Return the range of a diagnostic: the first of `places` or, without one, the first line."""
    unit = session.client.unit
    if places:
        start, end = places[0]
        return range_of(table, (start, end), unit)
    start, end = table.content_span(0)
    return types.Range(start=position_of(table, start, unit), end=position_of(table, end, unit))
