"""What a request may cost: a number of characters that are compared, and no time, which differs each time."""

from __future__ import annotations

REQUEST_BUDGET = 600_000_000
"""The characters that are compared for one request: a few seconds. One edit has a budget of its own (see
`patchpoint.locate.ladder.Ladder`); this one bounds very many edits of a large file."""

SEARCHES = 8
"""A text is searched for equal text in so many places in the time in which one is compared with another."""
NAMED = 8
"""How much longer a character takes that is read for a place which an edit names."""
HELD = 16
"""How much longer a character takes where a file is held against code that may be all of it."""
PARSED = 64
"""How much longer a character takes where definitions are merged."""


class Effort:
    """The characters that may still be compared."""

    def __init__(self, budget: int = REQUEST_BUDGET) -> None:
        self._left = budget

    def spend(self, characters: int) -> None:
        """Note that so many characters are compared."""
        self._left -= characters

    @property
    def is_spent(self) -> bool:
        """Whether more was compared than may be: what was begun is finished, and nothing else is begun."""
        return self._left < 0
