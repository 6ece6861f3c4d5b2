"""Statements that give a name a value, and what a line begins, by lines alone: in any language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from patchpoint.structure.lazy.alignment import Kind, Token, is_closing
from patchpoint.structure.lazy.definition import CodeText, Definition, indentation_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

BOUND = regex(
    r"(?<![\w$.\"'-])(?P<name>[\w$.\"'-]+)\s{0,40}(?:[?!]?:[^=]{0,200})?\s{0,40}(?P<sign>:=|[=:])(?![=>])"
)
"""Where a name gets a value, or is the key of one."""
_MEMBER = regex(
    r"(?!\*)(?:[\w.<>\[\]*&?,]{1,80}\s{1,40}){0,5}['\"]?(?P<name>[$@]?[\w$-]+)['\"]?[?!]?"
    r"(?::(?![:/])\s*\S|\s{0,40}=(?![=>~]))[^{}]*\Z"
)
"""A field, a property or a key, with or without its value, on one line."""
_FIELD = regex(
    r"(?!\*|(?:return|throw|yield|delete|goto|await)\b)(?:[\w.<>\[\]*&?,]{1,80}\s{1,40}){1,5}(?P<name>\$?\w+);\Z"
)
_HAS_FIELDS = regex(r"[^(]*\b(?:struct|interface|enum|union|type)\b[^(]*\Z")
"""The head of what has fields and no functions."""
_RULE = regex(r"\s*[:.#\[*\w][^(){};=]*\{\s*\Z")
_NAMESPACE = regex(
    r"\s*(?:(?:export|declare|inline|pub(?:\([\w:]+\))?)\s+)*(?:namespace|module|mod|package)\s+[\w'\"]"
)
_DECLARED = regex(r"(?:export |pub )?(?:const|let|val|var) ")
_SECTION = regex(r"\[.*\]\s*\Z|\\(?P<level>(?:sub)*section)\b|\\end\{document\}")
_TWICE = 2
_FAMILIES = ("css", "", "toml")
"""Data in which a line is a key with its value."""
_TAG = regex(r"\s*<(?P<name>[A-Za-z][\w.:-]*)(?![\w<(])")
"""What an element of markup begins with."""
CLOSES = (")", "]", "}", "end")
"""What a line begins with that ends what is above it."""
_TRAILING = regex(r"(?<![:\w\"'`])(?:#(?![\w!{])|//|--\s|/\*|<!--|\{/\*).*\Z")
_GOES_ON = (",", "(", "[", "{", ";", ":", "=>", "->", "\\", "|", "&")
"""What an element that is whole does not end with."""
_CLAUSES = ("from ", "where ", "values", "set ")
"""What ends a list of SQL."""
_MOST_ELEMENTS = 100
"""So many lines above the last element are looked at for one before it."""


def head_of(line: str, *, keys: bool = False) -> tuple[str, ...]:
    """Return the words before the value that a statement gives a name; none for another statement.

    With `keys`, those before a colon as well, as data have them.
    """
    words = line.strip()
    bound = BOUND.search(words)
    if (
        bound is None
        or (bound["sign"] == ":" and not keys)
        or not all(each.isidentifier() for each in words[: bound.start()].split())
    ):
        return ()
    return (*words[: bound.start()].split(), bound["name"])


def end_of_block(file: Sequence[str], row: int) -> int:
    """Return the row behind what a line begins: what is deeper, with the lines that open and close it.

    A table of settings, and a section of a text, end above the next one.
    """
    if (head := _SECTION.match(file[row])) and ("=" in "".join(file[row + 1 : row + 2]) or head["level"]):
        level = len(head["level"] or "")
        every = ((at, _SECTION.match(file[at])) for at in range(row + 1, len(file)))
        end = next((at for at, one in every if one and len(one["level"] or "") <= level), len(file))
        return row + len(without_blank_ends(["x", *file[row + 1 : end]]))
    if _TAG.match(file[row]):
        return _end_of_element(file, row)
    depth = len(indentation_of(file[row]))
    end = at = row + 1
    while at < len(file):
        words = file[at].strip()
        is_out = bool(words) and len(indentation_of(file[at])) <= depth
        if is_out and (file[row].rstrip().endswith(":") or not words.startswith(("{", *CLOSES))):
            break
        at += 1
        end = at if words else end
        if words.startswith(CLOSES) and len(indentation_of(file[at - 1])) <= depth:
            return end if len(indentation_of(file[at - 1])) == depth else end - 1
    return end


def start_of_element(file: Sequence[str], row: int) -> int:
    """Return the row on which a tag or an item begins that a line is in, or else the row of that line."""
    at, depth = row, len(indentation_of(file[row]))
    while at and (not file[at].strip() or len(indentation_of(file[at])) >= depth):
        at -= 1
    tag = _TAG.match(file[at])
    if file[at].lstrip().startswith("- ") and len(indentation_of(file[at])) == depth - 2:
        return at
    return at if tag is not None and ">" not in "".join(file[at:row]) else row


def _end_of_element(file: Sequence[str], row: int) -> int:
    """Return the row behind an element of markup that begins on a line: it ends on it, or no deeper."""
    depth, tag = len(indentation_of(file[row])), _TAG.match(file[row])
    ends = (f"</{tag['name']}>" if tag is not None else "", "/>")
    if file[row].rstrip().endswith(ends):
        return row + 1
    for at in range(row + 1, len(file)):
        words = file[at].strip()
        if not words or len(indentation_of(file[at])) > depth:
            continue
        if words.startswith("</") or words.endswith(ends):
            return at + 1
        if not words.startswith(">"):
            break
    return row + 1


def member_name(line: str) -> str:
    """Return the name of the field, property or key that a line is; empty for any other line.

    What uses its own name may be another statement about it.
    """
    words = line.strip()
    found = _FIELD.match(words) or _MEMBER.match(words)
    return found["name"] if found and IDENTIFIER.findall(words).count(found["name"]) < _TWICE else ""


def has_fields(head: str) -> bool:
    """Return whether what begins with that line has fields and no functions, or is a rule of styles."""
    return _HAS_FIELDS.match(head) is not None or _RULE.match(head) is not None


def is_namespace(text: CodeText, level: Definition) -> bool:
    """Return whether a definition only has others, as a file does: a namespace, or a module."""
    return _NAMESPACE.match(text.lines[level.start]) is not None


def names_of_members(text: CodeText, level: Definition, tokens: Iterable[Token]) -> list[str]:
    """Return the name of the member of a level that each of some tokens is; empty for any other.

    Of the statements of a file, only what a keyword declares is one.
    """
    family = text.syntax.family
    if text.syntax.is_data and family not in _FAMILIES:
        return ["" for _ in tokens]
    head = "" if level.is_text else text.lines[level.start]
    rows = range(level.start + (not level.is_text), level.end)
    inner = (indentation_of(text.lines[row]) for row in rows if text.lines[row].strip())
    depth = next((each for each in inner if level.is_text or len(each) > len(indentation_of(head))), None)
    is_class = level.is_container and not level.is_text
    has_fields = family in _FAMILIES or is_class or _HAS_FIELDS.match(head)
    found = []
    for token in tokens:
        is_member = token.kind is Kind.LINE and indentation_of(token.text) == depth
        is_one = is_member and (has_fields or (level.is_text and _DECLARED.match(token.text)))
        found.append(member_name(token.text) if is_one else "")
    return found


def without_remark(line: str) -> str:
    """Return a line without a remark at its end."""
    return _TRAILING.sub("", line).rstrip()


def lacks_comma(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether something is new below what was the last element of a list, without a comma between.

    It was the last where a bracket closed below it, and there is another one above it, with a comma.
    """
    for (first, end), (start, stop) in changed_ranges(file, result):
        if first != end or not 0 < start < stop < len(result):
            continue
        new, below = ("".join([*filter(str.strip, each)][:1]) for each in (result[start:stop], result[stop:]))
        is_end = is_closing(below) or below.strip().casefold().startswith(_CLAUSES)
        above = islice(map(without_remark, reversed(result[:start])), _MOST_ELEMENTS)
        last, *others = [*filter(str.strip, above)] or [","]
        depth = indentation_of(last)
        if last.endswith(_GOES_ON) or indentation_of(new) != depth or not is_end:
            continue
        elements = takewhile(lambda line: len(indentation_of(line)) >= len(depth), others)  # noqa: B023
        if any(line.endswith(",") and indentation_of(line) == depth for line in elements):
            return True
    return False
