"""The elision rung: a line that says only `...`, or a comment that does, stands for the lines it skips.

It forgives what a model left out and said so. The pieces between the elisions must stand in order, each
equal but for white space, indentation and look-alike characters, at depths that correspond line by line,
and no skipped line may be shallower than the shallowest quoted one; the chain of places must be unique.
aider has the idea; anchors alone never authorise a write (opencode lost thousands of lines that way), so
the replacement must carry the same elisions: skipped lines are never deleted. It costs one search for each
piece.
"""

from __future__ import annotations

import re

from patchpoint.locate.blocks import blocks
from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Find, Pair, Quote, Sweep
from patchpoint.outcome import Rung
from patchpoint.text.unicode import folded

_DOTS = r"(?:\.{3}|…)"
_WORDS = r"[\w ,'/()-]{0,60}"
_ELISION = re.compile(
    rf"\s*(?:\{{\s*)?(?:#+|//+|/\*+|--+|<!--|;+|%+|\*)?\s*(?:\(\s*)?"
    rf"(?:{_DOTS}\s*(?:{_WORDS}{_DOTS}?)?|{_WORDS}{_DOTS})\s*(?:\))?\s*(?:\*+/|-->)?\s*(?:\}})?\s*"
)
_BARE = re.compile(rf"\s*{_DOTS}\s*")
_COMMENT = re.compile(r"\s*(?:\{\s*)?(?:#|//|/\*|--|<!--|;|%|\*|\()")

MOST_CHAINS = 50
"""More ways to place the pieces than this are not worth telling apart: the search is ambiguous."""


def is_elision(line: str) -> bool:
    """Whether a line says nothing but that something is left out there."""
    if "..." not in line and "…" not in line:
        return False
    return bool(_BARE.fullmatch(line)) or bool(_COMMENT.match(line) and _ELISION.fullmatch(line))


def find_elision(source: Source, quote: Quote, sweep: Sweep) -> list[Find]:
    """The places of a search text with elisions in it, of which the replacement has as many."""
    dots = [number for number in quote.solid if is_elision(quote.search_lines[number])]
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
    for piece in pieces:
        wanted = [folded(quote.stripped[number]).strip() for number in piece]
        hits = [hit.found for hit in blocks(source.folded_text, source.solid, wanted, sweep)]
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
    innermost = [
        chain
        for chain in chains
        if not any(chain[0][1] < other[0][1] and other[-1][1] <= chain[-1][1] for other in chains)
    ]
    return [_find_of_chain(source, quote, chain) for chain in innermost]


def _depths_agree(source: Source, quote: Quote, chain: list[tuple[int, int]]) -> bool:
    """Whether the depths of all lines correspond, and what is skipped is nowhere shallower."""
    depths: dict[str, str] = {}
    for quoted, found in chain:
        depth = indentation(source.lines[found])
        if depths.setdefault(indentation(quote.search_lines[quoted]), depth) != depth:
            return False
    least = min(len(depth) for depth in depths.values())
    skipped = range(chain[0][1], chain[-1][1])
    return all(len(indentation(source.lines[n])) >= least for n in skipped if source.stripped[n])


def _find_of_chain(source: Source, quote: Quote, chain: list[tuple[int, int]]) -> Find:
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
            if following:
                pairs.append(Pair((number, number + 1), (end, following[0])))
                end = following[0]
    return Find.of_lines(source, quote, Rung.ELISION, pairs)
