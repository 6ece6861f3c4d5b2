"""Edits of one answer that contradict each other are refused together; all others are made together."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats import parse_edits
from patchpoint.outcome import Atomic, Outcome, Status
from patchpoint.patching.plan import Plan, plan_edits

LAMP = "def glow(lamp, level):\n    lamp.dim(level)\n    return lamp.warmth * level\n"
BOTH_REFUSED = [Status.CONFLICT, Status.CONFLICT]


def change(search: str, replace: str, *, everywhere: bool = False) -> Edit:
    return Edit(path="lamp.py", search=search, replace=replace, replace_all=everywhere)


def planned(text: str, *edits: Edit) -> Plan:
    """Return the plan of edits of one file, none of which holds another back."""
    return plan_edits(edits, {"lamp.py": text}, atomic=Atomic.EDIT)


def statuses(plan: Plan) -> list[Status]:
    return [outcome.status for outcome in plan.outcomes]


def text_after(plan: Plan) -> str | None:
    assert len(plan.changes) == 1
    return plan.changes[0].after


def test_two_versions_of_one_line_are_refused_although_they_change_different_characters() -> None:
    line = "    return lamp.warmth * level\n"
    plan = planned(LAMP, change(line, line.replace("*", "+")), change(line, line.replace("warmth", "colour")))
    assert statuses(plan) == BOTH_REFUSED
    assert plan.changes == ()


def test_two_versions_of_one_line_are_refused_when_they_quote_different_lines_around_it() -> None:
    line = "    return lamp.warmth * level\n"
    wide = "    lamp.dim(level)\n" + line
    plan = planned(LAMP, change(wide, wide.replace("*", "+")), change(line, line.replace("warmth", "colour")))
    assert statuses(plan) == BOTH_REFUSED
    assert "edit 2" in plan.outcomes[0].message
    assert "edit 1" in plan.outcomes[1].message
    assert all("line 3" in outcome.message for outcome in plan.outcomes)


def test_all_of_several_alternatives_are_refused_and_each_is_named_the_others() -> None:
    line = "    lamp.dim(level)\n"
    plan = planned(LAMP, *(change(line, f"    lamp.{verb}(level)\n") for verb in ("fade", "dimmer", "set")))
    assert statuses(plan) == [Status.CONFLICT] * 3
    assert "edits 2 and 3" in plan.outcomes[0].message
    assert "edits 1 and 3" in plan.outcomes[1].message
    assert all("replace the same text differently" in outcome.message for outcome in plan.outcomes)


def test_option_a_and_option_b_of_an_answer_are_refused_together() -> None:
    answer = """\
Option A, a shorter name:

lamp.py
<<<<<<< SEARCH
def glow(lamp, level):
=======
def glow(it, level):
>>>>>>> REPLACE

Option B, a longer one:

lamp.py
<<<<<<< SEARCH
def glow(lamp, level):
=======
def glow(lamp, brightness):
>>>>>>> REPLACE
"""
    plan = plan_edits(parse_edits(answer), {"lamp.py": LAMP}, atomic=Atomic.EDIT)
    assert statuses(plan) == [Status.REJECTED, Status.REJECTED]
    assert plan.changes == ()


def test_two_different_insertions_behind_the_same_quoted_line_are_alternatives() -> None:
    line = "    lamp.dim(level)\n"
    plan = planned(LAMP, change(line, line + "    log(level)\n"), change(line, line + "    trace(lamp)\n"))
    assert statuses(plan) == BOTH_REFUSED


def test_different_lines_of_one_quoted_block_are_changed_together() -> None:
    dimmed = LAMP.replace("dim(level)", "dim(level / 2)")
    warmer = LAMP.replace("warmth *", "colour *")
    plan = planned(LAMP, change(LAMP, dimmed), change(LAMP, warmer))
    assert text_after(plan) == dimmed.replace("warmth *", "colour *")


def test_two_parts_of_a_line_that_are_quoted_apart_are_changed_together() -> None:
    plan = planned(LAMP, change("glow(lamp", "shine(lamp"), change("level):", "level=1):"))
    assert text_after(plan) == LAMP.replace("glow", "shine").replace("level):", "level=1):")


def test_two_edits_of_one_word_are_refused_even_when_its_halves_are_quoted_apart() -> None:
    plan = planned("brightness = 1\n", change("bright", "dark"), change("ness", "room"))
    assert statuses(plan) == BOTH_REFUSED


def test_a_name_that_is_replaced_everywhere_is_replaced_in_lines_that_others_change() -> None:
    line = "    return lamp.warmth * level\n"
    plan = planned(LAMP, change("lamp", "bulb", everywhere=True), change(line, line.replace("level", "1")))
    assert text_after(plan) == LAMP.replace("lamp", "bulb").replace("* level", "* 1")


def test_a_line_that_an_edit_inserts_does_not_contradict_a_change_of_the_next_one() -> None:
    head = "def glow(lamp, level):\n"
    insert = change(head + "    lamp.dim(level)\n", head + "    level /= 2\n    lamp.dim(level)\n")
    plan = planned(LAMP, insert, change("    lamp.dim(level)\n", "    lamp.fade(level)\n"))
    assert text_after(plan) == head + "    level /= 2\n    lamp.fade(level)\n    return lamp.warmth * level\n"


def test_the_same_edit_given_twice_is_one_also_when_it_quotes_more_the_second_time() -> None:
    line = "    lamp.dim(level)\n"
    wide = "def glow(lamp, level):\n" + line
    plan = planned(LAMP, change(line, "    lamp.fade(level)\n"), change(wide, wide.replace("dim", "fade")))
    assert statuses(plan) == [Status.MATCHED, Status.ALREADY_APPLIED]
    assert text_after(plan) == LAMP.replace("dim", "fade")


def test_an_edit_is_not_put_on_top_of_one_that_it_contradicts() -> None:
    # Where the first is made, the second is still found: its search text ends inside the new word.
    plan = planned("top\nx = 1\n", change("x = 1", "x = 10"), change("top\nx = 1", "top\nx = 12"))
    assert statuses(plan) == BOTH_REFUSED


@pytest.mark.parametrize("operation", [Operation.WRITE, Operation.CREATE])
def test_two_contents_for_one_whole_file_are_both_refused(operation: Operation) -> None:
    versions = [
        Edit(path="new.py", operation=operation, content=content, format=Format.WHOLE_FILE)
        for content in ("first = 1\n", "second = 2\n")
    ]
    plan = plan_edits(versions, {}, atomic=Atomic.EDIT)
    assert statuses(plan) == BOTH_REFUSED
    assert "edit 2" in plan.outcomes[0].message
    again = plan_edits([versions[0], versions[0]], {}, atomic=Atomic.EDIT)
    assert statuses(again) == [Status.MATCHED, Status.ALREADY_APPLIED]


WORDS = st.lists(st.sampled_from(["a", "b", "lamp", "level", "7", "+", "*"]), min_size=1, max_size=5)
LINES = st.lists(WORDS.map(" ".join), min_size=3, max_size=3)


def version_of(outcomes: tuple[Outcome, ...], versions: list[str], text: str) -> list[str]:
    """Return the texts that may come of versions of one line: the text itself, or one whole version."""
    applied = [version for outcome, version in zip(outcomes, versions, strict=True) if outcome.matched]
    return applied or [text]


@given(LINES, st.lists(WORDS.map(" ".join), min_size=2, max_size=3), st.integers(0, 2), st.integers(0, 2))
def test_a_line_with_several_versions_never_becomes_a_mixture(
    lines: list[str], new: list[str], first: int, size: int
) -> None:
    assume(lines[1] not in new)
    text = "".join(f"{number} {line}\n" for number, line in enumerate(lines))
    versions = [text.replace(f"1 {lines[1]}\n", f"1 {line}\n") for line in new]
    stretch = slice(min(first, 1), max(2, size + 1))
    whole = text.splitlines(keepends=True)
    edits = [
        change("".join(whole[stretch]), "".join(version.splitlines(keepends=True)[stretch]))
        if number
        else change(whole[1], version.splitlines(keepends=True)[1])
        for number, version in enumerate(versions)
    ]
    plan = planned(text, *edits)
    after = plan.changes[0].after if plan.changes else text
    assert after in version_of(plan.outcomes, versions, text)
    assert (after == text) == (len(set(versions)) > 1)
