"""The Unicode rung and the rung of quotes: the same text but for characters that look alike, or the quotes.

The Unicode rung compares canonical Unicode (`patchpoint.text.lookalikes`).

It tolerates curly for straight quotes and back, every dash, odd and invisible spaces, the ellipsis,
full-width punctuation and composed letters, together with white space and indentation, and in part of a
line, too. Codex has a table of the kind; here both sides are folded. A text and a search that are ASCII cost
nothing; otherwise it costs one pass over the lines that are not.

A formatter makes one kind of all strings, `'` or `"`, and models write the other one. Curly quotes count as
the straight ones that they stand for. It costs one pass over the text where a search text has quotes at all.
"""

from __future__ import annotations

from itertools import accumulate, islice

from patchpoint.locate.rungs.exact import cuts_word
from patchpoint.locate.rungs.line_blocks import blocks, finds_of_lines
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit, line_pair
from patchpoint.outcome import Rung
from patchpoint.text.lookalikes import folded

_ONE_KIND = {ord('"'): "'"}


def find_unicode(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the whole lines that are equal when folded, or else the parts of lines."""
    if source.plain.isascii() and quote.search.isascii():
        return []
    hits = blocks(source.folded_text, source.solid, quote.folded, limit)
    return finds_of_lines(source, quote, hits, Rung.UNICODE) or _parts_of_lines(source, quote, limit)


def completed(source: SourceText, quote: Quote, start: int, end: int, rung: Rung) -> Find:
    """Return a find that begins or ends inside a line as one of whole lines.

    The rest of its first and last line is put around both the search text and the replacement.
    """
    first, last = source.line_of(start), source.line_of(max(start, end - 1))
    lead = source.lines[first][: start - source.starts[first]]
    tail = source.lines[last][end - source.starts[last] :] if end > source.starts[last] else ""
    whole = Quote(lead + quote.search.strip("\n") + tail, lead + quote.replace.strip("\n") + tail)
    count = len(whole.search_lines)
    pairs = [line_pair(number, first + number) for number in range(count)]
    return Find.of_lines(source, whole, rung, pairs)


def _parts_of_lines(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the places where the search text begins or ends inside a line, and not inside a word.

    Of several lines, the last is a whole one if the search text has a line break after it.
    """
    wanted = folded(quote.search).strip("\n")
    if not wanted.strip() or wanted.count("\n") != quote.search.strip("\n").count("\n"):
        return []  # nothing, or a line of only invisible characters
    text = "\n".join(source.folded_lines)
    if wanted not in text:
        return []
    starts = list(accumulate((len(line) + 1 for line in source.folded_lines), initial=0))
    is_ended = "\n" in wanted and quote.search.endswith("\n")
    finds: list[Find] = []
    line, counted = 0, 0
    for at in islice(limit.places(text, wanted), limit.most):
        line += text.count("\n", counted, at)
        counted = at
        last = line + wanted.count("\n")
        start = source.starts[line] + _unfolded(source.lines[line], at - starts[line])
        end = source.starts[last] + _unfolded(source.lines[last], at + len(wanted) - starts[last])
        is_open = is_ended and source.lines[last][end - source.starts[last] :].strip()
        if not is_open and not cuts_word(source.plain, (start, end)):
            finds.append(completed(source, quote, start, end, Rung.UNICODE))
    return finds


def _unfolded(line: str, column: int) -> int:
    """Return the column of `line` that is at `column` when the line is folded."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if len(folded(line[:middle])) < column:
            low = middle + 1
        else:
            high = middle
    return low


def find_quotes(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the whole lines that are equal but for their quotes, or else parts of one line, no word cut."""
    wanted = [line.translate(_ONE_KIND) for line in quote.folded]
    if not any("'" in line for line in wanted) or not any(map(str.isalnum, quote.search)):
        return []
    hits = blocks(source.folded_text.translate(_ONE_KIND), source.solid, wanted, limit)
    finds, quoted = finds_of_lines(source, quote, hits, Rung.QUOTES), quote.search.strip("\n")
    if finds or "\n" in quoted:
        return finds
    text, part = source.plain.translate(_ONE_KIND), quoted.translate(_ONE_KIND)
    return [
        completed(source, quote, at, at + len(part), Rung.QUOTES)
        for at in islice(limit.places(text, part), limit.most)
        if not cuts_word(text, (at, at + len(part)))
    ]
