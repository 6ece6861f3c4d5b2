"""`patchpoint review`: an agent changes twelve places in five files, and a person decides about each."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from patchpoint import parse_edits
from tests.asked_again import asked_to_end
from tests.cli.calls import Run
from tests.git.git_judge import WorkingTree

LINES = "".join(f"line {number}\n" for number in range(1, 31))
CHANGED = {
    "one.txt": LINES.replace("line 2\n", "LINE 2\n").replace("line 12\n", "").replace("line 25\n", "25\n"),
    "two.txt": LINES.replace("line 5\n", "line 5\nnew\n").replace("line 15\n", "15\n") + "end\n",
    "deep/three.txt": LINES.replace("line 1\n", "first\n").replace("line 10\n", "10\n"),
    "four.txt": LINES.replace("line 3\n", "3\n").replace("line 20\n", "20\n").replace("line 30\n", ""),
    "made.txt": "made\n",
}


@pytest.fixture
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> WorkingTree:
    """A repository that an agent has changed in twelve places since its checkpoint."""
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({name: LINES for name in CHANGED if name != "made.txt"})
    tree.commit("before")
    monkeypatch.chdir(tree.root)
    assert run("checkpoint", "before the agent", "--session", "agent", "--message", "1").status == 0
    tree.write(CHANGED)
    return tree


def ids(listing: dict[str, object]) -> dict[str, list[str]]:
    """The ids of the changes, by the name of the file."""
    files = listing["files"]
    assert isinstance(files, list)
    return {file["uri"].rpartition("/")[2]: [hunk["id"] for hunk in file["hunks"]] for file in files}


def at_terminal(tree: WorkingTree, tmp_path: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A review that asks at the prompts of a terminal, and the terminal's other end."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "patchpoint", "review", "--plain"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tree.root,
        env={**os.environ, "PATCHPOINT_STATE_HOME": str(tmp_path / "state")},
        close_fds=True,
    )
    os.close(theirs)
    return process, ours


def read_until(terminal: int, word: bytes) -> bytes:
    """What is shown until this word is; without one, until the end."""
    said = b""
    with suppress(OSError):  # the other end is closed
        while not word or word not in said:
            said += os.read(terminal, 65536)
    return said


def test_seven_changes_are_kept_and_five_taken_back_and_the_model_gets_word(
    reviewed: WorkingTree, run: Run
) -> None:
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"], listing["open"]) == (0, 0, 12)
    found = ids(listing)
    back = [found["one.txt"][0], found["two.txt"][2], *found["three.txt"]]
    assert run("review", "--take-back", *back, "--because", "the numbers are tested").status == 0
    assert run("review", "--take-back", "--file", "made.txt", "--because", "nobody needs it").status == 0
    left = ids(run("review", "--json").json)
    keep = [id_ for name in ("one.txt", "two.txt", "four.txt") for id_ in left[name]]
    decided = run("review", "--keep", *(id_[:6] for id_ in keep), "--json").json
    assert (decided["kept"], decided["takenBack"], decided["open"]) == (7, 5, 0)
    ended = run("review", "--finish")
    assert ended.status == 0
    assert ended.out.startswith("Your changes were reviewed: kept 7, reverted 5.\n")
    assert "- one.txt, line 2, because the numbers are tested:\n      - line 2\n      + LINE 2\n" in ended.out
    assert "- made.txt, the file as a whole, because nobody needs it.\n" in ended.out
    assert not parse_edits(ended.out)
    expected = CHANGED | {
        "one.txt": CHANGED["one.txt"].replace("LINE 2\n", "line 2\n"),
        "two.txt": CHANGED["two.txt"].replace("end\n", ""),
        "deep/three.txt": LINES,
    }
    del expected["made.txt"]
    for name, text in expected.items():
        assert (reviewed.root / name).read_text() == text
    assert not (reviewed.root / "made.txt").exists()
    assert run("review", "--json").json["kept"] == 0


def test_what_was_taken_back_last_is_undone(reviewed: WorkingTree, run: Run) -> None:
    before = reviewed.files()
    found = ids(run("review", "--json").json)
    run("review", "--take-back", *found["one.txt"], *found["made.txt"])
    assert reviewed.files() != before
    assert run("undo").status == 0
    assert reviewed.files() == before
    again = run("review", "--json").json
    assert (again["takenBack"], again["open"]) == (0, 12)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--keep"], 2, "Give the ids of the changes"),
        (["--keep", "012345678901"], 1, "is not a current change"),
        (["--keep", "0"], 1, "is not a current change"),
        (["--keep", "--file", "a.txt"], 1, "Nothing has changed in these files"),
        (["--keep", "--take-back", "--file", "one.txt"], 2, "has two decisions"),
        (["--since", "nonsense"], 1, "There is no checkpoint"),
        (["--session", "nobody"], 1, "no checkpoint of session 'nobody'"),
        (["--file", "../elsewhere"], 2, "is not below"),
    ],
)
def test_what_is_asked_wrongly_is_refused_and_changes_nothing(
    reviewed: WorkingTree, run: Run, arguments: list[str], status: int, said: str
) -> None:
    before = reviewed.files()
    done = run("review", *arguments)
    assert (done.status, said in done.err) == (status, True)
    assert reviewed.files() == before
    assert run("review", "--json").json["open"] == 12


def test_a_file_that_changed_since_the_listing_is_not_touched(reviewed: WorkingTree, run: Run) -> None:
    found = ids(run("review", "--json").json)
    reviewed.write({"one.txt": CHANGED["one.txt"].replace("LINE 2\n", "mine\n")})
    assert run("review", "--take-back", found["one.txt"][0]).status == 1
    assert "mine\n" in (reviewed.root / "one.txt").read_text()


def test_the_turn_before_which_to_begin_is_found(reviewed: WorkingTree, run: Run) -> None:
    run("checkpoint", "after it", "--session", "agent", "--message", "1", "--after")
    assert run("review", "--json").json["open"] == 12
    run("checkpoint", "second", "--session", "agent", "--message", "2")
    reviewed.write({"a.txt": "by the second turn\n"})
    run("checkpoint", "within it", "--session", "agent", "--message", "2")
    assert list(ids(run("review", "--json").json)) == ["a.txt"]
    assert list(ids(run("review", "--session", "agent", "--json").json)) == ["a.txt"]
    assert run("review", "--since", "last~3", "--json").json["open"] == 13


def test_the_numbers_are_those_of_all_files_whichever_are_named(reviewed: WorkingTree, run: Run) -> None:
    said = run("review", "--take-back", "--file", "one.txt").out
    assert said.splitlines()[:4] == [
        "reverted: one.txt, line 2",
        "reverted: one.txt, line 12",
        "reverted: one.txt, line 24",
        "kept 0, reverted 3, undecided 9",
    ]
    listing = run("review", "--file", "deep", "--json").json
    assert (listing["takenBack"], listing["open"]) == (3, 9)
    assert list(ids(listing)) == ["three.txt"]
    assert run("review", "--keep", "--file", ".").out.splitlines()[-1] == "kept 9, reverted 3"


def test_a_review_that_is_not_finished_goes_on(reviewed: WorkingTree, run: Run) -> None:
    found = ids(run("review", "--json").json)
    run("review", "--keep", found["two.txt"][0])
    run("checkpoint", "another")
    assert run("review", "--json").json["kept"] == 1
    run("review", "--open", found["two.txt"][0])
    assert run("review", "--json").json["kept"] == 0


def test_a_person_at_a_terminal_is_asked(reviewed: WorkingTree, tmp_path: Path, run: Run) -> None:
    assert run("review", "--json").json["open"] == 12
    made, four, one = [CHANGED["deep/three.txt"]], CHANGED["four.txt"], CHANGED["one.txt"]
    # deep/three.txt: keep, later; four.txt: help, take back, keep the rest; made.txt: take back; then quit
    answers = "y\nn\n?\nr\nit was right\na\nt\n\nq\n"
    process, ours = at_terminal(reviewed, tmp_path)
    os.write(ours, answers.encode())
    said = read_until(ours, b"")
    assert process.wait() == 0
    os.close(ours)
    assert "Keep this change [y,n,r,a,d,q,?]?" in said.decode()
    assert "decide later: keep it for now, and leave it open" in said.decode()
    assert [(reviewed.root / "deep/three.txt").read_text()] == made
    assert (reviewed.root / "four.txt").read_text() == four.replace("3\n", "line 3\n", 1)
    assert (reviewed.root / "one.txt").read_text() == one
    assert not (reviewed.root / "made.txt").exists()
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"], listing["open"]) == (3, 2, 7)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_was_decided_before_ctrl_c_or_the_end_of_the_terminal_is_decided(
    reviewed: WorkingTree, run: Run, tmp_path: Path, number: signal.Signals
) -> None:
    process, ours = at_terminal(reviewed, tmp_path)
    os.write(ours, b"y\nt\nit is wrong\n")
    read_until(ours, b"(3/")
    with asked_to_end(process, partial(process.send_signal, number)):
        read_until(ours, b"")
        assert process.wait() == 128 + number
    os.close(ours)
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"], listing["open"]) == (1, 1, 10)
    assert run("review", "--finish").out.startswith("Your changes were reviewed: kept 1, reverted 1")


@pytest.mark.parametrize("goes_on", [True, False], ids=["asked again", "finished"])
def test_what_was_decided_before_a_kill_is_decided(
    reviewed: WorkingTree, run: Run, tmp_path: Path, goes_on: bool
) -> None:
    before = reviewed.files()
    process, ours = at_terminal(reviewed, tmp_path)
    os.write(ours, b"y\nt\nit is wrong\n")
    read_until(ours, b"(3/")
    process.kill()
    process.wait()
    os.close(ours)
    assert reviewed.files() == before
    assert run("review").out.count("  to be reverted  ") == 1
    if goes_on:
        process, ours = at_terminal(reviewed, tmp_path)
        os.write(ours, b"q\n")
        said = read_until(ours, b"").decode()
        assert process.wait() == 0
        os.close(ours)
        assert "1 change that you decided to revert" in said
        assert "(1/10)" in said
        assert reviewed.files() != before
    summary = run("review", "--finish").out
    assert summary.startswith("Your changes were reviewed: kept 1, reverted 1")
    assert "because it is wrong" in summary
    assert (reviewed.root / "deep/three.txt").read_text() == CHANGED["deep/three.txt"].replace(
        "\n10\n", "\nline 10\n"
    )


def test_what_was_to_be_taken_back_before_a_kill_can_be_decided_again(
    reviewed: WorkingTree, run: Run, tmp_path: Path
) -> None:
    process, ours = at_terminal(reviewed, tmp_path)
    os.write(ours, b"t\n\nt\n\n")
    read_until(ours, b"(3/")
    process.kill()
    process.wait()
    os.close(ours)
    one, two = ids(run("review", "--json").json)["three.txt"]
    assert run("review", "--keep", one, "--open", two).status == 0
    assert "to be reverted" not in run("review").out
    assert run("review", "--finish").out.startswith("Your changes were reviewed: kept 1, reverted 0")
    assert (reviewed.root / "deep/three.txt").read_text() == CHANGED["deep/three.txt"]


def test_a_review_is_finished_once(reviewed: WorkingTree, run: Run) -> None:
    kept = ids(run("review", "--json").json)["one.txt"][0]
    run("review", "--keep", kept)
    assert run("review", "--finish").status == 0
    again = run("review", "--finish")
    assert again.status == 1
    assert "There is no review of" in again.err
    assert again.out == ""
