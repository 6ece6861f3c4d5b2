import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text import lines
from patchpoint.text.lines import (
    LineTable,
    is_telling,
    line_ending,
    positions,
    split_lines,
    without_blank_ends,
    without_ending,
)

TEXTS = st.text(st.sampled_from("ab\n\r\x0c\u2028😋é"), max_size=60)


@given(TEXTS)
def test_joining_the_lines_gives_the_text_back(text: str) -> None:
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_what_only_python_calls_a_line_break_does_not_end_a_line(character: str) -> None:
    text = f"one{character}two\nthree\n"
    assert split_lines(text) == [f"one{character}two\n", "three\n"]
    assert LineTable.of(text).starts == (0, 8, 14)


def test_every_line_keeps_its_own_ending() -> None:
    text = "a\nb\r\nc\rd"
    assert [line_ending(line) for line in split_lines(text)] == ["\n", "\r\n", "\r", ""]
    assert [without_ending(line) for line in split_lines(text)] == ["a", "b", "c", "d"]


def test_an_ending_at_the_end_opens_one_more_line() -> None:
    assert LineTable.of("a\n").line_count == 2
    assert LineTable.of("a").line_count == 1
    assert LineTable.of("").line_count == 1


@given(TEXTS)
def test_the_table_agrees_with_the_lines(text: str) -> None:
    table = LineTable.of(text)
    opened = split_lines(text) + ([""] if not text or text[-1] in "\r\n" else [])
    assert [text[slice(*table.line_span(line))] for line in range(table.line_count)] == opened
    assert [text[slice(*table.content_span(line))] for line in range(table.line_count)] == [
        without_ending(line) for line in opened
    ]


@given(TEXTS)
def test_every_offset_lies_within_its_line(text: str) -> None:
    table = LineTable.of(text)
    for offset in range(len(text) + 1):
        start, end = table.line_span(table.line_of(offset))
        assert start <= offset < end or offset == end == len(text)


@given(TEXTS, st.data(), TEXTS, st.integers(1, 5))
def test_a_changed_table_is_the_table_of_the_changed_text(
    text: str, data: st.DataObject, new: str, block: int
) -> None:
    usual = lines._BLOCK_LINES
    lines._BLOCK_LINES = block
    try:
        table = LineTable.of(text)
        for _ in range(3):
            start = data.draw(st.integers(0, len(table.text)))
            end = data.draw(st.integers(start, len(table.text)))
            expected = LineTable.of(table.text[:start] + new + table.text[end:])
            table = table.replaced(start, end, new)
            assert table.text == expected.text
            assert table.starts == expected.starts
            assert table.line_count == expected.line_count
            for line in range(table.line_count + 1):
                assert table.line_span(line) == expected.line_span(line)
                assert table.line_text(line) == table.text[slice(*table.line_span(line))]
            for offset in range(len(table.text) + 1):
                assert table.line_of(offset) == expected.line_of(offset)
    finally:
        lines._BLOCK_LINES = usual


def test_a_line_feed_put_behind_a_carriage_return_joins_it() -> None:
    assert LineTable.of("a\rb").replaced(2, 2, "\n").starts == (0, 3)


def test_an_ending_cut_in_two_becomes_two() -> None:
    assert LineTable.of("a\r\nb").replaced(2, 2, "x").starts == (0, 2, 4)


def test_a_range_outside_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="not in a text of 3 characters"):
        LineTable.of("abc").replaced(2, 9, "")


def test_the_positions_of_equal_lines_are_together_and_in_order() -> None:
    assert positions(["b", "a", "b"], 4) == {"b": [4, 6], "a": [5]}


def test_blank_lines_at_the_ends_alone_go() -> None:
    assert without_blank_ends(["", " ", "a", "", "b", "\t"]) == ["a", "", "b"]
    assert without_blank_ends(["", " "]) == []


def test_a_short_line_and_one_without_a_word_tell_nothing() -> None:
    assert is_telling("return")
    assert not is_telling("break")
    assert not is_telling("}, ], )")
