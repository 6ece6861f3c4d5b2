"""`apply` of a conversation: whose words are applied, what is left alone, and how a person insists."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.calls import Run, answer, edit
from tests.demo.project import contents

LOWER = 'REDUCED = Decimal("0.05")'
FIRST = edit("till/tax.py", LOWER, 'REDUCED = Decimal("0.06")')
SECOND = edit("till/tax.py", LOWER, 'REDUCED = Decimal("0.07")')
ELSEWHERE = edit("till/basket.py", "import ", "import json, ")
CHAT = f"""\
## User

I tried this:

{FIRST}
It is wrong.

## Assistant

{FIRST}

## User

No, seven.

## Assistant

{SECOND}
"""


def reduced(project: Path) -> str:
    text = (project / "till" / "tax.py").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("REDUCED"))


def test_the_last_answer_is_applied_and_what_the_user_said_is_left_alone(project: Path, run: Run) -> None:
    done = run("apply", answer(project, CHAT))
    assert done.status == 0, done.err
    assert reduced(project) == 'REDUCED = Decimal("0.07")'
    assert (
        "- read the last of 2 answers with edits; 1 block is yours and was left alone (line 6); "
        "--turn N reads another\n"
    ) in done.out


def test_another_answer_can_be_chosen_by_its_number(project: Path, run: Run) -> None:
    done = run("apply", "--turn", "1", answer(project, CHAT))
    assert (done.status, reduced(project)) == (0, 'REDUCED = Decimal("0.06")')
    assert "read 1 of 2 answers with edits" in done.out


def test_a_turn_that_is_not_there_is_refused_with_those_that_are(project: Path, run: Run) -> None:
    before = contents(project)
    done = run("apply", "--turn", "3", answer(project, CHAT))
    assert (done.status, contents(project)) == (2, before)
    assert "there is no turn 3; the answers with edits are 1 to 2" in done.err
    done = run("apply", "--turn", "newest", answer(project, CHAT))
    assert (done.status, contents(project)) == (2, before)
    assert "'newest' is not a turn; use last, all, or a number from 1" in done.err


def test_json_has_the_turn_and_a_code_for_each_thing_left_alone(project: Path, run: Run) -> None:
    done = run("apply", "--json", answer(project, CHAT))
    result = json.loads(done.out)
    assert (result["turn"], result["turns"]) == (2, 2)
    assert [(one["line"], one["code"]) for one in result["unplaced"]] == [(6, "not-said-by-the-model")]


def test_an_edit_that_is_taken_back_is_refused_with_the_sentence(project: Path, run: Run) -> None:
    before = contents(project)
    text = f"{SECOND}\nWait, ignore that. Leave it as it is.\n"
    done = run("apply", answer(project, text))
    assert (done.status, contents(project)) == (1, before)
    assert 'The answer says not to make this edit: "Wait, ignore that' in done.out
    assert "Apply it anyway, for example with --include 2" in done.out


def test_a_person_can_insist_on_what_was_taken_back(project: Path, run: Run) -> None:
    text = f"{SECOND}\nWait, ignore that. Leave it as it is.\n"
    done = run("apply", "--include", "2", answer(project, text))
    assert (done.status, reduced(project)) == (0, 'REDUCED = Decimal("0.07")')


def test_an_edit_that_another_one_takes_the_place_of_is_left_alone(project: Path, run: Run) -> None:
    text = f"{FIRST}\nWait, scrap that. Seven is right:\n\n{SECOND}"
    done = run("apply", answer(project, text))
    assert (done.status, reduced(project)) == (0, 'REDUCED = Decimal("0.07")')
    assert '- left alone: Line 2: the answer withdraws this ("' in done.out


def test_what_is_taken_back_holds_back_the_rest_of_the_answer(project: Path, run: Run) -> None:
    before = contents(project)
    text = f"{SECOND}\nOn second thought, ignore that.\n\nAnd this:\n\n{ELSEWHERE}"
    done = run("apply", answer(project, text))
    assert (done.status, contents(project)) == (1, before)


def test_of_several_ways_none_is_applied_until_one_is_chosen_by_name(project: Path, run: Run) -> None:
    before = contents(project)
    text = f"### Option A\n\n{SECOND}\n### Option B\n\n{ELSEWHERE}"
    done = run("apply", answer(project, text))
    assert (done.status, contents(project)) == (1, before)
    assert "This is one of several options (Option A); choose one." in done.out
    assert "Apply it anyway, for example with --include 'Option A'" in done.out
    done = run("apply", "--include", "option a", answer(project, text))
    assert (done.status, reduced(project)) == (0, 'REDUCED = Decimal("0.07")')
    assert (project / "till" / "basket.py").read_bytes() == before["till/basket.py"]
    assert "left alone: Line 13: of several ways, Option A was chosen." in done.out


def test_a_text_in_which_only_the_user_has_edits_says_so(project: Path, run: Run) -> None:
    before = contents(project)
    text = f"## User\n\n{SECOND}\n## Assistant\n\nThat is right.\n"
    done = run("apply", answer(project, text))
    assert (done.status, contents(project)) == (1, before)
    assert "Line 4: this is what the user says, and not the model." in done.err
    done = run("apply", "--include", "4", answer(project, text))
    assert (done.status, reduced(project)) == (0, 'REDUCED = Decimal("0.07")')
