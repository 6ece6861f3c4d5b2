"""Canonical Unicode for comparing: characters that look alike, or that typing software swaps, become one.

Covers what models and chat pages change on the way: curly for straight quotes, every kind of dash, no-break
and other odd spaces, the ellipsis, full-width punctuation, invisible marks, and composed for decomposed
letters. The classes are Unicode's own (dashes: category Pd and the minus sign; spaces: category Zs; quotation
marks: categories Pi and Pf and the primes); compatibility forms of ASCII come from the full-width block.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import compress
from operator import not_

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u00b4\u02bc\u02bb\u2039\u203a\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"

_FOLD: dict[int, str] = {
    **{ord(character): "'" for character in _SINGLE_QUOTES},
    **{ord(character): '"' for character in _DOUBLE_QUOTES},
    **{ord(character): "-" for character in _DASHES},
    **{ord(character): " " for character in _SPACES},
    **{ord(character): "" for character in _INVISIBLE},
    **{0xFEE0 + code: chr(code) for code in range(0x21, 0x7F) if chr(code) not in "\"'-"},
    0x2026: "...",
    0x22EF: "...",
    0x2024: ".",
    0x2025: "..",
    0x00D7: "x",
}


def folded(text: str) -> str:
    """Return `text` with one character for all its look-alikes and letters composed; the length may change.

    An ASCII text is its own canonical form and is returned as it is, at no cost. Line endings stay.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_FOLD))


def folded_lines(lines: Sequence[str]) -> list[str]:
    """Return every line folded; none has a line feed. Those that are not ASCII are folded at once."""
    result = list(lines)
    odd = list(compress(range(len(result)), map(not_, map(str.isascii, result))))
    if odd:
        # No letter is composed of a line feed, so that the text of these lines keeps their number.
        together = folded("\n".join([result[number] for number in odd]))
        for number, line in zip(odd, together.split("\n"), strict=True):
            result[number] = line
    return result
