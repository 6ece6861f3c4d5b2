"""Bytes to text and back, byte for byte: encodings and byte-order marks.

Bytes that are decoded here are encoded to the same bytes again. Bytes that are not plainly text in one of the
encodings below are refused instead of being guessed at.
"""

from __future__ import annotations

import codecs
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import LINE_ENDING
from patchpoint.text.regex import regex


class EncodingError(ValueError):
    """A failure to decode or encode; the message continues a sentence that begins with the name of a file.

    EncodingError
    ├── BinaryError          the bytes are not text
    ├── UnknownEncodingError the bytes may be text, in none of the encodings below
    └── UnencodableError     the encoding of a file lacks a character
    """


class BinaryError(EncodingError):
    """The bytes are not text."""


class UnknownEncodingError(EncodingError):
    """The bytes may be text, but in none of the encodings of `Encoding`."""


class UnencodableError(EncodingError):
    """A character of the text does not exist in the encoding."""


class Encoding(str, Enum):
    """An encoding of files; the values are the names of Python's codecs."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    UTF_32_LE = "utf-32-le"
    UTF_32_BE = "utf-32-be"
    LATIN_1 = "latin-1"
    WINDOWS_1252 = "cp1252"

    @property
    def display_name(self) -> str:
        """The name that a person knows it by."""
        return _NAMES[self]

    @property
    def byte_order_mark(self) -> bytes:
        """The byte-order mark; empty for an encoding that has none."""
        return _MARKS.get(self, b"")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text with its encoding and byte-order mark: enough to write the same bytes again."""

    text: str
    """Without the byte-order mark."""
    encoding: Encoding
    bom: bool


def decode(data: bytes) -> DecodedText:
    """Return the text of a file's bytes.

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
        return DecodedText(data.decode("utf-8"), Encoding.UTF_8, bom=False)
    except UnicodeDecodeError as error:
        return _decode_single_bytes(data, wrong_at=error.start)


def encode(text: str, encoding: Encoding, *, bom: bool = False) -> bytes:
    """Return the bytes of `text`, with a byte-order mark if `bom`.

    Raises `UnencodableError`, which names the first character that the encoding lacks and its line.
    """
    try:
        return (encoding.byte_order_mark if bom else b"") + text.encode(encoding.value)
    except UnicodeEncodeError as error:
        character = text[error.start]
        line = 1 + len(LINE_ENDING.findall(text, 0, error.start))
        shown = f"{character!r} (U+{ord(character):04X})"
        raise UnencodableError(
            f"is {encoding.display_name}, which has no {shown} (line {line} of the new text); "
            "use another character or convert the file to UTF-8 first"
        ) from None


def is_misread(data: bytes, shown: str) -> bool:
    """Return whether an editor shows these bytes, which are no UTF-8, as `shown`: as if they were."""
    if _UNREADABLE not in shown:
        return False
    read = data.decode("utf-8", "replace")
    return _UNREADABLE in read and LINE_ENDING.sub("\n", read) == LINE_ENDING.sub("\n", shown)


_UNREADABLE = "\ufffd"
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

# What no text in a single-byte encoding holds: controls other than backspace, tab, line feed, vertical tab,
# form feed, carriage return, escape and the old end-of-file mark 0x1A.
_CONTROL = regex(rb"[\x00-\x07\x0e-\x19\x1c-\x1f\x7f]")
# A UTF-8 character: in a single-byte encoding, such a series of bytes occurs only by chance.
_UTF_8_CHARACTER = regex(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_LETTER = regex(rb"[\xc0-\xff]")
# Controls in Latin-1 that no text holds, and the curly quotes and dashes of Windows-1252.
_C1 = regex(rb"[\x80-\x9f]")


def _decode_marked(data: bytes, encoding: Encoding) -> DecodedText:
    try:
        text = data[len(encoding.byte_order_mark) :].decode(encoding.value)
    except UnicodeDecodeError:
        raise UnknownEncodingError(
            f"has the byte-order mark of {encoding.display_name} and is not {encoding.display_name}; "
            "save it again as UTF-8"
        ) from None
    if "\0" in text:
        raise BinaryError(f"is binary ({encoding.display_name} by its byte-order mark, with NUL characters)")
    return DecodedText(text, encoding, bom=True)


def _decode_single_bytes(data: bytes, wrong_at: int) -> DecodedText:
    control = _CONTROL.search(data)
    if control is not None:
        raise BinaryError(f"is binary (byte 0x{data[control.start()]:02X} at offset {control.start()})")
    characters = len(_UTF_8_CHARACTER.findall(data))
    letters = len(_LETTER.findall(data))  # in Latin-1; each UTF-8 character begins with one
    if characters and 2 * characters >= letters:
        raise UnknownEncodingError(
            f"is damaged UTF-8 (byte 0x{data[wrong_at]:02X} at offset {wrong_at}); fix it first"
        )
    if not _C1.search(data):
        return DecodedText(data.decode("latin-1"), Encoding.LATIN_1, bom=False)
    try:
        return DecodedText(data.decode("cp1252"), Encoding.WINDOWS_1252, bom=False)
    except UnicodeDecodeError as error:
        raise UnknownEncodingError(
            f"is in no known encoding (byte 0x{data[error.start]:02X} at offset {error.start} is neither "
            "UTF-8 nor Windows-1252); convert it to UTF-8 first"
        ) from None
