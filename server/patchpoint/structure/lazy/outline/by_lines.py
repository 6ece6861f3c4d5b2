"""The definitions of a text that does not parse, by the patterns of headers, depth and closing lines.

Shown code often does not parse: a mark within an expression, or a brace that is left out with what it closes.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import Definition, indentation_of, lead_above
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR, Syntax
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_CLOSER = regex(r"[)\]}]|end\b|else\b|elsif\b|elif\b|rescue\b|ensure\b|except\b|finally\b|when\b|in\b|\{")
_CLOSES = regex(r"(?:[)\]}]+[;,)]*|end)\s*(?:(?://|#).*)?\Z")
_CLOSING = regex(r"[)\]}]+[;,)]*\Z")
_QUOTES = ('"""', "'''", "$$")
_CODE_DEPTH = 4
"""A line of a document that is so deep is code."""


def outline_by_headers(lines: Sequence[str], syntax: Syntax, marks: frozenset[int]) -> Definition:
    """Return the definitions of a text as its headers and depths show them."""
    children = _level(lines, syntax, marks, 0, len(lines))
    return Definition("", 0, 0, len(lines), is_container=True, children=children)


def outline_by_first_lines(lines: Sequence[str], syntax: Syntax, marks: frozenset[int]) -> Definition:
    """Return the sections, tables, keys or statements of a text by the lines that they begin with."""
    if syntax.family == "yaml":
        solid = [line for n, line in enumerate(lines) if line.strip() and n not in marks]
        depth = min((len(indentation_of(line)) for line in solid), default=0)
        children = _keys(lines, syntax, marks, (0, len(lines)), depth)
    else:
        children = _sections(lines, syntax, marks, (0, len(lines)), _heads(lines, syntax, marks))
    return Definition("", 0, 0, len(lines), is_container=True, children=children)


def _heads(lines: Sequence[str], syntax: Syntax, marks: frozenset[int]) -> list[tuple[int, int, str]]:
    """Return the lines that begin something, with their levels and names; none in a text of several lines."""
    found: list[tuple[int, int, str]] = []
    fence = ""
    for row, line in enumerate(lines):
        words = line.strip()
        if fence:
            fence = "" if words.startswith(fence) or (fence in _QUOTES and fence in words) else fence
            continue
        name = header_name(line, syntax)[0]
        if name and row not in marks and len(indentation_of(line)) < _CODE_DEPTH:
            level = len(words) - len(words.lstrip("#")) if syntax.family == "markdown" else 1
            # a comment of code may read like a heading of another level
            title = " ".join([words[:level], words.strip("#").strip()])
            found.append((row, level, title if syntax.family == "markdown" else name))
        if syntax.family == "markdown" and words.startswith(("```", "~~~")):
            fence = words[:3]
        elif syntax.family != "markdown":
            fence = next((quotes for quotes in _QUOTES if words.count(quotes) % 2), "")
    return found


def _sections(
    lines: Sequence[str],
    syntax: Syntax,
    marks: frozenset[int],
    within: Span,
    heads: Sequence[tuple[int, int, str]],
) -> tuple[Definition, ...]:
    found: list[Definition] = []
    reached, limit = within
    at = 0
    while at < len(heads):
        start, level, name = heads[at]
        after = next((n for n in range(at + 1, len(heads)) if heads[n][1] <= level), len(heads))
        end = heads[after][0] if after < len(heads) else limit
        signs = () if syntax.family == "markdown" else syntax.comments
        if after < len(heads):
            end = lead_above(lines, end, signs, start + 1, marks)
        if syntax.family == "sql":
            end = next((n + 1 for n in range(start, end) if lines[n].rstrip().endswith(";")), end)
        children = _sections(lines, syntax, marks, (start + 1, end), heads[at + 1 : after])
        least = children[-1].end if children else start + 1
        has_text = any(lines[row].strip() and row not in marks for row in range(start + 1, end))
        while end > least and (
            not lines[end - 1].strip() or (has_text and end - 1 in marks and not lines[end - 2].strip())
        ):
            end -= 1
        lead = lead_above(lines, start, signs, reached, marks)
        head = "".join(lines[start].split())
        found.append(Definition(name, lead, start, end, head, bool(children), children))
        reached, at = end, after
    return tuple(found)


def _keys(
    lines: Sequence[str], syntax: Syntax, marks: frozenset[int], within: Span, depth: int
) -> tuple[Definition, ...]:
    found: list[Definition] = []
    row, limit = within
    reached = row
    while row < limit:
        line = lines[row]
        name, may_hold = header_name(line, syntax)
        if row in marks or not name or len(indentation_of(line)) != depth:
            row += 1
            continue
        end = row + 1
        for below in range(row + 1, limit):
            words, own = lines[below].strip(), len(indentation_of(lines[below]))
            if not words or (words.startswith("#") and own <= depth) or below in marks:
                continue
            if own < depth or (own == depth and not words.startswith("- ")):
                break
            end = below + 1
        while end < limit and end in marks and len(indentation_of(lines[end])) > depth:
            end += 1
        inner = next((n for n in range(row + 1, end) if lines[n].strip() and n not in marks), None)
        is_mapping = may_hold and line.split("#")[0].rstrip().endswith(":") and inner is not None
        children: tuple[Definition, ...] = ()
        if is_mapping and inner is not None and not lines[inner].strip().startswith("-"):
            children = _keys(lines, syntax, marks, (row + 1, end), len(indentation_of(lines[inner])))
        lead = lead_above(lines, row, syntax.comments, reached, marks)
        found.append(Definition(name, lead, row, end, "".join(name.split()), bool(children), children))
        reached = row = end
    return tuple(found)


def _level(
    lines: Sequence[str], syntax: Syntax, marks: frozenset[int], first: int, end: int
) -> tuple[Definition, ...]:
    found: list[Definition] = []
    reached = at = first
    depth: int | None = None
    while at < end:
        line = lines[at]
        if not line.strip() or at in marks:
            at += 1
            continue
        own_depth = len(indentation_of(line))
        name, is_container = header_name(line, syntax)
        if not name or (depth is not None and own_depth > depth):
            at += 1
            continue
        depth = own_depth if depth is None else depth
        last = _end(lines, syntax, marks, at, end)
        start = at
        while start > reached and start - 1 not in marks and DECORATOR.match(lines[start - 1]):
            start -= 1
        header = "".join(" ".join(lines[start : at + 1]).split())
        lead = lead_above(lines, start, syntax.comments, reached, marks)
        children = _level(lines, syntax, marks, at + 1, last) if last - at > 2 else ()
        found.append(Definition(name, lead, at, last, header, is_container, children))
        reached = at = last
    return tuple(found)


def _end(lines: Sequence[str], syntax: Syntax, marks: frozenset[int], at: int, end: int) -> int:
    """Return the line behind the definition whose head is on line `at`."""
    depth = len(indentation_of(lines[at]))
    closed_by_line = syntax.family != "python"
    last = at + 1
    for number in range(at + 1, end):
        line = lines[number]
        if not line.strip() or number in marks:
            continue
        own_depth = len(indentation_of(line))
        if own_depth > depth:
            last = number + 1
            continue
        words = line.strip()
        if own_depth == depth and _CLOSER.match(words):
            last = number + 1
            if closed_by_line and _CLOSES.match(words) and not (last < end and words.startswith(")")):
                return last
            continue
        closing = _closing_below(lines, syntax, marks, number, end, depth) if closed_by_line else 0
        if closing:
            return closing
        break
    if last == at + 1 and not closed_by_line:
        below = next((number for number in range(last, end) if lines[number].strip()), end)
        last = below + 1 if below in marks else last  # a mark in place of the whole body, at any depth
    # marks right behind, deeper than the head, belong to it; so does any where nothing closes it
    is_open = closed_by_line and last > at + 1 and len(indentation_of(lines[last - 1])) > depth
    while last < end and (
        not lines[last].strip() or (last in marks and (is_open or len(indentation_of(lines[last])) > depth))
    ):
        last += 1
    while last > at + 1 and not lines[last - 1].strip():
        last -= 1
    return last


def _closing_below(
    lines: Sequence[str], syntax: Syntax, marks: frozenset[int], at: int, end: int, depth: int
) -> int:
    """Return the line behind the bracket that closes a definition whose text of several lines is less deep.

    Such are the raw strings of Go. 0 if another definition comes first, or nothing closes it.
    """
    for number in range(at, end):
        line = lines[number]
        own_depth = len(indentation_of(line))
        if not line.strip() or number in marks or own_depth > depth:
            continue
        if header_name(line, syntax)[0]:
            return 0
        if own_depth == depth and _CLOSING.match(line.strip()):
            return number + 1
    return 0
