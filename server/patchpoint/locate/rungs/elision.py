"""The elision rung: a line of only `...`, or a comment of it, takes the place of the lines it skips.

It tolerates lines that a model left out and marked. The pieces between the elisions must occur in order, each
equal but for white space, indentation and look-alike characters, at depths that correspond line by line,
and no skipped line may be shallower than the shallowest quoted one; the chain of places must be unique.
At the end of the search text the mark is for the rest of the block. aider has the
idea; anchors alone never authorise a write (opencode lost thousands of lines that way), so the replacement
must carry the same elisions: skipped lines are never deleted. It costs one search for each piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.locate.source import indentation
from patchpoint.locate.verdict import Find, Pair
from patchpoint.outcome import Rung
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Quote, SearchLimit


_DOTS = r"(?:\.{3}|…)"
_WORDS = r"[\w ,'/()-]{0,60}"
_ELISION = regex(
    rf"\s*(?:\{{\s*)?(?:#+|//+|/\*+|--+|<!--|;+|%+|\*)?\s*(?:\(\s*)?"
    rf"(?:{_DOTS}\s*(?:{_WORDS}{_DOTS}?)?|{_WORDS}{_DOTS})\s*(?:\))?\s*(?:\*+/|-->)?\s*(?:\}})?\s*"
)
_PROMPT = regex(r"(?:>>>|\.{3}) ")
_BARE = regex(rf"\s*{_DOTS}\s*")
_COMMENT = regex(r"\s*(?:\{\s*)?(?:#|//|/\*|--|<!--|;|%|\*|\()")

MOST_CHAINS = 50
"""With more ways than this to place the pieces, the search is ambiguous, and no more are built."""


def is_elision(line: str) -> bool:
    """Return whether a line is nothing but the mark of lines left out."""
    if "..." not in line and "…" not in line:
        return False
    return bool(_BARE.fullmatch(line)) or bool(_COMMENT.match(line) and _ELISION.fullmatch(line))


def is_only_elision(source: SourceText, quote: Quote) -> bool:
    """Return whether all that is quoted are marks of lines left out, which the text has not."""
    return all(
        is_elision(quote.search_lines[line]) and quote.stripped[line] not in source.stripped
        for line in quote.solid
    )


def find_elision(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the places of a search text with elisions, of which the replacement must have as many."""
    if "..." not in quote.search and "…" not in quote.search:
        return []
    dots = [
        number
        for at, number in enumerate(quote.solid)
        if is_elision(quote.search_lines[number]) and not _is_prompt(quote, at)
    ]
    if not dots or len(dots) != sum(map(is_elision, quote.replace_lines)):
        return []
    pieces: list[list[int]] = [[]]
    for number in quote.solid:
        if number in dots:
            pieces.append([])
        else:
            pieces[-1].append(number)
    pieces = [piece for piece in pieces if piece]
    if not pieces:
        return []
    chains: list[list[tuple[int, int]]] = [[]]
    from patchpoint.locate.rungs.line_blocks import blocks

    for piece in pieces:
        wanted = [folded(quote.stripped[number]).strip() for number in piece]
        hits = [hit.found for hit in blocks(source.folded_text, source.solid, wanted, limit)]
        longer = []
        for chain in chains:
            for hit in hits:
                if not chain or hit[0] > chain[-1][1]:
                    candidate = [*chain, *zip(piece, hit, strict=True)]
                    if _depths_agree(source, quote, candidate):
                        longer.append(candidate)
            if len(longer) > MOST_CHAINS:
                break
        chains = longer
    return [_find_of_chain(source, quote, chain) for chain in chains]


def _is_prompt(quote: Quote, at: int) -> bool:
    """Return whether dots are the prompt of an interpreter, as they are after another line with a prompt."""
    before = quote.stripped[quote.solid[at - 1]] if at else ""
    return (
        _BARE.fullmatch(quote.search_lines[quote.solid[at]]) is not None and _PROMPT.match(before) is not None
    )


def _depths_agree(source: SourceText, quote: Quote, chain: list[tuple[int, int]]) -> bool:
    """Return whether the depths of all lines correspond, and no skipped line is shallower."""
    depths: dict[str, str] = {}
    for quoted, found in chain:
        depth = indentation(source.lines[found])
        if depths.setdefault(indentation(quote.search_lines[quoted]), depth) != depth:
            return False
    least = min(len(depth) for depth in depths.values())
    skipped = range(chain[0][1], chain[-1][1])
    return all(len(indentation(source.lines[n])) >= least for n in skipped if source.stripped[n])


def _find_of_chain(source: SourceText, quote: Quote, chain: list[tuple[int, int]]) -> Find:
    found = dict(chain)
    pairs = []
    first = chain[0][1]
    end = first
    for number in range(len(quote.search_lines)):
        if number in found:
            pairs.append(Pair((number, number + 1), (found[number], found[number] + 1)))
            end = found[number] + 1
        elif is_elision(quote.search_lines[number]) and end > first:
            following = [found[later] for later in range(number, len(quote.search_lines)) if later in found]
            stop = following[0] if following else _end_of_block(source, quote, number, end)
            if stop > end:
                pairs.append(Pair((number, number + 1), (end, stop)))
                end = stop
    return Find.of_lines(source, quote, Rung.ELISION, pairs)


def _end_of_block(source: SourceText, quote: Quote, dots: int, start: int) -> int:
    """Return one past the last line that dots at the end of a search text stand for, from line `start` on.

    Dots that are deeper than the line before them stand for its body, others for what follows at its depth.
    """
    above = [line for line in quote.solid if line < dots][-1]
    deeper = len(indentation(quote.search_lines[dots])) > len(indentation(quote.search_lines[above]))
    least = len(indentation(source.lines[start - 1])) + deeper
    end = start
    for number in range(start, len(source.lines)):
        if source.stripped[number]:
            if len(indentation(source.lines[number])) < least:
                break
            end = number + 1
    return end
