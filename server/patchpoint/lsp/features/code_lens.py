"""Lenses over edit blocks, and over chat messages that a checkpoint precedes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.lsp.chat_documents import Message, messages_of
from patchpoint.lsp.convert import answer_range, range_of
from patchpoint.lsp.decode import encode
from patchpoint.lsp.diagnostics import percent
from patchpoint.lsp.edit_blocks import Block, Reading
from patchpoint.lsp.uris import document_key
from patchpoint.outcome import Rung, Status
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer


async def code_lenses(session: PatchpointServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """The lenses of a document."""
    if not session.settings.code_lens:
        return []
    reading = await session.blocks.current(params.text_document.uri)
    document = session.documents.find(params.text_document.uri)
    if reading is None or document is None:
        return None
    lenses = [lens for block in reading.blocks for lens in _over_block(session, document.uri, reading, block)]
    for message in await restore_points(session, document.uri, reading.table.text):
        anchor = {"session": document.uri, "message": message.name}
        title = "Restore to here"
        lenses.append(_lens(session, reading.table, message.span, title, "restoreCheckpoint", anchor))
    return lenses


async def restore_points(session: PatchpointServer, uri: str, text: str) -> list[Message]:
    """The messages of a chat document that a checkpoint precedes."""
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
    session: PatchpointServer, uri: str, reading: Reading, block: Block
) -> Iterator[types.CodeLens]:
    """What became of it, or what can be done with it."""
    here = {
        "document": {
            "uri": uri,
            "range": encode(answer_range(reading.table, block.span, session.client.unit)),
        }
    }
    status = block.outcome.status
    if status is Status.MATCHED:
        yield _lens(session, reading.table, block.span, _apply_title(block), "applyEdits", here)
        yield _lens(session, reading.table, block.span, "Preview", "previewEdits", here)
    else:
        yield _lens(session, reading.table, block.span, _titles(block)[status], "previewEdits", here)


def _apply_title(block: Block) -> str:
    outcome = block.outcome
    if outcome.rung in (None, Rung.EXACT):
        return "Apply"
    if outcome.rung is Rung.SIMILARITY and outcome.similarity is not None:
        return f"Apply ({percent(outcome.similarity)} similar)"
    return f"Apply (found by {outcome.rung.value})"


def _titles(block: Block) -> dict[Status, str]:
    return {
        Status.ALREADY_APPLIED: "Applied",
        Status.APPLIED: "Applied",
        Status.AMBIGUOUS: f"Ambiguous: {len(block.outcome.candidates)} places",
        Status.NOT_FOUND: "Not found",
        Status.CONFLICT: "In conflict with another edit",
        Status.REJECTED: "Refused",
        Status.MALFORMED: "Cannot be read",
        Status.HELD: "Held back",
    }


def _lens(
    session: PatchpointServer,
    table: LineTable,
    span: Span,
    title: str,
    command: str,
    arguments: dict[str, Any],
) -> types.CodeLens:
    start = table.line_start(table.line_of(span[0]))
    return types.CodeLens(
        range=range_of(table, (start, start), session.client.unit),
        command=types.Command(title=title, command=f"patchpoint.{command}", arguments=[arguments]),
        data=arguments,
    )
