"""The table of the ladder: one row for each rung, strictest first. The ladder and the documentation use it.

A new rung is a name in `patchpoint.outcome.Rung`, a module here and a row below, in the same place.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from patchpoint.dataclass import dataclass
from patchpoint.locate.rungs.exact import find_exact
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung

Finder = Callable[[SourceText, Quote, SearchLimit], list[Find]]
"""Returns the places of the search text in the text, in order, as many as the limit allows."""


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


MODULES = {
    Rung.WHITESPACE: ("line_blocks", "find_whitespace"),
    Rung.INDENTATION: ("line_blocks", "find_indentation"),
    Rung.UNICODE: ("lookalikes", "find_unicode"),
    Rung.QUOTES: ("lookalikes", "find_quotes"),
    Rung.TRANSCRIPTION: ("transcription", "find_transcription"),
    Rung.ELISION: ("elision", "find_elision"),
    Rung.TOKENS: ("tokens", "find_tokens"),
}
"""Of the rungs that are loaded when they are needed, the module and the function."""


def _on(rung: Rung) -> Finder:
    """Return the function of a rung whose module is loaded when a search text first gets there.

    Most search texts are found by the first rung, and the others need not be loaded.
    """
    module, name = MODULES[rung]

    def find(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
        finder: Finder = getattr(import_module(f"patchpoint.locate.rungs.{module}"), name)
        return finder(source, quote, limit)

    return find


RUNGS: tuple[RungRow, ...] = (
    RungRow(rung=Rung.EXACT, find=find_exact, tolerates="nothing but other line endings"),
    RungRow(
        rung=Rung.WHITESPACE,
        find=_on(Rung.WHITESPACE),
        tolerates="white space at the ends of lines, and more or fewer blank lines",
    ),
    RungRow(
        rung=Rung.INDENTATION,
        find=_on(Rung.INDENTATION),
        tolerates="another depth of indentation, tabs for spaces, an unindented first line",
    ),
    RungRow(
        rung=Rung.UNICODE,
        find=_on(Rung.UNICODE),
        tolerates="characters that look alike: quotes, dashes, spaces, ellipses, composed letters",
    ),
    RungRow(
        rung=Rung.QUOTES,
        find=_on(Rung.QUOTES),
        tolerates="the other kind of quotation marks, `'` for `\"` and back",
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
