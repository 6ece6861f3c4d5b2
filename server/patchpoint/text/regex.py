"""Regular expressions that are compiled when they are first used: most commands use few of all there are."""

from __future__ import annotations

import re

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from typing import AnyStr


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return the regular expression `source`, to be used as what `re.compile` returns.

    It is compiled when an attribute of it is first asked for, and raises `re.error` only then; a test
    compiles all that the package has. The functions of `re` do not take it for a pattern.
    """
    return _Uncompiled(source, flags)  # type: ignore[return-value]


class _Uncompiled:
    """A regular expression that has the attributes of its pattern once one of them was asked for."""

    __slots__ = (
        "_flags",
        "_source",
        *("findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern"),
        *("search", "split", "sub", "subn"),
    )

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        # Python asks here for a slot that is still empty; once they are filled, it no longer does.
        compiled = re.compile(self._source, self._flags)
        for slot in self.__slots__:
            if not slot.startswith("_"):
                setattr(self, slot, getattr(compiled, slot))
        return object.__getattribute__(self, name)


IDENTIFIER = regex(r"[^\W\d]\w*")
"""A name, or a word, of nearly every language."""

LONG_NAME = regex(r"[^\W\d]\w{2,}")
"""A name of more than two letters: a shorter one may be anything."""

WORD = regex(r"\w+")
TOKEN = regex(r"\w+|[^\w\s]")
"""A word, or a sign."""


def begins_word(text: str) -> bool:
    """Return whether a text begins with a letter, a digit or an underscore."""
    return text[:1].isalnum() or text[:1] == "_"


_PINNED = regex(
    r"(?P<name>[\w./@-]*[A-Za-z][\w./@-]*?)(?:\[[\w,-]+\])?(?:(?:===|[=~<>!]=)\s*|[@:^])v?\d[\w.*+-]*"
)


def pinned_name(words: str) -> str:
    """Return the name that words give a version, and nothing else; empty where they are something else."""
    found = _PINNED.fullmatch(words)
    return found["name"] if found else ""
