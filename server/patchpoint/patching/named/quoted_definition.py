"""A definition that a search text quotes as a whole, and whose body in the file is another one by now.

Its name says which one is meant. The replacement takes its place whole, so that lines go which nobody quoted:
that is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Target, TargetKind
from patchpoint.locate.alignment import line_similarity
from patchpoint.locate.effort import NAMED
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote
from patchpoint.patching.named.definition import with_definition
from patchpoint.patching.named.unplaced import UnplacedError
from patchpoint.structure.lazy.definition import Definition, UnmergedError
from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS, outline_of_file, outlines_of_part
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import Span, without_blank_ends

LEAST_IN_COMMON = 0.3
"""The least share of the lines below the head, of the search text or of the replacement, that resemble a line
of the file's body. Of seven edits of definitions that have it, six are right, and of six others two."""

ALIKE = 0.6
"""So similar is a line to one that it resembles."""

MOST_ABOVE = 10
"""The most lines of a definition down to its head."""

MOST_LINES = 400
"""A definition with more lines is not compared."""


@dataclass(frozen=True, slots=True)
class QuotedDefinition:
    """The lines of a file with the replacement in the place of a definition."""

    name: str
    place: Span
    """The lines of the file that it takes the place of."""
    lines: tuple[str, ...]


def with_quoted_definition(source: SourceText, path: str, quote: Quote) -> QuotedDefinition | None:
    """Return the lines with the definition replaced that both texts are; `None` where there is no such one.

    Both texts are the whole of one definition with the same name, which the file has once and with the head
    that is quoted. Nothing that is defined within it may go that the search text does not quote, and it is no
    class: what nobody quoted of that are members.
    """
    if len(source.plain) > MAX_CHARACTERS or len(quote.solid) < 2:
        return None
    if not any(line in source.places for line in quote.folded[:MOST_ABOVE]):
        return None
    whole = _only_definition(quote.search_lines, path), _only_definition(quote.replace_lines, path)
    if whole[0] is None or whole[1] is None:
        return None
    (old, head), (new, _) = whole[0], whole[1]
    if old.name != new.name:
        return None
    source.effort.spend(NAMED * len(source.plain))
    try:
        file = outline_of_file(source.lines, path)[0].root
    except UnmergedError:
        return None
    named = [one for one in file.walk() if one.name == old.name]
    if len(named) != 1 or named[0].is_container or source.stripped[named[0].start] != head:
        return None
    known = set(old.names()) | set(new.names())
    bodies = quote.solid_lines[1:], [line.strip() for line in quote.replace_lines if line.strip()][1:]
    if not known.issuperset(named[0].names()) or not any(_resembles(source, named[0], one) for one in bodies):
        return None
    target = Target(kind=TargetKind.DEFINITION, name=old.name)
    try:
        placed = with_definition(source.lines, path, target, quote.replace_lines)
    except UnplacedError:
        return None
    return QuotedDefinition(old.name, placed.place, placed.lines)


def _only_definition(lines: Sequence[str], path: str) -> tuple[Definition, str] | None:
    """Return the definition that lines are the whole of, and its first line; `None` if they are not one."""
    whole = without_blank_ends(lines)
    if not whole or len(lines) > MOST_LINES:
        return None
    margin = min(len(line) - len(line.lstrip()) for line in whole if line.strip())
    bare = [line[margin:] for line in whole]
    for syntax in syntaxes_of(path):
        for found in outlines_of_part(bare, syntax):
            if [(one.lead, one.end) for one in found.children] == [(0, len(bare))]:
                return found.children[0], bare[found.children[0].start].strip()
    return None


def _resembles(source: SourceText, own: Definition, body: Sequence[str]) -> bool:
    """Return whether enough of some lines resemble a line of the file's definition."""
    there = [line for line in source.stripped[own.start + 1 : own.end][:MOST_LINES] if line]
    alike = sum(any(line_similarity(line, other) >= ALIKE for other in there) for line in body)
    return bool(body) and alike >= LEAST_IN_COMMON * len(body)
