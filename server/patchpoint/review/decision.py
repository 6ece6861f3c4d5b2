"""What can be decided about a change."""

from __future__ import annotations

from enum import Enum


class Decision(str, Enum):
    """What becomes of a change; the values are the protocol's."""

    KEEP = "keep"
    TAKE_BACK = "takeBack"
    OPEN = "open"


class PreviewDecision(str, Enum):
    """What becomes of an edit or a hunk of a preview; the values are the protocol's."""

    KEEP = "keep"
    DROP = "drop"
    """It is not applied, and stays pending."""
    DISCARD = "discard"
    """It is not applied, and does not stay pending."""
