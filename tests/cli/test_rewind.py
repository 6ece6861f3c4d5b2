"""`patchpoint rewind`: a turn is picked on a screen or from a list, and what was before it is restored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.agent_turns import take_turn
from tests.cli.calls import Run
from tests.cli.screen import Screen, screen_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")


@pytest.fixture
def shop(project: Path) -> Path:
    """A project in which two agents have changed a file three times."""
    (project / "shop").mkdir()
    (project / "shop/cart.py").write_text("total = 0\n")
    take_turn(project, "claude", "Count the items", "total = 1\n")
    take_turn(project, "codex", "Write tests", "total = 1\ntested = True\n")
    take_turn(project, "claude", "Fix the total", "total = 2\ntested = True\n")
    return project


def rewound(screen: Screen, shop: Path, answer: str) -> str:
    """Answer the question, and return what the file holds then."""
    screen.until("[y/N]")
    screen.press(answer, "\r")
    screen.end()
    return (shop / "shop/cart.py").read_text()


def test_a_turn_is_picked_with_its_difference_at_the_side(shop: Path, tmp_path: Path, run: Run) -> None:
    with screen_of(["rewind"], shop, tmp_path / "state") as screen:
        shown = screen.until("+total = 2")
        assert "1 of 3 · all agents · what it changed" in shown
        assert [line.split()[0] for line in shown.splitlines()[1:4]] == ["claude#2", "codex#1", "claude#1"]
        screen.press("j")
        screen.until("2 of 3 · all agents · what it changed")
        screen.press("\t")
        screen.until("what a restore takes back")
        screen.press("\r")
        assert "Go back to before codex#1, “Write tests”?" in screen.until("[y/N]")
        assert rewound(screen, shop, "y") == "total = 1\n"
    assert run("undo").status == 0
    assert (shop / "shop/cart.py").read_text() == "total = 2\ntested = True\n"


def test_agents_are_gone_through_and_words_found(shop: Path, tmp_path: Path) -> None:
    with screen_of(["rewind"], shop, tmp_path / "state") as screen:
        screen.until("1 of 3 · all agents")
        screen.press("a", "a")
        assert "claude#" not in screen.until("1 of 1 · codex")
        screen.press("a", "/")
        screen.until("Find:")
        screen.press("items", "\r")
        screen.until("3 of 3 · all agents")
        screen.press("/", "nothing of it", "\r")
        screen.until("No prompt has “nothing of it”.")
        screen.press("q")
        screen.until("Nothing was restored.")
        assert screen.end() == 0
    assert (shop / "shop/cart.py").read_text() == "total = 2\ntested = True\n"


def test_a_no_restores_nothing(shop: Path, tmp_path: Path) -> None:
    with screen_of(["rewind"], shop, tmp_path / "state") as screen:
        screen.until("+total = 2")
        screen.press("\r")
        assert rewound(screen, shop, "n") == "total = 2\ntested = True\n"


@pytest.mark.parametrize("said", ["3", "claude#1"])
def test_a_numbered_list_asks_for_a_number_or_a_name(shop: Path, tmp_path: Path, said: str) -> None:
    with screen_of(["rewind", "--plain"], shop, tmp_path / "state") as screen:
        assert "3  claude#1" in screen.until("Go back to before which?")
        screen.press(said, "\r")
        assert rewound(screen, shop, "y") == "total = 0\n"


def test_what_is_none_of_them_is_refused(shop: Path, tmp_path: Path) -> None:
    with screen_of(["rewind", "--plain"], shop, tmp_path / "state") as screen:
        screen.until("Go back to before which?")
        screen.press("4", "\r")
        screen.until("'4' is none of them; nothing was restored.")
        assert screen.end() == 1


def test_a_narrow_terminal_has_the_difference_below_the_list(shop: Path, tmp_path: Path) -> None:
    with screen_of(["rewind"], shop, tmp_path / "state", columns=60, lines=20) as screen:
        lines = screen.until("+total = 2").splitlines()
        assert lines[1].startswith(" claude#2")
        assert max(map(len, lines)) <= 60
        screen.press("q")
        screen.end()


def test_without_a_terminal_the_turns_are_listed(shop: Path, run: Run) -> None:
    done = run("rewind")
    assert [line.split()[:2] for line in done.out.splitlines()[:3]] == [
        ["1", "claude#2"],
        ["2", "codex#1"],
        ["3", "claude#1"],
    ]
    assert done.out.endswith("Go back to before one with: patchpoint restore NAME\n")
    assert [one["number"] for one in run("rewind", "--json").json["checkpoints"]] == [2, 1, 1]
    assert run("rewind", "--agent", "gemini").out == "No checkpoint matches.\n"
