"""Prompts are numbered by agent, and listed one line a turn; one command answers each of ten questions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from random import randrange

import pytest

from patchpoint.checkpoints.record import checkpoint
from patchpoint.checkpoints.record.moments import moment_named
from tests.cli.agent_turns import hook, take_turn
from tests.cli.calls import Run

PAGE = Path(__file__).parents[2] / "docs" / "checkpoints.md"
Turn = Callable[..., None]


@pytest.fixture
def shop(project: Path) -> Path:
    """A project with a file that agents change."""
    (project / "shop").mkdir()
    (project / "shop/cart.py").write_text("total = 0\n")
    return project


@pytest.fixture
def turn(shop: Path) -> Turn:
    """Have an agent do in the shop what a prompt asks for."""
    return partial(take_turn, shop)


def test_each_agent_counts_its_own_prompts(turn: Turn, run: Run) -> None:
    turn("claude", "Count the items", "total = 1\n")
    turn("codex", "Write tests", "total = 1\ntested = True\n")
    turn("claude", "Fix the total", "total = 2\ntested = True\n")
    listed = run("list", "--json").json["checkpoints"]
    named = {(one["agent"], one["number"], one["prompt"]) for one in listed if one["kind"] == "run"}
    assert named == {
        ("claude", 1, "Count the items"),
        ("codex", 1, "Write tests"),
        ("claude", 2, "Fix the total"),
    }
    steps = [one for one in listed if one["kind"] == "afterRun"]
    assert [(one["agent"], one["number"]) for one in steps] == [("claude", 2), ("codex", 1), ("claude", 1)]


def test_a_number_is_not_given_again_after_a_restore_or_without_the_older_ones(turn: Turn, run: Run) -> None:
    turn("claude", "Count the items", "total = 1\n")
    turn("claude", "Fix the total", "total = 2\n")
    assert run("restore", "claude#1").status == 0
    assert run("prune", "--keep", "1", "--yes").status == 0
    turn("claude", "Once more", "total = 3\n")
    assert "Once more" in run("show", "claude#3").out
    assert run("show", "claude#1").status != 0


def test_a_turn_is_one_line_and_its_steps_are_folded(turn: Turn, run: Run) -> None:
    turn("claude", "Count the items", "total = 1\nitems = 2\n")
    turn("codex", "Write tests", "tested = True\n", "shop/test_cart.py")
    codex, claude = run("list").out.splitlines()
    assert re.fullmatch(r"codex#1   \d\d:\d\d  Write tests      test_cart\.py  \+1", codex)
    assert re.fullmatch(r"claude#1  \d\d:\d\d  Count the items  cart\.py       \+2 -1", claude)
    unfolded = run("list", "--steps", "--agent", "claude").out
    assert re.search(r"(?m)^    \w{4}  \d\d:\d\d  After Bash: write shop/cart\.py$", unfolded)
    assert "codex" not in unfolded
    assert "    A shop/test_cart.py" in run("log").out.splitlines()


def test_of_two_agents_at_once_each_line_counts_its_own(shop: Path, run: Run) -> None:
    hook("claude", shop, "UserPromptSubmit", prompt="Count")
    hook("codex", shop, "UserPromptSubmit", prompt="Test")
    for agent, file in (("claude", "one.py"), ("codex", "two.py")):
        path = str(shop / file)
        written = {"tool_name": "Write", "tool_input": {"file_path": path, "content": "x = 1\n"}}
        hook(agent, shop, "PreToolUse", tool_use_id=file, **written)
        (shop / file).write_text("x = 1\n")
        hook(agent, shop, "PostToolUse", tool_use_id=file, **written)
    hook("claude", shop, "Stop")
    hook("codex", shop, "Stop")
    codex, claude = run("list").out.splitlines()
    assert ("two.py" in codex, "one.py" in codex) == (True, False)
    assert ("two.py" in claude, "one.py" in claude) == (False, True)


def test_a_prompt_whose_turn_has_no_name_is_not_taken_for_its_session(shop: Path, run: Run) -> None:
    hook("claude", shop, "UserPromptSubmit", prompt="Count")
    hook("claude", shop, "Stop")
    done = run("revert", "--session", "claude#1")
    assert (done.status, done.out) == (1, "")
    assert "--session claude-session reverts all that the session did" in done.err


def test_the_newest_twenty_are_listed_and_all_of_them_on_request(run: Run, shop: Path) -> None:
    for number in range(22):
        assert run("checkpoint", f"state {number}").status == 0
    lines = run("list").out.splitlines()
    assert (len(lines), lines[-1]) == (21, "Older ones: patchpoint list --all")
    assert len(run("list", "--all").out.splitlines()) == 22
    assert len(run("list", "--limit", "3").out.splitlines()) == 4


def test_what_is_listed_first_names_a_checkpoint(run: Run, shop: Path, turn: Turn) -> None:
    taken = run("checkpoint", "mine", "--json").json["id"]
    turn("claude", "Count the items", "total = 1\n")
    names = [line.split()[0] for line in run("list").out.splitlines()]
    shown = [run("show", name, "--json").json for name in names]
    assert (shown[0]["number"], shown[1]["id"]) == (1, taken)
    assert names[1] == taken[9:13]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("14:30", "2026-11-24 14:30"),
        ("noon", "2026-11-24 12:00"),
        ("yesterday", "2026-11-23 00:00"),
        ("yesterday 9:05", "2026-11-23 09:05"),
        ("2026-10-01", "2026-10-01 00:00"),
        ("2026-10-01T08:00", "2026-10-01 08:00"),
        ("2h", "2026-11-24 14:00"),
        ("30m ago", "2026-11-24 15:30"),
        ("later", None),
        ("25:00", None),
        ("", None),
    ],
)
def test_a_moment_is_named_as_people_name_it(text: str, means: str | None) -> None:
    found = moment_named(text, datetime(2026, 11, 24, 16, 0, tzinfo=timezone.utc))
    assert (found.strftime("%Y-%m-%d %H:%M") if found else None) == means


def test_what_is_no_time_is_refused(run: Run, shop: Path) -> None:
    assert "'soon' is no time; write 14:30" in run("list", "--since", "soon").err


ASKED = [
    line.split("|")[1:3]
    for line in PAGE.read_text("utf-8").partition("## Ten questions")[2].partition("\n\n## ")[0].splitlines()
    if line.startswith("| ") and "`patchpoint" in line
]
ANSWERS: dict[str, Callable[[Path, str], bool]] = {
    "How was it before I asked for tests?": lambda shop, _: content(shop) == "total = 1\n",
    "What did Codex do at noon?": lambda _, said: "codex#1" in said and "claude" not in said,
    "What did one prompt change?": lambda _, said: "+total = 2" in said and "late" not in said,
    "What has changed since then?": lambda _, said: "shop/cart.py" in said and "shop/late.py" in said,
    "How was it at half past two?": lambda shop, _: content(shop) == "total = 2\ntested = True\n",
    "Which turns changed this file?": lambda _, said: "codex#1" in said and "claude#3" not in said,
    "What was in it before Codex began?": lambda _, said: said == "total = 1\n",
    "Who wrote this line?": lambda _, said: "Fix the total" in said,
    "What did Claude do last, step by step?": lambda _, said: "claude#3" in said and "After Bash" in said,
    "What if that prompt had not been?": lambda shop, _: content(shop) == "total = 1\ntested = True\n",
}


def content(shop: Path) -> str:
    return (shop / "shop/cart.py").read_text()


@pytest.mark.parametrize(("question", "command"), ASKED, ids=[one[0].strip() for one in ASKED])
def test_each_of_ten_questions_has_one_command(
    question: str, command: str, turn: Turn, shop: Path, run: Run
) -> None:
    assert len(ASKED) == len(ANSWERS) == 10
    with at_hour(11):
        turn("claude", "Count the items", "total = 1\n")
    with at_hour(12):
        turn("codex", "Please write tests for it", "total = 1\ntested = True\n")
    with at_hour(13):
        turn("claude", "Fix the total", "total = 2\ntested = True\n")
    with at_hour(15):
        turn("claude", "Note that it is late", "late = True\n", "shop/late.py")
    program, *words = shlex.split(command.strip().strip("`"))
    assert program == "patchpoint"
    done = run(*words)
    assert done.status == 0, done.err
    assert ANSWERS[question.strip()](shop, done.out)


@contextmanager
def at_hour(hour: int) -> Iterator[None]:
    """Have checkpoints be taken at this hour of today, one millisecond after the other."""
    moment = datetime.now().astimezone().replace(hour=hour, minute=0, second=0, microsecond=0)
    first = int(moment.timestamp() * 1000) - checkpoint._EPOCH_MS

    def new_id(after: str | None = None) -> str:
        count = first if after is None else max(first, checkpoint._number(after[:9]) + 1)
        return checkpoint._digits(count, 9) + checkpoint._digits(randrange(32**5), 5)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("patchpoint.checkpoints.record.write.new_id", new_id)
        yield
