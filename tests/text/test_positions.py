import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text.lines import LineTable
from patchpoint.text.positions import (
    EditorPosition,
    Unit,
    offset_at,
    position_at,
    widen_to_whole_endings,
    width,
)

TEXTS = st.text(st.sampled_from("ab\n\r\x0c\u2028😋é€\ud83d\ude0b"), max_size=40)
UNITS = st.sampled_from(Unit)


def offset(text: str, line: int, character: int, unit: Unit = Unit.UTF_16) -> int:
    return offset_at(LineTable.of(text), line, character, unit)


def test_a_position_past_the_end_of_the_last_line_is_the_end_of_the_text() -> None:
    assert offset("abc", 0, 99) == 3


def test_a_change_up_to_past_the_end_of_an_unfinished_line_replaces_all_of_it() -> None:
    table = LineTable.of("one\nabc")
    start, end = offset_at(table, 1, 0, Unit.UTF_16), offset_at(table, 1, 99, Unit.UTF_16)
    assert table.replaced(start, end, "X").text == "one\nX"


def test_a_position_past_the_last_line_is_the_end_of_the_text() -> None:
    assert offset("😋\n", 1, 0) == 2
    assert offset("😋\n", 7, 3) == 2


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_position_past_the_end_of_a_line_is_before_its_ending(ending: str) -> None:
    assert offset(f"ab{ending}cd", 0, 99) == 2


def test_a_form_feed_does_not_open_a_line() -> None:
    assert offset("a\x0cb\nc", 1, 0) == 4


@pytest.mark.parametrize(("unit", "character"), [(Unit.UTF_8, 6), (Unit.UTF_16, 3), (Unit.UTF_32, 2)])
def test_each_client_counts_in_its_own_units(unit: Unit, character: int) -> None:
    assert offset("é😋x", 0, character, unit) == 2
    assert position_at(LineTable.of("é😋x"), 2, unit) == EditorPosition(0, character)


@pytest.mark.parametrize(("unit", "inside"), [(Unit.UTF_8, (2, 3, 4)), (Unit.UTF_16, (2,))])
def test_a_position_inside_a_character_is_its_start(unit: Unit, inside: tuple[int, ...]) -> None:
    assert {offset("a😋b", 0, character, unit) for character in inside} == {1}


def test_a_negative_position_is_the_start() -> None:
    assert offset("ab\ncd", -1, 4) == 0
    assert offset("ab\ncd", 1, -4) == 3


def test_an_offset_outside_the_text_is_clamped() -> None:
    assert position_at(LineTable.of("ab"), 9, Unit.UTF_16) == EditorPosition(0, 2)
    assert position_at(LineTable.of("ab"), -9, Unit.UTF_16) == EditorPosition(0, 0)


@given(TEXTS, UNITS)
def test_every_offset_but_one_inside_an_ending_comes_back(text: str, unit: Unit) -> None:
    table = LineTable.of(text)
    for at in range(len(text) + 1):
        split_ending = text[at - 1 : at + 1] == "\r\n" and at > 0
        split_pair = unit is Unit.UTF_16 and text[at - 1 : at + 1] == "\ud83d\ude0b" and at > 0
        back = offset_at(table, *position_at(table, at, unit), unit)
        assert back == (at - 1 if split_ending else at) or split_pair


@given(TEXTS, UNITS, st.integers(-2, 12), st.integers(-2, 60))
def test_no_position_leaves_the_text_or_its_line(text: str, unit: Unit, line: int, character: int) -> None:
    table = LineTable.of(text)
    at = offset_at(table, line, character, unit)
    assert 0 <= at <= len(text)
    if 0 <= line < table.line_count:
        start, end = table.content_span(line)
        assert start <= at <= end


@given(TEXTS, UNITS)
def test_a_longer_text_is_never_narrower(text: str, unit: Unit) -> None:
    widths = [width(text[:length], unit) for length in range(len(text) + 1)]
    assert widths == sorted(widths)


@given(TEXTS, st.data(), TEXTS)
def test_a_widened_replacement_does_the_same_and_has_positions(
    text: str, data: st.DataObject, new: str
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    (first, last), wider = widen_to_whole_endings(text, (start, end), new)
    assert text[:first] + wider + text[last:] == text[:start] + new + text[end:]
    table = LineTable.of(text)
    for at in (first, last):
        assert offset_at(table, *position_at(table, at, Unit.UTF_32), Unit.UTF_32) == at
