"""Parts of data files and lists of imports, shown with some lines changed at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.composed.answers import ComposedAnswer, table

_OTHER_VALUE = {"1": "7", "8": "9"}
_SIBLING = {"A": "N", "b": "n", "port": "size", "host": "addr"}
_IMPORTS = 0.6
"""How often new imports are shown, where a file has some."""


@dataclass(frozen=True, slots=True)
class _File:
    text: str
    mark: str
    """What is written in its language for lines that are left out."""
    imports: tuple[str, ...] = ()


def shown_parts(count: int, seed: int) -> Iterator[ComposedAnswer]:
    """Yield as many answers, each of which shows some lines of a file, and changes, drops or adds some."""
    chance = random.Random(f"parts {seed}")
    data = table("parts")
    files = {
        path: _File(one["text"], one["mark"], tuple(one.get("imports", ())))
        for path, one in data["files"].items()
    }
    made = 0
    while made < count:
        path = chance.choice(list(files))
        shown = _part_of(files[path], chance)
        if not "".join(shown).strip():
            continue
        made += 1
        lead = chance.choice(data["leads"]).format(path=path)
        yield ComposedAnswer(
            group="parts",
            name=f"{path} {made}",
            files={path: files[path].text},
            text="\n".join([lead, "", "```", *shown, "```", ""]),
        )


def _part_of(file: _File, chance: random.Random) -> list[str]:
    lines = file.text.splitlines()
    start = chance.randrange(len(lines))
    shown = lines[start : start + chance.randrange(1, 7)]
    for _ in range(chance.randrange(3)):
        if shown:
            shown = chance.choice(_CHANGES)(shown, chance.randrange(len(shown)), file)
    if file.imports and chance.random() < _IMPORTS:
        shown = [*chance.choice(file.imports).split("\n"), *(shown if chance.random() < 0.5 else ())]
    return shown


def _replaced(line: str, words: Mapping[str, str]) -> str:
    for old, new in words.items():
        line = line.replace(old, new)
    return line


def _other_value(lines: list[str], at: int, _: _File) -> list[str]:
    changed = _replaced(lines[at], _OTHER_VALUE).replace("a", "a2", 1)
    return [*lines[:at], changed, *lines[at + 1 :]]


def _without_line(lines: list[str], at: int, _: _File) -> list[str]:
    return [*lines[:at], *lines[at + 1 :]]


def _with_sibling(lines: list[str], at: int, _: _File) -> list[str]:
    return [*lines[:at], _replaced(lines[at], _SIBLING), *lines[at:]]


def _outdented(lines: list[str], _: int, __: _File) -> list[str]:
    return [line.removeprefix("  ") for line in lines]


def _with_mark(lines: list[str], at: int, file: _File) -> list[str]:
    return [*lines[:at], file.mark, *lines[at:]]


def _longer(lines: list[str], at: int, _: _File) -> list[str]:
    return [*lines[:at], lines[at] + ("x" if lines[at].strip() else ""), *lines[at + 1 :]]


_CHANGES: tuple[Callable[[list[str], int, _File], list[str]], ...] = (
    _other_value,
    _without_line,
    _with_sibling,
    _outdented,
    _with_mark,
    _longer,
)
"""What may be done to the shown lines of a file, at the line of a number."""
