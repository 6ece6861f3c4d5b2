"""The characters of a replacement: where the search text had look-alikes of the file's, it gets the file's.

A chat page that turned straight quotes into curly ones did so in the search text and in the replacement. What
the search had to be folded for (see `patchpoint.text.lookalikes`) is folded in what the edit changes; what it
leaves as it was quoted has the file's own characters. Look-alikes of a kind that was quoted as it is in the
file are meant, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import regex

_TOKEN = regex(r"\.{3}|\w+|\s|.", re.DOTALL)


def in_the_files_characters(source: SourceText, find: Find) -> Find:
    """Return a find with pairs, with the file's characters for their look-alikes in the replacement."""
    quote = find.quote
    start, end = find.span
    if quote.search.isascii() and source.plain[start:end].isascii():
        return find
    kinds = set() if quote.replace.isascii() else _misquoted_kinds(source, find)
    partners = {
        pair.quoted[0]: source.lines[pair.found[0]]
        for pair in find.pairs
        if pair.quoted[1] - pair.quoted[0] == pair.found[1] - pair.found[0] == 1
    }
    lines = list(quote.replace_lines)
    for equal, i1, i2, j1, j2 in line_opcodes(quote.search_lines, quote.replace_lines):
        if not equal and j1 < j2:
            quoted, found = _aligned(quote, range(i1, i2), partners)
            lines[j1:j2] = _rewritten(quoted, found, "\n".join(lines[j1:j2]), kinds).split("\n")
    ending = "\n" if quote.replace.endswith("\n") else ""
    return replace(find, quote=Quote(quote.search, "\n".join(lines) + ending))


def _misquoted_kinds(source: SourceText, find: Find) -> set[str]:
    """Return the characters of the file for which the search text has look-alikes."""
    kinds: set[str] = set()
    for pair in find.pairs:
        quoted = "\n".join(find.quote.search_lines[slice(*pair.quoted)])
        found = "\n".join(source.lines[slice(*pair.found)])
        for character in set(quoted):
            plain = folded(character)
            more = quoted.count(character) > found.count(character)
            if plain != character and more and (not plain or found.count(plain) > quoted.count(plain)):
                kinds.add(plain)
    return kinds


def _aligned(quote: Quote, numbers: range, partners: dict[int, str]) -> tuple[list[str], list[str]]:
    """Return the tokens of some search lines, and for each of them the file's where the two are alike."""
    quoted: list[str] = []
    found: list[str] = []
    for number in numbers:
        if quoted:
            quoted.append("\n")
            found.append("\n")
        tokens = _tokens(quote.search_lines[number])
        own = _tokens(partners.get(number, "").strip())
        blanks = len(tokens) - len(_tokens(quote.search_lines[number].lstrip()))
        own = [*tokens[:blanks], *own]
        alike = len(own) == len(tokens) and all(map(_same, own, tokens))
        quoted += tokens
        found += own if alike else tokens
    return quoted, found


def _rewritten(quoted: Sequence[str], found: Sequence[str], new: str, kinds: set[str]) -> str:
    """Return new lines with the file's tokens for those that were quoted, and all others folded."""
    tokens = _tokens(new)
    written: list[str] = []
    for equal, i1, i2, j1, j2 in line_opcodes(quoted, tokens):
        written += found[i1:i2] if equal else (_folded(token, kinds) for token in tokens[j1:j2])
    return "".join(written)


def _folded(token: str, kinds: set[str]) -> str:
    return "".join(plain if (plain := folded(c)) in kinds and plain != c else c for c in token)


def _same(one: str, other: str) -> bool:
    return folded(one) == folded(other)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)
