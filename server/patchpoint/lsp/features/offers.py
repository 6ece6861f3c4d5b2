"""Code actions and lenses as features offer them, and the form in which one client understands them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types

from patchpoint.dataclass import dataclass
from patchpoint.lsp.commands import AnyCommand
from patchpoint.lsp.pending.diagnostics import SOURCE
from patchpoint.lsp.session.client_capabilities import ClientCapabilities
from patchpoint.lsp.session.positions import range_of
from patchpoint.lsp.session.session import Session
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.shown import message, visible_line

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
CHECKPOINT = "source.patchpoint.checkpoint"
RESTORE = "source.patchpoint.restore"
REVERT = "source.patchpoint.revert"
REVIEW = "source.patchpoint.review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A command with its arguments, offered under a title as one kind of code action."""

    title: str
    kind: str
    command: AnyCommand
    arguments: dict[str, Any]
    edit: str = ""
    """Id of the pending edit or edit block that the offer concerns, if any."""
    hunk: str = ""
    """Id of the change of a review that it concerns, if any."""
    preferred: bool = False
    disabled: str = ""
    """Reason why the command cannot be executed now, if it cannot."""


def is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Return whether the client asked for `kind`, for a kind above it, or for no kind in particular."""
    if context.only is None:
        return True
    return any(f"{kind}.".startswith(f"{_text(only)}.") or not _text(only) for only in context.only)


def code_action_of(
    offer: Offer, client: ClientCapabilities, diagnostics: Sequence[types.Diagnostic]
) -> types.CodeAction | types.Command:
    """Return an offer in the form that the client understands, with those of `diagnostics` that it concerns.

    A client without literal code actions gets a bare command; one that resolves them later, data to do it by.
    """
    title = visible_line(offer.title)
    command = types.Command(title=title, command=offer.command.name, arguments=[offer.arguments])
    if not client.action_literals:
        return command
    if offer.disabled:
        disabled = types.CodeActionDisabled(reason=message(offer.disabled))
        return types.CodeAction(title=title, kind=offer.kind, disabled=disabled)
    fixed = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.source == SOURCE
        and (
            (offer.edit and _named(diagnostic, "edit") == offer.edit)
            or (offer.hunk and _named(diagnostic, "hunk") == offer.hunk)
        )
    ]
    data = {"command": offer.command.name, "arguments": offer.arguments}
    return types.CodeAction(
        title=title,
        kind=offer.kind,
        diagnostics=fixed or None,
        is_preferred=True if offer.preferred and client.action_preferred else None,
        command=None if client.action_resolve else command,
        data=data if client.action_resolve else None,
        tags=[types.CodeActionTag.LlmGenerated] if offer.edit and client.action_generated_tag else None,
    )


def lens_at(
    session: Session, table: LineTable, span: Span, title: str, command: AnyCommand, arguments: dict[str, Any]
) -> types.CodeLens:
    """Return a lens over the line on which `span` begins."""
    start = table.line_start(table.line_of(span[0]))
    return types.CodeLens(
        range=range_of(table, (start, start), session.client.unit),
        command=types.Command(title=title, command=command.name, arguments=[arguments]),
        data=arguments,
    )


def resolve_code_action(action: types.CodeAction) -> types.CodeAction:
    """Return `action` with the command that its data names; a complete action is returned unchanged."""
    data = action.data
    if isinstance(data, dict) and action.command is None and isinstance(data.get("command"), str):
        action.command = types.Command(
            title=action.title, command=data["command"], arguments=[data.get("arguments") or {}]
        )
    return action


def _named(diagnostic: types.Diagnostic, key: str) -> str | None:
    """Return the id that the data of a diagnostic have under `key`."""
    data = diagnostic.data
    return data.get(key) if isinstance(data, dict) else getattr(data, key, None)


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))
