"""Exact finds that are only a part of something else: of a longer word, a comment or a text in quotes."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.locate.brackets import STRING
from patchpoint.locate.rungs.exact import cuts_word
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find
from patchpoint.text.regex import WORD, regex

_CODE_ITSELF = 0.75
"""A line of code at least this similar to what a comment or a text has is what has become of that."""

_REMARK = regex(r"\s(?:#|//|--|/\*|<!--)(?:\s|$)")
_QUOTES = tuple(map(regex, ('"', r"(?<!\w)'", "`")))


def is_part(source: SourceText, find: Find, *, of_lines: bool, is_only: bool) -> bool:
    """Return whether a find is only a part of a number, or of what a comment or a text says.

    What is quoted as whole lines (`of_lines`) is no part of a word, nor of any comment or text. Other search
    texts may be, unless that is the only place (`is_only`), and the code that they quote has been changed.
    """
    if find.pairs:
        return False
    if of_lines:
        return cuts_word(source.plain, find.span) or _is_said(source, find)
    return _cuts_number(source, find) or (
        is_only and _is_said(source, find) and _is_changed_code(source, find)
    )


def is_inside_words(source: SourceText, finds: Sequence[Find]) -> bool:
    """Return whether finds begin or end inside words; where a word is quoted, all but those of whole words.

    A part of a name, quoted alone, may be what is to be changed wherever it is.
    """
    cut = [cuts_word(source.plain, find.span) for find in finds]
    return any(cut) and not (all(cut) and WORD.fullmatch(finds[0].quote.search))


def _is_said(source: SourceText, find: Find) -> bool:
    """Return whether a find begins inside a comment, or a text in quotes, that begins before it."""
    (start, end), text = find.span, source.plain
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if not before.strip():
        return False
    from patchpoint.locate.evidence.names import begins_comment

    if begins_comment(before.strip()) or _REMARK.search(STRING.sub("", f"{before} ")):
        return True
    line_end = text.find("\n", end)
    behind = text[end : line_end if line_end >= 0 else len(text)]
    return any(len(mark.findall(before)) % 2 and mark.pattern[-1] in behind for mark in _QUOTES)


def _is_changed_code(source: SourceText, find: Find) -> bool:
    from patchpoint.locate.alignment import line_similarity
    from patchpoint.locate.evidence.names import begins_comment, without_remark

    said = find.quote.solid_lines[0]
    code = (without_remark(line) for line in source.stripped if not begins_comment(line))
    return any(line_similarity(said, line) >= _CODE_ITSELF for line in code if line)


def is_deeper(source: SourceText, find: Find) -> bool:
    """Return whether a find is one line with its depth in a deeper line, and others have its words."""
    search, line = find.quote.search.rstrip(), source.lines[find.lines[0]].rstrip()
    is_line = "\n" not in search and search.strip() == line.strip()
    is_other = is_line and search[:1].isspace() and search != line
    return is_other and source.stripped.count(search.strip()) > 1


def _cuts_number(source: SourceText, find: Find) -> bool:
    text = source.plain
    return any(0 < at < len(text) and text[at - 1].isdigit() and text[at].isdigit() for at in find.span)
