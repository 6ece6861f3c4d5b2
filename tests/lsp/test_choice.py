"""A plan without the hunks that a person dropped: what is left is exact, and each edit has its outcome."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Operation
from patchpoint.lsp.applying.choice import (
    DROPPED,
    Choice,
    PlannedHunk,
    carried_over,
    hunks_of_plan,
    without_dropped,
)
from patchpoint.outcome import Status
from patchpoint.patching.plan import Plan, plan_edits
from patchpoint.review.decision import PreviewDecision
from patchpoint.review.hunks import without_hunks
from patchpoint.text.splice import apply_splices

LINES = 60
BEFORE = "".join(f"value_{number} = {number}\n" for number in range(LINES))


def plan_of(places: list[int], *, newline: str = "\n", above: str = "") -> Plan:
    """The plan of edits that each change two lines of five, at places of their own."""
    edits = []
    for place in places:
        lines = [f"value_{number} = {number}\n" for number in range(place, place + 5)]
        new = [lines[0].replace("value", "first"), *lines[1:4], lines[4].replace("value", "last")]
        edits.append(Edit(path="f.py", search="".join(lines), replace="".join(new)))
    return plan_edits(edits, {"f.py": above + BEFORE.replace("\n", newline)})


PLACES = st.lists(st.integers(0, LINES // 6 - 1), min_size=1, unique=True)


@given(PLACES, st.sampled_from(["\n", "\r\n"]), st.randoms(use_true_random=False))
def test_what_is_kept_is_the_text_without_the_dropped_hunks(
    tens: list[int], newline: str, chance: random.Random
) -> None:
    plan = plan_of([number * 6 for number in tens], newline=newline)
    (change,) = plan.changes
    hunks = hunks_of_plan(plan)
    dropped = {hunk.id for hunk in hunks if chance.random() < 0.5}
    left = without_dropped(plan, dropped)
    expected = without_hunks("f.py", change.before or "", change.after or "", dropped)
    if expected == change.before:
        assert left.changes == ()
    else:
        assert left.changes[0].after == expected
        assert apply_splices(change.before or "", left.changes[0].splices) == expected
    for index, outcome in enumerate(left.outcomes):
        own = [hunk for hunk in hunks if index in hunk.edits]
        assert own, "each edit makes a hunk"
        is_dropped = all(hunk.id in dropped for hunk in own)
        assert outcome.status is (Status.HELD if is_dropped else Status.MATCHED)
        assert (outcome.message == DROPPED) is is_dropped
        assert bool(left.changes and index in left.changes[0].edits) is not is_dropped


@given(PLACES)
def test_a_hunk_is_of_the_edits_that_change_its_lines(tens: list[int]) -> None:
    plan = plan_of([number * 6 for number in tens])
    for hunk in hunks_of_plan(plan):
        assert hunk.spans is not None
        first = BEFORE.count("\n", 0, hunk.spans[0][0])
        last = BEFORE.count("\n", 0, hunk.spans[0][1] - 1)
        assert {tens[index] for index in hunk.edits} == {first // 6, last // 6}


def test_a_file_as_a_whole_is_one_hunk() -> None:
    plan = plan_edits([Edit(path="new.py", operation=Operation.CREATE, content="x = 1\n")], {})
    (hunk,) = hunks_of_plan(plan)
    assert hunk.spans is None
    left = without_dropped(plan, {hunk.id})
    assert left.changes == ()
    assert left.outcomes[0].status is Status.HELD


def test_a_decision_replaces_the_one_before_it() -> None:
    choice = Choice().deciding(["a"], PreviewDecision.DROP).deciding(["a"], PreviewDecision.DISCARD)
    assert choice.decision("a") is PreviewDecision.DISCARD
    assert choice.left_out == {"a"}
    assert choice.deciding(["a"], PreviewDecision.KEEP) == Choice()


def with_edits(hunks: Sequence[PlannedHunk]) -> list[tuple[PlannedHunk, frozenset[str]]]:
    return [(hunk, frozenset(map(str, hunk.edits))) for hunk in hunks]


@given(PLACES, st.integers(0, 9), st.randoms(use_true_random=False))
def test_what_was_dropped_is_dropped_wherever_other_lines_have_moved_it(
    tens: list[int], lines: int, chance: random.Random
) -> None:
    places, above = [number * 6 for number in tens], "import os\n" * lines
    shown, now = plan_of(places), plan_of(places, above=above)
    dropped = {hunk.id for hunk in hunks_of_plan(shown) if chance.random() < 0.5}
    choice = carried_over(
        Choice(drop=frozenset(dropped)),
        with_edits(hunks_of_plan(shown)),
        with_edits(hunks_of_plan(now)),
    )
    wanted = [change.after for change in without_dropped(shown, dropped).changes]
    assert [change.after for change in without_dropped(now, choice.drop).changes] == [
        f"{above}{text}" for text in wanted
    ]


def test_where_a_dropped_hunk_is_no_longer_there_nothing_of_its_edit_is_kept() -> None:
    shown = hunks_of_plan(plan_of([0, 12]))
    now = hunks_of_plan(plan_of([0, 12], above="value_0 = 1\n"))
    moved = [replace(hunk, diff=hunk.diff.replace("first_0", "begin_0")) for hunk in now]
    choice = carried_over(
        Choice(drop=frozenset({shown[0].id, "another"}), discard=frozenset({shown[3].id})),
        with_edits(shown),
        with_edits(moved),
    )
    assert choice.drop == {moved[0].id, moved[1].id, "another"}
    assert choice.discard == {moved[3].id}


def test_where_a_file_has_more_equal_changes_than_before_all_of_them_are_dropped() -> None:
    (shown, *_) = hunks_of_plan(plan_of([0]))
    now = [replace(shown, id=name) for name in ("one", "two")]
    choice = carried_over(Choice(drop=frozenset({shown.id})), with_edits([shown]), with_edits(now))
    assert choice.drop == {"one", "two"}
