"""`patchpoint review` on a full screen, in a real terminal: an agent's sixteen changes, without the mouse."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from tests.asked_again import asked_to_end
from tests.cli.calls import Run
from tests.cli.screen import screen_of
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

LINES = "".join(f"line {number}\n" for number in range(1, 41))
GONE = "first of the deleted\nsecond of the deleted\n"
BEFORE = {f"{name}.txt": LINES for name in ("a", "b", "c", "d", "e")} | {
    "gone.txt": GONE,
    "old.txt": "renamed\n" * 9,
}
CHANGED = LINES.replace("line 5\n", "").replace("line 20\n", "LINE 20\n").replace("35\n", "35\nnew\n")


@pytest.fixture
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> WorkingTree:
    """A repository in which an agent has changed 12 places in 4 files, deleted one file, created two and
    renamed one."""
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write(BEFORE)
    tree.commit("before")
    monkeypatch.chdir(tree.root)
    assert run("checkpoint", "before the agent").status == 0
    tree.write({f"{name}.txt": CHANGED for name in ("a", "b", "c", "d")})
    tree.write({"made.txt": "made\n", "also made.txt": "made, too\n"})
    (tree.root / "gone.txt").unlink()
    (tree.root / "old.txt").rename(tree.root / "renamed.txt")
    return tree


def test_ten_changes_are_kept_and_six_reverted_with_a_key_each(
    reviewed: WorkingTree, tmp_path: Path, run: Run
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16 · file 1 of 8 · kept 0, to revert 0, undecided 16")
        # a.txt, all of it; also made.txt; b.txt: the deleted line comes back
        screen.press("y", "y", "y", "r", "r")
        shown = screen.until("6 of 16")
        assert "↩ 5 - line 5" in shown
        screen.press("y", "y", "y", "y", "y")
        assert "to revert 2" in screen.until("11 of 16")
        # d.txt, and the deleted file, whose lines are seen
        screen.press("r", "y")
        screen.until("13 of 16")
        screen.press("r", "r", "r", "y")
        screen.until("Every change is decided")
        assert "kept 10, to revert 6, undecided 0" in screen.head
        screen.press("q")
        assert screen.end() == 0
        assert "kept 10, reverted 6" in screen.text
    files = {name: (reviewed.root / name).read_text() for name in BEFORE if name != "old.txt"}
    assert files["a.txt"] == CHANGED
    assert files["gone.txt"] == GONE
    assert run("review", "--finish").out.startswith("Your changes were reviewed: kept 10, reverted 6.")


def test_what_was_decided_last_is_undone_and_why_is_in_the_summary(
    reviewed: WorkingTree, tmp_path: Path, run: Run
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16")
        screen.press("r", "r", "u")
        screen.until("2 of 16")
        screen.press("c")
        screen.until("Note for the model:")
        screen.press("a test needs it", "\r")
        screen.until("a test needs it")
        screen.press("r")
        assert "to revert 2" in screen.until("3 of 16")
        screen.press("k", "o")
        screen.until("to revert 1, undecided 15")
        screen.press("k", "c")
        screen.until("Note for the model:")
        screen.press("never mind", "\x1b")
        screen.until("? help")
        screen.press("k", "k", "c")
        screen.until("Note for the model:")
        screen.press("it is wanted", "\r")
        screen.until("it is wanted")
        screen.press("y", "q")
        assert screen.end() == 0
    summary = run("review", "--finish").out
    assert ": it is wanted\n" in summary
    assert ": a test needs it\n" in summary


def test_a_key_finds_a_word_goes_to_a_file_and_opens_what_is_folded(
    reviewed: WorkingTree, tmp_path: Path
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("⋯ 8 unchanged lines")
        screen.press("/", "second of", "\r")
        screen.until("- second of the deleted")
        screen.press("[", "[")
        screen.until("file 4 of 8")
        screen.press("x")
        screen.until(lambda text: "⋯ 8 unchanged lines" not in text)
        screen.press("?")
        screen.until("choose some of its lines")
        screen.press("z")
        screen.until(lambda text: "choose some of its lines" not in text)
        screen.press("/", "nowhere at all", "\r")
        screen.until("No change has “nowhere at all”")


def test_the_new_lines_of_a_change_are_edited_before_it_is_kept(
    reviewed: WorkingTree, tmp_path: Path, run: Run
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16")
        screen.press("j", "e")
        screen.until("Ctrl-S write")
        screen.press("better ", "\x13")
        screen.until("kept 1, to revert 0, undecided 15")
        screen.press("q")
        assert screen.end() == 0
    assert (reviewed.root / "a.txt").read_text() == CHANGED.replace("LINE 20\n", "better LINE 20\n")
    assert run("undo").status == 0
    assert (reviewed.root / "a.txt").read_text() == CHANGED


def test_some_lines_of_a_change_are_reverted_and_the_rest_is_undecided(
    reviewed: WorkingTree, tmp_path: Path, run: Run
) -> None:
    reviewed.write({"a.txt": LINES.replace("line 7\nline 8\nline 9\n", "7\n8\n9\n")})
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 14")
        # The lines that were there stand above those that are: the second and the third, then theirs
        screen.press("v", "j", "j", "j", "j", "v", "v", "j", "r")
        screen.until("1 of 15")
        screen.press("q")
        assert screen.end() == 0
    text = (reviewed.root / "a.txt").read_text()
    assert text == LINES.replace("line 7\nline 8\nline 9\n", "line 7\n7\nline 8\n8\n9\n")
    assert "kept 0, reverted 1, undecided 15" in run("review", "--finish").out


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_was_decided_before_a_signal_is_done(
    reviewed: WorkingTree, tmp_path: Path, run: Run, number: signal.Signals
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16")
        screen.press("y", "r")
        screen.until("3 of 16")
        with asked_to_end(screen.process, partial(screen.process.send_signal, number)):
            assert screen.end() == 128 + number
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"], listing["open"]) == (1, 1, 14)


def test_what_was_decided_before_a_kill_is_there_when_the_review_goes_on(
    reviewed: WorkingTree, tmp_path: Path
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16")
        screen.press("y", "r")
        screen.until("3 of 16")
        screen.process.kill()
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("3 of 16 · file 1 of 8 · kept 1, to revert 1, undecided 14")


def test_what_the_agent_writes_meanwhile_is_seen_with_a_key(reviewed: WorkingTree, tmp_path: Path) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of 16")
        screen.press("y")
        screen.until("2 of 16")
        reviewed.write({"e.txt": CHANGED})
        screen.press("g")
        screen.until("2 of 19 · file 1 of 9 · kept 1, to revert 0, undecided 18")
        # What has changed since it was shown is not written over.
        reviewed.write({"a.txt": LINES})
        screen.press("e", "x", "\x13")
        screen.until("is the same as in the checkpoint")
        assert (reviewed.root / "a.txt").read_text() == LINES


@pytest.mark.parametrize(("columns", "terminal"), [(110, "dumb"), (30, "xterm")])
def test_where_no_full_screen_can_be_shown_there_are_prompts(
    reviewed: WorkingTree, tmp_path: Path, columns: int, terminal: str
) -> None:
    with screen_of(["review"], reviewed.root, tmp_path / "state", columns=columns, TERM=terminal) as screen:
        screen.until(lambda text: "[y,n,r,a,d,q,?]" in text.replace("\n", ""))
        screen.press("q\n")
        assert screen.end() == 0


def test_a_narrow_screen_has_no_list_of_files_and_wraps_what_is_long(
    reviewed: WorkingTree, tmp_path: Path
) -> None:
    reviewed.write({"a.txt": LINES.replace("line 7\n", f"{'wide ' * 20}end\n")})
    with screen_of(["review"], reviewed.root, tmp_path / "state", columns=60) as screen:
        shown = screen.until("end")
        assert "│" not in shown
        assert "…" in shown


@pytest.mark.parametrize("name", ["made.txt", "a.txt"])
def test_where_nothing_is_left_to_decide_about_the_review_ends(
    reviewed: WorkingTree, tmp_path: Path, name: str
) -> None:
    with screen_of(["review", "--file", name], reviewed.root, tmp_path / "state") as screen:
        screen.until("1 of ")
        if name in BEFORE:
            reviewed.write({name: BEFORE[name]})
        else:
            (reviewed.root / name).unlink()
        screen.press("g")
        assert screen.end() == 0
        assert "Traceback" not in screen.text


def test_a_change_is_split_and_its_parts_decided_about_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"a.txt": "".join(f"line {number}\n" for number in range(1, 9))})
    monkeypatch.chdir(tree.root)
    run("checkpoint", "before")
    lines = ["line 1", "TWO", "THREE", "FOUR", "FIVE", *(f"line {number}" for number in range(6, 9))]
    tree.write({"a.txt": "\n".join([*lines, ""])})
    with screen_of(["review"], tree.root, tmp_path / "state") as screen:
        screen.until("1 of 1")
        screen.press("s")
        screen.until("1 of 4")
        screen.press("y", "r", "y")
        screen.until("kept 2, to revert 1, undecided 1")
        screen.press("s")
        screen.until("This change cannot be split")
        screen.process.kill()
    with screen_of(["review"], tree.root, tmp_path / "state") as screen:
        screen.until("kept 2, to revert 1, undecided 1")
        screen.press("y", "q")
        assert screen.end() == 0
    lines[2] = "line 3"
    assert (tree.root / "a.txt").read_text() == "\n".join([*lines, ""])
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"], listing["open"]) == (3, 1, 0), "parts stay apart"
