"""The exact rung: the search text character for character.

It tolerates nothing but the difference between line endings. It costs one pass of `str.find` over the text.
Occurrences that overlap count, as in Crush and Zed: a search for `aa` in `aaa` has two places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from patchpoint.locate.brackets import balance
from patchpoint.locate.source import SourceText, indentation
from patchpoint.locate.verdict import ConsecutivePairs, Find, Pair, Quote, SearchLimit, line_pair
from patchpoint.outcome import Rung
from patchpoint.text.lines import Span
from patchpoint.text.regex import begins_word, regex

_WORD = regex(r"\w+")
_AS_NEAR = 2
"""So many places on each side: whether the nearest is clearly the nearest is seen from the next one."""


def find_exact(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return every place where the search text occurs literally, in order, overlapping ones included."""
    places = islice(limit.places(source.plain, quote.search), limit.most)
    finds = [_find_at(source, quote, at) for at in places]
    return finds + _unended(source, quote) if finds else finds


def _unended(source: SourceText, quote: Quote) -> list[Find]:
    """Return the place at the end of a text whose last line has no ending, as the search text has one.

    Where it is the only place it is found a rung later; where it is another one, it is as good as they are.
    """
    count, lines = len(quote.search_lines), source.lines
    if quote.search[-1:] != "\n" or source.plain[-1:] == "\n" or lines[-count:] != quote.search_lines:
        return []
    pairs = ConsecutivePairs(range(count), range(len(lines) - count, len(lines)))
    return [Find.of_lines(source, quote, Rung.EXACT, pairs)]


def find_exact_within(source: SourceText, quote: Quote, ranges: Sequence[Span], most: int) -> list[Find]:
    """Return the places within ranges of lines that cut no word, in order."""
    found: set[int] = set()
    for lines in ranges:
        start, end = source.whole_lines(*lines)
        found.update(islice(_whole_words(source, quote, start, end), most))
    return [_find_at(source, quote, at) for at in sorted(found)[:most]]


def find_exact_near(source: SourceText, quote: Quote, line: int) -> list[Find]:
    """Return two places on a line (from 0), two before and two after it, as far as there are so many.

    They cut no word. No other place is as near.
    """
    line = min(max(line, 0), len(source.lines))
    start, end = source.whole_lines(line, min(line + 1, len(source.lines)))
    found = [
        *islice(_whole_words_before(source, quote, start), _AS_NEAR),
        *islice(_whole_words(source, quote, start, len(source.plain), last=end), _AS_NEAR),
        *islice(_whole_words(source, quote, end, len(source.plain)), _AS_NEAR),
    ]
    return [_find_at(source, quote, at) for at in sorted(set(found))]


def of_whole_words(source: SourceText, finds: list[Find]) -> list[Find]:
    """Return the finds that do not begin or end inside a word; all of them, if each does.

    Where nothing but a word is quoted, a part of another one may be meant as well: all of them are returned.
    """
    return [find for find in finds if not _cuts_word(source, find.quote, find.span)] or finds


def is_inside_indentation(source: SourceText, quote: Quote, start: int) -> bool:
    """Return whether a find begins behind blanks that begin its line, and several lines are to replace it.

    How deep all but the first of them go is not what the model wrote: its first line has less than its depth.
    """
    if "\n" not in quote.replace.rstrip("\n") or not quote.stripped[0]:
        return False
    line_start = source.plain.rfind("\n", 0, start) + 1
    return line_start < start and source.plain[line_start:start].isspace()


def _find_at(source: SourceText, quote: Quote, at: int) -> Find:
    end = at + len(quote.search)
    pairs = _pairs_of_unindented(source, quote, at, end)
    if pairs:
        return Find.of_lines(source, quote, Rung.EXACT, pairs)
    if not quote.replace and quote.search.endswith("\n"):
        # of lines that go, the indentation goes, too: the line below would get it
        line_start = source.plain.rfind("\n", 0, at) + 1
        at = at if source.plain[line_start:at].strip() else line_start
    return Find(source=source, rung=Rung.EXACT, similarity=1.0, span=(at, end), quote=quote)


def _whole_words(
    source: SourceText, quote: Quote, start: int, end: int, last: int | None = None
) -> Iterator[int]:
    """Yield where the search text begins in a range of the text, and before `last`."""
    at = source.plain.find(quote.search, start, end)
    while at >= 0 and (last is None or at < last):
        if not _cuts_word(source, quote, (at, at + len(quote.search))):
            yield at
        at = source.plain.find(quote.search, at + 1, end)


def _whole_words_before(source: SourceText, quote: Quote, end: int) -> Iterator[int]:
    """Yield where the search text begins before an offset, the nearest first."""
    length = len(quote.search)
    at = source.plain.rfind(quote.search, 0, max(0, end - 1 + length))
    while at >= 0:
        if not _cuts_word(source, quote, (at, at + length)):
            yield at
        at = source.plain.rfind(quote.search, 0, at + length - 1)


def _cuts_word(source: SourceText, quote: Quote, span: Span) -> bool:
    """Return whether a find begins or ends inside a word, and more than a word is quoted."""
    return not _WORD.fullmatch(quote.search) and cuts_word(source.plain, span)


def cuts_word(text: str, span: Span) -> bool:
    """Return whether a span begins or ends inside a word of a text."""
    return any(0 < at < len(text) and begins_word(text[at - 1]) and begins_word(text[at]) for at in span)


def _goes_on_at(depth: str, quote: Quote) -> bool:
    """Return whether the first new line has an open bracket, and the next is no deeper than the file's line.

    It was written deeper than the first one, which has no depth of its own.
    """
    first, *below = quote.replace_lines
    is_deeper = bool(below) and not indentation(first) and indentation(below[0]) == depth
    return is_deeper and below[0].strip()[:1] not in (*")]}", "") and max(balance([first])) > 0


def _pairs_of_unindented(source: SourceText, quote: Quote, start: int, end: int) -> tuple[Pair, ...]:
    """Return the pairs of a find whose first line was quoted without indentation that the replacement needs.

    Such a search text occurs literally, and yet a replacement of several lines would lose its depth. Empty
    where the replacement can be inserted as it was written.
    """
    if not is_inside_indentation(source, quote, start):
        return ()
    line_start = source.plain.rfind("\n", 0, start) + 1
    depth = source.plain[line_start:start] + indentation(quote.search_lines[0])
    if quote.search[-1] != "\n" and source.plain[end : end + 1] not in ("\n", ""):
        return ()
    if any(set(indentation(line)) - set(depth) for line in quote.replace_lines):
        return ()  # Its depths are not written as the file's are, and what is exact is not converted.
    shallower = [line for line in quote.replace_lines[1:] if line.strip() and not line.startswith(depth)]
    if not shallower and not _goes_on_at(depth, quote):
        return ()
    if len(quote.solid) == 1 and any(indentation(line) >= depth for line in shallower):
        return ()
    if quote.search[0].isspace() and len(quote.solid) > 1:
        return ()  # The lines below have all of their depth, and say how deep the new ones go.
    first = source.line_of(start)
    return tuple(line_pair(number, first + number) for number in range(len(quote.search_lines)))
