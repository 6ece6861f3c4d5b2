"""Bytes to text and back, byte for byte: encodings and byte-order marks.

What was decoded here is encoded to the same bytes again, whatever is accepted; what is not plainly text in
one of the encodings below is refused instead of being guessed at.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum


class EncodingError(ValueError):
    """What is wrong with bytes or a text; the message reads on after the name of a file.

    EncodingError
    ├── BinaryError         the bytes are no text
    ├── UnknownEncodingError they are text in no encoding that is known here
    └── UnencodableError    the encoding of a file has no room for a character
    """


class BinaryError(EncodingError):
    """The bytes are not text."""


class UnknownEncodingError(EncodingError):
    """The bytes may be text, and not in an encoding that is known here."""


class UnencodableError(EncodingError):
    """A character of the text does not exist in the encoding."""


class Encoding(str, Enum):
    """An encoding a file may be in; the values are the codecs' names."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    UTF_32_LE = "utf-32-le"
    UTF_32_BE = "utf-32-be"
    LATIN_1 = "latin-1"
    WINDOWS_1252 = "cp1252"

    @property
    def name_for_people(self) -> str:
        """What people call it."""
        return _NAMES[self]

    @property
    def mark(self) -> bytes:
        """Its byte-order mark; empty for an encoding that has none."""
        return _MARKS.get(self, b"")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and what is needed to write it as it was read."""

    text: str
    """Without the byte-order mark."""
    encoding: Encoding
    bom: bool


def decode(data: bytes) -> Decoded:
    """The text of a file's bytes.

    A byte-order mark decides; without one it is UTF-8, and failing that Latin-1, or Windows-1252 where bytes
    0x80 to 0x9F occur. UTF-16 and UTF-32 need their mark. Raises `BinaryError` and `UnknownEncodingError`.
    """
    for encoding, mark in _MARKS.items():
        if data.startswith(mark):
            return _decode_marked(data, encoding)
    if b"\0" in data:
        raise BinaryError(
            f"is binary (a NUL byte at offset {data.index(0)}); "
            "if it is UTF-16, save it with a byte-order mark"
        )
    try:
        return Decoded(data.decode("utf-8"), Encoding.UTF_8, bom=False)
    except UnicodeDecodeError as error:
        return _decode_single_bytes(data, wrong_at=error.start)


def encode(text: str, encoding: Encoding, *, bom: bool = False) -> bytes:
    """The bytes of `text`, with a byte-order mark if `bom`.

    Raises `UnencodableError`, which names the first character that the encoding lacks and its line.
    """
    try:
        return (encoding.mark if bom else b"") + text.encode(encoding.value)
    except UnicodeEncodeError as error:
        character = text[error.start]
        line = 1 + len(_LINE_ENDING.findall(text, 0, error.start))
        shown = f"{character!r} (U+{ord(character):04X})"
        raise UnencodableError(
            f"is {encoding.name_for_people}, which has no {shown} (line {line} of the new text); "
            "use another character or convert the file to UTF-8 first"
        ) from None


# Longest first: the mark of UTF-32-LE begins with that of UTF-16-LE.
_MARKS = {
    Encoding.UTF_32_LE: codecs.BOM_UTF32_LE,
    Encoding.UTF_32_BE: codecs.BOM_UTF32_BE,
    Encoding.UTF_8: codecs.BOM_UTF8,
    Encoding.UTF_16_LE: codecs.BOM_UTF16_LE,
    Encoding.UTF_16_BE: codecs.BOM_UTF16_BE,
}
_NAMES = {
    Encoding.UTF_8: "UTF-8",
    Encoding.UTF_16_LE: "UTF-16",
    Encoding.UTF_16_BE: "UTF-16",
    Encoding.UTF_32_LE: "UTF-32",
    Encoding.UTF_32_BE: "UTF-32",
    Encoding.LATIN_1: "Latin-1",
    Encoding.WINDOWS_1252: "Windows-1252",
}
_LINE_ENDING = re.compile(r"\r\n|\n|\r")

# What no text in a single-byte encoding holds: controls other than backspace, tab, line feed, vertical tab,
# form feed, carriage return, escape and the old end-of-file mark 0x1A.
_CONTROL = re.compile(rb"[\x00-\x07\x0e-\x19\x1c-\x1f\x7f]")
# Text in a single-byte encoding has the bytes of such a character in a row by chance at most.
_UTF_8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_LETTER = re.compile(rb"[\xc0-\xff]")
# Controls in Latin-1 that no text holds, and the curly quotes and dashes of Windows-1252.
_C1 = re.compile(rb"[\x80-\x9f]")


def _decode_marked(data: bytes, encoding: Encoding) -> Decoded:
    try:
        text = data[len(encoding.mark) :].decode(encoding.value)
    except UnicodeDecodeError:
        raise UnknownEncodingError(
            f"has the byte-order mark of {encoding.name_for_people} and is not {encoding.name_for_people}; "
            "save it again as UTF-8"
        ) from None
    if "\0" in text:
        raise BinaryError(
            f"is binary ({encoding.name_for_people} by its byte-order mark, with NUL characters)"
        )
    return Decoded(text, encoding, bom=True)


def _decode_single_bytes(data: bytes, wrong_at: int) -> Decoded:
    control = _CONTROL.search(data)
    if control is not None:
        raise BinaryError(f"is binary (byte 0x{data[control.start()]:02X} at offset {control.start()})")
    characters = len(_UTF_8_CHARACTER.findall(data))
    letters = len(_LETTER.findall(data))  # in Latin-1; each UTF-8 character begins with one
    if characters and 2 * characters >= letters:
        raise UnknownEncodingError(
            f"is damaged UTF-8 (byte 0x{data[wrong_at]:02X} at offset {wrong_at}); mend it first"
        )
    if not _C1.search(data):
        return Decoded(data.decode("latin-1"), Encoding.LATIN_1, bom=False)
    try:
        return Decoded(data.decode("cp1252"), Encoding.WINDOWS_1252, bom=False)
    except UnicodeDecodeError as error:
        raise UnknownEncodingError(
            f"is in no known encoding (byte 0x{data[error.start]:02X} at offset {error.start} is neither "
            "UTF-8 nor Windows-1252); convert it to UTF-8 first"
        ) from None
