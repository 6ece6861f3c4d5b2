import os
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text.line_diff import line_opcodes, matching_blocks, shared_ends

LINES = st.sampled_from(["a\n", "b\n", "c\n", "same\n", "\n", "once\n", "rare\n"])


@given(st.lists(LINES, max_size=25), st.lists(LINES, max_size=25))
def test_matching_blocks_are_equal_and_in_order(before: list[str], after: list[str]) -> None:
    old_end = new_end = 0
    for old, new, size in matching_blocks(before, after):
        assert before[old : old + size] == after[new : new + size]
        assert old >= old_end
        assert new >= new_end
        old_end, new_end = old + size, new + size


@given(st.lists(LINES, max_size=25), st.lists(LINES, max_size=25))
def test_the_runs_of_a_difference_have_every_line_once_and_alternate(
    before: list[str], after: list[str]
) -> None:
    runs = line_opcodes(before, after)
    assert [line for _, i1, i2, _, _ in runs for line in before[i1:i2]] == before
    assert [line for _, _, _, j1, j2 in runs for line in after[j1:j2]] == after
    assert all(before[i1:i2] == after[j1:j2] for equal, i1, i2, j1, j2 in runs if equal)
    assert all(one[0] != other[0] for one, other in pairwise(runs))


@given(st.text("ab", max_size=70), st.text("ab", max_size=70))
def test_shared_ends_are_the_longest_ones(before: str, after: str) -> None:
    head, tail = shared_ends(before, after)
    assert before[:head] == os.path.commonprefix([before, after])  # noqa: RUF071 - letter by letter
    old, new = before[head:], after[head:]
    assert old[len(old) - tail :] == new[len(new) - tail :]
    assert tail == min(len(old), len(new)) or old[-tail - 1] != new[-tail - 1]


@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.sampled_from("ab"), max_size=12))
def test_lines_without_an_anchor_are_matched_as_often_as_can_be(before: list[str], after: list[str]) -> None:
    before, after = ["<", "<", *before, ">", ">"], ["(", "(", *after, ")", ")"]
    longest = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for old in reversed(range(len(before))):
        for new in reversed(range(len(after))):
            longest[old][new] = (
                1 + longest[old + 1][new + 1]
                if before[old] == after[new]
                else max(longest[old + 1][new], longest[old][new + 1])
            )
    anchored = any(before.count(letter) == after.count(letter) == 1 for letter in "ab")
    matched = sum(size for _, _, size in matching_blocks(before, after))
    assert matched == longest[0][0] or anchored


def test_a_huge_stretch_without_an_anchor_is_given_up_in_bounded_time() -> None:
    before, after = ["x", *("ab" * 20_000), "y"], ["x", *("bba" * 15_000), "y"]
    blocks = matching_blocks(before, after)
    assert blocks[0][:2] == (0, 0)
    assert blocks[-1][0] + blocks[-1][2] == len(before)
