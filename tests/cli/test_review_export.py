"""A review that is written out, gone through elsewhere, and read back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.calls import Run
from tests.editors.reviewed import BEFORE, CHANGED
from tests.git.git_judge import WorkingTree


@pytest.fixture
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> WorkingTree:
    """A repository with a checkpoint, in which twelve places of five files changed since."""
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write(BEFORE)
    tree.commit("before")
    monkeypatch.chdir(tree.root)
    run("checkpoint", "before")
    tree.write(CHANGED)
    return tree


def ids(run: Run) -> dict[str, list[str]]:
    """The ids of the changes, by the names of their files."""
    listed = run("review", "--json").json["files"]
    return {Path(file["uri"]).name: [hunk["id"] for hunk in file["hunks"]] for file in listed}


def test_decisions_go_to_another_clone_and_what_has_changed_there_is_refused(
    reviewed: WorkingTree, run: Run, tmp_path: Path
) -> None:
    found = ids(run)
    run("review", "--keep", found["two.txt"][0], "--because", "good")
    run("review", "--take-back", found["two.txt"][1], "--because", "the old line was right")
    run("review", "--take-back", found["one.txt"][0])
    run("review", "--keep", found["four.txt"][0])
    export = tmp_path / "review.json"
    export.write_text(run("review", "--export", "json").out)
    run("review", "--finish")
    reviewed.write({**CHANGED, "four.txt": CHANGED["four.txt"].replace("3\n", "three\n", 1)})
    done = run("review", "--import", str(export))
    assert done.status == 1
    assert "kept: two.txt, line" in done.out
    assert "not imported: four.txt, line 3 (kept)" in done.out
    assert (reviewed.root / "two.txt").read_text() == CHANGED["two.txt"].replace("\n15\n", "\nline 15\n")
    assert (reviewed.root / "one.txt").read_text() == CHANGED["one.txt"].replace("LINE 2\n", "line 2\n")
    listing = run("review", "--json").json
    assert (listing["kept"], listing["takenBack"]) == (1, 2)
    again = run("review", "--import", str(export))
    assert "two.txt" not in again.out.partition("not imported")[2]
    run("undo")
    assert (reviewed.root / "two.txt").read_text() == CHANGED["two.txt"], "all that was reverted is one step"
    assert (reviewed.root / "one.txt").read_text() == CHANGED["one.txt"]


def test_what_nobody_has_decided_elsewhere_stays_decided_here(
    reviewed: WorkingTree, run: Run, tmp_path: Path
) -> None:
    export = tmp_path / "review.json"
    export.write_text(run("review", "--export", "json").out)
    run("review", "--keep", ids(run)["two.txt"][0])
    assert run("review", "--import", str(export)).status == 0
    assert run("review", "--json").json["kept"] == 1


def test_a_patch_of_a_review_is_what_git_reverses(reviewed: WorkingTree, run: Run, tmp_path: Path) -> None:
    reviewed.write({"latin.txt": "caf\xe9\n".encode("latin-1"), "gone.txt": "gone\n"})
    run("checkpoint", "again")
    before = reviewed.files()
    (reviewed.root / "gone.txt").unlink()
    reviewed.write({"latin.txt": "th\xe9\n".encode("latin-1"), "made.py": "x = 1", "one.txt": "other\n"})
    patch = run("review", "--since", "last", "--export", "patch").out
    assert "# left out, for it is not plain UTF-8: latin.txt" in patch
    command = ["git", "apply", "-R", "-"]
    subprocess.run(command, cwd=reviewed.root, input=patch.encode(), check=True)
    assert {**reviewed.files(), "latin.txt": None} == {**before, "latin.txt": None}


def test_markdown_says_what_is_decided_and_is_not_broken_by_what_is_in_it(
    reviewed: WorkingTree, run: Run
) -> None:
    reviewed.write({"made.txt": "made\n", "doc.md": "```\ncode\n````\n"})
    run("review", "--keep", *ids(run)["doc.md"], "--because", "*so* it is")
    text = run("review", "--export", "md").out
    assert "## doc\\.md\n" in text or "## doc.md\n" in text
    assert "**kept** – \\*so\\* it is" in text
    assert "`````diff\n" in text


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "no-export"),
        ("[]", "no-export"),
        ('{"version": 9, "since": "x", "changes": []}', "no-export"),
        ('{"version": 1, "since": "x", "changes": [{"id": 3}]}', "no-export"),
        ('{"version": 1, "since": "06ak0r7m2bpbkf", "changes": []}', "other-review"),
        (None, "no-file"),
    ],
)
def test_what_is_no_export_of_this_review_changes_nothing(
    reviewed: WorkingTree, run: Run, tmp_path: Path, content: str | None, code: str
) -> None:
    place = tmp_path / "odd.json"
    if content is not None:
        place.write_text(content)
    before = reviewed.files()
    done = run("review", "--import", str(place), "--json")
    assert done.status in (1, 2)
    assert code in done.out + done.err
    assert reviewed.files() == before
    assert json.loads(run("review", "--json").out)["open"] == 12


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[1]", "it is JSON, but not an object"),
        (
            '{"since": "x", "changes": [{"id": "a", "path": "p", "line": 1, "decision": "revert"}]}',
            '`changes[0].decision` must be one of "keep", "takeBack", "open", not "revert"',
        ),
    ],
)
def test_what_is_wrong_with_an_export_is_said_with_what_to_do(
    reviewed: WorkingTree, run: Run, tmp_path: Path, content: str, fault: str
) -> None:
    place = tmp_path / "odd.json"
    place.write_text(content)
    assert run("review", "--import", str(place), "--json").json["error"]["message"] == (
        f"'{place}' is not an export of a review: {fault}. Correct it, or write another with "
        "`patchpoint review --export json`."
    )


def test_an_open_review_travels_with_its_session(
    reviewed: WorkingTree, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    run("checkpoint", "of another", "--session", "other", "--message", "1")
    reviewed.write(BEFORE)
    run("checkpoint", "before the agent", "--session", "agent", "--message", "1")
    reviewed.write(CHANGED)
    found = ids(run)
    run("review", "--keep", *found["one.txt"], "--because", "all of it is good")
    since = run("review", "--json").json["since"]
    assert "1 checkpoint sent to" in run("push", str(remote), "--session", "agent", "--yes").out
    there = tmp_path / "there"
    reviewed.git("clone", "-q", str(reviewed.root), str(there))
    monkeypatch.chdir(there)
    WorkingTree(there).write(CHANGED)
    fetched = run("fetch", str(remote), "--yes").out
    assert f"patchpoint review --since {since}" in fetched
    assert "1 checkpoint fetched from" in fetched
    assert run("review", "--json").json["kept"] == 3
    assert ": all of it is good\n" in run("review", "--since", since, "--finish").out

    # What is decided later comes, too, but in place of nothing that is decided there.
    monkeypatch.chdir(reviewed.root)
    run("review", "--take-back", found["two.txt"][0])
    assert "1 open review sent to" in run("push", str(remote), "--session", "agent", "--yes").out
    assert "Already up to date." in run("push", str(remote), "--session", "agent", "--yes").out
    monkeypatch.chdir(there)
    run("review", "--since", since, "--keep", found["four.txt"][0])
    assert "open review" not in run("fetch", str(remote), "--yes").out
    assert run("review", "--since", since, "--json").json["kept"] == 1
    subprocess.run(["git", "-C", str(remote), "fsck", "--strict"], check=True)


def test_a_review_that_a_remote_made_up_is_none(reviewed: WorkingTree, run: Run, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    run("push", str(remote), "--yes")
    since = run("review", "--json").json["since"]
    for odd in ("{", "[1, {}]", "[1, 3]", "[2, {}]", "null"):
        made = ["git", "-C", str(remote), "hash-object", "-w", "--stdin"]
        blob = (
            subprocess.run(made, input=odd.encode(), capture_output=True, check=True).stdout.decode().strip()
        )
        subprocess.run(
            ["git", "-C", str(remote), "update-ref", f"refs/patchpoint/reviews/{since}", blob], check=True
        )
        done = run("fetch", str(remote), "--yes")
        assert done.status == 0
        assert "open review" not in done.out
    assert run("review", "--json").json["open"] == 12
