"""Lines that an edit names by number and tag: changed where the tags are those of the file's lines.

A tag is two characters behind the number of a line, made from its text. oh-my-pi and its relatives show a
file as `12#KT:text`, in which `KT` are the two halves of the lowest byte of the line's xxHash32 in an
alphabet of sixteen letters; earlier ones as `12:a3|text`, with the byte in hexadecimal. White space is left
out, all of it or that at the end. A line without a letter or digit has its number as the seed, and in some
versions the number is part of the text. Equal lines have equal tags. So the first or the last line has to be
the only one of its text in the file; a line that is there more than once could be another one of them by
now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Side, Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import Placed, UnplacedError, not_placed, not_there
from patchpoint.text.lines import Span
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


def with_tagged_lines(
    lines: Sequence[str], target: Target, new: Sequence[str], at: Span | None = None
) -> Placed:
    """Return the lines with `new` at the ones that `target` names; of several alike, at the lines `at`.

    Raises `UnplacedError` where a tag is not that of the line, or does not tell it from others.
    """
    first = _line(lines, target.name)
    last = _line(lines, target.last) if target.last else first
    if last.number < first.number:
        why = f"its last line, {last.number}, is above its first"
        raise not_placed(f"line {first.number}", why)
    if at is not None and first == last:
        first = last = LineReference(at[0] + 1, first.tag)
    elif at is None and all(_twins(lines, one.number) for one in {first, last}):
        twins = sorted((first.number - 1, *_twins(lines, first.number)))
        places = [(number, number + 1) for number in twins]
        why = f"Quote the lines that it replaces: line {target.name} could be for different lines"
        raise UnplacedError(Reason.UNCLEAR, {"why": why}, places)
    start, end = first.number - 1, last.number
    if target.side is Side.BEFORE:
        end = start
    elif target.side is Side.AFTER:
        start = end
    is_alone = not _twins(lines, first.number) and not _twins(lines, last.number)
    certain = at is not None or (first != last and is_alone)
    note = "" if certain else f"Placed by the tag of line {first.number} alone."
    return Placed((*lines[:start], *new, *lines[end:]), (start, end), note, certain)


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


def _line(lines: Sequence[str], name: str) -> LineReference:
    reference = line_reference(name)
    if reference is None:
        raise not_placed(repr(name), "expected a line with its tag, such as 12#KT")
    number = reference.number
    if not 1 <= number <= len(lines):
        raise not_there(f"line {number}; it has {len(lines)} lines")
    line = lines[number - 1]
    if not has_tag(line, reference):
        now = f"{number}{tag_of(line, reference)}"
        raise not_there(f"line {number}{reference.tag}: that line is {now} now. Read the file again")
    return reference


def _twins(lines: Sequence[str], number: int) -> list[int]:
    """Return the 0-based numbers of the other lines that read like line `number`, white space aside."""
    words = lines[number - 1].split()
    return [other for other, line in enumerate(lines) if other != number - 1 and line.split() == words]


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
