"""What code actions offer: a command with its arguments, under a title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
CHECKPOINT = "source.patchpoint.checkpoint"
RESTORE = "source.patchpoint.restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One thing to offer."""

    title: str
    kind: str
    command: str
    arguments: dict[str, Any]
    edit: str = ""
    """The pending edit that it is about, if any."""
    preferred: bool = False
    not_now: str = ""
    """Why it cannot be done now, if it cannot."""


def is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether the client asked for this kind, or for a kind above it, or for no kind at all."""
    if context.only is None:
        return True
    return any(f"{kind}.".startswith(f"{_text(only)}.") or not _text(only) for only in context.only)


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))
