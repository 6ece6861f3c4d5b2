"""A dropped hunk as an edit by itself: it can be applied later, to the text that was kept."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.review.hunks import hunks_of
from patchpoint.review.planned import left_over
from tests.review.reviewed_texts import text_file, without_hunks

LINES = st.lists(st.sampled_from([f"{letter}\n" for letter in "abcdefgh"]), max_size=20)


@given(LINES, LINES, st.randoms(use_true_random=False))
def test_each_hunk_that_is_left_over_puts_its_lines_where_they_were_dropped(
    before: list[str], now: list[str], chance: random.Random
) -> None:
    old, new = "".join(before), "".join(now)
    hunks = hunks_of("f", old, new)
    dropped = [hunk.id for hunk in hunks if chance.random() < 0.5]
    kept = without_hunks("f", old, new, dropped)
    rest = left_over(text_file("f", old, new), dropped)
    for name, one in rest.items():
        others = [each for each in dropped if each != name]
        lines = kept.split("\n")
        quoted = one.search.split("\n")
        start = (one.line or 0) - 1
        assert "\n".join(lines[start:]).startswith(one.search)
        put = "\n".join([*lines[:start], one.replace + "\n".join(lines[start + len(quoted) - 1 :])])
        assert put == without_hunks("f", old, new, others)


@given(LINES, LINES)
def test_only_where_there_is_nothing_to_quote_is_nothing_left_over(before: list[str], now: list[str]) -> None:
    old, new = "".join(before), "".join(now)
    ids = [hunk.id for hunk in hunks_of("f", old, new)]
    assert set(left_over(text_file("f", old, new), ids)) == (set(ids) if old else set())


def test_what_is_left_over_is_an_edit_that_can_be_applied() -> None:
    old = "".join(f"line {number}\n" for number in range(30))
    new = old.replace("line 3\n", "LINE 3\n").replace("line 20\n", "line 20\nline 20 and a half\n")
    first, second = hunks_of("f", old, new)
    rest = left_over(text_file("f", old, new), [second.id])[second.id]
    kept = without_hunks("f", old, new, [second.id])
    assert "LINE 3\n" in kept
    assert apply_edit(kept, rest.search, rest.replace, line=rest.line).text == new
    assert first.id not in left_over(text_file("f", old, new), [second.id])
