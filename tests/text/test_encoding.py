import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text.encoding import (
    BinaryError,
    Encoding,
    EncodingError,
    UnencodableError,
    UnknownEncodingError,
    decode,
    encode,
)

MARKS = [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE]
BYTES = st.tuples(st.sampled_from([b"", *MARKS]), st.binary(max_size=40)).map(b"".join)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@given(BYTES | st.text().map(str.encode))
def test_all_that_is_accepted_is_written_back_byte_for_byte(data: bytes) -> None:
    try:
        decoded = decode(data)
    except EncodingError:
        return
    assert encode(decoded.text, decoded.encoding, bom=decoded.bom) == data


@pytest.mark.parametrize(
    "encoding", [e for e in Encoding if e not in (Encoding.LATIN_1, Encoding.WINDOWS_1252)]
)
@given(text=TEXT)
def test_a_text_with_a_byte_order_mark_is_read_in_its_encoding(encoding: Encoding, text: str) -> None:
    decoded = decode(encode(text, encoding, bom=True))
    assert (decoded.text, decoded.encoding, decoded.bom) == (text, encoding, True)


def test_the_byte_order_mark_is_not_part_of_the_text() -> None:
    assert decode(codecs.BOM_UTF8 + b"first line\n").text == "first line\n"


def test_line_endings_are_left_alone() -> None:
    assert decode(b"a\r\nb\nc\r").text == "a\r\nb\nc\r"


def test_an_empty_file_is_utf_8() -> None:
    assert decode(b"").encoding is Encoding.UTF_8


def test_bytes_that_are_not_utf_8_are_latin_1() -> None:
    decoded = decode("déjà vu\n".encode("latin-1"))
    assert (decoded.text, decoded.encoding) == ("déjà vu\n", Encoding.LATIN_1)


def test_latin_1_may_resemble_utf_8_in_places() -> None:
    assert decode("ÉTÉ\xa0! déjà à Noël\n".encode("latin-1")).encoding is Encoding.LATIN_1


def test_curly_quotes_of_windows_are_distinguished_from_latin_1() -> None:
    decoded = decode("“déjà vu”\n".encode("cp1252"))
    assert (decoded.text, decoded.encoding) == ("“déjà vu”\n", Encoding.WINDOWS_1252)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"text\0text",
        "no mark".encode("utf-16-le"),
        b"\x7fELF\xff\x01",
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
        b"\x1f\x8b\x08\x08\xe9\x03",
    ],
)
def test_binary_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BinaryError, match="is binary"):
        decode(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("日本語、テスト".encode("shift-jis"), "is in no known encoding"),
        ("déjà vu, ".encode() + b"caf\xe9", "is damaged UTF-8"),
        ("fine 😋".encode()[:-1] + "é".encode(), "is damaged UTF-8"),
        (codecs.BOM_UTF8 + b"caf\xe9", "has the byte-order mark of UTF-8 and is not UTF-8"),
        (codecs.BOM_UTF16_LE + b"odd", "has the byte-order mark of UTF-16 and is not UTF-16"),
    ],
)
def test_bytes_in_no_known_encoding_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(UnknownEncodingError, match=message):
        decode(data)


def test_a_character_that_the_encoding_lacks_is_named_with_its_line() -> None:
    with pytest.raises(UnencodableError, match=r"is Latin-1, which has no '“' \(U\+201C\) \(line 2 of the"):
        encode("fine\r\nnot “fine”\n", Encoding.LATIN_1)


def test_half_a_surrogate_pair_cannot_be_written() -> None:
    with pytest.raises(UnencodableError, match="U\\+D83D"):
        encode("\ud83d", Encoding.UTF_8)
