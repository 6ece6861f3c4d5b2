"""Edits that the file already contains: a third of those that fail in other tools were sent before."""

from __future__ import annotations

from operator import eq
from typing import TYPE_CHECKING

from patchpoint.locate.hints import CLEARLY, is_within, scope_ranges
from patchpoint.locate.rungs.exact import cuts_word, find_exact
from patchpoint.locate.source import tells
from patchpoint.locate.verdict import Quote, SearchLimit
from patchpoint.outcome import Rung
from patchpoint.text.lines import TELLING_LINE, without_blank_ends
from patchpoint.text.lookalikes import folded

if TYPE_CHECKING:
    from patchpoint.locate.hints import Hints
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Find


LEAST_CHARACTERS = 12
"""A replacement with fewer characters, white space aside, may occur anywhere by chance."""

STILL_THERE = 0.8
"""A line at least this similar to one that the edit removes is that line."""

RESEMBLES = 0.5
"""A line at least this similar to one that is removed at the edge of the search text, and in its place, may
be that line misquoted."""


def applied_finds(source: SourceText, quote: Quote, *, exactly: bool = False) -> list[Find]:
    """Return the places where all lines of the replacement follow one another.

    White space and look-alike characters make no difference. Without such a place, return those where a
    replacement of several lines occurs literally, beginning or ending inside a line. With `exactly`, the
    lines must have the indentation they were written with, and one of them must not be in the search text.
    """
    replacement = Quote(quote.replace, quote.search)
    wanted = replacement.folded
    if len("".join("".join(wanted).split())) < LEAST_CHARACTERS:
        return []
    if exactly and set(replacement.stripped) <= set(quote.stripped):
        return []
    from patchpoint.locate.rungs.line_blocks import blocks, find_of_block

    finds = [
        find_of_block(source, replacement, hit, Rung.WHITESPACE)
        for hit in blocks(source.folded_text, source.solid, wanted, SearchLimit())
    ]
    if not finds and "\n" in quote.replace.strip("\n"):
        finds = find_exact(source, Quote(quote.replace.strip("\n"), ""), SearchLimit())
    finds = [find for find in finds if not _still_there(source, quote, replacement, find)]
    finds = _without_edges_there(source, quote, replacement, finds)
    if exactly:
        finds = [
            find
            for find in finds
            if all(
                source.lines[pair.found[0]].rstrip() == replacement.search_lines[pair.quoted[0]].rstrip()
                for pair in find.pairs
            )
        ]
    return finds


def inserted_already(source: SourceText, quote: Quote, find: Find) -> bool:
    """Return whether an edit only adds to the search text, and what it adds is around an exact `find`.

    The edit was applied before, then: a person who applies an answer twice does not want its text twice.
    White space, and lines that only close blocks, may be there by chance. They do not count.
    """
    if find.quote.search != quote.search and _is_part_there(source, quote, find):
        return True
    if not quote.is_kept:
        return False
    text, new = source.plain, quote.replace
    at = new.find(quote.search) if not find.pairs and new != quote.search else -1
    while at >= 0:
        start = find.span[0] - at
        end = start + len(new)
        before, behind = new[:at], new[at + len(quote.search) :]
        if (
            start >= 0
            and text.startswith(new, start)
            and not cuts_word(text, (start, end))
            and ("\n" not in before or text[start - 1 : start] in ("", "\n"))
            and ("\n" not in behind or behind.endswith("\n") or text[end : end + 1] in ("", "\n"))
            and any(map(tells, f"{before}\n{behind}".split("\n")))
        ):
            return True
        at = new.find(quote.search, at + 1)
    return _lines_are_around(source, quote, find)


def made_at_hint(source: SourceText, quote: Quote, find: Find, hints: Hints) -> list[Find]:
    """Return the places of the replacement that are where the edit says, which `find` is not.

    They are in the scope or section that it names, or clearly nearer to its line: the edit was applied there,
    and what is left of the search text is another place.
    """
    named = hints.scope or ((hints.section,) if hints.section.strip() else ())
    if not (named or hints.line is not None) or hints.replace_all or hints.occurrence is not None:
        return []
    new = Quote(quote.replace.strip("\n"), "")
    ranges = scope_ranges(source, named) if named else []
    line = None if hints.line is None else hints.line - 1
    if line == find.lines[0] or is_within(find, ranges) or not any(map(tells, new.search_lines)):
        return []
    keeps = set(new.stripped) <= set(quote.stripped)
    blank = len(quote.replace) - len(quote.replace.lstrip("\n"))
    far = blank if line is None or keeps else abs(find.lines[0] - line) // CLEARLY
    return [
        made
        for made in find_exact(source, new, SearchLimit())
        if (made.span[1] <= find.span[0] or find.span[1] <= made.span[0])
        and not cuts_word(source.plain, made.span)
        and (is_within(made, ranges) or (line is not None and abs(made.lines[0] - line) <= far))
    ]


def made_elsewhere(source: SourceText, quote: Quote, find: Find) -> list[Find]:
    """Return the places of a replacement of several lines outside of one that only resembles the search text.

    It is there as written, with a line that the search text has not: that is where the edit was applied.
    """
    new = Quote(quote.replace.strip("\n"), "")
    news = (line for line in new.solid_lines if line not in quote.stripped)
    if len(new.solid) < 2 or not any(len(line) >= TELLING_LINE for line in news):
        return []
    made = find_exact(source, new, SearchLimit())
    return [one for one in made if one.lines[1] <= find.lines[0] or find.lines[1] <= one.lines[0]]


def _is_part_there(source: SourceText, quote: Quote, find: Find) -> bool:
    """Return whether the lines that a find was completed to, and those around, have the whole replacement."""
    part, new = (folded(text).strip("\n") for text in (quote.search, quote.replace))
    (start, end), reach = find.span, len(quote.replace)
    before, whole = folded(source.plain[max(0, start - reach) : start]), folded(source.plain[start:end])
    around = before + whole + folded(source.plain[end : end + reach])
    at = around.find(new, max(0, len(before) - len(new) + 1))
    is_there = 0 <= at < len(before) + len(whole)
    return part != new and part in new and is_there and not cuts_word(around, (at, at + len(new)))


def is_there_instead(source: SourceText, quote: Quote, find: Find) -> bool:
    """Return whether the lines at a place, and perhaps some around it, are the replacement, as written.

    One of them must not be in the search text: what an edit keeps is there before it is applied.
    """
    wanted = [line.rstrip() for line in without_blank_ends(quote.replace_lines)]
    if not any(line.strip() not in quote.stripped and tells(line) for line in wanted):
        return False
    first, end = find.lines
    starts = range(max(0, end - len(wanted)), min(first, len(source.lines) - len(wanted)) + 1)
    return any(all(map(eq, wanted, map(str.rstrip, source.lines[at : at + len(wanted)]))) for at in starts)


def _lines_are_around(source: SourceText, quote: Quote, find: Find) -> bool:
    """Return whether new lines are around a find, white space at their ends aside.

    Lines with so few characters that they may be there by chance do not count.
    """
    wanted, kept = quote.replace_lines, quote.search_lines
    starts = [
        at
        for at in range(len(wanted) - len(kept) + 1)
        if wanted[at] == kept[0] and wanted[at : at + len(kept)] == kept
    ]
    if len(starts) != 1:
        return False
    before, after = wanted[: starts[0]], wanted[starts[0] + len(kept) :]
    if sum(len("".join(line.split())) for line in before + after) < LEAST_CHARACTERS:
        return False
    first, end = find.lines
    around = source.lines[max(0, first - len(before)) : end + len(after)]
    return [line.rstrip() for line in around] == [line.rstrip() for line in wanted]


def _without_edges_there(
    source: SourceText, quote: Quote, replacement: Quote, finds: list[Find]
) -> list[Find]:
    """Return the finds of an edit that removes lines at an edge of the search text and adds none.

    What it keeps was there before, too: it tells of an earlier application only where it is once in the file,
    and where no line like those that are removed is next to it.
    """
    kept, quoted = replacement.solid_lines, quote.solid_lines
    whole = "\n".join(["", *quoted, ""])
    start = whole.find("\n".join(["", *kept, ""]))
    if start < 0 or not kept:
        return finds
    at = whole.count("\n", 0, start)
    above, below = quoted[:at][-1:], quoted[at + len(kept) :][:1]
    from patchpoint.locate.alignment import line_similarity

    return [
        find
        for find in finds
        if len(finds) == 1
        and not any(
            line_similarity(line, other) >= RESEMBLES
            for line, other in (
                *zip(above, filter(None, reversed(source.stripped[: find.lines[0]])), strict=False),
                *zip(below, filter(None, source.stripped[find.lines[1] :]), strict=False),
            )
        )
    ]


def _still_there(source: SourceText, quote: Quote, replacement: Quote, find: Find) -> bool:
    """Return whether a line that the edit removes is, or nearly is, right before or after the find."""
    from patchpoint.locate.alignment import line_similarity

    removed = [line for line in quote.stripped if line and line not in replacement.stripped]
    reach = len(removed) + 1
    before = [line for line in source.stripped[max(0, find.lines[0] - 3 * reach) : find.lines[0]] if line]
    after = [line for line in source.stripped[find.lines[1] : find.lines[1] + 3 * reach] if line]
    around = before[-reach:] + after[:reach]
    return any(
        len(line) >= TELLING_LINE and line_similarity(line, other) >= STILL_THERE
        for line in removed
        for other in around
    )
