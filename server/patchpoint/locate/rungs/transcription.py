r"""The transcription rung: the search text with the noise of copying taken off.

It tolerates a Markdown fence left inside, line-number gutters (`12 | x`, `12: x`, `12→x`, a number and a
tab), `>` quote marks, HTML entities, and doubly escaped `\n`, `\t`, `\"`. The rest is located by the rungs
that compare whole text. The replacement is cleaned in the same way only where it plainly has the same noise:
un-escaping text that was meant literally is how other tools corrupt files (llxprt-code, letta-code). It costs
what those rungs cost, for each kind of noise that the search text has.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.locate.rungs.exact import find_exact
from patchpoint.locate.rungs.line_blocks import find_indentation, find_whitespace
from patchpoint.locate.rungs.lookalikes import find_unicode
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung
from patchpoint.text.regex import regex

_FENCE = regex(r"[ \t]*(`{3,}|~{3,})[\w+-]*[ \t]*")
_GUTTER = regex(r"[ \t]*(?:[Ll](?:ine)? ?)?(\d+)(?: ?[|│┃:] ?|[ ]?→|\t)")
_ENTITY = regex(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_QUOTE_MARK = regex(r"[ \t]*> ?")
_ESCAPE = regex(r"\\([ntr\"'`\\/])")
_BREAKS = {"n", "t", "r"}
_QUOTES = {'"', "'", "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "`": "`", "\\": "\\", "/": "/"}


def find_transcription(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the places of the cleaned search text, on the strictest rung where any cleaning has one."""
    cleaned = cleanings(quote)
    for rung in (find_exact, find_whitespace, find_indentation, find_unicode):
        finds: dict[tuple[int, int], Find] = {}
        for candidate in cleaned:
            if candidate.solid:
                for find in rung(source, candidate, limit):
                    finds.setdefault(find.span, find)
        if finds:
            return [replace(find, rung=Rung.TRANSCRIPTION) for _, find in sorted(finds.items())]
    return []


def cleanings(quote: Quote) -> list[Quote]:
    """Return the quotation without each one kind of noise that it has, then without all of them."""
    steps = (without_fence, without_gutter, without_quote_marks, without_escapes, without_entities)
    found = []
    whole = quote
    for step in steps:
        alone = step(quote)
        if alone is not None:
            found.append(alone)
        whole = (alone if whole is quote else step(whole)) or whole
    found.append(whole)
    quotes_alone = without_escaped_quotes(quote)
    if quotes_alone is not None:
        found.append(quotes_alone)
    distinct: list[Quote] = []
    for candidate in found:
        if candidate.search != quote.search and candidate not in distinct:
            distinct.append(candidate)
    return distinct


def without_fence(quote: Quote) -> Quote | None:
    """Return the quotation without a fence line at the beginning or the end; `None` if it has none."""
    search = _unfenced(quote.search_lines)
    if search is None:
        return None
    replacement = _unfenced(quote.replace_lines)
    return _of_lines(quote, search, quote.replace_lines if replacement is None else replacement)


def without_gutter(quote: Quote) -> Quote | None:
    """Return it without line numbers before every line, or before the first; `None` if it has none."""
    solid = [quote.search_lines[number] for number in quote.solid]
    if not solid or not _GUTTER.match(solid[0]):
        return None
    numbers = [int(match[1]) for line in solid if (match := _GUTTER.match(line))]
    if len(numbers) < len(solid):
        if len(numbers) > 1:
            return None
        return _of_lines(quote, _first_cleaned(quote.search_lines), _first_cleaned(quote.replace_lines))
    if any(number >= following for number, following in pairwise(numbers)):
        return None
    numbered = [line for line in quote.replace_lines if _GUTTER.match(line)]
    replacement = quote.replace_lines
    if 2 * len(numbered) >= sum(1 for line in replacement if line.strip()):
        replacement = [_GUTTER.sub("", line, count=1) for line in replacement]
    return _of_lines(quote, [_GUTTER.sub("", line, count=1) for line in quote.search_lines], replacement)


def without_quote_marks(quote: Quote) -> Quote | None:
    """Return it without `>` at the beginning of every line; `None` if it has none."""

    def cleaned(lines: list[str]) -> list[str] | None:
        if not all(_QUOTE_MARK.match(line) for line in lines if line.strip()):
            return None
        return [_QUOTE_MARK.sub("", line, count=1) for line in lines]

    search = cleaned(quote.search_lines)
    if search is None:
        return None
    return _of_lines(quote, search, cleaned(quote.replace_lines) or quote.replace_lines)


def without_entities(quote: Quote) -> Quote | None:
    """Return it with the characters that its HTML entities denote; `None` if it has none."""
    return _both(quote, lambda text: html.unescape(text) if _ENTITY.search(text) else text)


def without_escapes(quote: Quote) -> Quote | None:
    r"""Return it with line feeds, tabs and quotes for the `\n`, `\t` and `\"` of its search text.

    In a text of several lines, `\n` and `\t` belong to its string literals, and stay. `None` if it has none.
    """
    return _unescaped(quote, set(_ESCAPE.findall(quote.search)))


def without_escaped_quotes(quote: Quote) -> Quote | None:
    r"""Return it with quotes for `\"`, all other backslashes being meant; `None` if it has none."""
    return _unescaped(quote, set(_ESCAPE.findall(quote.search)) & _QUOTES)


def _unescaped(quote: Quote, kinds: set[str]) -> Quote | None:
    search = _without_backslashes(quote.search, kinds)
    if search == quote.search:
        return None
    return Quote(search, _without_backslashes(quote.replace, kinds))


def _without_backslashes(text: str, kinds: set[str]) -> str:
    if "\n" in text.strip("\n"):
        kinds = kinds - _BREAKS
    return _ESCAPE.sub(lambda match: _ESCAPES[match[1]] if match[1] in kinds else match[0], text)


def _both(quote: Quote, cleaned: Callable[[str], str]) -> Quote | None:
    """Return the quotation with both texts cleaned; `None` where the search text has nothing to clean."""
    search = cleaned(quote.search)
    if search == quote.search:
        return None
    return Quote(search, cleaned(quote.replace))


def _unfenced(lines: list[str]) -> list[str] | None:
    first, last = _solid_ends(lines)
    if last < 0:
        return None
    start, end = 0, len(lines)
    if _FENCE.fullmatch(lines[first]):
        start = first + 1
    if first < last and lines[last].strip() in ("```", "~~~", "````"):
        end = last
    if (start, end) == (0, len(lines)) or any(_FENCE.fullmatch(line) for line in lines[start:end]):
        return None  # none, or the file's own: another one is inside
    return lines[start:end]


def _solid_ends(lines: list[str]) -> tuple[int, int]:
    """Return the numbers of the first and the last line that is not blank; (-1, -1) if all are."""
    first = next((number for number, line in enumerate(lines) if line.strip()), -1)
    last = next((number for number in range(len(lines) - 1, -1, -1) if lines[number].strip()), -1)
    return first, last


def _first_cleaned(lines: list[str]) -> list[str]:
    for number, line in enumerate(lines):
        if line.strip():
            return [*lines[:number], _GUTTER.sub("", line, count=1), *lines[number + 1 :]]
    return lines


def _of_lines(quote: Quote, search: list[str], replacement: list[str]) -> Quote:
    return Quote(_joined(search, quote.search), _joined(replacement, quote.replace))


def _joined(lines: list[str], like: str) -> str:
    return "\n".join(lines) + ("\n" if lines and like.endswith("\n") else "")
