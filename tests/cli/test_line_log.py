"""`patchpoint log FILE:LINE`: which prompt wrote a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Run


@pytest.fixture
def written(project: Path, run: Run) -> Path:
    """A file with a line from before, and one that was written after a prompt."""
    path = project / "notes.txt"
    path.write_text("before\n")
    assert run("checkpoint", "write it down", "--session", "chat", "--message", "m1").status == 0
    path.write_text("before\nafter\n")
    return path


def test_the_prompt_is_named_and_what_is_older_than_all_is_said_to_be(written: Path, run: Run) -> None:
    said = run("log", "notes.txt:1-2").out
    assert "notes.txt:1  before\n    older than the first checkpoint\n" in said
    assert "notes.txt:2  after\n" in said
    assert "“write it down”  chat:m1" in said
    one, two = run("log", "notes.txt:1-2", "--json").json["lines"]
    assert (one["by"], one["session"]) == (None, None)
    assert (two["by"], two["session"], two["turn"], two["text"]) == ("session", "chat", "m1", "after")


@pytest.mark.parametrize(
    ("place", "status", "said"),
    [
        ("notes.txt:3", 1, "notes.txt has no line 3."),
        ("nothing.txt:1", 1, "nothing.txt does not exist here, or checkpoints leave it out."),
        ("notes.txt", 2, "'notes.txt' names no line; write FILE:LINE or FILE:FIRST-LAST."),
        ("notes.txt:0", 2, "names no line"),
        ("notes.txt:2-1", 2, "names no line"),
        ("../outside.txt:1", 2, "is not below"),
    ],
)
def test_what_names_no_line_is_refused(written: Path, run: Run, place: str, status: int, said: str) -> None:
    done = run("log", place)
    assert (done.status, said in done.err) == (status, True), done.err
