"""Code actions: for pending edits where they are shown, and for checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from patchpoint.lsp.convert import answer_range, span_of
from patchpoint.lsp.decode import encode
from patchpoint.lsp.diagnostics import SOURCE, code_of, percent
from patchpoint.lsp.documents import Document
from patchpoint.lsp.edit_blocks import Block, Reading
from patchpoint.lsp.pending_edits import Look
from patchpoint.outcome import Candidate, Status
from patchpoint.text.lines import Span

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.language_server import PatchpointServer

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
CHECKPOINT = "source.patchpoint.checkpoint"
RESTORE = "source.patchpoint.restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One thing to offer: a command with its arguments, under a title."""

    title: str
    kind: str
    command: str
    arguments: dict[str, Any]
    edit: str = ""
    """The pending edit that it is about, if any."""
    preferred: bool = False


async def code_actions(
    session: PatchpointServer, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """What can be done at a place."""
    document = session.documents.find(params.text_document.uri)
    offers: list[Offer] = []
    if document is not None:
        span = span_of(document.table, params.range, session.client.unit)
        offers += _edits_at(session, document, span)
        reading = await session.blocks.current(document.uri)
        if reading is not None and reading.table is document.table:
            offers += _blocks_at(session, document, reading, span)
    offers += await _checkpoints(session, params.context)
    wanted = [offer for offer in offers if _is_wanted(offer.kind, params.context)]
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
        yield from _offers_for(look)


def _blocks_at(
    session: PatchpointServer, document: Document, reading: Reading, span: Span
) -> Iterator[Offer]:
    """What can be done with the edit blocks at a place, and with all of the document's."""
    touched = [block for block in reading.blocks if block.span[0] <= span[1] and span[0] <= block.span[1]]
    for block in touched:
        here = encode(answer_range(reading.table, block.span, session.client.unit))
        part = {"document": {"uri": document.uri, "range": here}}
        if block.outcome.status is Status.MATCHED:
            yield _block_offer("Apply this edit", "applyEdits", part, block)
        for number, candidate in enumerate(block.outcome.candidates, 1):
            yield Offer(
                title=_candidate_title(number, candidate),
                kind=QUICK_FIX,
                command="patchpoint.resolveEdit",
                arguments={"edit": block.id, "candidate": number},
                edit=block.id,
            )
        yield _block_offer("Preview this edit", "previewEdits", part, block)
        if code_of(block.outcome) is not None:
            yield _discard(block.id)
    if touched:
        whole: dict[str, Any] = {"document": {"uri": document.uri}}
        yield _block_offer("Apply all edits in this document", "applyEdits", whole)
        yield _block_offer("Apply the edits that match", "applyEdits", whole | {"atomic": "edit"})
        yield _block_offer("Preview all edits in this document", "previewEdits", whole)


def _block_offer(title: str, command: str, arguments: dict[str, Any], block: Block | None = None) -> Offer:
    edit = block.id if block is not None else ""
    return Offer(title=title, kind=REWRITE, command=f"patchpoint.{command}", arguments=arguments, edit=edit)


def _candidate_title(number: int, candidate: Candidate) -> str:
    likeness = f"{percent(candidate.similarity)} similar"
    return f"Apply the edit at candidate {number} (line {candidate.line}, {likeness})"


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


def _offers_for(look: Look) -> Iterator[Offer]:
    """Put it at each candidate, or where it now matches; or discard it."""
    name, outcome = look.pending.id, look.outcome
    if outcome.matched:
        yield Offer(
            title="Apply this edit",
            kind=QUICK_FIX,
            command="patchpoint.resolveEdit",
            arguments={"edit": name, "candidate": 1},
            edit=name,
            preferred=True,
        )
    else:
        for number, candidate in enumerate(outcome.candidates, 1):
            yield Offer(
                title=_candidate_title(number, candidate),
                kind=QUICK_FIX,
                command="patchpoint.resolveEdit",
                arguments={"edit": name, "candidate": number},
                edit=name,
            )
    yield _discard(name)


async def _checkpoints(session: PatchpointServer, context: types.CodeActionContext) -> list[Offer]:
    if not session.roots or not (_is_wanted(CHECKPOINT, context) or _is_wanted(RESTORE, context)):
        return []
    offers = [
        Offer(title="Take a checkpoint", kind=CHECKPOINT, command="patchpoint.takeCheckpoint", arguments={})
    ]
    newest = await _newest_checkpoint(session)
    if newest is not None:
        offers.append(
            Offer(
                title=f"Restore the workspace to the last checkpoint ({newest.label or newest.created_at})",
                kind=RESTORE,
                command="patchpoint.restoreCheckpoint",
                arguments={"checkpoint": newest.id},
            )
        )
    return offers


async def _newest_checkpoint(session: PatchpointServer) -> Checkpoint | None:
    from patchpoint.checkpoints.errors import CheckpointError
    from patchpoint.lsp.features.checkpoints import newest_checkpoint

    try:
        return await session.run(newest_checkpoint, session)
    except (CheckpointError, OSError) as error:
        session.trace_line(f"The checkpoints could not be listed: {error}")
        return None


def _is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether the client asked for this kind, or for a kind above it, or for no kind at all."""
    if context.only is None:
        return True
    return any(f"{kind}.".startswith(f"{_text(only)}.") or not _text(only) for only in context.only)


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))


def _action(
    session: PatchpointServer, offer: Offer, context: types.CodeActionContext
) -> types.CodeAction | types.Command:
    client = session.client
    command = types.Command(title=offer.title, command=offer.command, arguments=[offer.arguments])
    if not client.action_literals:
        return command
    lazy = "command" in client.action_resolve and client.action_data
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
        command=None if lazy else command,
        data={"command": offer.command, "arguments": offer.arguments} if client.action_data else None,
        tags=[types.CodeActionTag.LlmGenerated] if offer.edit and client.action_generated_tag else None,
    )


def _edit_of(diagnostic: types.Diagnostic) -> str | None:
    data = diagnostic.data
    return data.get("edit") if isinstance(data, dict) else getattr(data, "edit", None)
