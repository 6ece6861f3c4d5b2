"""Putting an edit that was not found at a place that a person points to."""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.lsp.commands import PLACE_EDIT, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.offers import QUICK_FIX, Offer
from patchpoint.lsp.features.pending import rest_request
from patchpoint.lsp.features.previewing.preview import preview_request
from patchpoint.lsp.language_server import PatchpointServer
from patchpoint.lsp.pending.pending_edits import uri_of_file
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import span_of
from patchpoint.lsp.session.progress import Work
from patchpoint.patching.named.pointed import PUT_WHOLE, lines_pointed_at, put_at
from patchpoint.schema import requests, responses
from patchpoint.schema.decode import encode
from patchpoint.schema.edits import range_data
from patchpoint.schema.uris import name_of
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.shown import visible_line

_LONGEST = 40
"""Characters of an edit that name it in a menu."""


@handles(PLACE_EDIT)
async def place_edit(
    session: PatchpointServer, params: requests.PlaceEdit, work: Work
) -> responses.EditsResult:
    """Preview the replacement of an edit at a place in its file, for the user to apply.

    It is put there whole, and never merged with what is there. Raises `RequestFailed` where the edit has a
    place of its own, and where its file is not open.
    """
    pending = await session.find_edit(params.edit)
    uri = uri_of_file(pending.file)
    document = session.documents.find(uri)
    if document is None:
        raise RequestFailed("not-open", f"{name_of(uri)} is not open; open it and point to a place in it.")
    if pending.edit.operation not in PUT_WHOLE or pending.edit.splits:
        raise RequestFailed(
            "no-replacement",
            "The edit does not say what to write at a single place, so it cannot be put at one.",
        )
    evaluation = await session.pending.evaluate(pending)
    if not evaluation.outcome.is_lost:
        raise RequestFailed(
            "not-lost", f"The edit already has a place: {evaluation.outcome.message} Apply or discard it."
        )
    table = document.table
    lines = lines_pointed_at(table, span_of(table, params.range, session.client.unit))
    edit = put_at(table, lines, pending.edit)
    request = await rest_request(session, pending, replace(edit, path=pending.file), table.text)
    return await preview_request(session, request, work, is_shown=not params.previewed)


def place_offers(session: PatchpointServer, document: Document, span: Span) -> list[Offer]:
    """Return offers to put the edits of a document that were not found at `span`."""
    lines = lines_pointed_at(document.table, span)
    here = encode(range_data(document.table, lines, session.client.unit))
    return [
        Offer(
            title=f"Put the edit {_named(edit)} {_place_named(document.table, lines)}…",
            kind=QUICK_FIX,
            command=PLACE_EDIT,
            arguments={"edit": name, "range": here},
            edit=name,
        )
        for name, edit in _lost(session, document.uri).items()
    ]


def _lost(session: PatchpointServer, uri: str) -> dict[str, Edit]:
    """Return the edits of a file that were not found, by id: those that wait, and those in open answers."""
    found: dict[str, Edit] = {}
    for one in session.pending.for_document(uri):
        if one.outcome.is_lost:
            found[one.pending.id] = one.pending.edit
    for block in session.blocks.for_target(uri):
        if block.outcome.is_lost and isinstance(block.edit, Edit):
            found.setdefault(block.id, block.edit)
    return {name: edit for name, edit in found.items() if edit.operation in PUT_WHOLE and not edit.splits}


def _named(edit: Edit) -> str:
    """Return the first words of an edit, to tell it from others."""
    lines = [line.strip() for line in (edit.search or edit.replace).splitlines() if line.strip()]
    words = visible_line(lines[0]) if lines else ""
    return f"“{words[: _LONGEST - 1]}…”" if len(words) > _LONGEST else f"“{words}”"


def _place_named(table: LineTable, lines: Span) -> str:
    first = table.line_of(lines[0]) + 1
    if lines[0] == lines[1]:
        return f"above line {first}"
    last = table.line_of(lines[1] - 1) + 1
    return f"in place of line {first}" if first == last else f"in place of lines {first} to {last}"
