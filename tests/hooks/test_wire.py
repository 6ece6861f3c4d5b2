"""What a hook and who answers it say to each other."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.hooks import wire

names = st.text(max_size=30)


@given(names, st.none() | names, names, st.floats(0, 600), st.binary(max_size=200))
def test_a_request_is_read_as_it_was_written(
    token: str, agent: str | None, folder: str, wait: float, sent: bytes
) -> None:
    content = wire.encode_request(token, agent, folder, wait, sent)
    assert wire.decode_request(content) == (token, agent, folder, wait, sent)


@given(names, names)
def test_an_answer_is_read_as_it_was_written(prints: str, report: str) -> None:
    assert wire.decode_answer(wire.encode_answer(prints, report)) == (prints, report)


def test_an_answer_that_is_too_long_is_a_refusal() -> None:
    assert wire.decode_answer(wire.encode_answer("x" * wire.LARGEST_ANSWER, "")) is None


@given(st.binary(max_size=60) | st.sampled_from([b"[" * 100_000, b'{"version": 1}', b'{"version": 2}', b"1"]))
def test_anything_else_is_an_error_of_one_kind(content: bytes) -> None:
    for decode in (wire.decode_request, wire.decode_answer):
        with suppress(ValueError):
            decode(content)
            raise AssertionError(content)


@given(st.binary(min_size=1, max_size=100))
def test_a_message_begins_with_its_length(content: bytes) -> None:
    message = wire.framed(content)
    assert wire.content_length(message, 100) == len(message) - wire.HEADER_BYTES == len(content)


@pytest.mark.parametrize("header", [b"\0\0\0\0", b"\0\0\0\x65", b"\xff\xff\xff\xff"])
def test_an_empty_message_and_one_that_is_too_long_are_errors(header: bytes) -> None:
    with pytest.raises(ValueError, match="bytes"):
        wire.content_length(header, 100)
