"""Reviews one after another, while an agent writes on, and of files that are long, old or odd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Run
from tests.git.git_judge import WorkingTree

TEN = "".join(f"line {number}\n" for number in range(1, 11))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    """A repository that has nothing yet, as the current folder."""
    tree = WorkingTree.create(tmp_path / "repo")
    monkeypatch.chdir(tree.root)
    return tree


def changes(run: Run) -> list[dict[str, Any]]:
    """The changes of the review, in order, each read by a process of its own."""
    return [hunk for file in run("review", "--json").json["files"] for hunk in file["hunks"]]


def test_a_second_review_begins_with_nothing_decided(tree: WorkingTree, run: Run) -> None:
    tree.write({"a.txt": TEN})
    run("checkpoint", "first", "--session", "agent", "--message", "1")
    tree.write({"a.txt": TEN.replace("line 2\n", "two\n").replace("line 8\n", "eight\n")})
    first, second = changes(run)
    run("review", "--keep", first["id"], "--because", "good")
    run("review", "--take-back", second["id"])
    assert "kept 1, reverted 1." in run("review", "--finish").out
    kept = TEN.replace("line 2\n", "two\n")
    assert (tree.root / "a.txt").read_text() == kept
    run("checkpoint", "second", "--session", "agent", "--message", "2")
    tree.write({"a.txt": kept.replace("two\n", "2\n").replace("line 8\n", "eight\n")})
    assert [hunk["decision"] for hunk in changes(run)] == ["open", "open"]
    run("review", "--take-back", "--file", "a.txt")
    said = run("review", "--finish").out
    assert said.startswith("Your changes were reviewed: kept 0, reverted 2.\n")
    assert "good" not in said
    assert (tree.root / "a.txt").read_text() == kept
    assert run("review", "--finish").status == 1, "there is no review any more"


def test_what_an_agent_writes_meanwhile_is_open_and_the_rest_stays_decided(
    tree: WorkingTree, run: Run
) -> None:
    tree.write({"a.txt": TEN})
    run("checkpoint", "before", "--session", "agent", "--message", "1")
    now = TEN.replace("line 2\n", "two\n").replace("line 5\n", "five\n").replace("line 8\n", "eight\n")
    tree.write({"a.txt": now})
    first, second, third = changes(run)
    run("review", "--keep", first["id"])
    # The agent adds lines above, another file, and writes again what was kept.
    now = "import os\n" + now.replace("line 10\n", "ten\n")
    tree.write({"a.txt": now, "b.txt": "made\n"})
    run("review", "--take-back", third["id"])
    assert [(hunk["decision"], hunk["id"]) for hunk in changes(run)[1:3]] == [
        ("keep", first["id"]),
        ("open", second["id"]),
    ]
    assert (tree.root / "a.txt").read_text() == now.replace("eight\n", "line 8\n")
    tree.write({"a.txt": (tree.root / "a.txt").read_text().replace("two\n", "too\n")})
    assert [hunk["decision"] for hunk in changes(run)] == ["open"] * 5
    run("review", "--take-back", "--file", ".")
    assert (tree.root / "a.txt").read_text() == TEN
    assert not (tree.root / "b.txt").exists()


def test_a_file_of_300_000_lines_is_reviewed_change_by_change(tree: WorkingTree, run: Run) -> None:
    lines = [f"value_{number:06} = compute({number})\n" for number in range(300_000)]
    before = "".join(lines)
    tree.write({"long.py": before})
    run("checkpoint", "before")
    lines[3] = "value_000003 = 3\n"
    lines[150_000:150_002] = []
    lines[-1] = lines[-1] + "print()\n"
    tree.write({"long.py": "".join(lines)})
    found = changes(run)
    assert [hunk["range"]["start"]["line"] for hunk in found] == [3, 150_000, 299_998]
    assert "-value_150000 = compute(150000)\n" in found[1]["diff"]
    lines[150_000:150_000] = ["value_150000 = compute(150000)\n", "value_150001 = compute(150001)\n"]
    run("review", "--take-back", found[1]["id"])
    assert (tree.root / "long.py").read_text() == "".join(lines)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-16"])
def test_lines_come_back_in_the_encoding_of_their_file(tree: WorkingTree, run: Run, encoding: str) -> None:
    before = "caf\xe9\r\nna\xefve\r\nend"
    tree.write({"old.txt": before.encode(encoding)})
    run("checkpoint", "before")
    tree.write({"old.txt": before.replace("caf\xe9", "th\xe9").replace("end", "\xfcber").encode(encoding)})
    first, second = changes(run)
    run("review", "--take-back", first["id"])
    assert (tree.root / "old.txt").read_bytes() == before.replace("end", "\xfcber").encode(encoding)
    run("review", "--take-back", second["id"])
    assert (tree.root / "old.txt").read_bytes() == before.encode(encoding)


def test_cells_of_a_notebook_are_changes_of_their_own(tree: WorkingTree, run: Run) -> None:
    def notebook(*cells: str) -> str:
        made = [
            {"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)} for cell in cells
        ]
        return (
            json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
        )

    tree.write({"n.ipynb": notebook("import os\nx = 1\n", "print(x)\n", "y = 2\n")})
    run("checkpoint", "before")
    tree.write({"n.ipynb": notebook("import os\nx = 10\n", "print(x)\n", "y = 20\n")})
    first, _ = changes(run)
    run("review", "--take-back", first["id"])
    assert (tree.root / "n.ipynb").read_text() == notebook("import os\nx = 1\n", "print(x)\n", "y = 20\n")
