"""A definition that an edit names by its name path (`Class/method`), as Serena's tools do.

The new text is the whole of a definition, signature and all. Comments above it stay, and so do its decorators
where the new text has none. What is inserted has as many blank lines around it as the definition has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from patchpoint.edit import Side, Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import NAMESAKES, Placed, UnplacedError, not_placed
from patchpoint.structure.languages import missing_grammar
from patchpoint.structure.lazy.definition import (
    CodeText,
    Definition,
    TwoTexts,
    indentation_of,
    is_comment,
)
from patchpoint.structure.lazy.layout import shift_between
from patchpoint.structure.lazy.marks import marks_among
from patchpoint.structure.lazy.outline.by_grammar import outline_of_any, outlines_of_part
from patchpoint.structure.lazy.syntax import DECORATOR, Syntax
from patchpoint.structure.lazy.units import in_units_of
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_INDEX = regex(r"\[(\d{1,4})\]\Z")
_RECEIVER = regex(r"[(*)&]|<.*>")
_PUBLIC = ("export", "default", "pub")
"""Words before a definition that other files need."""
_MOST_BLANK = 2
"""More blank lines than so many are not repeated around what is inserted."""


def with_definition(
    lines: Sequence[str], path: str, target: Target, new: Sequence[str], at: Span | None = None
) -> Placed:
    """Return the lines with `new` instead of the definition that `target` names, before it or behind it.

    Of several, the one with the lines `at` is meant. Raises `UnplacedError` where there is none or several of
    that name, and where `new` is no definition.
    """
    file, own = definition_named(lines, path, target, at)
    body = without_blank_ends(in_units_of(file, new))
    if not body:
        raise not_placed(target.name, "the new text is empty")
    head = _head(body, file.syntax)
    shift = shift_between(
        TwoTexts(file, CodeText(body, file.syntax)), own, Definition("", 0, head, len(body))
    )
    body = [shift.apply(line, number) for number, line in enumerate(body)]
    if target.side is Side.INSTEAD:
        made = next(
            (each for each in definitions_of_part(body, file.syntax, head) if each.start <= head), None
        )
        # a part that no grammar reads alone, such as a member of an object
        if made is None and lines[own.start].split()[:1] != body[head].split()[:1]:
            raise not_placed(
                target.name, "the new text is not a definition; send all of it, with its signature"
            )
        if marks_among(body, file.known):
            raise not_placed(target.name, "the new text leaves out lines of it; send all of them")
        start = _start(lines, own, body, head)
        body = _with_the_ends_of(lines, own, body, head)
        doubt = _taken_away(own, made, lines[own.start], body[head])
        return Placed((*lines[:start], *body, *lines[own.end :]), (start, own.end), doubt=doubt)
    blank = [""] * blank_lines_next_to(file, own)
    if target.side is Side.BEFORE:
        return Placed((*lines[: own.lead], *body, *blank, *lines[own.lead :]), (own.lead, own.end))
    return Placed((*lines[: own.end], *blank, *body, *lines[own.end :]), (own.lead, own.end))


def definition_named(
    lines: Sequence[str], path: str, target: Target, at: Span | None = None
) -> tuple[CodeText, Definition]:
    """Return the outline of a file, and the definition in it that `target` names.

    Of several, the one with the lines `at` is meant. Raises `UnplacedError` where there is none or several.
    """
    found = outline_of_any(list(lines), path)
    if found is None:
        why = missing_grammar(path) or "there is no grammar for the file, or it is too long"
        raise not_placed(target.name, f"{why}; quote the text instead")
    return found[0], _named(found[0].root, target, at)


def definitions_of_part(lines: Sequence[str], syntax: Syntax, head: int) -> Iterator[Definition]:
    """Yield the definition that lines begin with, by themselves and in a class; `head` is as deep as it."""
    margin = indentation_of(lines[head])
    bare = [line.removeprefix(margin) for line in lines]
    return (found.children[0] for found in outlines_of_part(bare, syntax))


def blank_lines_next_to(file: CodeText, own: Definition) -> int:
    """Return how many blank lines part a definition from its neighbour at the same depth, or would."""
    depth = file.depth(own.start)
    below, above = file.below(own.end), file.above(own.lead)
    if below < len(file.lines) and file.depth(below) == depth:
        return min(below - own.end, _MOST_BLANK)
    if above >= 0 and file.depth(above) >= depth:
        return min(own.lead - above - 1, _MOST_BLANK)
    return 1 if own.end - own.start > 1 else 0


def _named(root: Definition, target: Target, at: Span | None) -> Definition:
    """Return the one definition of the name path, which may leave out what is around it."""
    index = _INDEX.search(target.name)
    name = _INDEX.sub("", target.name)
    wanted = [part for part in name.strip("/").split("/") if part]
    chains = list(_chains(root, ()))
    for spelt in (list, _plain_parts):
        parts = spelt(wanted)
        found = [
            (chain, one)
            for chain, one in chains
            if parts and spelt(chain)[-len(parts) :] == parts
            if not name.startswith("/") or len(spelt(chain)) == len(parts)
        ]
        if found:
            break
    if index and len({chain for chain, _ in found}) == 1 and int(index[1]) < len(found):
        return found[int(index[1])][1]
    if not found or index:
        raise not_placed(target.name, "it has no such definition")
    if len(found) > 1:
        places = [(one.start, one.end) for _, one in found]
        if at in places:
            return found[places.index(at)][1]
        raise UnplacedError(Reason.UNCLEAR, {"why": NAMESAKES.format(name=target.name)}, places)
    return found[0][1]


def _chains(around: Definition, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Definition]]:
    for child in around.children:
        chain = (*names, child.name)
        yield chain, child
        yield from _chains(child, chain)


def _plain_parts(names: Sequence[str]) -> list[str]:
    """Return the parts of a chain of names without receivers, type parameters and words before the names."""
    plain = (_RECEIVER.sub("", name).split() for name in names)
    parts = [part for words in plain if words for part in re.split(r"\.|::", words[-1])]
    return [part for part in parts if part != "self"]


def _head(body: Sequence[str], syntax: Syntax) -> int:
    """Return the line of a definition's own head, below its comments and decorators."""
    above = takewhile(
        lambda line: not line.strip() or is_comment(line, syntax.comments) or DECORATOR.match(line), body
    )
    head = len(list(above))
    return head if head < len(body) else 0


def _taken_away(own: Definition, made: Definition | None, known: str, head: str) -> str:
    """Return the sentence that says what of a definition its new text has not; empty where it has all."""
    kept = {each.name for each in made.children} if made is not None else set()
    gone = [each.name for each in own.children if each.name not in kept] if own.is_container else []
    words, new = known.split(), head.split()[:1]
    public = list(takewhile(lambda word: word in _PUBLIC, words))
    gone += [" ".join(public)] if public and new == words[len(public) : len(public) + 1] else []
    return f"It takes {', '.join(gone)} away." if gone else ""


def _start(lines: Sequence[str], own: Definition, body: Sequence[str], head: int) -> int:
    """Return the first line of the file that the new text takes the place of."""
    lead = range(own.lead, own.start) if head else range(0)
    same = [row for row in lead if lines[row].strip() == body[0].strip()]
    has_own = any(map(DECORATOR.match, body[:head]))
    decorators = [row for row in lead if has_own and DECORATOR.match(lines[row])]
    return next(iter(same or decorators), own.start)


def _with_the_ends_of(lines: Sequence[str], own: Definition, body: list[str], head: int) -> list[str]:
    """Return the new text with what language servers leave out of a definition: `const`, and `;` behind."""
    known, written = lines[own.start], body[head].strip()
    name = re.match(r"[\w$]+(?=\s*(?:[:=]|$))", written)
    before = re.match(rf"(.*\b(?:const|let|var)\s+){re.escape(name[0])}\b", known) if name else None
    if before:
        body = [*body[:head], f"{before[1]}{written}", *body[head + 1 :]]
    if lines[own.end - 1].rstrip().endswith(";") and not body[-1].rstrip().endswith(";"):
        body = [*body[:-1], f"{body[-1]};"]
    return body
