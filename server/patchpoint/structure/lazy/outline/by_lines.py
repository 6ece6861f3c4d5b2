"""The definitions of a text that does not parse, by the patterns of headers, depth and closing lines.

Shown code often does not parse: a mark within an expression, or a brace that is left out with what it closes.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import CodeText, Definition, lead_above
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_CLOSER = regex(r"[)\]}]|end\b|else\b|elsif\b|elif\b|rescue\b|ensure\b|except\b|finally\b|when\b|in\b|\{")
_CLOSES = regex(r"(?:[)\]}]+[;,)]*|end)\s*(?:(?://|#).*)?\Z")
_CLOSING = regex(r"[)\]}]+[;,)]*\Z")
_QUOTES = ('"""', "'''", "$$")
_CODE_DEPTH = 4
"""A line of a document that is so deep is code."""


def outline_by_headers(text: CodeText) -> Definition:
    """Return the definitions of a text as its headers and depths show them."""
    return Definition.of_text(text.lines, _level(text, 0, len(text.lines)))


def outline_by_first_lines(text: CodeText) -> Definition:
    """Return the sections, tables, keys or statements of a text by the lines that they begin with."""
    whole = (0, len(text.lines))
    if text.syntax.family == "yaml":
        depth = min(map(text.depth, text.code(*whole)), default=0)
        return Definition.of_text(text.lines, _keys(text, whole, depth))
    return Definition.of_text(text.lines, _sections(text, whole, _heads(text)))


def _heads(text: CodeText) -> list[tuple[int, int, str]]:
    """Return the lines that begin something, with their levels and names; none in a text of several lines."""
    syntax = text.syntax
    found: list[tuple[int, int, str]] = []
    fence = ""
    for row, line in enumerate(text.lines):
        words = line.strip()
        if fence:
            fence = "" if words.startswith(fence) or (fence in _QUOTES and fence in words) else fence
            continue
        name = header_name(line, syntax)[0]
        if name and row not in text.marks and text.depth(row) < _CODE_DEPTH:
            level = len(words) - len(words.lstrip("#")) if syntax.family == "markdown" else 1
            # a comment of code may read like a heading of another level
            title = " ".join([words[:level], words.strip("#").strip()])
            found.append((row, level, title if syntax.family == "markdown" else name))
        if syntax.family == "markdown" and words.startswith(("```", "~~~")):
            fence = words[:3]
        elif syntax.family != "markdown":
            fence = next((quotes for quotes in _QUOTES if words.count(quotes) % 2), "")
    return found


def _sections(text: CodeText, within: Span, heads: Sequence[tuple[int, int, str]]) -> tuple[Definition, ...]:
    lines, marks = text.lines, text.marks
    signs = () if text.syntax.family == "markdown" else text.syntax.comments
    found: list[Definition] = []
    reached, limit = within
    at = 0
    while at < len(heads):
        start, level, name = heads[at]
        after = next((n for n in range(at + 1, len(heads)) if heads[n][1] <= level), len(heads))
        end = heads[after][0] if after < len(heads) else limit
        if after < len(heads):
            end = lead_above(text, signs, end, start + 1)
        if text.syntax.family == "sql":
            end = next((n + 1 for n in range(start, end) if lines[n].rstrip().endswith(";")), end)
        children = _sections(text, (start + 1, end), heads[at + 1 : after])
        least = children[-1].end if children else start + 1
        has_text = next(text.code(start + 1, end), None) is not None
        while end > least and (
            not lines[end - 1].strip() or (has_text and end - 1 in marks and not lines[end - 2].strip())
        ):
            end -= 1
        lead = lead_above(text, signs, start, reached)
        head = "".join(lines[start].split())
        found.append(Definition(name, lead, start, end, head, bool(children), children))
        reached, at = end, after
    return tuple(found)


def _keys(text: CodeText, within: Span, depth: int) -> tuple[Definition, ...]:
    lines, syntax, marks = text.lines, text.syntax, text.marks
    found: list[Definition] = []
    row, limit = within
    reached = row
    while row < limit:
        line = lines[row]
        name, may_hold = header_name(line, syntax)
        if row in marks or not name or text.depth(row) != depth:
            row += 1
            continue
        end = row + 1
        for below in text.code(row + 1, limit):
            words, own = text.words(below), text.depth(below)
            if words.startswith("#") and own <= depth:
                continue
            if own < depth or (own == depth and not words.startswith("- ")):
                break
            end = below + 1
        while end < limit and end in marks and text.depth(end) > depth:
            end += 1
        inner = next(text.code(row + 1, end), None)
        is_mapping = may_hold and line.split("#")[0].rstrip().endswith(":") and inner is not None
        children: tuple[Definition, ...] = ()
        if is_mapping and inner is not None and not text.words(inner).startswith("-"):
            children = _keys(text, (row + 1, end), text.depth(inner))
        lead = lead_above(text, syntax.comments, row, reached)
        found.append(Definition(name, lead, row, end, "".join(name.split()), bool(children), children))
        reached = row = end
    return tuple(found)


def _level(text: CodeText, first: int, end: int) -> tuple[Definition, ...]:
    lines = text.lines
    found: list[Definition] = []
    reached = first
    depth: int | None = None
    for at in text.code(first, end):
        name, is_container = header_name(lines[at], text.syntax)
        if at < reached or not name or (depth is not None and text.depth(at) > depth):
            continue
        depth = text.depth(at) if depth is None else depth
        last = _end(text, at, end)
        start = at
        while start > reached and start - 1 not in text.marks and DECORATOR.match(lines[start - 1]):
            start -= 1
        header = "".join(" ".join(lines[start : at + 1]).split())
        lead = lead_above(text, text.syntax.comments, start, reached)
        children = _level(text, at + 1, last) if last - at > 2 else ()
        found.append(Definition(name, lead, at, last, header, is_container, children))
        reached = last
    return tuple(found)


def _end(text: CodeText, at: int, end: int) -> int:
    """Return the line behind the definition whose head is on line `at`."""
    marks, depth = text.marks, text.depth(at)
    closed_by_line = text.syntax.family != "python"
    last = at + 1
    for number in text.code(at + 1, end):
        own_depth = text.depth(number)
        if own_depth > depth:
            last = number + 1
            continue
        words = text.words(number)
        if own_depth == depth and _CLOSER.match(words):
            last = number + 1
            if closed_by_line and _CLOSES.match(words) and not (last < end and words.startswith(")")):
                return last
            continue
        closing = _closing_below(text, number, end, depth) if closed_by_line else 0
        if closing:
            return closing
        break
    # marks right behind, deeper than the head, belong to it; so does any where nothing closes it
    is_open = closed_by_line and last > at + 1 and text.depth(last - 1) > depth
    while last < end and (not text.words(last) or (last in marks and (is_open or text.depth(last) > depth))):
        last += 1
    return text.above(last) + 1


def _closing_below(text: CodeText, at: int, end: int, depth: int) -> int:
    """Return the line behind the bracket that closes a definition whose text of several lines is less deep.

    Such are the raw strings of Go. 0 if another definition comes first, or nothing closes it.
    """
    for number in text.code(at, end):
        if text.depth(number) > depth:
            continue
        if header_name(text.lines[number], text.syntax)[0]:
            return 0
        if text.depth(number) == depth and _CLOSING.match(text.words(number)):
            return number + 1
    return 0
