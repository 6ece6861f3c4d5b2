"""One change taken out of what a text has become since."""

from __future__ import annotations

import pytest

from patchpoint.text.reversal import reversal
from tests.text.history import History

BEFORE = "a\nb\nc\nd\ne\nf\ng\nh\n"
AFTER = BEFORE.replace("c\n", "C\n")


def test_the_change_goes_and_what_came_since_stays() -> None:
    now = "new\n" + AFTER.replace("f\n", "F\nF2\n").replace("h\n", "")
    done = reversal(BEFORE, AFTER, now)
    assert (done.text, done.obstacles) == (now.replace("C\n", "c\n"), ())


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(AFTER.replace("C\n", "CC\n"), id="the line itself"),
        pytest.param(AFTER.replace("b\n", "B\n"), id="the line above"),
        pytest.param(AFTER.replace("d\n", ""), id="the line below"),
        pytest.param(AFTER.replace("C\n", "C\nmore\n"), id="a new line below"),
        pytest.param(AFTER.replace("b\nC\nd\n", ""), id="gone with its neighbours"),
        pytest.param("", id="everything gone"),
    ],
)
def test_what_has_been_changed_since_or_touches_it_stays(now: str) -> None:
    done = reversal(BEFORE, AFTER, now)
    assert done.text == now
    (obstacle,) = done.obstacles
    assert (obstacle.removed, obstacle.added) == ("c\n", "C\n")
    lines = now.splitlines(keepends=True)
    assert 0 <= obstacle.lines[0] <= obstacle.lines[1] <= len(lines)


def test_an_obstacle_is_where_its_lines_are_now() -> None:
    now = "0\n" + AFTER.replace("C\n", "X\nY\n")
    assert [each.lines for each in reversal(BEFORE, AFTER, now).obstacles] == [(3, 5)]


def test_what_is_taken_out_already_is_passed_over() -> None:
    now = BEFORE.replace("g\n", "G\n")
    assert reversal(BEFORE, AFTER, now).text == now
    assert not reversal(BEFORE, AFTER, now).obstacles


def test_of_equal_lines_none_is_taken_for_the_new_one_when_between_them_something_came() -> None:
    before, after = "start\nx\ny\nend\n", "start\nx\ny\nx\ny\nend\n"
    for now in ("start\nx\nnew\ny\nx\ny\nend\n", "start\nx\ny\nx\nnew\ny\nend\n"):
        done = reversal(before, after, now)
        assert done.text == now
        assert done.obstacles


def test_lines_end_at_line_feeds_alone() -> None:
    before, after = "a\r\nb\x0cc\nd\u2028e\rf\n\ng", "a\r\nb\x0cX\nd\u2028e\rf\n\ng"
    now = after.replace("g", "G")
    assert reversal(before, after, now).text == before.replace("g", "G")


def test_files_of_many_small_changes_that_have_little_in_common_stay() -> None:
    before = "".join(f"{number}\n" for number in range(10_000))
    after = "".join(f"{number}{'x' * (number % 2)}\n" for number in range(10_000))
    now = "".join(f"{number}{'x' * (number % 2)}{'y' * (number % 4 == 0)}\n" for number in range(10_000))
    assert reversal(before, after, now).text == now


def test_taking_out_all_changes_of_one_leaves_those_of_the_other_or_refuses() -> None:
    clean = 0
    for seed in range(400):
        history = History(seed)
        for _ in range(history.chance.randint(1, 8)):
            history.step(history.chance.choice("ST"))
        now, refused = history.text, False
        for by, before, after in reversed(history.steps):
            if by == "S":
                done = reversal(before, after, now)
                now, refused = done.text, refused or bool(done.obstacles)
        if not refused:
            assert now == history.without("S"), seed
            clean += 1
    assert clean > 100
