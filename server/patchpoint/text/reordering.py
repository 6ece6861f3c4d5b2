"""A warning for an edit that brings bidirectional controls into a file that had none."""

from __future__ import annotations

from collections.abc import Iterable

from patchpoint.text.shown import reorders

WARNING = (
    "It brings characters into the file that change the order in which text is shown: what you see there is "
    "not what a compiler reads (Trojan Source)."
)


def reordering_notes(before: str, written: Iterable[str]) -> tuple[str, ...]:
    """Return the warning if a text in `written` has bidirectional controls, and the file `before` none."""
    return (WARNING,) if any(map(reorders, written)) and not reorders(before) else ()
