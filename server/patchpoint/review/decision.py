"""What can be decided about a change."""

from __future__ import annotations

from enum import Enum


class Decision(str, Enum):
    """What becomes of a change; the values are the protocol's."""

    KEEP = "keep"
    TAKE_BACK = "takeBack"
    OPEN = "open"
