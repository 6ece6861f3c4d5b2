"""Code actions that revert what was applied lately, by name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.lsp.commands import REVERT_EDITS
from patchpoint.lsp.features.offers import REVERT, Offer, is_wanted
from patchpoint.wording import answer_named

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer

_NEWEST_OFFERED = 3
"""Number of applications offered to be reverted."""


def revert_offers(session: PatchpointServer, context: types.CodeActionContext) -> Iterator[Offer]:
    """Yield offers to revert the newest applications, each called by its time and size."""
    if not is_wanted(REVERT, context):
        return
    now = datetime.now().astimezone()
    known = [one for one in session.applications.known() if one.is_revertible]
    for one in known[:_NEWEST_OFFERED]:
        name = answer_named(one.origin.name, one.created_at, now, len(one.edits), len(one.changed()))
        yield Offer(
            title=f"Revert: {name}",
            kind=REVERT,
            command=REVERT_EDITS,
            arguments={"application": one.id},
        )
