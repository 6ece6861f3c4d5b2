"""Code actions: for pending edits where they are shown, and for checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.lsp.convert import answer_range, span_of
from patchpoint.lsp.decode import encode
from patchpoint.lsp.diagnostics import SOURCE, code_of, percent
from patchpoint.lsp.documents import Document
from patchpoint.lsp.edit_blocks import Block, Reading
from patchpoint.lsp.features.checkpoint_actions import checkpoint_offers
from patchpoint.lsp.features.offers import QUICK_FIX, REWRITE, Offer, is_wanted
from patchpoint.lsp.pending_edits import Look
from patchpoint.outcome import Outcome, Status
from patchpoint.pending import ChangeStatus
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer


_MOVED_ON = (ChangeStatus.MOVED_ON, ChangeStatus.MODIFIED_AND_MOVED_ON)


async def code_actions(
    session: PatchpointServer, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """What can be done at a place."""
    document = session.documents.find(params.text_document.uri)
    offers: list[Offer] = []
    span = (0, 0)
    if document is not None:
        span = span_of(document.table, params.range, session.client.unit)
        offers += _edits_at(session, document, span)
        reading = await session.blocks.current(document.uri)
        if reading is not None and reading.table is document.table:
            offers += _blocks_at(session, document, reading, span)
    offers += await checkpoint_offers(session, document, span, params.context)
    can_tell_why_not = session.client.action_literals and session.client.action_disabled
    wanted = [
        offer
        for offer in offers
        if is_wanted(offer.kind, params.context) and (can_tell_why_not or not offer.not_now)
    ]
    return [_action(session, offer, params.context) for offer in wanted]


def resolve_code_action(action: types.CodeAction) -> types.CodeAction:
    """Fill in what was left for later; an action that is whole is answered as it is."""
    data = action.data
    if isinstance(data, dict) and action.command is None and isinstance(data.get("command"), str):
        action.command = types.Command(
            title=action.title, command=data["command"], arguments=[data.get("arguments") or {}]
        )
    return action


def _edits_at(session: PatchpointServer, document: Document, span: Span) -> Iterator[Offer]:
    for look in session.pending.at(document.uri):
        if look.table is None or not _touches(look, span):
            continue
        yield from _offers_for(session, look)


def _blocks_at(
    session: PatchpointServer, document: Document, reading: Reading, span: Span
) -> Iterator[Offer]:
    """What can be done with the edit blocks at a place, and with all of the document's."""
    touched = [block for block in reading.blocks if block.span[0] <= span[1] and span[0] <= block.span[1]]
    for block in touched:
        here = encode(answer_range(reading.table, block.span, session.client.unit))
        part = {"document": {"uri": document.uri, "range": here}}
        if block.outcome.status is Status.MATCHED:
            apply = _block_offer("Apply this edit", "applyEdits", part, block)
            # Editors put quick fixes first, and with a diagnostic there discarding the edit is one.
            yield apply if code_of(block.outcome) is None else replace(apply, kind=QUICK_FIX)
        if block.target is not None:
            yield from _at_candidates(session, block.id, block.outcome, block.target)
        if block.outcome.status is not Status.MATCHED:
            why = block.outcome.message or "It does not match."
            yield _block_offer("Apply this edit", "applyEdits", part, block, not_now=why)
        yield _block_offer("Preview this edit", "previewEdits", part, block)
        if code_of(block.outcome) is not None:
            yield _discard(block.id)
    if touched:
        whole: dict[str, Any] = {"document": {"uri": document.uri}}
        yield _block_offer("Apply all edits in this document", "applyEdits", whole)
        yield _block_offer("Apply the edits that match", "applyEdits", whole | {"atomic": "edit"})
        yield _block_offer("Preview all edits in this document", "previewEdits", whole)


def _block_offer(
    title: str, command: str, arguments: dict[str, Any], block: Block | None = None, not_now: str = ""
) -> Offer:
    return Offer(
        title=title,
        kind=REWRITE,
        command=f"patchpoint.{command}",
        arguments=arguments,
        edit=block.id if block is not None else "",
        not_now=not_now,
    )


def _at_candidates(
    session: PatchpointServer, name: str, outcome: Outcome, table: LineTable
) -> Iterator[Offer]:
    for number, candidate in enumerate(outcome.candidates, 1):
        likeness = f"{percent(candidate.similarity)} similar"
        title = f"Apply the edit at candidate {number} (line {candidate.line}, {likeness})"
        yield _at_place(session, name, title, number, table, candidate.span)


def _at_place(
    session: PatchpointServer, name: str, title: str, number: int, table: LineTable, span: Span
) -> Offer:
    """Put an edit where it is shown, and nowhere else should the file change before that is chosen."""
    place = encode(answer_range(table, span, session.client.unit))
    return Offer(
        title=title,
        kind=QUICK_FIX,
        command="patchpoint.resolveEdit",
        arguments={"edit": name, "candidate": number, "range": place},
        edit=name,
    )


def _discard(name: str) -> Offer:
    return Offer(
        title="Discard this edit",
        kind=QUICK_FIX,
        command="patchpoint.discardEdit",
        arguments={"edit": name},
        edit=name,
    )


def _touches(look: Look, span: Span) -> bool:
    places = [candidate.span for candidate in look.outcome.candidates]
    if look.outcome.span is not None:
        places.append(look.outcome.span)
    if not places and look.table is not None:
        places = [look.table.content_span(0)]
    return any(start <= span[1] and span[0] <= end for start, end in places)


def _offers_for(session: PatchpointServer, look: Look) -> Iterator[Offer]:
    """Put it at each candidate, or where it now matches; or discard it."""
    name, outcome = look.pending.id, look.outcome
    if outcome.matched and outcome.span is not None and look.table is not None:
        apply = _at_place(session, name, "Apply this edit", 1, look.table, outcome.span)
        yield replace(apply, preferred=True)
    elif outcome.matched:
        yield Offer(
            title="Apply this edit",
            kind=QUICK_FIX,
            command="patchpoint.resolveEdit",
            arguments={"edit": name, "candidate": 1},
            edit=name,
            preferred=True,
        )
    elif look.table is not None:
        yield from _at_candidates(session, name, outcome, look.table)
    yield _discard(name)
    if outcome.status in (Status.CONFLICT, Status.NOT_FOUND) or look.changes in _MOVED_ON:
        yield Offer(
            title="Compare what the model quoted, what the file has and what is wanted there",
            kind=QUICK_FIX,
            command="patchpoint.compareEdit",
            arguments={"edit": name},
            edit=name,
        )


def _action(
    session: PatchpointServer, offer: Offer, context: types.CodeActionContext
) -> types.CodeAction | types.Command:
    client = session.client
    command = types.Command(title=offer.title, command=offer.command, arguments=[offer.arguments])
    if not client.action_literals:
        return command
    if offer.not_now:
        disabled = types.CodeActionDisabled(reason=offer.not_now)
        return types.CodeAction(title=offer.title, kind=offer.kind, disabled=disabled)
    shown = [
        diagnostic
        for diagnostic in context.diagnostics
        if offer.edit and diagnostic.source == SOURCE and _edit_of(diagnostic) == offer.edit
    ]
    return types.CodeAction(
        title=offer.title,
        kind=offer.kind,
        diagnostics=shown or None,
        is_preferred=True if offer.preferred and client.action_preferred else None,
        command=None if client.action_resolve else command,
        data={"command": offer.command, "arguments": offer.arguments} if client.action_resolve else None,
        tags=[types.CodeActionTag.LlmGenerated] if offer.edit and client.action_generated_tag else None,
    )


def _edit_of(diagnostic: types.Diagnostic) -> str | None:
    data = diagnostic.data
    return data.get("edit") if isinstance(data, dict) else getattr(data, "edit", None)
