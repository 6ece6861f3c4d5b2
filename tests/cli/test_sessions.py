"""Sessions on the command line: their steps are recorded, and what one of them changed is reverted."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import Run

TAX = "till/tax.py"


def step(project: Path, run: Run, session: str, old: str, new: str) -> None:
    """One step of an agent: a checkpoint before and after it."""
    assert run("checkpoint", "--session", session, "--message", "m1").status == 0
    text = (project / TAX).read_text()
    assert old in text
    (project / TAX).write_text(text.replace(old, new))
    assert run("checkpoint", "--session", session, "--message", "m1", "--after").status == 0


def test_a_session_is_reverted_and_the_other_stays(project: Path, run: Run) -> None:
    before = (project / TAX).read_text()
    step(project, run, "one", '"0.20"', '"0.21"')
    with (project / TAX).open("a") as file:
        file.write("\n\nMINE = True\n")
    looked = run("revert", "--session", "one", "--check")
    assert looked.status == 0
    assert "Would revert: 1 file written, 0 deleted" in looked.out
    done = run("revert", "--session", "one", "--turn", "m1")
    assert done.status == 0
    assert f"M  {TAX}" in done.out
    assert (project / TAX).read_text() == before + "\n\nMINE = True\n"
    again = run("revert", "--session", "one")
    assert "Nothing that session one changed is left." in again.out
    assert run("undo").status == 0
    assert '"0.21"' in (project / TAX).read_text()


def test_what_others_have_changed_since_is_shown_and_nothing_is_done(project: Path, run: Run) -> None:
    step(project, run, "one", '"0.20"', '"0.21"')
    step(project, run, "two", '"0.21"', '"0.22"')
    refused = run("revert", "--session", "one")
    assert refused.status == 1
    assert f"stays: {TAX}, line 3: these lines have been changed since" in refused.out
    assert '    -STANDARD = Decimal("0.20")' in refused.out
    assert '    +STANDARD = Decimal("0.21")' in refused.out
    assert "Nothing was changed." in refused.out
    assert '"0.22"' in (project / TAX).read_text()
    left = run("revert", "--session", "one", "--json").json["left"]
    assert [(each["path"], each["lines"]) for each in left] == [(TAX, [3, 3])]


def test_a_turn_without_an_end_is_reverted_only_with_until_now(project: Path, run: Run) -> None:
    run("checkpoint", "--session", "one")
    (project / "made.txt").write_text("x\n")
    refused = run("revert", "--session", "one")
    assert refused.status == 1
    assert "D  made.txt" in refused.out
    assert "Nothing was changed: no checkpoint records when session one finished" in refused.out
    assert (project / "made.txt").exists()
    done = run("revert", "--session", "one", "--until-now")
    assert done.status == 0
    assert "no checkpoint says" not in done.out
    assert not (project / "made.txt").exists()


def test_options_that_do_not_belong_together_are_refused(project: Path, run: Run) -> None:
    assert run("revert", "--turn", "m1").status == 2
    assert run("revert", "0123", "--session", "one").status == 2
    assert run("checkpoint", "--after").status == 2
    assert "no checkpoint of session 'nobody'" in run("revert", "--session", "nobody").err


def test_a_fork_is_made_and_says_how_to_remove_it(project: Path, run: Run, tmp_path: Path) -> None:
    run("checkpoint", "before")
    (id_,) = [each["id"] for each in run("list", "--json").json["checkpoints"]]
    refused = run("fork", id_, project / "inside")
    assert refused.status == 1
    assert "outside of the working tree" in refused.err
    folder = tmp_path / "an attempt"
    done = run("fork", id_, folder)
    assert done.status == 0
    assert f"Forked to {folder}: " in done.out
    assert f"git worktree remove --force '{folder}'" in done.out
    assert (folder / TAX).read_bytes() == (project / TAX).read_bytes()
