"""Edits that the file already contains: a third of those that fail in other tools were sent before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.locate.hints import CLEARLY, is_within, scope_ranges
from patchpoint.locate.rungs.exact import cuts_word, find_exact
from patchpoint.locate.source import tells
from patchpoint.locate.verdict import Quote, SearchLimit
from patchpoint.outcome import Rung
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.lookalikes import folded

if TYPE_CHECKING:
    from patchpoint.locate.hints import Hints
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Find


LEAST_CHARACTERS = 12
"""A replacement with fewer characters, white space aside, may occur anywhere by chance."""

RESEMBLES = 0.5
"""A line at least this similar to one that is removed, right next to what is kept, may be that line."""

STILL_THERE = 0.8
"""A line at least this similar to one that the edit removes is that line."""


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
    finds = _without_removals_there(source, quote, replacement, finds)
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
    return False


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


def made_instead(source: SourceText, quote: Quote, find: Find) -> list[Find]:
    """Return the places of the replacement as written where it is instead of what resembles the search text.

    It is the lines at that place, and perhaps some around it, with one that the search text has not; or there
    are several lines of it elsewhere, and one tells of it.
    """
    new = Quote(quote.replace.strip("\n"), "")
    news = [line for line in new.solid_lines if line not in quote.stripped]
    if not any(map(tells, news)):
        return []
    is_telling = len(new.solid) > 1 and any(len(line) >= TELLING_LINE for line in news)
    (first, end), made = find.lines, find_exact(source, new, SearchLimit())
    return [
        one
        for one in made
        if (one.lines[0] <= first and end <= one.lines[1])
        or (is_telling and (one.lines[1] <= first or end <= one.lines[0]))
    ]


def _is_part_there(source: SourceText, quote: Quote, find: Find) -> bool:
    """Return whether the lines that a find was completed to, and those around, have the whole replacement."""
    part, new = (folded(text).strip("\n") for text in (quote.search, quote.replace))
    (start, end), reach = find.span, len(quote.replace)
    before, whole = folded(source.plain[max(0, start - reach) : start]), folded(source.plain[start:end])
    around = before + whole + folded(source.plain[end : end + reach])
    at = around.find(new, max(0, len(before) - len(new) + 1))
    is_there = 0 <= at < len(before) + len(whole)
    return part != new and part in new and is_there and not cuts_word(around, (at, at + len(new)))


def _without_removals_there(
    source: SourceText, quote: Quote, replacement: Quote, finds: list[Find]
) -> list[Find]:
    """Return the finds; of an edit that only removes lines, the only one, with no line like those next to it.

    What it keeps was there before, too.
    """
    kept = replacement.solid_lines
    removed = [line for line in quote.solid_lines if line not in kept]
    if not kept or not set(kept) <= set(quote.solid_lines):
        return finds
    if len(finds) != 1:
        return []
    from patchpoint.locate.alignment import line_similarity

    next_to = [
        source.stripped[row]
        for find in finds
        for row in (source.solid_above(find.lines[0]), source.solid_below(find.lines[1]))
        if row is not None
    ]
    is_like = any(line_similarity(line, other) >= RESEMBLES for line in removed for other in next_to)
    return [] if is_like else finds


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
