"""Sets of splices are applied, composed and compared without losing a character."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text.splice import Moves, Splice, apply_splices, compose, merge, minimal_splices, overlap

TEXT = st.text(alphabet="abc\n", max_size=30)


LINES = st.sampled_from(
    ["a\n", "b\n", "c\n", "same\n", "\n", "win\r\n", "old mac\r", "form\x0cfeed\n", "é😋\n"]
)
TEXTS = st.tuples(st.lists(LINES, max_size=14), st.sampled_from(["", "end", "end\r"])).map(
    lambda parts: "".join(parts[0]) + parts[1]
)


@st.composite
def splice_sets(draw: st.DrawFn, text: str) -> tuple[Splice, ...]:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    splices: list[Splice] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        if splices and splices[-1].end == start:
            continue
        splices.append(Splice(start, end, draw(st.text(alphabet="XYZ", max_size=4))))
    return tuple(splices)


@given(st.data(), TEXT)
def test_a_composed_set_does_what_its_two_parts_do_in_turn(data: st.DataObject, text: str) -> None:
    first = data.draw(splice_sets(text))
    between = apply_splices(text, first)
    second = data.draw(splice_sets(between))
    composed = compose(first, second, len(text))
    assert apply_splices(text, composed) == apply_splices(between, second)
    assert all(a.end <= b.start for a, b in pairwise(composed))


@given(st.data(), TEXT)
def test_sets_that_do_not_overlap_merge_into_one_that_has_the_changes_of_both(
    data: st.DataObject, text: str
) -> None:
    one, other = data.draw(splice_sets(text)), data.draw(splice_sets(text))
    if overlap(one, other):
        return
    merged = merge([one, other])
    grown = sum(len(s.text) - (s.end - s.start) for s in [*one, *other])
    assert len(apply_splices(text, merged)) == len(text) + grown


def test_two_insertions_at_one_place_overlap_and_two_neighbouring_changes_do_not() -> None:
    assert overlap([Splice(3, 3, "a")], [Splice(3, 3, "b")])
    assert overlap([Splice(1, 4, "a")], [Splice(3, 5, "b")])
    assert not overlap([Splice(1, 3, "a")], [Splice(3, 5, "b")])


def test_a_span_moves_with_what_is_written_before_it_and_grows_with_what_is_written_in_it() -> None:
    splices = [Splice(0, 0, "xx"), Splice(5, 6, "yyy")]
    assert Moves(splices)((4, 8)) == (6, 12)


@given(TEXTS, TEXTS)
def test_minimal_splices_make_the_new_text(before: str, after: str) -> None:
    splices = minimal_splices(before, after)
    assert apply_splices(before, splices) == after
    assert all(one.end <= other.start for one, other in pairwise(splices))


def test_only_what_differs_is_replaced() -> None:
    before = "def f():\n    return one\n\n\ndef g():\n    pass\n"
    after = "def f():\n    return two\n\n\ndef g():\n    pass\n"
    assert minimal_splices(before, after) == (Splice(20, 23, "two"),)
