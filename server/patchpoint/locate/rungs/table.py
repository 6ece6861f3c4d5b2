"""The table of the ladder: one row for each rung, strictest first. The ladder and the documentation use it.

A new rung is a name in `patchpoint.outcome.Rung`, a module here and a row below, in the same place.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache

from patchpoint.dataclass import dataclass
from patchpoint.locate.rungs.exact import find_exact
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung

Finder = Callable[[SourceText, Quote, SearchLimit], list[Find]]
"""Returns the places of the search text in the text, in order, as many as the limit allows."""


class AppliedCheck(Enum):
    """When the ladder checks whether the replacement is in the text already."""

    NEVER = "never"
    BEFORE = "before"
    """Before the rung, whether or not the rung may be used."""
    AFTER = "after"
    """When the rung has found something, and then only for the replacement as it was written."""
    AROUND = "around"
    """When the rung has found something, for what is only added around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RungRow:
    """One rung: its name in the protocol, its function, and what it tolerates."""

    rung: Rung
    find: Finder | None
    """`None` for similarity, which weighs rivals and has a budget: `patchpoint.locate.ladder` runs it; and
    for structure, which has no search text to find: `patchpoint.patching.shown.code` runs it."""
    tolerates: str
    """A phrase for the documentation."""
    whole_text: bool = True
    """Whether it compares whole text, so that replacing every find, or relying on an anchor, is safe."""
    applied_check: AppliedCheck = AppliedCheck.NEVER


def _on(rung: Rung) -> Finder:
    """Return the function of a rung whose module is loaded when a search text first gets there."""
    return lambda source, quote, limit: _loaded(rung)(source, quote, limit)


@cache
def _loaded(rung: Rung) -> Finder:
    # Most search texts are found by the first rung, and the others need not be loaded.
    if rung is Rung.WHITESPACE:
        from patchpoint.locate.rungs.line_blocks import find_whitespace as found
    elif rung is Rung.INDENTATION:
        from patchpoint.locate.rungs.line_blocks import find_indentation as found
    elif rung is Rung.UNICODE:
        from patchpoint.locate.rungs.lookalikes import find_unicode as found
    elif rung is Rung.QUOTES:
        from patchpoint.locate.rungs.quotes import find_quotes as found
    elif rung is Rung.TRANSCRIPTION:
        from patchpoint.locate.rungs.transcription import find_transcription as found
    elif rung is Rung.ELISION:
        from patchpoint.locate.rungs.elision import find_elision as found
    else:
        from patchpoint.locate.rungs.tokens import find_tokens as found
    return found


RUNGS: tuple[RungRow, ...] = (
    RungRow(
        rung=Rung.EXACT,
        find=find_exact,
        tolerates="nothing but other line endings",
        applied_check=AppliedCheck.AROUND,
    ),
    RungRow(
        rung=Rung.WHITESPACE,
        find=_on(Rung.WHITESPACE),
        tolerates="white space at the ends of lines, and more or fewer blank lines",
    ),
    RungRow(
        rung=Rung.INDENTATION,
        find=_on(Rung.INDENTATION),
        tolerates="another depth of indentation, tabs for spaces, an unindented first line",
        applied_check=AppliedCheck.AFTER,
    ),
    RungRow(
        rung=Rung.UNICODE,
        find=_on(Rung.UNICODE),
        tolerates="characters that look alike: quotes, dashes, spaces, ellipses, composed letters",
        applied_check=AppliedCheck.AROUND,
    ),
    RungRow(
        rung=Rung.QUOTES,
        find=_on(Rung.QUOTES),
        tolerates="the other kind of quotation marks, `'` for `\"` and back",
        applied_check=AppliedCheck.AROUND,
    ),
    RungRow(
        rung=Rung.TRANSCRIPTION,
        find=_on(Rung.TRANSCRIPTION),
        tolerates="noise of copying: fences, line numbers, quote marks, HTML entities, doubled escapes",
    ),
    RungRow(
        rung=Rung.ELISION,
        find=_on(Rung.ELISION),
        tolerates="lines left out and marked by `...`, where the replacement marks them too",
        whole_text=False,
    ),
    RungRow(
        rung=Rung.TOKENS,
        find=_on(Rung.TOKENS),
        tolerates="other line breaks and spacing between the same tokens, as a formatter makes them",
        applied_check=AppliedCheck.BEFORE,
    ),
    RungRow(
        rung=Rung.STRUCTURE,
        find=None,
        tolerates="no search text at all: definitions shown by themselves are found by their names",
        whole_text=False,
    ),
    RungRow(
        rung=Rung.SIMILARITY,
        find=None,
        tolerates="reworded, missing and invented lines, where no other place is nearly as similar",
        whole_text=False,
    ),
)
"""Strictest first; the order is that of `Rung`."""

STRICTNESS: dict[Rung, int] = {row.rung: number for number, row in enumerate(RUNGS)}
"""The position of each rung on the ladder, 0 being the strictest."""
