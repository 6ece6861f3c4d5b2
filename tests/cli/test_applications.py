"""What was applied is listed, and reverted by its id or the beginning of it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import Run

BLOCK = "{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def apply(project: Path, run: Run, old: str, new: str, *arguments: str) -> str:
    answer = project.parent / "answer.md"
    answer.write_text(BLOCK.format(path="notes.txt", old=old, new=new))
    return str(run("apply", answer, "--json", *arguments).json["application"])


def test_an_application_is_listed_and_reverted_by_the_beginning_of_its_id(project: Path, run: Run) -> None:
    notes = project / "notes.txt"
    notes.write_text("one\ntwo\nthree\nfour\nfive\nsix\n")
    assert run("applications").out == "Nothing was applied here yet.\n"
    first = apply(project, run, "one", "1", "--session", "chat", "--message", "7")
    apply(project, run, "six", "6")
    listed = run("applications", "--json").json["applications"]
    assert listed[1] == {
        "id": first,
        "createdAt": listed[1]["createdAt"],
        "source": (project.parent / "answer.md").as_uri(),
        "session": "chat",
        "message": "7",
        "title": "",
        "isRest": False,
        "edits": listed[1]["edits"],
        "files": [notes.as_uri()],
        "revertedAt": None,
        "reverts": None,
    }
    assert len(run("applications", "--json", "--session", "chat").json["applications"]) == 1
    assert "1 edit" in run("applications", "--limit", "1").out
    (project.parent / "answer.md").write_text(
        f"Five is too many.\n\n{BLOCK.format(path='notes.txt', old='five', new='5')}"
    )
    run("apply", project.parent / "answer.md")
    assert "“Five is too many”" in run("applications", "--limit", "1").out
    run("undo")
    assert "notes.txt" in run("applications", "--limit", "1").out
    assert run("revert", "--application", first[:8]).status == 0
    assert notes.read_text() == "one\ntwo\nthree\nfour\nfive\n6\n"
    assert "reverted" in run("applications").out
    assert run("revert", first).status == 1
    assert run("revert", "no").status == 1
    assert run("revert").status == 0
    assert notes.read_text() == "one\ntwo\nthree\nfour\nfive\nsix\n"


def test_a_line_that_was_changed_since_is_reverted_only_if_that_is_accepted(project: Path, run: Run) -> None:
    settings = project / "notes.txt"
    settings.write_text("[net]\ntimeout = 30\nretries = 3\nname = x\n")
    apply(project, run, "timeout = 30\nretries = 3", "timeout = 60\nretries = 5")
    changed = "[net]\ntimeout = 75\nretries = 5\nname = x\n"
    settings.write_text(changed)
    refused = run("revert")
    assert refused.status == 1
    assert "have been changed since" in refused.out
    assert settings.read_text() == changed
    proposal = run("revert", "--check", "--json").json["edits"][0]["proposal"]["id"]
    assert run("revert", "--accept", proposal).status == 0
    assert settings.read_text() == "[net]\ntimeout = 30\nretries = 3\nname = x\n"
    assert run("undo").status == 0
    assert settings.read_text() == changed
