"""A plan without the hunks that a person dropped: what is left is exact, and each edit has its outcome."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Status
from patchpoint.patching.plan import Plan, plan_edits
from patchpoint.review.change_set import ListedChange, changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.planned import (
    DROPPED,
    carried_over,
    choice_of,
    deciding,
    of_kind,
    planned_files,
    without_dropped,
)
from patchpoint.text.splice import apply_splices
from tests.review.reviewed_texts import without_hunks

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
    changes = changes_of_plan(plan)
    dropped = {one.hunk.id for one in changes if chance.random() < 0.5}
    left = without_dropped(plan, dropped)
    expected = without_hunks("f.py", change.before or "", change.after or "", dropped)
    if expected == change.before:
        assert left.changes == ()
    else:
        assert left.changes[0].after == expected
        assert apply_splices(change.before or "", left.changes[0].splices) == expected
    for index, outcome in enumerate(left.outcomes):
        own = [one.hunk.id for one in changes if index in one.file.makers[one.hunk.id]]
        assert own, "each edit makes a hunk"
        is_dropped = dropped.issuperset(own)
        assert outcome.status is (Status.HELD if is_dropped else Status.MATCHED)
        assert (outcome.message == DROPPED) is is_dropped
        assert bool(left.changes and index in left.changes[0].edits) is not is_dropped


@given(PLACES)
def test_a_hunk_is_of_the_edits_that_change_its_lines(tens: list[int]) -> None:
    plan = plan_of([number * 6 for number in tens])
    for change in changes_of_plan(plan):
        (start, end), _ = change.file.spans(change.hunk)
        first, last = BEFORE.count("\n", 0, start), BEFORE.count("\n", 0, end - 1)
        assert {tens[index] for index in change.file.makers[change.hunk.id]} == {first // 6, last // 6}


def test_a_file_as_a_whole_is_one_hunk() -> None:
    plan = plan_edits([Edit(path="new.py", operation=Operation.CREATE, content="x = 1\n")], {})
    (change,) = changes_of_plan(plan)
    assert change.file.is_whole
    assert change.file.makers[change.hunk.id] == (0,)
    left = without_dropped(plan, {change.hunk.id})
    assert left.changes == ()
    assert left.outcomes[0].status is Status.HELD


def test_the_difference_of_a_file_says_its_mode() -> None:
    script = Edit(path="run.sh", operation=Operation.CREATE, content="echo\n", mode=0o755)
    made, changed = (
        planned_files(plan_edits([edit], {"old.sh": "echo\n"}))[0].whole_diff
        for edit in (script, Edit(path="old.sh", operation=Operation.CHMOD, mode=0o755))
    )
    assert "new file mode 100755\n" in made
    assert changed == "diff --git a/old.sh b/old.sh\nold mode 100644\nnew mode 100755\n"


def test_a_decision_replaces_the_one_before_it() -> None:
    choice = deciding(deciding({}, ["a"], Decision.OPEN), ["a"], Decision.TAKE_BACK)
    assert choice["a"] is Decision.TAKE_BACK
    assert set(choice) == {"a"}
    assert deciding(choice, ["a"], Decision.KEEP) == {}


def changes_of_plan(plan: Plan) -> list[ListedChange]:
    return list(changes_of(planned_files(plan)))


@given(PLACES, st.integers(0, 9), st.randoms(use_true_random=False))
def test_what_was_dropped_is_dropped_wherever_other_lines_have_moved_it(
    tens: list[int], lines: int, chance: random.Random
) -> None:
    places, above = [number * 6 for number in tens], "import os\n" * lines
    shown, now = plan_of(places), plan_of(places, above=above)
    dropped = {one.hunk.id for one in changes_of_plan(shown) if chance.random() < 0.5}
    choice = carried_over(
        choice_of(dropped, ()),
        changes_of_plan(shown),
        changes_of_plan(now),
    )
    wanted = [change.after for change in without_dropped(shown, dropped).changes]
    assert [change.after for change in without_dropped(now, of_kind(choice, Decision.OPEN)).changes] == [
        f"{above}{text}" for text in wanted
    ]


def test_where_a_dropped_hunk_is_no_longer_there_nothing_of_its_edit_is_kept() -> None:
    shown = changes_of_plan(plan_of([0, 12]))
    now = changes_of_plan(plan_of([0, 12], above="value_0 = 1\n"))
    moved = [
        replace(one, hunk=replace(one.hunk, added=one.hunk.added.replace("first_0", "begin_0")))
        for one in now
    ]
    choice = carried_over(
        choice_of([shown[0].hunk.id, "another"], [shown[3].hunk.id]),
        shown,
        moved,
    )
    assert of_kind(choice, Decision.OPEN) == {moved[0].hunk.id, moved[1].hunk.id, "another"}
    assert of_kind(choice, Decision.TAKE_BACK) == {moved[3].hunk.id}


def test_where_a_file_has_more_equal_changes_than_before_all_of_them_are_dropped() -> None:
    (shown, *_) = changes_of_plan(plan_of([0]))
    now = [replace(shown, hunk=replace(shown.hunk, id=name)) for name in ("one", "two")]
    choice = carried_over(choice_of([shown.hunk.id], ()), [shown], now)
    assert of_kind(choice, Decision.OPEN) == {"one", "two"}
