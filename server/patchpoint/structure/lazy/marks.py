"""Marks: lines of shown code that stand for lines of the file, such as `# ... existing code ...`.

A mark is recognised by its words and not by the grammar of its language: models write them into strings, too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from enum import Enum
from itertools import pairwise

from patchpoint.text.regex import regex

_COMMENT = regex(r"(?:\#+|//+!?|/\*+|<!--|--+|;+|%+|\{/\*|\"{3}|'{3}|\*)[ \t]*")
_COMMENT_END = regex(r"[ \t]*(?:\*/\}?|-->|\"{3}|'{3})\Z")
_FIRST = frozenset("#/<-;%{\"'*.…([")
"""What a mark begins with: most lines of a file need no closer look."""
_DOTS = regex(r"(?:\.{3,}|…|⋮)")
_DOT = regex(r"[.…⋮·]")
_NO_DOT = regex(r"[^.…⋮·\s\[\](){}<>*/-]")
_SIGN = regex(
    r"\.\.\.|…|⋮|existing|rest|remain|unchanged|same|other|previous|code|change|omitted|everything|methods"
    r"|functions|imports|untouched|unmodified|snip|intact|truncated|elided|as before|as is|they are|they were"
    r"|so on|etc",
    re.IGNORECASE,
)
"""What a mark has one of: most comments of a file need no closer look either."""
_WORD = regex(r"[\w'’/-]+")
_NUMBERED = regex(r"\s*(?P<number>\d{1,6})(?:\s*[|│:](?!:))?(?P<rest>(?:\s.*)?)\Z")
_MOST_APART = 3
"""A blank line may have no number."""
_LEAST = 3
_MOST_WORDS = 9
_LONGEST = 120

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
    r"cases|variables|lines|everything|everything else|page|markup|template)"
)
_CLOSED = regex(
    rf"(?:(?:the\s+)?(?:rest|remainder)\s+of\s+(?:the\s+)?(?:\w+\s+)?"
    rf"|(?:keep\s+|the\s+|all\s+|your\s+)*(?:existing|remaining|other|previous|unchanged)\s+)"
    rf"{_THING}(?:\s+(?:(?:goes|stays|is|are)\s+)?(?:here|unchanged|untouched|intact|omitted|(?:the\s+)?same))?",
    re.IGNORECASE,
)

_WORDS = """
the of in this your my all for to from with and as is are was were be it they that here there below above
before after so on at exactly everything anything else any no not just still should do does
code method methods function functions import imports class classes file module implementation logic body
test tests field fields member members property properties props definition definitions content contents
setup statement statements constant constants route routes handler handlers script component components
struct case cases variable variables line lines config configuration options settings keys entries items
types elements section sections part parts block blocks branches arguments parameters attributes styles
rules endpoints hooks helper helpers utilities
existing rest remainder remain remains remaining unchanged unmodified untouched same other others previous
original originally keep kept leave left stay stays continue continues go goes omitted snip snipped
truncated elided hidden collapsed brevity clarity change changes modification modifications identical
intact current more etc
"""
"""The words of which whole marks are made."""
_LEFT = regex(
    r"\b(?:unchanged|unmodified|untouched|omitted|snip(?:ped)?|truncated|elided|intact|etc|(?:and )?so on"
    r"|as (?:it |they )?(?:is|are|was|were|before)|no (?:other |more |further )?(?:changes?|modifications?)"
    r"|same as (?:before|above|the original|original|in the original)"
    r"|(?:stays?|remains?|is|are|keeps?|kept)(?: exactly| all)?(?: the)? (?:same|identical))\b",
    re.IGNORECASE,
)
"""Says that something stays as it is, or is left out."""
_OTHERS = regex(
    r"(?:keep |leave |your |the |all |any |and |of )*"
    r"(?:others?|existing|remaining|remainder|rest|previous|same|more|everything|original)\b"
    r"(?: [\w'’/-]+){0,3}",
    re.IGNORECASE,
)
"""Names what the file has, and says nothing of it."""
_CODE = regex(r"[={}\"`\\]|\w\(|\w\[|\w\.\w|->|=>|::")
"""What comments about code have, and marks have not."""
_MOST_OTHER_WORDS = 3
_ASSIGNS = regex(r"(?<!\w)=|=(?=[^,\s)])")
"""An equals sign that is not the end of the name of a setter."""
_NAMES = regex(r"[\w$]+[?!]?(?:\(\))?(?:(?:,| and|, and| &|/)\s*[\w$]+[?!]?(?:\(\))?){1,11}")
"""What is left out, by its names."""
_DEFINITION = regex(r"\s*(?:(?:async\s+)?def\b|class\b|\)\s*(?:->.*)?:)")
"""What the last line of a definition's head begins with in Python."""
_FRAME = "=-~*_<>^+|→←↑↓ \t"
"""What is drawn around the words of a comment."""
_OWN = frozenset(
    {"existing", "rest", "remainder", "remaining", "other", "others", "same", "previous", "original"}
)
"""Words for what the file has."""
_vocabulary = frozenset(_WORDS.split())


class _Says(Enum):
    """What a line says of lines that are left out."""

    OTHER = 0
    MAYBE = 1
    LEFT_OUT = 2
    MARK = 3


def is_mark(line: str) -> bool:
    """Return whether a line says only that lines of the file are left out there."""
    return _said_by(line) is _Says.MARK


def may_be_mark(line: str) -> bool:
    """Return whether a line is a mark, or a comment that may be meant as one.

    So may be a comment that says something of the code next to it: where it is decides.
    """
    return _said_by(line) is not _Says.OTHER


def is_left_out(line: str) -> bool:
    """Return whether a comment says what stays, names what there is, or begins with dots."""
    return _said_by(line) in (_Says.MARK, _Says.LEFT_OUT)


def without_path(shown: Sequence[str], file: Sequence[str], path: str) -> list[str]:
    """Return the shown lines without a first comment that only names the file."""
    lines = list(shown)
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return lines
    words = lines[first].strip()
    name = path.replace("\\", "/").rpartition("/")[2]
    bare = words.lstrip("#/*-;<!% \t").rstrip("*/->: \t").strip("`*'\" ")
    is_comment = words[:1] in "#/-;<%*" and not words.startswith(("#!", "#include"))
    if is_comment and name and bare.endswith(name) and words not in map(str.strip, file):
        del lines[: first + 1]
    return lines


def without_numbers(shown: Sequence[str], file: Sequence[str]) -> list[str]:
    """Return shown lines without the numbers in front of all of them, one more than above each.

    They are as deep as they are shown. Lines of a file that has numbers are returned as they are.
    """
    found = [_NUMBERED.match(line) for line in shown if line.strip()]
    numbered = [each for each in found if each is not None]
    numbers = [int(each["number"]) for each in numbered]
    is_row = all(one < other <= one + _MOST_APART for one, other in pairwise(numbers))
    has_words = [each for each in numbered if each["rest"].strip()]
    is_gutter = len(numbered) == len(found) >= _LEAST and is_row and 2 * len(has_words) > len(found)
    if not is_gutter or any(map(_NUMBERED.match, file)):
        return list(shown)
    # of numbers with more and fewer digits, the lines may begin in one column
    depths = [
        {len(each["rest"]) - len(each["rest"].lstrip()) + padded * len(each["number"]) for each in has_words}
        for padded in (False, True)
    ]
    is_odd = [any((each - min(columns)) % 2 for each in columns) for columns in depths]
    is_padded = is_odd[0] and not is_odd[1]
    lines = []
    for line in shown:
        own = _NUMBERED.match(line)
        before = " " * len(own["number"]) if own is not None and is_padded else ""
        lines.append(before + own["rest"] if own is not None and own["rest"].strip() else "")
    return lines


def marks_among(lines: Sequence[str], known: Container[str]) -> frozenset[int]:
    """Return the numbers of the shown lines that are marks; one that is `known` in the file is none."""
    found: set[int] = set()
    for number, line in enumerate(lines):
        if line.strip() in known or not is_mark(line):
            continue
        above = lines[number - 1] if number else ""
        goes_on = number - 1 not in found and _comment_words(above)[1] and _depth(above) == _depth(line)
        if not (goes_on and not _DOTS.search(line) and _is_in_sentence(line)):
            found.add(number)
    return frozenset(found)


def ellipses_of_python(
    lines: Sequence[str], marks: frozenset[int], known: Container[str]
) -> tuple[frozenset[int], bool]:
    """Return the marks but for `...` that is code, and whether it may be the text of a string instead.

    In Python, `...` alone is code where it is the whole body of a definition that is not `known` in the file.
    That of a branch, or of a block that something is put into, is left out.
    """
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
        if is_body and (in_string or (above.strip() not in known and _DEFINITION.match(above))):
            code.add(number)
        elif in_string:
            is_open = True
    return marks - code, is_open


def _said_by(line: str) -> _Says:
    """Return what a line says of lines that are left out."""
    if line.lstrip()[:1] not in _FIRST:
        return _Says.OTHER
    words, is_comment = _comment_words(line)
    dots = _DOTS.match(words)
    rest = _without_brackets(_DOTS.sub(" ", words).strip()).strip(_FRAME).rstrip(".:!,; \t")
    begins_with_dots = words.startswith(("..", "…"))
    if not rest and dots:
        return _Says.MARK
    if not is_comment:
        return _Says.OTHER
    if not any(map(str.isalnum, words)):
        is_of_dots = len(_DOT.findall(words)) > 1 and not _NO_DOT.search(words)
        return _Says(begins_with_dots + 1) if is_of_dots else _Says.OTHER
    found = [word.casefold() for word in _WORD.findall(rest) if any(map(str.isalnum, word))]
    if _SIGN.search(line) and len(line.strip()) <= _LONGEST and _is_mark(words, rest, found):
        return _Says.MARK
    if len(found) > _MOST_WORDS or _CODE.search(rest.replace("()", "")):
        return _Says.OTHER
    plain, others = " ".join(found), sum(word not in _vocabulary and not word.isdigit() for word in found)
    is_of_marks = not others and not _OWN.isdisjoint(found)
    says_left = others <= _MOST_OTHER_WORDS and _LEFT.search(plain)
    if begins_with_dots or is_of_marks or says_left or _OTHERS.fullmatch(plain):
        return _Says.LEFT_OUT
    return _Says.MAYBE if words.endswith(("..", "…")) else _Says.OTHER


def _is_mark(words: str, rest: str, found: Sequence[str]) -> bool:
    """Return whether the words of a comment, `rest` without dots and `found` one by one, say no more."""
    has_dots, is_short = _DOTS.match(words) is not None, len(found) <= _MOST_WORDS
    if has_dots and is_short and not _TELLING.isdisjoint(found):
        return not _ASSIGNS.search(rest)
    has_code = _CODE.search(rest) is not None
    is_between = has_dots and words.endswith(("...", "…"))
    if is_between and ((len(found) <= _MOST_OTHER_WORDS and not has_code) or _NAMES.fullmatch(rest)):
        return True
    is_all_known = is_short and all(word in _vocabulary or word.isdigit() for word in found)
    says_left = is_all_known and not has_code and _LEFT.search(" ".join(found))
    return bool(says_left or _CLOSED.fullmatch(rest))


def _comment_words(line: str) -> tuple[str, bool]:
    """Return the words of a line without the signs of a comment, and whether it is one."""
    words = line.strip()
    comment = _COMMENT.match(words)
    if comment is None or comment.end() == len(words) or words.startswith(("#!", "#include", "#define")):
        return words, False
    bare = _without_brackets(_COMMENT_END.sub("", words[comment.end() :]).strip())
    return bare.strip(_FRAME) or bare, True


def _is_in_sentence(line: str) -> bool:
    """Return whether a mark may be the end of the sentence in the comment above it."""
    bare = _COMMENT_END.sub("", _COMMENT.sub("", line.strip(), count=1)).strip()
    return bare[:1].islower() and _CLOSED.fullmatch(bare.rstrip(".:!,; \t")) is None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_brackets(words: str) -> str:
    while len(words) > 1 and (words[0], words[-1]) in {("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")}:
        words = words[1:-1].strip()
    return words
