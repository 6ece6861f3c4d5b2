"""What can be decided about a change, and what is lost most easily by it."""

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


class Risk(str, Enum):
    """What is lost most easily by a change, the worst first; the values are the protocol's."""

    UNPARSABLE = "unparsable"
    """The file parsed before it, and does not with it."""
    DELETED = "deleted"
    """The file is gone."""
    REMOVED = "removed"
    """It only removes lines."""


NO_LONGER_PARSES = "the file no longer parses"
"""What is said of a change that is `UNPARSABLE`; the other risks are seen."""
