"""The tags of hashline editing: two characters behind the number of a line, made from its text.

oh-my-pi and its relatives show a file as `12#KT:text`, in which `KT` are the two halves of the lowest byte of
the line's xxHash32 in an alphabet of sixteen letters; earlier ones as `12:a3|text`, with the byte in
hexadecimal. White space is left out, all of it or that at the end. A line without a letter or digit has its
number as the seed, and in some versions the number is part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

_REFERENCE = regex(r"\s*(?:>>>|[-+])?\s*(\d{1,9})\s*(#\s*[A-Z]{2}|:\s*[0-9a-f]{2})(?:[:|].*)?\s*", re.DOTALL)
_LETTERS = "ZPMQVRWSNKTXJBYH"

_PRIMES = (2654435761, 2246822519, 3266489917, 668265263, 374761393)
_MASK = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class LineReference:
    """A line by its number, from 1, and its tag with the sign before it."""

    number: int
    tag: str


def line_reference(text: str) -> LineReference | None:
    """Return the line that a reference such as `12#KT` or `12:a3` names; `None` if it is none."""
    found = _REFERENCE.fullmatch(text)
    return LineReference(int(found[1]), "".join(found[2].split())) if found else None


def has_tag(line: str, reference: LineReference) -> bool:
    """Return whether the text of a line has the tag of a reference in any of the versions."""
    return reference.tag in _tags(line, reference)


def tag_of(line: str, reference: LineReference) -> str:
    """Return the tag of a line of the reference's number, in the spelling of the reference."""
    return next(_tags(line, reference))


def xx_hash_32(data: bytes, seed: int = 0) -> int:
    """Return the xxHash32 of `data` (Yann Collet's specification, github.com/Cyan4973/xxHash)."""
    one, two, three, four, five = _PRIMES
    at = 0
    if len(data) >= 16:
        lanes = [seed + one + two, seed + two, seed, seed - one]
        while at + 16 <= len(data):
            for lane in range(4):
                word = int.from_bytes(data[at + 4 * lane : at + 4 * lane + 4], "little")
                lanes[lane] = _rotated(lanes[lane] + word * two, 13) * one
            at += 16
        value = sum(_rotated(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True))
    else:
        value = seed + five
    value += len(data)
    while at + 4 <= len(data):
        value = _rotated(value + int.from_bytes(data[at : at + 4], "little") * three, 17) * four
        at += 4
    for byte in data[at:]:
        value = _rotated(value + byte * five, 11) * one
    value &= _MASK
    value = (value ^ (value >> 15)) * two & _MASK
    value = (value ^ (value >> 13)) * three & _MASK
    return value ^ (value >> 16)


def _rotated(value: int, by: int) -> int:
    value &= _MASK
    return (value << by | value >> (32 - by)) & _MASK


def _tags(line: str, reference: LineReference) -> Iterator[str]:
    number = reference.number
    bare = "".join(line.split())
    if reference.tag[0] == ":":
        for text in (bare, f"{number}:{bare}"):
            yield f":{xx_hash_32(_encoded(text)) & 0xFF:02x}"
        return
    seeds = (0,) if any(map(str.isalnum, bare)) else (number, 0)
    for text in (bare, line.rstrip()):
        for seed in seeds:
            byte = xx_hash_32(_encoded(text), seed) & 0xFF
            yield f"#{_LETTERS[byte >> 4]}{_LETTERS[byte & 15]}"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
