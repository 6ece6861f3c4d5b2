"""Code lenses: over edit blocks, and over chat messages with a checkpoint before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.edit import Edit
from patchpoint.lsp.applying.chat_documents import Message, messages_of
from patchpoint.lsp.commands import APPLY_EDITS, PREVIEW_EDITS, RESTORE_CHECKPOINT
from patchpoint.lsp.features.offers import lens_at
from patchpoint.lsp.features.previewing.show import preview_lenses
from patchpoint.lsp.features.review import review_lenses
from patchpoint.lsp.pending.diagnostics import percent
from patchpoint.lsp.pending.edit_blocks import DocumentBlock, DocumentBlocks
from patchpoint.outcome import Rung, Status
from patchpoint.schema.decode import encode
from patchpoint.schema.edits import range_data
from patchpoint.schema.uris import document_key

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer


async def code_lenses(session: PatchpointServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Return the lenses of a document; `None` when it is not open or cannot have edit blocks."""
    if not session.settings.code_lens:
        return []
    document = session.documents.find(params.text_document.uri)
    preview = session.previews.shown_in(params.text_document.uri)
    if preview is not None and document is not None:
        return preview_lenses(session, document, preview)
    found = await session.blocks.current(params.text_document.uri)
    document = session.documents.find(params.text_document.uri)
    if found is None or document is None:
        return None
    lenses = [lens for block in found.blocks for lens in _over_block(session, document.uri, found, block)]
    for message in await restore_points(session, document.uri, found.table.text):
        anchor = {"session": document.uri, "message": message.name}
        title = "Restore to here"
        lenses.append(lens_at(session, found.table, message.span, title, RESTORE_CHECKPOINT, anchor))
    return lenses + await review_lenses(session, document)


async def restore_points(session: PatchpointServer, uri: str, text: str) -> list[Message]:
    """Return the messages of a chat document that have a checkpoint before them."""
    key = document_key(uri)
    listings = (await session.checkpoints.current()).values()
    own = {
        one.message
        for listing in listings
        for one in listing.checkpoints
        if one.session is not None and document_key(one.session) == key
    }
    if not own:
        return []
    return [message for message in await session.run(messages_of, text) if message.name in own]


def _over_block(
    session: PatchpointServer, uri: str, found: DocumentBlocks, block: DocumentBlock
) -> Iterator[types.CodeLens]:
    """Yield the lenses of an edit block: its commands where it matches, else its status."""
    here = {
        "document": {
            "uri": uri,
            "range": encode(range_data(found.table, block.span, session.client.unit)),
        }
    }
    status = block.outcome.status
    if status is Status.MATCHED:
        yield lens_at(session, found.table, block.span, _apply_title(block), APPLY_EDITS, here)
        yield lens_at(session, found.table, block.span, "Preview", PREVIEW_EDITS, here)
    else:
        yield lens_at(session, found.table, block.span, _titles(block)[status], PREVIEW_EDITS, here)


def _apply_title(block: DocumentBlock) -> str:
    outcome = block.outcome
    if outcome.rung in (None, Rung.EXACT):
        return "Apply"
    if outcome.rung is Rung.SIMILARITY and outcome.similarity is not None:
        return f"Apply ({percent(outcome.similarity)} similar)"
    return f"Apply (found by {outcome.rung.value})"


def _titles(block: DocumentBlock) -> dict[Status, str]:
    objection = block.edit.objection if isinstance(block.edit, Edit) else None
    refused = "Refused" if objection is None else "Withdrawn by the answer"
    return {
        Status.ALREADY_APPLIED: "Applied",
        Status.APPLIED: "Applied",
        Status.AMBIGUOUS: f"Ambiguous: {len(block.outcome.candidates)} places",
        Status.NOT_FOUND: "Not found",
        Status.PROPOSED: "Proposed",
        Status.CONFLICT: "Conflicts with another edit",
        Status.REJECTED: f"One of several ways: {objection.name}"
        if objection and objection.name
        else refused,
        Status.MALFORMED: "Cannot be read",
        Status.HELD: "Held back",
    }
