"""Ways in which models misquote code, each put into an edit of a real file whose right result is known.

The kinds of `tests/locate/drifted_edits.py` and `tests/weighing/mistakes.py` are among them. Here are those
that any engine is expected to know: white space, a wrong letter, a line left out, line numbers, escapes.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Mapping
from functools import partial

from rapidfuzz import fuzz

from tests.locate.drifted_edits import KINDS, DriftedEdit, drifted_edits, reworded, text_of
from tests.weighing.mistakes import MISTAKES
from tests.weighing.sources import Source

Misquote = Callable[[Source, random.Random], DriftedEdit | None]

_MARGIN = 8
"""By so many points of 100 the place that is meant must resemble the quote more than any other."""
_WORD = re.compile(r"[A-Za-z]{4,}")


def exact(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote lines as they are."""
    return _edited("exact", source, chance, lambda lines: lines)


def exact_twice(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote lines that are there twice, as they are: nothing may be written."""
    lines = list(source.lines)
    size = chance.randint(1, 3)
    start = chance.randrange(len(lines) - size)
    block = lines[start : start + size]
    if not all(len(line.strip()) > 6 for line in block) or text_of(lines).count(text_of(block)) != 2:
        return None
    changed = [reworded(block[0], chance), *block[1:]]
    return DriftedEdit("exact twice", text_of(lines), text_of(block), text_of(changed))


def outdented(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote indented lines from the margin."""

    def quoted(lines: list[str]) -> list[str]:
        depth = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        return [line[depth:] for line in lines]

    return _edited("outdented", source, chance, quoted)


def tabs_and_spaces(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote tabs as four spaces, or four spaces as a tab."""

    def quoted(lines: list[str]) -> list[str]:
        if any(line.startswith("\t") for line in lines):
            return [line.replace("\t", "    ") for line in lines]
        return [re.sub(r"^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), line) for line in lines]

    return _edited("tabs and spaces", source, chance, quoted)


def blank_lines(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Leave blank lines out."""
    return _edited("blank lines", source, chance, lambda lines: [line for line in lines if line.strip()])


def wrong_letter(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a line that is not to be changed with one letter wrong."""

    def quoted(lines: list[str]) -> list[str]:
        words = list(_WORD.finditer(lines[-1]))
        if not words:
            return lines
        at = chance.choice(words).start() + 2
        letter = chance.choice("aeiou".replace(lines[-1][at].lower(), ""))
        return [*lines[:-1], lines[-1][:at] + letter + lines[-1][at + 1 :]]

    return _edited("wrong letter", source, chance, quoted)


def line_left_out(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Leave out a line between others, none of which is changed next to it."""
    return _edited("line left out", source, chance, lambda lines: [*lines[:-2], lines[-1]], size=7)


def middle_elided(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Leave out the middle of the lines, and say so with three dots."""
    return _edited("middle elided", source, chance, lambda lines: [*lines[:3], "...", *lines[-2:]], size=9)


def line_numbers(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote the numbers that a tool shows before lines, in what is searched and what replaces it."""
    first = chance.randint(20, 300)

    def quoted(lines: list[str]) -> list[str]:
        return [f"{first + number:6}\t{line}" for number, line in enumerate(lines)]

    return _edited("line numbers", source, chance, quoted)


def escaped(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote `<`, `>` and `&` as HTML has them."""
    return _edited("escaped", source, chance, lambda lines: [html.escape(one, quote=False) for one in lines])


def _edited(
    kind: str,
    source: Source,
    chance: random.Random,
    quoted: Callable[[list[str]], list[str]],
    size: int = 0,
) -> DriftedEdit | None:
    """Return an edit of the second of some lines, which are quoted with a mistake; the others are to stay."""
    lines = list(source.lines)
    size = size or chance.randint(4, 8)
    start = chance.randrange(2, len(lines) - size - 2)
    block = lines[start : start + size]
    if not all(line.strip() for line in (*block[:2], *block[-2:])) or not source.is_code(start + 1):
        return None
    new = reworded(block[1], chance)
    state = chance.getstate()
    search = quoted(block)
    chance.setstate(state)
    replace = quoted([block[0], new, *block[2:]])
    if new == block[1] or (search == block) != (kind == "exact") or not _is_plain(lines, search, start):
        return None
    right = text_of([*lines[: start + 1], new, *lines[start + 2 :]])
    return DriftedEdit(kind, text_of(lines), text_of(search), text_of(replace), (right,))


def _is_plain(lines: list[str], search: list[str], start: int) -> bool:
    """Return whether no place but the one at `start` comes near the quote."""
    bare = ["".join(line.split()) for line in lines]
    wanted = "\n".join("".join(line.split()) for line in search)
    size = len(search)
    there = fuzz.ratio(wanted, "\n".join(bare[start : start + size]))
    return all(
        fuzz.ratio(wanted, "\n".join(bare[at : at + size]), score_cutoff=there - _MARGIN) == 0
        for at in range(len(bare) - size + 1)
        if at + size <= start or at >= start + size
    )


def _drifted(kind: str, source: Source, chance: random.Random) -> DriftedEdit | None:
    texts = [text_of(list(source.lines))]
    return next(drifted_edits(kind, texts, 1, chance.randrange(1 << 30)), None)


MISQUOTES: Mapping[str, Misquote] = {
    "exact": exact,
    "exact twice": exact_twice,
    "outdented": outdented,
    "tabs and spaces": tabs_and_spaces,
    "blank lines": blank_lines,
    "wrong letter": wrong_letter,
    "line left out": line_left_out,
    "middle elided": middle_elided,
    "line numbers": line_numbers,
    "escaped": escaped,
    **{kind: partial(_drifted, kind) for kind in KINDS},
    **MISTAKES,
}
