"""What can be decided about a change, and what is lost most easily by it."""

from __future__ import annotations

from enum import Enum


class Decision(str, Enum):
    """What becomes of a change, before it is written or after; the values are the protocol's."""

    KEEP = "keep"
    """It stays or, of a preview, is applied."""
    TAKE_BACK = "takeBack"
    """It is reverted or, of a preview, neither applied nor pending."""
    OPEN = "open"
    """Nobody has decided; of a preview, it is not applied, and stays pending."""


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
