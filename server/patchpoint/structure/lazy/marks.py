"""Marks: lines of shown code that stand for lines of the file, such as `# ... existing code ...`.

A mark is recognised by its words and not by the grammar of its language: models write them into strings, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"(?:\#+|//+!?|/\*+|<!--|--+|;+|%+|\{/\*|\"{3}|'{3}|\*)[ \t]*")
_COMMENT_END = re.compile(r"[ \t]*(?:\*/\}?|-->|\"{3}|'{3})\Z")
_FIRST = frozenset("#/<-;%{\"'*.…([")
"""What a mark begins with: most lines of a file need no closer look."""
_DOTS = re.compile(r"(?:\.{3,}|…)")
_SIGNS = (
    *("...", "…", "existing", "rest", "remain", "unchanged", "same", "other", "previous", "code", "change"),
    *("omitted", "everything", "methods", "functions", "imports"),
)
"""What a mark has one of: most comments of a file need no closer look either."""
_WORD = re.compile(r"[\w'’/-]+")
_MOST_WORDS = 9

_TELLING = frozenset(
    {
        *("existing", "rest", "remain", "remains", "remaining", "unchanged", "same", "other", "others"),
        *("previous", "keep", "kept", "omitted", "code", "method", "methods", "function", "functions"),
        *("imports", "above", "below"),
    }
)
"""A comment that begins with dots is a mark if it has one of these words."""

_THING = (
    r"(?:(?:your|the|of|in|this|other|existing|current|original|previous|remaining|class|helper|test|rest)\s+)*"
    r"(?:code|methods?|functions?|imports?|class|file|module|implementation|logic|body|tests?|fields|members|"
    r"properties|definitions?|content|setup|statements|constants|routes|handlers|it|script|component|struct|"
    r"cases|variables|lines|everything|everything else)"
)
_SAME = (
    r"(?:(?:remains?|stays?|is|are|as|goes|left|kept)\s+)?"
    r"(?:(?:the\s+)?same(?:\s+as\s+(?:before|above))?|unchanged|untouched|here|as\s+(?:before|is|it\s+was)|"
    r"omitted(?:\s+for\s+brevity)?|intact)"
)
_CLOSED = re.compile(
    rf"(?:the\s+)?(?:rest|remainder)\s+of\s+(?:the\s+)?(?:\w+\s+)?{_THING}(?:\s+{_SAME})?"
    rf"|(?:keep\s+)?(?:the\s+|all\s+|your\s+)*(?:existing|remaining|other|previous|unchanged)\s+{_THING}(?:\s+{_SAME})?"
    rf"|(?:the\s+)?(?:code|methods|functions|imports)\s+{_SAME}"
    r"|(?:no\s+changes?(?:\s+(?:here|above|below))?|unchanged(?:\s+code)?|same\s+as\s+(?:before|above)"
    r"|remains?\s+(?:the\s+same|unchanged)|omitted\s+for\s+brevity|everything\s+else\s+(?:remains\s+|stays\s+)?"
    r"(?:the\s+same|unchanged))",
    re.IGNORECASE,
)


def is_mark(line: str) -> bool:
    """Return whether a line says only that lines of the file are left out there."""
    words = line.strip()
    if words[:1] not in _FIRST or len(words) > 120:
        return False
    folded = words.casefold()
    for sign in _SIGNS:
        if sign in folded:
            break
    else:
        return False
    comment = _COMMENT.match(words)
    if comment and comment.end() < len(words):
        words = _COMMENT_END.sub("", words[comment.end() :]).strip()
    else:
        comment = None
    bare = _without_brackets(words)
    dots = _DOTS.match(bare)
    rest = _DOTS.sub(" ", bare).strip()
    if not rest:
        return dots is not None and (comment is not None or bare == words)
    if comment is None:
        return False
    rest = _without_brackets(rest).rstrip(".:!,; \t")
    found = [word.casefold() for word in _WORD.findall(rest)]
    if dots and len(found) <= _MOST_WORDS and not _TELLING.isdisjoint(found):
        return "=" not in rest
    return _CLOSED.fullmatch(rest) is not None


def marks_among(lines: Sequence[str], file: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the shown lines that are marks; a line that the file has, too, is none."""
    in_file = {line.strip() for line in file}
    return frozenset(
        number for number, line in enumerate(lines) if line.strip() not in in_file and is_mark(line)
    )


def ellipses_of_python(
    lines: Sequence[str], marks: frozenset[int], file: Sequence[str]
) -> tuple[frozenset[int], bool]:
    """Return the marks but for `...` that is code, and whether it may be the text of a string instead.

    In Python, `...` alone is code where it is the whole body of something that the file has not.
    """
    in_file = {line.strip() for line in file}
    code: set[int] = set()
    is_open = False
    quotes = 0
    for number, line in enumerate(lines):
        in_string = quotes % 2 == 1
        quotes += line.count('"""') + line.count("'''")
        if number not in marks or line.strip() not in ("...", "…"):
            continue
        above = next((each for each in reversed(lines[:number]) if each.strip()), "")
        below = next((each for each in lines[number + 1 :] if each.strip()), "")
        depth = _depth(line)
        is_body = (
            above.rstrip().endswith(":") and _depth(above) < depth and (not below or _depth(below) < depth)
        )
        if is_body and (in_string or above.strip() not in in_file):
            code.add(number)
        elif in_string:
            is_open = True
    return marks - code, is_open


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_brackets(words: str) -> str:
    while len(words) > 1 and (words[0], words[-1]) in {("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")}:
        words = words[1:-1].strip()
    return words
