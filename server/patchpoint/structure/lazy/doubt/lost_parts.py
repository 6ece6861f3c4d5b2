"""What a file would lose of its parts, and what of shown code is no code: seen from the result alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.regex import regex

_DECORATOR = regex(r"\s*@(?P<name>[\w.]+)")
_HEAD = regex(r"\s*(?:\}\s*)?(?P<word>elif|else if|when|case|(?!catch\b)[\w.]+(?=\(?\s*(?:[\"'`]|:\w)))")
"""A branch of several, or a call with a name: *it("sails", …*, *when "a"*."""
_CONDITION = regex(r"\s*(?:if|unless|guard)\b")
_DOTTED = regex(
    r"\w\((?:\.\.\.|…)\)|(?:[=(:,]|\breturn)\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\{\s*(?:\.\.\.|…)\s*\})"
    r"|[(\[{,]\s*/\*[^*]{0,80}(?:\.\.\.|…|same as|as before|unchanged)[^*]{0,80}\*/"
)


def lost_part(file: Sequence[str], result: Sequence[str]) -> str:
    """Return a decorator, or what begins a block, of which a file has more than the result; else nothing."""
    for parts in (_decorators, _heads):
        lost = Counter(name for name, _ in parts(file)) - Counter(name for name, _ in parts(result))
        line = next((line for name, line in parts(file) if name in lost and line not in result), "")
        if line:
            return line.strip()
    return ""


def is_only_begun(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether a body ends with a condition, is shorter than the old one, and has no line of it."""
    before, after = ([line for line in lines if len(line.strip()) >= TELLING_LINE] for lines in (old, new))
    outer = [line for line in after if len(indentation_of(line)) <= len(indentation_of(after[0]))]
    is_shorter = len(before) > len(after) and {*map(str.strip, before)}.isdisjoint(map(str.strip, after))
    return is_shorter and bool(outer) and _CONDITION.match(outer[-1]) is not None


def dots_within(file: Sequence[str], shown: Sequence[str]) -> str:
    """Return a line of shown code in which dots are in the place of code; empty if there is none."""
    own = set(map(str.strip, file))
    return next(
        (
            each.strip()
            for each in shown
            if _DOTTED.search(each) and not is_mark(each) and each.strip() not in own
        ),
        "",
    )


def _decorators(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each decorator, above a line that is as deep, and its line."""
    for line, below in pairwise(filter(str.strip, lines)):
        found = _DECORATOR.match(line) if indentation_of(below) == indentation_of(line) else None
        if found is not None:
            yield found["name"], line


def _heads(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what begins each block, by its first word, and its line."""
    for line, below in pairwise(filter(str.strip, lines)):
        found = _HEAD.match(line) if len(indentation_of(below)) > len(indentation_of(line)) else None
        if found is not None:
            yield found["word"], line
