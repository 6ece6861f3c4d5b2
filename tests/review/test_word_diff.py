"""The words that differ between lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.review.rows import changed_words

LINES = st.lists(st.text("ab \t(é", max_size=12), max_size=5)


def test_neighbouring_words_are_one_part() -> None:
    before, after = changed_words(["sum(self.items)"], ["sum(item.price for item in self.items)"])
    assert before == [()]
    assert after == [((4, 27),)]


def test_lines_that_have_little_in_common_have_no_parts() -> None:
    assert changed_words(["alpha beta gamma"], ["one two gamma three four"]) == ([()], [()])


def test_a_line_more_does_not_hide_what_differs_in_the_others() -> None:
    before, after = changed_words(["first = 1", "second = 2"], ["first = 1", "added = 5", "second = 3"])
    assert [len(parts) for parts in before] == [0, 1]
    assert after[0] == ()
    assert after[2] == ((9, 10),)


@given(LINES, LINES)
def test_what_is_not_marked_is_the_same_on_both_sides(before: list[str], after: list[str]) -> None:
    marked = changed_words(before, after)
    assert [len(side) for side in marked] == [len(before), len(after)]
    if any(any(side) for side in marked):
        left = []
        for lines, parts in zip((before, after), marked, strict=True):
            kept = ""
            for line, spans in zip(lines, parts, strict=True):
                for start, end in reversed(spans):
                    assert 0 <= start < end <= len(line)
                    line = line[:start] + line[end:]
                kept += line
            left.append(kept)
        assert left[0] == left[1]
