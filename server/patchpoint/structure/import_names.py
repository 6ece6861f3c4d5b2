"""The names that two imports take from one module, in one list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.text.regex import regex

_LIST = regex(
    r"(?P<head>\s*(?:from\s+[\w.]+\s+import\s*(?P<round>\()?|(?:pub\s+)?use\s+[\w:]+::\{|use\s+[\w\\]+\\\{"
    r"|import\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{))(?P<names>[^(){}*#/]*?)(?P<comma>,?)"
    r"(?P<tail>\s*(?(round)\)|(?:\}.*)?))\Z",
)
"""An import of a list of names from a module, in Python, JavaScript, Rust and PHP, on one line."""


def with_names(own: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Return the lines of an import of a file with the names of another one, in the order that they have.

    `None` where not both are a list of names from the same module, or nothing else differs between them.
    """
    mine, given = (_LIST.match(" ".join(" ".join(lines).split())) for lines in (own, new))
    if mine is None or given is None or _ends(mine) != _ends(given):
        return None
    have, more = (_names(found["names"]) for found in (mine, given))
    added = [name for name in more if name not in have]
    if not added:
        return list(own)
    if not have or {_bound(name) for name in have} & {_bound(name) for name in added}:
        return None
    if len(own) == 1:
        spaced = _LIST.match(own[0])
        assert spaced is not None
        names, end = spaced["names"], spaced["comma"] + spaced["tail"]
        blank = names[len(names.rstrip()) :]
        start = names[: len(names) - len(names.lstrip())]
        return [f"{spaced['head']}{start}{', '.join(_in_order(have, added))}{blank}{end}"]
    rows = [line for line in own[1:-1] if line.strip()]
    if len(rows) != len(have) or any(_names(row) != [name] for row, name in zip(rows, have, strict=True)):
        return None
    depth = rows[0][: len(rows[0]) - len(rows[0].lstrip())]
    return [own[0], *(f"{depth}{name}," for name in _in_order(have, added)), own[-1]]


def _ends(found: re.Match[str]) -> tuple[str, str]:
    head, tail = found["head"], found["tail"]
    return head.replace("(", "").strip(), tail.replace(")", "").strip().removesuffix(";")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _bound(name: str) -> str:
    """Return what a name of a list is called in the file."""
    return name.split()[-1]


def _in_order(have: list[str], added: list[str]) -> list[str]:
    """Return names with those that are added: in their order where they have one, else at the end."""
    for key in (str, str.casefold):
        if have == sorted(have, key=key) and len(have) > 1:
            return sorted([*have, *added], key=key)
    return [*have, *added]
