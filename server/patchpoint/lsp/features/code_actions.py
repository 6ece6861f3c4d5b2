"""Code actions for pending edits and edit blocks; those for checkpoints come from `checkpoint_actions`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Malformed, Objection, Operation
from patchpoint.lsp.applying.planning import files_for_unnamed
from patchpoint.lsp.commands import (
    ACCEPT_PROPOSAL,
    APPLY_EDITS,
    COMPARE_EDIT,
    DISCARD_EDIT,
    PREVIEW_EDITS,
    RESOLVE_EDIT,
    AnyCommand,
)
from patchpoint.lsp.features.checkpoint_actions import checkpoint_offers
from patchpoint.lsp.features.offers import QUICK_FIX, REWRITE, Offer, code_action_of, is_wanted
from patchpoint.lsp.features.previewing.place import place_offers
from patchpoint.lsp.features.previewing.show import preview_offers
from patchpoint.lsp.features.reverting.revert_offers import revert_offers
from patchpoint.lsp.features.review import review_offers
from patchpoint.lsp.pending.diagnostics import code_of
from patchpoint.lsp.pending.edit_blocks import DocumentBlock, DocumentBlocks
from patchpoint.lsp.pending.pending_edits import PendingEvaluation
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import span_of
from patchpoint.outcome import Outcome, Proposal, Status
from patchpoint.patching.pending import ChangeStatus
from patchpoint.schema.decode import encode
from patchpoint.schema.edits import range_data
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer


_MOST_FILES = 8
"""Code is offered to be applied to no more files than this."""

_MOVED_ON = (ChangeStatus.MOVED_ON, ChangeStatus.MODIFIED_AND_MOVED_ON)


async def code_actions(
    session: PatchpointServer, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """Return the code actions at a range of a document, of the kinds that the client asked for."""
    document = session.documents.find(params.text_document.uri)
    is_menu = session.menus.is_opened(params)
    offers: list[Offer] = []
    span = (0, 0)
    if document is not None:
        span = span_of(document.table, params.range, session.client.unit)
        offers += _edits_at(session, document, params.range)
        found = await session.blocks.current(document.uri)
        if found is not None and found.table is document.table:
            offers += _blocks_at(session, document, found, span, anywhere=is_menu)
            offers += await _unplaced_at(session, document, found, span)
    if document is not None:
        offers += await review_offers(session, document, span, is_menu=is_menu)
        preview = session.previews.shown_in(document.uri)
        offers += preview_offers(document, preview, span) if preview is not None else []
        offers += place_offers(session, document, span) if is_menu else []
    if is_menu:
        offers += await checkpoint_offers(session, document, span, params.context)
        offers += revert_offers(session, params.context)
    shows_disabled = session.client.action_literals and session.client.action_disabled
    wanted = [
        offer
        for offer in offers
        if is_wanted(offer.kind, params.context) and (shows_disabled or not offer.disabled)
    ]
    return [code_action_of(offer, session.client, params.context.diagnostics) for offer in wanted]


def _edits_at(session: PatchpointServer, document: Document, place: types.Range) -> Iterator[Offer]:
    for evaluation in session.pending.for_document(document.uri):
        # The diagnostics of a document that is older than its file are where the file has the places.
        table = evaluation.table if document.is_outdated else document.table
        if evaluation.table is None or table is None:
            continue
        span = span_of(table, place, session.client.unit)
        if _touches(evaluation, span):
            yield from _offers_for(session, evaluation, span)


def _blocks_at(
    session: PatchpointServer, document: Document, found: DocumentBlocks, span: Span, *, anywhere: bool
) -> Iterator[Offer]:
    """Yield offers for the edit blocks at `span`, and there, or with `anywhere`, for all of the document."""
    touched = [block for block in found.blocks if block.span[0] <= span[1] and span[0] <= block.span[1]]
    for block in touched:
        here = encode(range_data(found.table, block.span, session.client.unit))
        part = {"document": {"uri": document.uri, "range": here}}
        if block.outcome.status is Status.MATCHED:
            apply = _block_offer("Apply this edit", APPLY_EDITS, part, block)
            # Editors list quick fixes first, and where there is a diagnostic, discarding the edit is one.
            yield apply if code_of(block.outcome) is None else replace(apply, kind=QUICK_FIX)
        if isinstance(block.edit, Edit) and block.edit.objection is not None:
            yield _insist(block, block.edit.objection, document, part)
        if block.outcome.is_lost and block.target is not None:
            yield _compare(block.id)
        if block.outcome.proposal is not None:
            yield _as_shown(block.id, block.outcome.proposal)
        if block.target is not None:
            yield from _at_candidates(session, block.id, block.edit, block.outcome, block.target)
        if block.outcome.status is not Status.MATCHED:
            why = block.outcome.message or "It does not match."
            yield _block_offer("Apply this edit", APPLY_EDITS, part, block, disabled=why)
        yield _block_offer("Preview this edit", PREVIEW_EDITS, part, block)
        if code_of(block.outcome) is not None:
            yield _discard(block.id)
    if touched or (anywhere and found.blocks):
        whole: dict[str, Any] = {"document": {"uri": document.uri}}
        yield _block_offer("Apply all edits in this document", APPLY_EDITS, whole)
        yield _block_offer("Apply the edits that match", APPLY_EDITS, whole | {"atomic": "edit"})
        yield _block_offer("Preview all edits in this document", PREVIEW_EDITS, whole)


def _insist(block: DocumentBlock, objection: Objection, document: Document, part: dict[str, Any]) -> Offer:
    """Return an offer to apply a block that the answer itself speaks against; of several ways, all of one."""
    whole = {"document": {"uri": document.uri}, "include": [objection.name]}
    asked = whole if objection.name else {**part, "include": [str(objection.line)]}
    title = f"Choose {objection.name}" if objection.name else "Apply this edit anyway"
    return replace(_block_offer(title, APPLY_EDITS, asked, block), kind=QUICK_FIX)


async def _unplaced_at(
    session: PatchpointServer, document: Document, found: DocumentBlocks, span: Span
) -> list[Offer]:
    """Return offers to apply the code at `span` that names no file to each file that may be meant.

    What is left alone there is offered as it is.
    """
    offers = []
    for one in found.unplaced:
        if not (one.span[0] <= span[1] and span[0] <= one.span[1]):
            continue
        here = encode(range_data(found.table, one.span, session.client.unit))
        part = {"document": {"uri": document.uri, "range": here}}
        if one.objection is not None:
            asked = {**part, "include": [str(one.line)]}
            offers.append(_block_offer("Apply this edit anyway", APPLY_EDITS, asked))
        if one.edit is None:
            continue
        for path in (await files_for_unnamed(session, one, document.uri))[:_MOST_FILES]:
            apply = _block_offer(f"Apply to {path}", APPLY_EDITS, part | {"file": path})
            offers += [replace(apply, kind=QUICK_FIX) if one.is_change else apply]
    return offers


def _block_offer(
    title: str,
    command: AnyCommand,
    arguments: dict[str, Any],
    block: DocumentBlock | None = None,
    disabled: str = "",
) -> Offer:
    return Offer(
        title=title,
        kind=REWRITE,
        command=command,
        arguments=arguments,
        edit=block.id if block is not None else "",
        disabled=disabled,
    )


def _at_candidates(
    session: PatchpointServer,
    name: str,
    edit: Edit | Malformed,
    outcome: Outcome,
    table: LineTable,
    near: Span | None = None,
) -> Iterator[Offer]:
    """Yield offers to merge an edit into each candidate; where it was not found, to replace lines whole.

    Those for the candidate nearest to the span `near` come first; its number stays what it is elsewhere.
    """
    numbered = list(enumerate(outcome.candidates, 1))
    if near is not None:
        numbered.sort(key=lambda each: _distance(each[1].span, near))
    for number, candidate in numbered:
        named = f"candidate {number} (line {candidate.line}, {candidate.distinction})"
        title = f"Apply the edit at {named}"
        if outcome.is_lost and not candidate.is_quoted:
            title = f"Preview the edit at {named}…"
        yield _at_place(session, name, title, number, table, candidate.span)
    if not outcome.is_lost or not isinstance(edit, Edit):
        return
    for number, candidate in numbered:
        if edit.operation is Operation.REPLACE and not candidate.is_quoted:
            title = f"Preview replacing {candidate.lines_named} with the edit's text…"
            offer = _at_place(session, name, title, number, table, candidate.span)
            yield replace(offer, arguments={**offer.arguments, "whole": True})


def _at_place(
    session: PatchpointServer, name: str, title: str, number: int, table: LineTable, span: Span
) -> Offer:
    """Return an offer to apply an edit at the range shown, and nowhere else should the file change first."""
    place = encode(range_data(table, span, session.client.unit))
    return Offer(
        title=title,
        kind=QUICK_FIX,
        command=RESOLVE_EDIT,
        arguments={"edit": name, "candidate": number, "range": place},
        edit=name,
    )


def _as_shown(name: str, proposal: Proposal) -> Offer:
    """Return an offer to make a proposed edit as the difference in its diagnostic shows it."""
    return Offer(
        title="Apply as shown",
        kind=QUICK_FIX,
        command=ACCEPT_PROPOSAL,
        arguments={"proposal": proposal.id},
        edit=name,
        preferred=True,
    )


def _discard(name: str) -> Offer:
    return Offer(
        title="Discard this edit",
        kind=QUICK_FIX,
        command=DISCARD_EDIT,
        arguments={"edit": name},
        edit=name,
    )


def _touches(evaluation: PendingEvaluation, span: Span) -> bool:
    places = [candidate.span for candidate in evaluation.outcome.candidates]
    if evaluation.outcome.span is not None:
        places.append(evaluation.outcome.span)
    if not places and evaluation.table is not None:
        places = [evaluation.table.content_span(0)]
    return any(start <= span[1] and span[0] <= end for start, end in places)


def _distance(one: Span, other: Span) -> int:
    """Return how many characters are between two spans."""
    return max(0, one[0] - other[1], other[0] - one[1])


def _offers_for(session: PatchpointServer, evaluation: PendingEvaluation, near: Span) -> Iterator[Offer]:
    """Yield offers to apply an edit where it matches or at a candidate, to discard or to compare it."""
    name, outcome = evaluation.pending.id, evaluation.outcome
    if outcome.proposal is not None:
        yield _as_shown(name, outcome.proposal)
    if outcome.is_lost:
        yield _compare(name)
    if outcome.matched and outcome.span is not None and evaluation.table is not None:
        apply = _at_place(session, name, "Apply this edit", 1, evaluation.table, outcome.span)
        yield replace(apply, preferred=True)
    elif outcome.matched:
        yield Offer(
            title="Apply this edit",
            kind=QUICK_FIX,
            command=RESOLVE_EDIT,
            arguments={"edit": name, "candidate": 1},
            edit=name,
            preferred=True,
        )
    elif evaluation.table is not None:
        yield from _at_candidates(session, name, evaluation.pending.edit, outcome, evaluation.table, near)
    yield _discard(name)
    if outcome.status is Status.CONFLICT or (not outcome.is_lost and evaluation.changes in _MOVED_ON):
        yield _compare(name)


def _compare(name: str) -> Offer:
    return Offer(
        title="Compare what the model quoted with what the file has and what the model wants",
        kind=QUICK_FIX,
        command=COMPARE_EDIT,
        arguments={"edit": name},
        edit=name,
    )
