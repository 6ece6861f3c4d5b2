"""Which requests for code actions come from a menu that a person opened, and which are made in passing."""

from __future__ import annotations

import time
from collections.abc import Callable

from lsprotocol import types

_BURST_S = 5.0
"""Seconds between two requests up to which they may both follow the cursor; people open menus less often."""

_FIRST = 2
"""Requests of a burst that may still be a person's."""


class Menus:
    """Tells the requests of a menu from those that follow the cursor, for a light bulb or a side line.

    A client that sends no `triggerKind` is judged by what it does: where requests for one place after the
    other come in quick succession, they follow the cursor. One for the same place again is a person's, who
    now opens the menu.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._place: object = None
        self._time = float("-inf")
        self._count = 0

    def is_opened(self, params: types.CodeActionParams) -> bool:
        """Return whether somebody opened a menu, or asked for actions of one kind."""
        context = params.context
        if context.only is not None or context.trigger_kind is types.CodeActionTriggerKind.Invoked:
            return True
        if context.trigger_kind is not None:
            return False
        start, end = params.range.start, params.range.end
        place = (params.text_document.uri, start.line, start.character, end.line, end.character)
        now = self._clock()
        again, self._place = place == self._place, place
        self._count = self._count + 1 if now - self._time <= _BURST_S else 1
        self._time = now
        return again or self._count <= _FIRST
