"""Lazy code in whole answers, through the functions of the library."""

from __future__ import annotations

import pytest

from patchpoint import Ladder, Rung, Status, apply_edits, merge_lazy

FILE = """\
import sys


def greet(name):
    print('Hello ' + name)


def part(name):
    print('Bye ' + name)
"""
OTHER = "def shout(word):\n    print(word.upper())\n"
CODE = "def part(name):\n    print('See you, ' + name)\n"
AFTER = FILE.replace("Bye ", "See you, ")


def fenced(code: str, above: str = "Here is the change:") -> str:
    return f"{above}\n\n```python\n{code}```\n\nThat is all.\n"


def test_code_that_names_no_file_is_for_the_one_that_has_its_definitions() -> None:
    report = apply_edits({"a.py": FILE, "b.py": OTHER}, fenced(CODE))
    assert report.files == {"a.py": AFTER, "b.py": OTHER}
    assert [outcome.rung for outcome in report.outcomes] == [Rung.STRUCTURE]


def test_code_that_two_files_have_a_definition_for_changes_neither() -> None:
    report = apply_edits({"a.py": FILE, "b.py": FILE}, fenced(CODE))
    assert report.files == {"a.py": FILE, "b.py": FILE}


def test_an_answer_of_examples_changes_nothing() -> None:
    answer = fenced("def main():\n    part('you')\n", "Call it like this, for example:")
    answer += fenced("def test_part():\n    part('me')\n", "Run it with:")
    report = apply_edits({"a.py": FILE}, answer)
    assert report.files == {"a.py": FILE}
    assert not [outcome for outcome in report.outcomes if outcome.matched]


def test_the_line_endings_of_the_file_stay() -> None:
    report = apply_edits({"a.py": FILE.replace("\n", "\r\n")}, fenced(CODE, "In `a.py`:"))
    assert report.files == {"a.py": AFTER.replace("\n", "\r\n")}


def test_tabs_for_spaces_become_the_spaces_of_the_file_on_one_yes() -> None:
    answer = fenced(CODE.replace("    ", "\t"), "In `a.py`:")
    assert apply_edits({"a.py": FILE}, answer).files == {"a.py": FILE}
    assert apply_edits({"a.py": FILE}, answer, accept="all").files == {"a.py": AFTER}


def test_one_piece_that_is_refused_holds_back_the_others() -> None:
    answer = fenced(CODE, "In `a.py`:") + fenced("def wave():\n    pass\n", "And `a.py`:")
    report = apply_edits({"a.py": FILE}, answer)
    assert report.files == {"a.py": FILE}
    assert [outcome.status for outcome in report.outcomes] == [Status.HELD, Status.AMBIGUOUS]
    assert report.outcomes[1].message == (
        "a.py has no wave, and it is not clear where to add it: choose a definition to put it below, or "
        "include one of the file next to it."
    )


def test_a_fragment_never_overwrites_a_file() -> None:
    report = apply_edits({"a.py": FILE}, "```python a.py\nprint('new')\n```\n")
    assert report.files == {"a.py": FILE}
    assert [outcome.status for outcome in report.outcomes] == [Status.CONFLICT]


@pytest.mark.parametrize(
    "heading",
    [
        pytest.param("### src/greet.py\n\n", id="heading"),
        pytest.param("**src/greet.py**:\n", id="bold"),
        pytest.param("`src/greet.py`:\n\n", id="code"),
        pytest.param("File: src/greet.py\n", id="label"),
    ],
)
def test_a_second_piece_below_one_heading_is_for_the_same_file(heading: str) -> None:
    greet = "def greet(name):\n    print('Good day ' + name)\n"
    answer = f"{heading}```python\n{greet}```\n\nand\n\n```python\n{CODE}```\n"
    report = apply_edits({"src/greet.py": FILE}, answer)
    assert report.files == {"src/greet.py": AFTER.replace("Hello ", "Good day ")}


def test_it_can_be_switched_off() -> None:
    ladder = Ladder(rungs=tuple(rung for rung in Rung if rung is not Rung.STRUCTURE))
    report = apply_edits({"a.py": FILE}, fenced(CODE, "In `a.py`:"), ladder=ladder)
    assert report.files == {"a.py": FILE}
    assert [outcome.status for outcome in report.outcomes] == [Status.REJECTED]


@pytest.mark.parametrize("answer", [CODE, fenced(CODE), fenced(CODE, "In `src/a.py`:"), f"```\n{CODE}```"])
def test_merge_lazy_takes_code_or_an_answer(answer: str) -> None:
    outcome = merge_lazy(FILE, answer, path="src/a.py")
    assert (outcome.status, outcome.text) == (Status.APPLIED, AFTER)
    assert outcome.message == "Merged by structure into src/a.py: replaces part."


def test_merge_lazy_merges_every_piece() -> None:
    answer = fenced(CODE) + fenced("def greet(name):\n    print('Hi ' + name)\n")
    assert merge_lazy(FILE, answer, path="a.py").text == AFTER.replace("Hello", "Hi")
    assert merge_lazy(FILE, answer + fenced("def wave():\n    pass\n"), path="a.py").text is None


def test_what_is_there_already_says_so() -> None:
    assert merge_lazy(AFTER, CODE, path="a.py").status is Status.ALREADY_APPLIED
