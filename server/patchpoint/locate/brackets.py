"""Brackets: how many each stretch of lines leaves open, and which lines they join into one.

Brackets in string literals that end on their line do not count. Nothing else is known of the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchpoint.locate.source import CLOSERS, SourceText, depth
from patchpoint.locate.verdict import Find
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

QUOTED = r'"(?:[^"\\\n]|\\.){0,400}"|\'(?:[^\'\\\n]|\\.){0,400}\''
"""A string. Without a bound, a line of thousands of `\\"` takes minutes: each may begin one."""
STRING = regex(QUOTED)
_BRACKET = regex(r"[()\[\]{}]")
_OPENING = {")": "(", "]": "[", "}": "{"}


def balance(lines: Iterable[str]) -> tuple[int, int, int]:
    """Return how many `()`, `[]` and `{}` the lines open and do not close; negative for the other way."""
    text = _without_strings("\n".join(lines))
    return (
        text.count("(") - text.count(")"),
        text.count("[") - text.count("]"),
        text.count("{") - text.count("}"),
    )


def closes_another(source: SourceText, find: Find) -> bool:
    """Return whether the first or the last line closes something else than the quoted one does.

    One such line is equal to any other: only its depth, compared with the next line's, says what it closes.
    """
    solid = find.quote.solid
    if len(solid) < 2 or not any(CLOSERS.fullmatch(find.quote.stripped[solid[at]]) for at in (0, -1)):
        return False
    found = [number for number in range(*find.lines) if source.stripped[number]]
    if len(found) != len(solid):
        return False
    for line, inner in ((0, 1), (-1, -2)):
        if CLOSERS.fullmatch(find.quote.stripped[solid[line]]):
            quoted = depth(find.quote.search_lines[solid[line]]) - depth(
                find.quote.search_lines[solid[inner]]
            )
            there = depth(source.lines[found[line]]) - depth(source.lines[found[inner]])
            if quoted and (quoted > 0) != (there > 0):
                return True
    return False


def wrapped_runs(lines: Sequence[str]) -> list[Span]:
    """Return the half-open ranges of lines that parentheses and square brackets join, in order.

    Those that a block in braces separates from a line do not: each line of a block is its own.
    """
    runs: dict[int, int] = {}
    still_open: list[tuple[str, int]] = []
    for number, line in enumerate(lines):
        for bracket in _BRACKET.findall(_without_strings(line)):
            if bracket not in _OPENING:
                still_open.append((bracket, number))
            elif still_open and still_open[-1][0] == _OPENING[bracket]:
                _, start = still_open.pop()
                if start < number and bracket != "}":
                    runs[start] = max(runs.get(start, 0), number + 1)
            else:
                still_open.clear()  # something was left out: nothing before it is known to be open
    return sorted(runs.items())


def _without_strings(text: str) -> str:
    return STRING.sub("", text) if '"' in text or "'" in text else text
