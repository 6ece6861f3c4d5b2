"""Words within a line that an edit names: they have to be in the file once, and not within longer words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import Placed, UnplacedError, not_placed
from patchpoint.text.lines import Span
from patchpoint.text.regex import WORD, begins_word, regex

_IMPORT = regex(r"\s*(?:import|from|use|using)\b|.*\brequire\(")
_OWNER = regex(r"(\w+)(?P<of_it>(?:(?:\.|::|->)\w+)*)(?:\.|::|->)\Z")
"""What is before a name that an object has: the first object, and what it has in between."""
_SELF = ("self", "cls", "this")
_JOINED = regex(r"[$@]*\w+(?:-[A-Za-z]\w*|(?<=\d)\.\d\w*)*")
"""A word, with what is joined to it."""
_LONGEST = 200
"""Characters of the longest words and names that are looked at around what is sought."""


def with_words(lines: Sequence[str], old: str, new: str, line: int | None, at: Span | None) -> Placed:
    """Return the lines with `new` in place of the only `old` that they have.

    Of several, the one on line number `line` is meant, or the one in the lines `at`. Raises `UnplacedError`
    where there is none, or no telling which is meant.
    """
    found = [each for each in _found(lines, old) if not _is_new(lines[each[0]], each[1], old, new)]
    if not found:
        done = next((row for row, _ in _found(lines, new)), None)
        if done is None:
            raise UnplacedError(Reason.NOTHING_SIMILAR, {})
        return Placed(tuple(lines), (done, done + 1))
    meant = at[0] if at is not None else (line or 0) - 1
    there = [each for each in found if each[0] == meant]
    found = there or (found if at is None else [])
    if len(dict(found)) != 1:
        raise UnplacedError(Reason.SEVERAL, {}, [(row, row + 1) for row in dict(found)])
    row, column = found[0]
    if len(found) > 1:
        raise not_placed(f"`{old}`", f"line {row + 1} has it more than once; quote more of the line")
    text = lines[row]
    word = _word_around(text, column, column + len(old))
    if word != old:
        raise not_placed(f"`{old}`", f"it is part of a longer word there, `{word}`; quote the whole of it")
    changed = f"{text[:column]}{new}{text[column + len(old) :]}"
    return Placed((*lines[:row], changed, *lines[row + 1 :]), (row, row + 1))


def has_word(lines: Sequence[str], word: str) -> bool:
    """Return whether a word is on some line, and no part of a longer one."""
    return any(True for _ in _found(lines, word))


def with_every_word(lines: Sequence[str], old: str, new: str) -> tuple[tuple[str, ...], bool] | None:
    """Return the lines with `new` for each `old`, and whether some are left: those of other objects.

    These are what the file imports, and what its own objects have. `None` where the lines have `new` already,
    or `old` in longer words.
    """
    pattern = _whole(old)
    places = [match for text in lines for match in pattern.finditer(text)]
    if has_word(lines, new) or any(_word_around(each.string, *each.span()) != old for each in places):
        return None
    imported = {word for text in lines if _IMPORT.match(text) for word in WORD.findall(text)}

    def changed(found: re.Match[str]) -> str:
        owner = _OWNER.search(found.string[max(0, found.start() - _LONGEST) : found.start()])
        is_other = owner is not None and (owner[1] in imported or (owner[1] in _SELF and owner["of_it"]))
        return old if is_other else new

    made = tuple(pattern.sub(changed, text) for text in lines)
    return made, any(map(pattern.search, made))


def _found(lines: Sequence[str], words: str) -> Iterator[tuple[int, int]]:
    """Yield where words are that are no part of longer ones: each row, and the column."""
    pattern = _whole(words)
    for row, text in enumerate(lines):
        if words in text:
            yield from ((row, found.start()) for found in pattern.finditer(text))


def _whole(words: str) -> re.Pattern[str]:
    """Return a pattern for words that are no part of longer ones."""
    edges = (r"\b" if begins_word(character) else "" for character in (words[0], words[-1]))
    return re.compile(re.escape(words).join(edges))


def _is_new(text: str, start: int, old: str, new: str) -> bool:
    """Return whether what is sought is there as a part of what it would become."""
    parts = (at for at in range(min(start, len(new)) + 1) if new.startswith(old, at))
    return any(text.startswith(new, start - at) for at in parts)


def _word_around(text: str, start: int, end: int) -> str:
    """Return the words from `start` up to `end`, with what a hyphen or a decimal point joins to them."""
    near = _JOINED.finditer(text, max(0, start - _LONGEST), end + _LONGEST)
    spans = [each.span() for each in near if each.start() < end and start < each.end()]
    first, last = [start, *(low for low, _ in spans)], [end, *(high for _, high in spans)]
    return text[min(first) : max(last)]
