"""A definition that a search text quotes as a whole, and whose body in the file is another one by now.

Its name says which one is meant. The replacement takes its place whole, so that lines go which nobody quoted:
that is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.edit import Target, TargetKind
from patchpoint.locate.alignment import line_similarity
from patchpoint.locate.effort import NAMED
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote
from patchpoint.patching.named.definition import definition_named, definitions_of_part, with_definition
from patchpoint.patching.named.unplaced import Placed, UnplacedError
from patchpoint.structure.lazy.definition import Definition, indentation_of
from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends

LEAST_IN_COMMON = 0.3
"""The least share of the lines below the head, of the search text or of the replacement, that resemble a line
of the file's body. Of seven edits of definitions that have it, six are right, and of six others two."""

ALIKE = 0.6
"""So similar is a line to one that it resembles."""

MOST_LINES = 400
"""A definition with more lines is not compared."""


def with_quoted_definition(source: SourceText, path: str, quote: Quote) -> tuple[Target, Placed] | None:
    """Return the definition that both texts are, and the lines with it replaced; `None` if there is none.

    Both texts are the whole of one definition with the same name, which the file has once and with the head
    that is quoted. Nothing that is defined within it may go that the search text does not quote, and it is no
    class: what nobody quoted of that are members.
    """
    if len(source.plain) > MAX_CHARACTERS or len(quote.solid) < 2:
        return None
    old, new = (_only_definition(lines, path) for lines in (quote.search_lines, quote.replace_lines))
    if old is None or new is None or old.name != new.name:
        return None
    source.effort.spend(NAMED * len(source.plain))
    target = Target(kind=TargetKind.DEFINITION, name=old.name)
    try:
        _, own = definition_named(source.lines, path, target)
        placed = with_definition(source.lines, path, target, quote.replace_lines)
    except UnplacedError:
        return None
    head = without_blank_ends(quote.search_lines)[old.start].strip()
    is_known = {*old.names(), *new.names()}.issuperset(own.names())
    if own.is_container or source.stripped[own.start] != head or not is_known:
        return None
    bodies = quote.solid_lines[1:], [line.strip() for line in quote.replace_lines if line.strip()][1:]
    return (target, placed) if any(_resembles(source, own, one) for one in bodies) else None


def _only_definition(lines: Sequence[str], path: str) -> Definition | None:
    """Return the definition that lines are the whole of; `None` if they are not one."""
    whole = without_blank_ends(lines)
    if not whole or len(lines) > MOST_LINES:
        return None
    head = min(range(len(whole)), key=lambda row: (not whole[row].strip(), len(indentation_of(whole[row]))))
    every = (each for syntax in syntaxes_of(path) for each in definitions_of_part(whole, syntax, head))
    return next((each for each in every if (each.lead, each.end) == (0, len(whole))), None)


def _resembles(source: SourceText, own: Definition, body: Sequence[str]) -> bool:
    """Return whether enough of some lines resemble a line of the file's definition."""
    there = [line for line in source.stripped[own.start + 1 : own.end][:MOST_LINES] if line]
    alike = sum(any(line_similarity(line, other) >= ALIKE for other in there) for line in body)
    return bool(body) and alike >= LEAST_IN_COMMON * len(body)
