"""`patchpoint apply` at a terminal: each edit without a certain place is asked about, by single keys."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.asked_again import asked_to_end
from tests.cli.calls import answer, edit
from tests.cli.screen import screen_of
from tests.uncertain_edit import ACCEPTED, FORGETFUL, ORDER

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

PROPOSED = edit("order.py", FORGETFUL.rstrip(), f"{FORGETFUL}    remarks: str")
TWICE = edit("twice.py", "    return 1", "    return 2")
CERTAIN = edit("sure.txt", "old", "new")
TWO = "def one():\n    return 1\n\n\ndef other():\n    return 1\n"
LOST = edit(
    "lost.py", "def total(prices, rate):\n    return sum(prices) * rate", "def total(p):\n    return sum(p)"
)
FILE = "def total(prices):\n    first = 1\n    second = 2\n    return sum(prices) + first\n"


@pytest.fixture
def files(project: Path) -> Path:
    """A project with a file for each kind of edit."""
    texts = {"order.py": ORDER, "twice.py": TWO, "sure.txt": "old\n", "lost.py": FILE}
    for name, text in texts.items():
        (project / name).write_text(text)
    return project


def now(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in ("order.py", "twice.py", "sure.txt")}


@pytest.mark.parametrize("piped", [False, True], ids=["a file", "a pipe"])
def test_a_place_is_chosen_and_a_proposal_accepted_and_then_all_edits_are_applied(
    files: Path, tmp_path: Path, piped: bool
) -> None:
    text = CERTAIN + TWICE + PROPOSED
    command = ["apply", "-" if piped else str(answer(files, text))]
    with screen_of(command, files, tmp_path / "state", piped=text if piped else None) as screen:
        shown = screen.until("Where does it go? [1,2,n,j,f,q,?]")
        assert "Edit 2 of 3, twice.py (1 of 2 questions)" in shown
        assert "in other" in shown
        screen.press("2")
        shown = screen.until("Change the lines as shown? [y,n,k,f,q,?]")
        assert "+    remarks: str" in shown
        assert now(files)["sure.txt"] == "old\n"
        screen.press("y")
        assert screen.end() == 0
        assert "3 of 3 edits applied" in screen.text
    assert now(files) == {
        "order.py": ACCEPTED,
        "twice.py": TWO.replace("other():\n    return 1", "other():\n    return 2"),
        "sure.txt": "new\n",
    }


def test_one_goes_back_to_an_edit_and_changes_ones_mind(files: Path, tmp_path: Path) -> None:
    with screen_of(
        ["apply", str(answer(files, TWICE + PROPOSED))], files, tmp_path / "state", lines=70
    ) as screen:
        screen.until("Where does it go?")
        screen.press("?")
        screen.until("put it at place 2, and see what changes")
        screen.press("x", "2")
        screen.until("Change the lines as shown?")
        screen.press("k")
        screen.until(lambda text: text.count("Where does it go?") == 3)
        screen.press("1", "y")
        assert screen.end() == 0
    assert now(files)["twice.py"] == TWO.replace("one():\n    return 1", "one():\n    return 2")


@pytest.mark.parametrize("keys", ["nn", "q", "\x04"], ids=["no", "quit", "end of input"])
def test_what_is_not_wanted_is_not_written(files: Path, tmp_path: Path, keys: str) -> None:
    before = now(files)
    with screen_of(["apply", str(answer(files, TWICE + PROPOSED))], files, tmp_path / "state") as screen:
        screen.until("Where does it go?")
        screen.press(*keys)
        assert screen.end() == 1
    assert now(files) == before


def test_an_edit_that_was_not_found_is_shown_at_a_place_before_it_is_put_there(
    files: Path, tmp_path: Path
) -> None:
    with screen_of(["apply", str(answer(files, LOST))], files, tmp_path / "state", lines=40) as screen:
        screen.until("Where does it go?")
        screen.press("1")
        screen.until("Change the lines as shown? [y,n,q,?]")
        screen.press("n")
        screen.until(lambda text: text.count("Where does it go?") == 2)
        screen.press("n")
        assert screen.end() == 1
    assert (files / "lost.py").read_text() == FILE


def test_a_new_function_is_put_at_another_place_than_the_one_that_is_proposed(
    files: Path, tmp_path: Path
) -> None:
    text = "Add this to `twice.py`:\n\n```python\ndef third():\n    return 3\n```\n"
    with screen_of(["apply", str(answer(files, text))], files, tmp_path / "state", lines=40) as screen:
        shown = screen.until("Change the lines as shown, or put it at a place? [y,1,2,n,f,q,?]")
        assert "It goes below what is like it, `other`." in shown
        assert "below one" in shown
        screen.press("1")
        screen.until("Change the lines as shown? [y,n,q,?]")
        screen.press("y")
        assert screen.end() == 0
    assert now(files)["twice.py"] == TWO.replace(
        "\n\n\ndef other", "\n\n\ndef third():\n    return 3\n\n\ndef other"
    )


def test_the_feedback_for_the_model_is_copied(files: Path, tmp_path: Path) -> None:
    with screen_of(["apply", str(answer(files, TWICE))], files, tmp_path / "state", DISPLAY="") as screen:
        screen.until("Where does it go?")
        screen.press("f")
        assert screen.end() == 1
        assert "feedback for the model" in screen.text


@pytest.mark.parametrize("options", [["--json"], ["--check"], ["--yes"], ["--feedback"]])
def test_who_wants_no_questions_is_asked_none(files: Path, tmp_path: Path, options: list[str]) -> None:
    command = ["apply", str(answer(files, TWICE)), *options]
    with screen_of(command, files, tmp_path / "state") as screen:
        assert screen.end() == 1
        assert "Where does it go?" not in screen.text


def test_ctrl_c_at_a_question_writes_nothing(files: Path, tmp_path: Path) -> None:
    before = now(files)
    with screen_of(["apply", str(answer(files, CERTAIN + TWICE))], files, tmp_path / "state") as screen:
        screen.until("Where does it go?")
        with asked_to_end(screen.process, partial(screen.press, "\x03")):
            assert screen.end() == 130
    assert now(files) == before


def test_a_terminal_that_another_program_reads_is_not_asked(files: Path, tmp_path: Path) -> None:
    program = f"{sys.executable} -m patchpoint apply - | cat"
    with screen_of([program], files, tmp_path / "state", piped=TWICE, shell=True) as screen:
        assert screen.end() == 0
        assert "Where does it go?" not in screen.text
        assert "Choose a place" in screen.text


def test_in_the_background_nothing_is_asked(files: Path, tmp_path: Path) -> None:
    asked = answer(files, TWICE)
    program = f"set -m; {sys.executable} -m patchpoint apply - < {asked} & wait $!"
    with screen_of([program], files, tmp_path / "state", piped="", shell=True) as screen:
        assert screen.end() == 1
        assert "Choose a place" in screen.text
