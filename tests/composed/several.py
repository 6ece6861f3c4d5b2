"""Several edits in one answer, at random: of the same lines, or of a file that another deletes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.composed.answers import ComposedAnswer

PATH = "a.py"
TEXT = """\
import os


def f(a):
    x = 1
    y = 2
    return x + y + a


def g(b):
    if b:
        return 1
    return 0


class C:
    z = 3

    def h(self):
        return self.z
"""

_SEARCH = "{path}\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n\n"
_FUNCTION = f"`{PATH}`:\n\n```python\ndef g(b):\n    return bool(b)\n```\n\n"
_WHOLE = f"{PATH}\n```\n{TEXT.replace('z = 3', 'z = 4')}```\n\n"
_RENAME = f"Rename `f` to `ff` in `{PATH}`.\n\n"
_DELETE = f"Delete `{PATH}`.\n\n"
_MOVE = f"Move `{PATH}` to `b.py`.\n\n"

_OTHERS = ((_FUNCTION, 8), (_RENAME, 6), (_DELETE, 2), (_MOVE, 4), (_WHOLE, 4))
"""The edits that are no search and replace, and how often each is made."""
_SEARCHES = 40
"""How often a search and replace is made, next to those."""


def several_edits(count: int, seed: int) -> Iterator[ComposedAnswer]:
    """Yield as many answers of two or three edits."""
    chance = random.Random(f"several {seed}")
    kinds = ["", *(text for text, _ in _OTHERS)]
    weights = [_SEARCHES, *(weight for _, weight in _OTHERS)]
    for number in range(1, count + 1):
        chosen = chance.choices(kinds, weights, k=chance.randrange(2, 4))
        text = "".join(one or _search_and_replace(chance) for one in chosen)
        yield ComposedAnswer(group="several", name=str(number), files={PATH: TEXT}, text=text)


def _search_and_replace(chance: random.Random) -> str:
    lines = TEXT.splitlines()
    start = chance.randrange(len(lines) - 1)
    old = lines[start : start + chance.randrange(1, 5)]
    new = list(old)
    for _ in range(chance.randrange(1, 3)):
        if new:
            chance.choice(_CHANGES)(new, chance.randrange(len(new)))
    return _SEARCH.format(path=PATH, old="\n".join(old), new="\n".join(new))


def _change_names(lines: list[str], at: int) -> None:
    lines[at] = lines[at].replace("1", "11").replace("2", "22").replace("a", "aa", 1)


def _drop(lines: list[str], at: int) -> None:
    del lines[at]


def _insert(lines: list[str], at: int) -> None:
    lines.insert(at, f"{lines[at][: len(lines[at]) - len(lines[at].lstrip())]}n = 0")


def _comment(lines: list[str], at: int) -> None:
    lines[at] += "  # c"


def _indent(lines: list[str], at: int) -> None:
    lines[at] = f"    {lines[at]}" if lines[at].strip() else lines[at]


_CHANGES: tuple[Callable[[list[str], int], None], ...] = (_change_names, _drop, _insert, _comment, _indent)
"""What may be done to the line of a number, in the lines that replace others."""
