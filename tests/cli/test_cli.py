from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

from patchpoint.cli.arguments import command_table, parser
from patchpoint.cli.parsing.command import CliCommand
from tests.cli.calls import Run, answer, edit
from tests.demo.project import ANSWER, contents

STANDARD = 'STANDARD = Decimal("0.20")'


# apply


def test_a_comparison_or_a_preview_is_no_answer(project: Path, run: Run) -> None:
    shown = project.parent / "state" / "shown" / "0123456789ab" / "preview.diff"
    shown.parent.mkdir(parents=True)
    shown.write_text(edit("till/tax.py", STANDARD, "STANDARD = 1"), encoding="utf-8")
    refused = run("apply", shown)
    assert refused.status == 2
    assert "only previews edits" in refused.err
    assert STANDARD in (project / "till/tax.py").read_text()


def test_an_answer_that_fits_is_applied_and_named_file_by_file(project: Path, run: Run) -> None:
    done = run(
        "apply",
        answer(project, edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')),
    )
    assert done.status == 0
    assert "till/tax.py:4" in done.out
    assert "1 of 1 edit applied" in done.out
    assert 'REDUCED = Decimal("0.07")' in (project / "till/tax.py").read_text()


def test_a_name_with_spaces_is_not_taken_for_the_file_that_its_last_word_names(
    run: Run, project: Path
) -> None:
    for name in ("my notes.txt", "notes.txt"):
        (project / name).write_text("one\n")
    path = answer(project, "my notes.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n")
    assert run("apply", path).status == 0
    assert (project / "notes.txt").read_text() == "one\n"
    assert (project / "my notes.txt").read_text() == "two\n"


def test_an_edit_is_refused_where_its_file_is_not_as_expected(run: Run, project: Path) -> None:
    file = project / "till" / "tax.py"
    digest = sha256(file.read_bytes()).hexdigest()
    path = answer(project, edit("till/tax.py", STANDARD, STANDARD + "  # new"))
    stale = run("apply", path, "--json", "--expect", f"till/tax.py={'0' * 64}")
    assert (stale.status, stale.json["edits"][0]["code"]) == (1, "stale-file")
    assert run("apply", path, "--check", "--expect", "till/tax.py=12").status == 2
    assert run("apply", path, "--check", "--expect", digest).status == 2
    done = run("apply", path, "--json", "--expect", f"till/tax.py={digest}")
    assert (done.status, done.json["files"][0]["oldSha256"]) == (0, digest)
    assert done.json["files"][0]["newSha256"] == sha256(file.read_bytes()).hexdigest()


def test_an_edit_in_a_repository_inside_has_a_checkpoint_there_and_says_how_to_go_back(
    project: Path, run: Run
) -> None:
    inside = project / "vendor" / "a lib"
    inside.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "."], cwd=inside, check=True)
    (inside / "names.py").write_text("first = 1\n")
    before = contents(project)
    both = edit("till/tax.py", STANDARD, "STANDARD = 1") + edit(
        "vendor/a lib/names.py", "first = 1", "last = 1"
    )
    done = run("apply", answer(project, both))
    assert done.status == 0
    backs = re.findall(r"^Go back with: patchpoint (.+)$", done.out, re.MULTILINE)
    assert len(backs) == 2
    for back in backs:
        assert run(*shlex.split(back)).status == 0
    assert contents(project) == before
    only = run("apply", answer(project, edit("vendor/a lib/names.py", "first = 1", "last = 1")))
    assert re.findall(r"--root (.+)$", only.out, re.MULTILINE) == ["'vendor/a lib'"]


def test_answers_that_are_applied_at_the_same_time_all_get_into_the_file(
    project: Path, tmp_path: Path
) -> None:
    count = 4
    (project / "list.txt").write_text("".join(f"line {n} of the list\n" for n in range(10 * count)))
    answers = [
        edit("list.txt", f"line {10 * n} of the list", f"line {10 * n} of process {n}") for n in range(count)
    ]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "patchpoint", "apply"],
            env=os.environ | {"PATCHPOINT_STATE_HOME": str(tmp_path / "state")},
            stdin=subprocess.PIPE,
            text=True,
        )
        for _ in answers
    ]
    for process, text in zip(processes, answers, strict=True):
        assert process.stdin is not None
        process.stdin.write(text)
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait() for process in processes] == [0] * count
    assert (project / "list.txt").read_text().count("of process") == count


def test_the_way_back_names_the_folder_that_was_named(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(project)
    path = answer(project, edit("till/tax.py", STANDARD, "STANDARD = 1"))
    monkeypatch.chdir(project.parent)
    done = run("apply", "--root", "project", path)
    (back,) = re.findall(r"^Go back with: patchpoint (.+)$", done.out, re.MULTILINE)
    assert run(*shlex.split(back)).status == 0
    assert contents(project) == before


def test_nothing_is_written_unless_every_edit_has_its_place(project: Path, run: Run) -> None:
    before = contents(project)
    done = run("apply", ANSWER)
    assert done.status == 1
    assert "held back" in done.out
    assert "1) line 10" in done.out
    assert "2) line 16" in done.out
    assert contents(project) == before


def test_of_very_many_places_the_first_are_listed_and_the_others_counted(project: Path, run: Run) -> None:
    (project / "many.txt").write_text("same line here\nother\n" * 15)
    done = run("apply", answer(project, edit("many.txt", "same line here", "changed")))
    assert done.status == 1
    assert "12) line 23" in done.out
    assert "13) line" not in done.out
    assert "and 3 places more, all of them with --json" in done.out


def test_a_person_is_shown_the_nearest_place_of_an_edit_that_was_not_found(project: Path, run: Run) -> None:
    search = "STANDARD = Decimal(0.2)\nHIGHER = Decimal(0.4)\nHIGHEST = Decimal(0.8)"
    done = run("apply", answer(project, edit("till/tax.py", search, "STANDARD = 1")))
    assert done.status == 1
    assert "The nearest match is line" in done.out
    assert f"+     3 {STANDARD}" in done.out
    assert "-       HIGHEST = Decimal(0.8)" in done.out


def test_a_file_that_starts_programs_is_edited_only_when_that_is_allowed(project: Path, run: Run) -> None:
    (project / ".envrc").write_text("old\n")
    text = edit(".envrc", "old", "new")
    refused = run("apply", answer(project, text))
    assert refused.status == 1
    assert ".envrc can start programs without being asked to (it is read by direnv," in refused.out
    assert "apply them with --allow-executing-files" in refused.out
    assert run("apply", "--check", answer(project, text)).status == 1
    assert (project / ".envrc").read_text() == "old\n"
    done = run("apply", "--allow-executing-files", answer(project, text))
    assert done.status == 0
    assert ".envrc can start programs without being asked to (it is read by direnv" in done.out
    assert (project / ".envrc").read_text() == "new\n"
    assert run("revert").status == 0
    assert (project / ".envrc").read_text() == "old\n"
    patch = "*** Begin Patch\n*** Update File: .envrc\n@@\n-old\n+new\n*** End Patch\n"
    to_the_model = run("apply-patch", patch).err
    assert "only a person can confirm an edit of it" in to_the_model
    assert "--allow-executing-files" not in to_the_model
    assert run("apply-patch", "--allow-executing-files", patch).status == 0
    assert (project / ".envrc").read_text() == "new\n"


NEW_FILE = {"path": "new.py", "operation": "create", "content": "new = 1\n"}


def test_what_is_said_of_a_failed_write_is_true(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = {"path": "till/tax.py", "search": "0.05", "replace": "0.07"}
    edits = answer(project, json.dumps([NEW_FILE, change]))
    before = contents(project)
    (project / "till/tax.py").chmod(0o444)
    refused = run("apply", edits)
    assert refused.status == 3
    assert refused.err.endswith("is read-only; make it writable first. Nothing was written.\n")
    assert contents(project) == before
    (project / "till/tax.py").chmod(0o644)

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        # Neither can the file be replaced, nor the new one be put back.
        broken.setattr("patchpoint.filesystem.write.OpenPlace.rename_over", fail)
        failed = run("apply", edits)
    assert failed.status == 3
    assert "Nothing was written" not in failed.err
    assert "Not everything was undone" in failed.err
    now = contents(project)
    assert {name: now[name] for name in before} == before
    stayed = now.keys() - before
    assert "new.py" in stayed
    assert all(str(project / name) in failed.err for name in stayed)


def test_an_answer_whose_record_cannot_be_kept_is_applied_and_said_to_be(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("patchpoint.workspace.history.ledger.Ledger.keep_application", fail)
    done = run("apply", answer(project, json.dumps([NEW_FILE])))
    assert done.status == 0
    assert "1 of 1 edit applied" in done.out
    assert done.err == (
        "patchpoint: The edits were applied, but cannot be reverted: No space left on device.\n"
    )
    assert (project / "new.py").exists()


def test_an_edit_that_was_not_found_is_put_somewhere_only_when_the_person_agrees(
    project: Path, run: Run
) -> None:
    tax = project / "till/tax.py"
    before = tax.read_text()
    search = "STANDARD = Decimal(0.2)\nHIGHER = Decimal(0.4)\nHIGHEST = Decimal(0.8)"
    wrong = answer(project, edit("till/tax.py", search, f"STANDARD = 1\n{search.partition(chr(10))[2]}"))
    refused = run("apply", "--choose", "1:1", wrong)
    assert refused.status == 1
    assert "--check" in refused.err
    assert "--yes" in refused.err
    assert tax.read_text() == before
    look = run("apply", "--check", "--choose", "1:1", wrong)
    assert "+STANDARD = 1" in look.out
    assert tax.read_text() == before
    assert run("apply", "--yes", "--choose", "1:1", wrong).status == 0
    assert "STANDARD = 1\n" in tax.read_text()


def test_lines_are_replaced_whole_only_where_a_person_says_so_and_agrees(project: Path, run: Run) -> None:
    path = project / "steps.txt"
    before = "begin(1)\nalpha = load(1)\nbeta = keep(2)\nfinish(3)\n"
    path.write_text(before, "utf-8")
    search = "begin(1)\nalpha = load(1)\nnot_in_the_file = of_it(7)\nfinish(3)"
    asked = answer(project, edit("steps.txt", search, "begin(1)\nalpha = load(1)\nfinish(3)"))
    merged = run("apply", "--yes", "--choose", "1:1", asked)
    assert merged.status == 1
    assert "can only be replaced whole" in merged.out
    assert "Replace all lines there with --choose 1:1:whole" in merged.out
    refused = run("apply", "--choose", "1:1:whole", asked)
    assert refused.status == 1
    assert "Edit 1 replaces all lines there." in refused.err
    assert "-beta = keep(2)" in run("apply", "--check", "--choose", "1:1:whole", asked).out
    assert path.read_text("utf-8") == before
    assert run("apply", "--yes", "--choose", "1:1:whole", asked).status == 0
    assert path.read_text("utf-8") == "begin(1)\nalpha = load(1)\nfinish(3)\n"
    created = answer(project, edit("new.txt", "", "a"))
    assert run("apply", "--choose", "1:1:whole", created).status == 2


def test_a_person_chooses_where_a_new_function_goes_that_is_shown_alone(project: Path, run: Run) -> None:
    tax = project / "till/tax.py"
    before = tax.read_text()
    new = "def exempt(price):\n    return price\n"
    shown = answer(project, f"`till/tax.py`\n\n```python\n{new}```\n")
    asked = run("apply", shown)
    assert asked.status == 1
    assert "1) line" in asked.out
    assert "below " in asked.out
    assert tax.read_text() == before
    look = run("apply", "--check", "--choose", "1:1", shown)
    assert "+def exempt(price):" in look.out
    assert tax.read_text() == before
    assert run("apply", "--choose", "1:1", shown).status == 0
    assert f"\n{new}" in tax.read_text()
    assert len(tax.read_text()) > len(before) + len(new)


def test_the_other_places_of_a_new_function_that_is_proposed_are_named(project: Path, run: Run) -> None:
    new = "def exempt(price):\n    return price\n"
    shown = run("apply", "--check", answer(project, f"Add this to `till/tax.py`:\n\n```python\n{new}```\n"))
    assert "It goes below what is like it, " in shown.out
    assert "Put it elsewhere with --choose 1:N: 1 below " in shown.out


def test_the_edits_that_match_are_applied_on_request_and_a_person_chooses_for_the_ambiguous_one(
    project: Path, run: Run
) -> None:
    done = run("apply", "--atomic", "edit", "--choose", "5:2", ANSWER)
    assert done.status == 1  # the sixth is nowhere
    assert "5 of 6 edits applied" in done.out
    tax = (project / "till/tax.py").read_text()
    assert tax.index("def reduced") < tax.index("rounding=ROUND_HALF_UP")
    again = run("apply", "--json", "--atomic", "edit", ANSWER).json
    assert again["edits"][4]["status"] == "alreadyApplied"
    assert (project / "till/tax.py").read_text() == tax
    assert run("apply", "--atomic", "edit", "--choose", "5:1", ANSWER).status != 0
    assert (project / "till/tax.py").read_text() == tax


def test_a_check_shows_the_difference_and_writes_nothing(project: Path, run: Run) -> None:
    before = contents(project)
    done = run("apply", "--check", "--atomic", "edit", ANSWER)
    assert done.status == 1
    assert "+from decimal import ROUND_HALF_UP, Decimal" in done.out
    assert "4 of 6 edits would be applied" in done.out
    assert contents(project) == before
    assert run("list").out.startswith("No checkpoints yet")


def test_the_answer_may_come_from_standard_input(project: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "apply", "--json", "-"],
        input=edit(
            "till/tax.py",
            "def standard(net: Decimal) -> Decimal:",
            "def standard(net: Decimal, /) -> Decimal:",
        ).encode(),
        capture_output=True,
        cwd=project,
        env=os.environ | {"PATCHPOINT_STATE_HOME": str(tmp_path / "state")},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["edits"][0]["status"] == "applied"


def test_json_has_the_shapes_of_the_protocol(project: Path, run: Run) -> None:
    result = run("apply", "--json", "--atomic", "edit", ANSWER).json
    assert list(result)[:6] == ["applied", "application", "edits", "files", "checkpoint", "unplaced"]
    assert list(result)[6:] == ["turn", "turns", "remark", "preview", "dropped", "summary", "feedback"]
    assert result["applied"] is True
    assert result["feedback"].startswith("Applied, and not to be sent again: ")
    ambiguous = result["edits"][4]
    assert ambiguous["status"] == "ambiguous"
    assert ambiguous["uri"] == (project / "till/tax.py").as_uri()
    assert [one["range"]["start"]["line"] for one in ambiguous["candidates"]] == [9, 15]
    assert ambiguous["feedback"]
    assert [file["operation"] for file in result["files"]] == ["update"] * 3
    assert result["checkpoint"]["kind"] == "beforeApply"


def test_a_checkpoint_is_taken_before_anything_is_written_and_goes_back(project: Path, run: Run) -> None:
    before = contents(project)
    result = run("apply", "--json", "--atomic", "edit", ANSWER).json
    assert contents(project) != before
    assert run("restore", result["checkpoint"]["id"]).status == 0
    assert contents(project) == before


def test_no_checkpoint_is_taken_where_none_is_wanted(project: Path, run: Run) -> None:
    result = run("apply", "--json", "--no-checkpoint", "--atomic", "edit", ANSWER).json
    assert result["checkpoint"] is None
    assert run("list", "--json").json["checkpoints"] == []


def test_applied_edits_are_reverted_though_the_file_has_changed_since(project: Path, run: Run) -> None:
    tax = project / "till/tax.py"
    before = tax.read_text()
    assert (
        run(
            "apply", answer(project, edit("till/tax.py", STANDARD, STANDARD.replace("=", ": Decimal =")))
        ).status
        == 0
    )
    tax.write_text("# first of all\n" + tax.read_text())
    reverted = run("revert")
    assert reverted.status == 0
    assert "reverted" in reverted.out
    assert "1 of 1 edit reverted" in reverted.out
    assert "applied" not in reverted.out
    assert tax.read_text() == "# first of all\n" + before


def test_what_is_reverted_is_not_reverted_again_and_the_one_before_it_is(project: Path, run: Run) -> None:
    tax = project / "till/tax.py"
    before = tax.read_text()
    first = run("apply", "--json", answer(project, edit("till/tax.py", STANDARD, STANDARD + "  # low"))).json
    between = tax.read_text()
    reduced = 'REDUCED = Decimal("0.05")'
    assert run("apply", answer(project, edit("till/tax.py", reduced, reduced + "  # lower"))).status == 0
    assert "would be reverted" in run("revert", "--check").out
    assert [edit["status"] for edit in run("revert", "--json").json["edits"]] == ["reverted"]
    assert tax.read_text() == between
    assert run("revert").status == 0
    assert tax.read_text() == before
    nothing = run("revert")
    assert nothing.status == 1
    assert "Nothing to revert" in nothing.err
    assert "Nothing to revert" in run("revert", first["application"]).err
    assert tax.read_text() == before


def test_a_revert_is_itself_reverted_where_it_is_named(project: Path, run: Run) -> None:
    tax = project / "till/tax.py"
    run("apply", answer(project, edit("till/tax.py", STANDARD, STANDARD + "  # low")))
    applied = tax.read_text()
    back = run("revert", "--json").json["application"]
    assert run("revert", back).status == 0
    assert tax.read_text() == applied
    assert run("revert").status == 0
    assert tax.read_text() != applied


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("", 1, "No edits"),
        ("I would rather not change anything.", 1, "No edits"),
        (edit("../outside.py", "a", "b"), 1, "outside.py"),
        (edit("/etc/passwd", "root", "toor"), 1, "/etc/passwd"),
        (edit(".git/config", "bare", "fare"), 1, ".git"),
        (edit("till/nowhere.py", "a", "b"), 1, "till/nowhere.py"),
        ("till/tax.py\n<<<<<<< SEARCH\nREDUCED\n", 1, "line"),
    ],
    ids=["empty", "prose", "escaping", "absolute", "repository", "missing", "half a block"],
)
def test_what_cannot_be_applied_says_why_and_changes_nothing(
    project: Path, run: Run, text: str, status: int, says: str
) -> None:
    before = contents(project)
    done = run("apply", answer(project, text))
    assert done.status == status
    assert says in done.out + done.err
    assert contents(project) == before


def test_an_edit_that_fails_again_gets_other_feedback_until_it_is_applied(project: Path, run: Run) -> None:
    path = project / "till" / "tax.py"
    path.write_text("rate = 20\nother = 3\n", "utf-8")
    asked = answer(project, edit("till/tax.py", "completely = unknown(7)\n", "rate = 21\n"))

    def feedback(message: str = "") -> str:
        (outcome,) = run("apply", "--json", "--message", message, str(asked)).json["edits"]
        assert outcome["status"] == "notFound"
        return str(outcome["feedback"])

    run("apply", "--check", str(asked))
    first, second, third = feedback(), feedback("m2"), feedback("m3")
    assert len({first, second, third}) == 3
    assert "3 times" in third
    path.write_text("completely = unknown(7)\n", "utf-8")
    assert run("apply", str(asked)).status == 0
    path.write_text("rate = 20\nother = 3\n", "utf-8")
    assert feedback() == first


def test_an_edit_that_would_break_its_file_is_applied_only_where_a_person_insists(
    project: Path, run: Run
) -> None:
    path = project / "package.json"
    path.write_text('{\n  "name": "scale",\n  "private": true\n}\n', "utf-8")
    asked = answer(project, edit("package.json", '"name":  "scale",', '"name": "till"'))
    done = run("apply", asked)
    assert done.status == 1
    assert "line 3, column 3: Expecting ',' delimiter" in done.out
    assert "Apply an edit although it breaks a file, for example with --choose 1:1" in done.out
    assert "till" not in path.read_text("utf-8")
    done = run("apply", "--choose", "1:1", asked)
    assert done.status == 0
    assert "breaks the syntax" in done.out
    assert path.read_text("utf-8") == '{\n  "name": "till"\n  "private": true\n}\n'


def test_an_answer_that_is_not_there_is_a_failure_of_the_environment(project: Path, run: Run) -> None:
    done = run("apply", "no-such-answer.md")
    assert done.status == 3
    assert "no-such-answer.md" in done.err


def test_a_choice_that_does_not_exist_is_wrong_usage(project: Path, run: Run) -> None:
    assert run("apply", "--choose", "9:1", ANSWER).status == 2
    assert run("apply", "--choose", "1:5", ANSWER).status == 2
    for text in ("one", "1", "0:1", "1:0", "1:1:", "1:1:all", "1:1!"):
        assert run("apply", "--choose", text, ANSWER).status == 2


PATCH = """*** Begin Patch
*** Add File: till/notes.txt
+made by an agent
*** Update File: till/tax.py
@@
-REDUCED = Decimal("0.05")
+REDUCED = Decimal("0.07")
*** Delete File: tests/test_basket.py
*** End Patch
"""


def test_a_patch_of_an_agent_is_applied_with_the_output_that_the_agent_expects(
    project: Path, run: Run
) -> None:
    done = run("apply-patch", PATCH)
    assert done.status == 0, done.err
    first, *lines = done.out.splitlines()
    assert first == "Success. Updated the following files:"
    assert sorted(lines) == ["A till/notes.txt", "D tests/test_basket.py", "M till/tax.py"]
    assert (project / "till/notes.txt").read_text() == "made by an agent\n"


def test_a_patch_of_which_a_part_does_not_fit_changes_nothing(project: Path, run: Run) -> None:
    before = contents(project)
    done = run("apply-patch", PATCH.replace("REDUCED", "ABSENT"))
    assert done.status == 1
    assert "till/tax.py" in done.err
    assert contents(project) == before


# checkpoints


def test_a_checkpoint_is_taken_listed_shown_and_deleted(project: Path, run: Run) -> None:
    taken = run("checkpoint", "--json", "--session", "chat", "--message", "m1", "before the run").json
    assert (taken["label"], taken["session"], taken["message"]) == ("before the run", "chat", "m1")
    assert run("list", "--json").json["checkpoints"] == [taken]
    assert run("list", "--session", "another", "--json").json["checkpoints"] == []
    assert "before the run" in run("list").out
    assert taken["commit"] in run("show", taken["id"]).out
    assert run("delete", taken["id"]).status == 0
    assert run("list", "--json").json["checkpoints"] == []


def test_a_file_is_shown_as_it_was_byte_for_byte(project: Path, run: Run) -> None:
    path = project / "till/receipt.py"
    path.write_bytes(b"\xff\x00 something else\r\n")
    taken = run("checkpoint", "--json").json
    path.unlink()
    command = [sys.executable, "-m", "patchpoint", "show", taken["id"], "till/receipt.py"]
    shown = subprocess.run(command, capture_output=True, cwd=project, timeout=60)
    assert shown.stdout == b"\xff\x00 something else\r\n"


def test_a_difference_names_the_files_and_is_one_that_git_applies(project: Path, run: Run) -> None:
    before = contents(project)
    taken = run("checkpoint", "--json").json
    (project / "till/tax.py").write_text("nothing\n")
    (project / "new file.txt").write_text("made later\n")
    assert run("diff", "--stat", taken["id"]).out == "create  new file.txt\nupdate  till/tax.py\n"
    assert run("diff", "--stat", taken["id"], "till").out == "update  till/tax.py\n"
    patch = run("diff", taken["id"]).out
    subprocess.run(["git", "apply", "--reverse"], input=patch.encode(), cwd=project, check=True)
    assert contents(project) == before


def test_a_difference_through_a_pipe_has_each_byte_of_the_files(project: Path, run: Run) -> None:
    (project / "crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (project / "latin.txt").write_bytes(b"caf\xe9\r\ntwo\x0c\n")
    (project / "r\xe9sum\xe9.txt").write_text("\u202e\n", encoding="utf-8")
    before = contents(project)
    taken = run("checkpoint", "--json").json
    (project / "crlf.txt").write_bytes(b"one\r\n2\r\n")
    (project / "latin.txt").write_bytes(b"caf\xe9s\r\ntwo\x0c\n")
    (project / "r\xe9sum\xe9.txt").write_text(f"{NASTY}\n", encoding="utf-8")
    command = [sys.executable, "-m", "patchpoint", "diff", taken["id"]]
    patch = subprocess.run(command, capture_output=True, cwd=project, timeout=60, check=True).stdout
    subprocess.run(["git", "apply", "-R"], input=patch, cwd=project, check=True, capture_output=True)
    assert contents(project) == before


def test_without_any_restore_there_is_nothing_to_do_again(run: Run) -> None:
    assert run("undo", "--json").json["error"]["code"] == "nothing-to-undo"
    refused = run("redo", "--json").json["error"]
    assert refused["code"] == "nothing-to-redo"
    assert "to redo" in refused["message"]


@pytest.mark.parametrize(
    "words",
    [
        ("diff", "last", "--stat", "till/tax.py"),
        ("diff", "--stat", "last", "till/tax.py"),
        ("diff", "last", "--stat", "--", "till/tax.py"),
        ("diff", "last", "till/tax.py", "--stat"),
        ("restore", "last", "--check", "till/tax.py"),
        ("restore", "last", "--dry-run", "till/tax.py"),
    ],
)
def test_options_and_files_may_be_in_any_order(project: Path, run: Run, words: tuple[str, ...]) -> None:
    run("checkpoint")
    for name in ("till/tax.py", "till/basket.py"):
        (project / name).write_text("nothing\n")
    shown = run(*words)
    assert shown.status == 0
    assert "till/tax.py" in shown.out
    assert "basket" not in shown.out
    assert (project / "till/tax.py").read_text() == "nothing\n"


def test_an_option_that_a_command_does_not_have_shows_its_usage_and_what_may_be_meant(run: Run) -> None:
    refused = run("restore", "last", "--chekc")
    assert refused.status == 2
    assert "usage: patchpoint restore" in refused.err
    assert "is --check meant?" in refused.err
    assert "usage: patchpoint instructions" in run("instructions", "extra").err


def test_a_restore_says_of_each_file_whether_it_creates_overwrites_or_deletes_it(
    project: Path, run: Run
) -> None:
    (project / "gone later.txt").write_text("wanted\n")
    taken = run("checkpoint", "--json").json
    (project / "gone later.txt").unlink()
    (project / "till/tax.py").write_text("nothing\n")
    (project / "made later.txt").write_text("by a run\n")
    for command in (("restore", "--check", taken["id"]), ("restore", taken["id"])):
        assert run(*command).out.splitlines()[:3] == [
            "A  gone later.txt",
            "M  till/tax.py",
            "D  made later.txt",
        ]
    backwards = run("undo", "--json").json
    restored = backwards["restored"]
    assert (backwards["kind"], backwards["operation"]["kind"]) == ("undo", "restore")
    assert restored["created"] == [(project / "made later.txt").as_uri()]
    assert set(restored["created"]) < set(restored["written"])


def test_a_restore_says_which_commit_to_check_out_in_a_repository_inside(project: Path, run: Run) -> None:
    inside = project / "lib"
    inside.mkdir()

    def git(folder: Path, *arguments: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        return subprocess.run(
            ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    git(inside, "init", "-q")
    git(inside, "commit", "-q", "--allow-empty", "-m", "then")
    git(project, "-c", "advice.addEmbeddedRepo=false", "add", "lib")
    then = git(inside, "rev-parse", "HEAD")
    taken = run("checkpoint", "--json").json
    git(inside, "commit", "-q", "--allow-empty", "-m", "now")
    done = run("restore", taken["id"], "--only").out
    assert f"lib (it is a repository of its own; check out {then[:10]} there)" in done
    assert "Nothing else differs" in done
    now = git(inside, "rev-parse", "HEAD")
    done = run("restore", taken["id"]).out
    assert f"lib: the branch went from {now[:10]} to {then[:10]}." in done
    assert git(inside, "rev-parse", "HEAD") == then


def test_a_restore_names_the_files_that_it_leaves_as_they_are_in_its_json_as_well(
    project: Path, run: Run
) -> None:
    (project / ".gitignore").write_text("*.log\n")
    (project / "precious.log").write_text("older than the checkpoint\n")
    taken = run("checkpoint", "--json").json
    (project / ".gitignore").unlink()
    done = run("restore", "--json", taken["id"]).json
    assert [left["path"] for left in done["kept"]] == ["precious.log"]
    assert "ignored" in done["kept"][0]["reason"]


def test_a_restore_can_be_previewed_done_and_undone(project: Path, run: Run) -> None:
    before = contents(project)
    taken = run("checkpoint", "--json").json
    (project / "till/tax.py").write_text("nothing\n")
    (project / "made later.txt").write_text("by a run\n")
    after = contents(project)
    looked = run("restore", "--check", taken["id"])
    assert "M  till/tax.py" in looked.out
    assert "D  made later.txt" in looked.out
    assert contents(project) == after
    restored = run("restore", "--json", taken["id"]).json
    assert restored["written"] == [(project / "till/tax.py").as_uri()]
    assert contents(project) == before
    assert run("redo", "--json").json["error"]["code"] == "nothing-to-redo"
    assert run("undo").status == 0
    assert contents(project) == after
    assert "M  till/tax.py" in run("redo", "--check").out
    assert contents(project) == after
    assert run("redo").status == 0
    assert contents(project) == before
    assert run("undo").status == 0


def test_a_restore_of_the_staged_state_alone_is_none_of_nothing(run: Run, project: Path) -> None:
    git = partial(subprocess.run, cwd=project, check=True, capture_output=True, text=True)
    git(["git", "init", "-q"])
    git(["git", "add", "till/tax.py"])
    run("checkpoint")
    (project / ".git" / "index").unlink()
    assert "To undo: patchpoint undo" in run("restore", "last").out
    assert "till/tax.py" in git(["git", "ls-files"]).stdout
    assert "Nothing to restore" in run("restore", "last").out


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no folder that a process works in")
def test_the_folder_that_one_is_in_stays_and_is_missed_where_it_is_gone(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("checkpoint")
    (project / "new" / "deep").mkdir(parents=True)
    (project / "new" / "deep" / "made.txt").write_text("made\n")
    monkeypatch.chdir(project / "new" / "deep")
    assert "D  new/deep/made.txt" in run("restore", "last").out
    assert list(Path.cwd().iterdir()) == []
    assert run("undo").status == 0
    assert Path("made.txt").read_text() == "made\n"
    shutil.rmtree(project / "new")
    assert "The folder that you are in has been deleted" in run("checkpoint").err


def test_a_restore_may_be_of_one_file_named_from_the_current_folder(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(project)
    taken = run("checkpoint", "--json").json
    for name in ("till/tax.py", "till/basket.py"):
        (project / name).write_text("nothing\n")
    monkeypatch.chdir(project / "till")
    assert run("restore", taken["id"], "tax.py").status == 0
    assert contents(project) == before | {"till/basket.py": b"nothing\n"}


def test_a_chat_goes_back_to_the_state_before_a_message(project: Path, run: Run) -> None:
    before = contents(project)
    run("checkpoint", "--session", "chat", "--message", "m1")
    (project / "till/tax.py").write_text("nothing\n")
    run("checkpoint", "--session", "chat", "--message", "m2")
    done = run("restore", "--session", "chat", "--message", "m1")
    assert done.status == 0
    assert "start over" in done.out
    assert contents(project) == before


def git_config(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "config", *arguments], cwd=folder, check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["checkpoint", "list", "--help"])
def test_a_command_works_where_standard_streams_are_closed(
    project: Path, run: Run, tmp_path: Path, closed: str, arguments: str
) -> None:
    before = contents(project)
    command = ["sh", "-c", f'"$0" -m patchpoint {arguments} {closed}', sys.executable]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(project) == before
    assert len(run("list", "--json").json["checkpoints"]) == (arguments == "checkpoint")


@pytest.fixture
def repository(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's project as a git repository, with a git configuration of the test's own for the user."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    return project


def test_as_many_checkpoints_are_kept_as_gits_configuration_says(repository: Path, run: Run) -> None:
    git_config(repository, "patchpoint.checkpoints.keep", "100")
    for number in range(60):
        assert run("checkpoint", str(number)).status == 0
    assert len(run("list", "--json").json["checkpoints"]) == 60


def test_each_sessions_newest_are_kept_apart(repository: Path, run: Run) -> None:
    git_config(repository, "patchpoint.checkpoints.keep", "50")
    for number in range(60):
        for session in ("one", "two"):
            assert run("checkpoint", "--session", session, str(number)).status == 0
    for session in ("one", "two"):
        kept = run("list", "--session", session, "--json").json["checkpoints"]
        assert [each["label"] for each in kept] == [str(number) for number in range(59, 9, -1)]


def test_a_repositorys_setting_overrides_the_users_and_a_wrong_one_is_named(
    repository: Path, run: Run
) -> None:
    git_config(repository, "--global", "patchpoint.checkpoints.keep", "2")
    git_config(repository, "--global", "--add", "patchpoint.checkpoints.exclude", "*.bin")
    git_config(repository, "--add", "patchpoint.checkpoints.exclude", "*.tmp")
    (repository / "a.bin").write_text("a")
    (repository / "a.tmp").write_text("a")
    taken = run("checkpoint", "--json").json
    assert {left["path"] for left in taken["skipped"]} == {"a.bin", "a.tmp"}
    for _ in range(3):
        run("checkpoint")
    assert len(run("list", "--json").json["checkpoints"]) == 2
    git_config(repository, "patchpoint.checkpoints.keep", "many")
    done = run("checkpoint", "--json")
    assert done.status == 0
    assert (
        'In git\'s configuration: `patchpoint.checkpoints.keep` must be a whole number, not "many"'
        in done.err
    )
    git_config(repository, "patchpoint.checkpoints.keep", "3")
    run("checkpoint")
    assert len(run("list", "--json").json["checkpoints"]) == 3


def test_applying_follows_gits_configuration_without_options_that_override_it(
    repository: Path, run: Run
) -> None:
    git_config(repository, "patchpoint.apply.atomic", "edit")
    git_config(repository, "--global", "patchpoint.checkpoints.beforeApply", "off")
    done = run("apply", "--json", ANSWER).json
    assert sum(edit["status"] == "applied" for edit in done["edits"]) == 4
    assert done["checkpoint"] is None
    git_config(repository, "patchpoint.match.rungs", "exact")
    checked = run("apply", "--check", "--atomic", "all", "--json", ANSWER).json
    assert {edit["rung"] for edit in checked["edits"]} <= {"exact", None}


def test_old_checkpoints_are_pruned(project: Path, run: Run) -> None:
    ids = []
    for number in range(3):
        (project / "till/tax.py").write_text(f"{number}\n")
        ids.append(run("checkpoint", "--json").json["id"])
    assert run("prune", "--keep", "1", "--json").json == {"deleted": [ids[1], ids[0]]}


def test_what_is_refused_has_a_status_of_its_own_and_a_stable_code(project: Path, run: Run) -> None:
    done = run("restore", "--json", "0000000000zzzz")
    assert done.status == 1
    assert done.json["error"]["code"] == "checkpoint-not-found"
    assert run("undo").status == 1


def test_a_restore_needs_a_checkpoint_or_a_message(project: Path, run: Run) -> None:
    assert run("restore").status == 2
    assert run("restore", "--session", "chat").status == 2
    assert run("restore", "--message", "m1").status == 2


def test_a_path_outside_of_the_repository_is_wrong_usage(project: Path, run: Run) -> None:
    taken = run("checkpoint", "--json").json
    assert run("restore", taken["id"], "/etc/passwd").status == 2


def test_a_folder_without_a_repository_has_checkpoints_too(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("first\n")
    taken = run("checkpoint", "--root", folder, "--json").json
    (folder / "a.txt").write_text("second\n")
    assert run("restore", "--root", folder, taken["id"]).status == 0
    assert (folder / "a.txt").read_text() == "first\n"


def test_checkpoints_follow_a_person_to_another_machine(project: Path, tmp_path: Path, run: Run) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "clone", "-q", "--bare", project, remote], check=True)
    (project / "till/tax.py").write_text("work in progress\n")
    taken = run("checkpoint", "--json", "left at the office").json
    assert run("push", "--yes", "--json", remote).json == {"checkpoints": [taken["id"]]}
    assert "1 checkpoint" not in run("push", "--yes", remote).out
    elsewhere = tmp_path / "elsewhere"
    subprocess.run(["git", "clone", "-q", remote, elsewhere], check=True)
    assert run("fetch", "--yes", "--root", elsewhere).status == 0
    assert "left at the office" in run("list", "--root", elsewhere).out
    assert run("restore", "--root", elsewhere, taken["id"]).status == 0
    assert (elsewhere / "till/tax.py").read_text() == "work in progress\n"


def test_a_remote_that_is_not_there_is_a_failure_of_the_environment(project: Path, run: Run) -> None:
    run("checkpoint")
    done = run("push", "--yes", "no-such-remote")
    assert done.status == 3
    assert "no-such-remote" in done.err


@pytest.mark.parametrize("command", ["push", "fetch"])
def test_a_transfer_that_nobody_can_be_asked_about_is_refused(
    project: Path, tmp_path: Path, run: Run, command: str
) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "clone", "-q", "--bare", project, remote], check=True)
    run("checkpoint")
    done = run(command, remote)
    assert done.status == 1
    assert str(remote) in done.err
    assert "--yes" in done.err
    assert run(command, "--json", remote).json["error"]["code"] == "not-confirmed"
    refs = subprocess.run(
        ["git", "for-each-ref", "refs/patchpoint"], cwd=remote, capture_output=True, check=True
    )
    assert refs.stdout == b""


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
def test_a_person_is_shown_what_would_be_sent_and_asked(
    project: Path, tmp_path: Path, run: Run, typed: str, status: int
) -> None:
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "clone", "-q", "--bare", project, remote], check=True)
    subprocess.run(["git", "config", "remote.backup.url", remote], cwd=project, check=True)
    (project / "notes.txt").write_text("private\n")
    taken = run("checkpoint", "--json", "left at the office").json
    here, there = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "patchpoint", "push", "backup"],
        stdin=there,
        stdout=subprocess.PIPE,
        stderr=there,
    ) as process:
        os.close(there)
        shown = ""
        while "[y/N]" not in shown:
            shown += os.read(here, 4096).decode()
        os.write(here, typed.encode())
        out, _ = process.communicate(timeout=60)
    os.close(here)
    assert process.returncode == status
    assert f"1 checkpoint to 'backup' ({remote})" in shown
    assert f"{taken['id']}  left at the office" in shown
    assert "1 untracked file" in shown
    assert re.search(r"\d+ objects, [\d.]+ KiB", shown)
    assert (b"1 checkpoint sent to 'backup'" in out) is (status == 0)
    refs = subprocess.run(
        ["git", "for-each-ref", "refs/patchpoint"], cwd=remote, capture_output=True, check=True
    )
    assert (taken["id"].encode() in refs.stdout) is (status == 0)


# what a terminal would obey

NASTY = "e\x1b]0;x\x07\x9b31m\u202eevil\u2066\u200b\x7f"
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
def test_nothing_that_is_printed_steers_a_terminal(project: Path, tmp_path: Path, run: Run) -> None:
    (project / f"{NASTY}.txt").write_text(f"one {NASTY}\ntwo\none {NASTY}\n")
    (project / f"new{NASTY}\nline.txt").write_text("x\n")
    taken = run("checkpoint", "--json", f"label {NASTY}\nforged", "--session", NASTY, "--message", NASTY).json
    assert taken["label"] == f"label {NASTY}\nforged"
    (project / f"{NASTY}.txt").write_text(f"two {NASTY}\r\nmore\x1b[2J\n")
    (project / f"new{NASTY}\nline.txt").unlink()
    ambiguous = answer(project, edit("twice.txt", f"same {NASTY}", "other"))
    (project / "twice.txt").write_text(f"same {NASTY}\n" * 2)
    for arguments in (
        ("list",), ("show", taken["id"]), ("diff", "--stat", taken["id"]),
        ("apply", "--check", ambiguous), ("apply", ambiguous), ("checkpoint", NASTY), ("show", NASTY),
        ("show", taken["id"], NASTY), ("restore", taken["id"], "--check"), ("restore", taken["id"]),
        ("undo",), ("list", "--safety"), ("restore", "--session", NASTY, "--message", "none"),
        ("push", "--yes", NASTY),
        ("revert", NASTY), ("apply", f"{NASTY}.md"), ("list", "--limit", NASTY), (NASTY,), ("doctor",),
        ("apply-patch", f"*** Begin Patch\n*** Update File: {NASTY}\n@@\n-a\n+b\n*** End Patch\n"),
    ):  # fmt: skip
        for done in (run(*arguments), run(*arguments, "--json")):
            assert not RAW.search(done.out + done.err), (arguments, done)
    assert run("list", "--json").json["checkpoints"][-1]["label"] == f"label {NASTY}\nforged"
    assert "\\x1b]0;x\\x07" in run("list").out
    (project / "twice.txt").write_text(f"{NASTY}\n")
    assert not any(line.startswith("forged") for line in run("list").out.splitlines())


def test_a_file_is_printed_as_it_was_for_another_program(project: Path, run: Run) -> None:
    (project / "escapes.txt").write_text(f"{NASTY}\r\n")
    taken = run("checkpoint", "--json").json
    with subprocess.Popen(
        [sys.executable, "-m", "patchpoint", "show", taken["id"], "escapes.txt"], stdout=subprocess.PIPE
    ) as process:
        out, _ = process.communicate(timeout=60)
    assert out == f"{NASTY}\r\n".encode()


# doctor and the rest


def test_the_doctor_finds_a_sound_folder_sound(project: Path, run: Run) -> None:
    run("checkpoint")
    done = run("doctor")
    assert done.status == 0, done.out
    assert "1 checkpoint" in done.out
    assert run("doctor", "--json").json["healthy"] is True


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "caches"}, "PYTHONDONTWRITEBYTECODE is set"),
        ({"PYTHONPYCACHEPREFIX": os.devnull}, "cannot be written"),
        ({"PYTHONPYCACHEPREFIX": "caches"}, ""),
    ],
)
def test_the_doctor_says_why_every_start_compiles_the_program(
    project: Path, tmp_path: Path, settings: dict[str, str], says: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    caches = {"caches": str(tmp_path / "caches")}
    environment |= {name: caches.get(value, value) for name, value in settings.items()}
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "doctor"], cwd=project, env=environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ("! bytecode" in done.stdout) == bool(says)
    assert "✗" not in done.stdout
    assert says in done.stdout


def test_the_doctor_names_a_damaged_checkpoint(project: Path, run: Run) -> None:
    taken = run("checkpoint", "--json").json
    tree = taken["tree"]
    (project / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    done = run("doctor")
    assert done.status == 3
    assert taken["id"] in done.out


@pytest.mark.parametrize(
    "arguments", [["frobnicate"], ["apply", "--frob"], ["--port", "x"], ["list", "--limit", "-1"]]
)
def test_wrong_usage_has_a_status_of_its_own(project: Path, run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert "usage:" in done.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["lsit"], "is list meant?"),
        (["chekpoint"], "is checkpoint meant?"),
        (["apply", "--chek"], "is --check meant?"),
        (["apply", "--atomic", "fil"], "is file meant?"),
        (["--verson"], "is --version meant?"),
    ],
)
def test_wrong_usage_names_what_may_be_meant(run: Run, words: list[str], meant: str) -> None:
    done = run(*words)
    assert done.status == 2
    assert meant in done.err
    assert not done.out


@pytest.mark.parametrize(
    "words", [["lsit"], ["apply", "--atomic", "zz", "x"], ["list", "--limit", "x"], ["show"]]
)
def test_wrong_usage_is_json_where_that_is_asked_for(run: Run, words: list[str]) -> None:
    done = run(*words, "--json")
    assert done.status == 2
    assert not done.err
    assert done.json["error"]["code"] == "wrong-usage"
    assert done.json["error"]["message"]


def test_what_only_looks_like_the_option_of_json_is_an_argument(run: Run) -> None:
    assert "usage:" in run("lsit", "--", "--json").err


@pytest.mark.parametrize("words", [["apply", "--che"], ["list", "--lim", "1"], ["prune", "--older", "3"]])
def test_no_option_can_be_abbreviated(project: Path, run: Run, words: list[str]) -> None:
    done = run(*words)
    assert done.status == 2
    assert f"unrecognized arguments: {words[1]}" in done.err


def test_the_help_lists_the_commands_in_groups(run: Run) -> None:
    help_ = run("--help").out
    positions = [help_.index(f"\n{heading}:\n") for heading in ("edits", "checkpoints", "agents")]
    assert positions == sorted(positions)
    listed = [line.split()[0] for line in help_.splitlines() if line.startswith("  ") and line[2].isalpha()]
    assert listed == [command.name for command in command_table()]


@pytest.mark.parametrize("command", command_table(), ids=lambda command: command.name)
def test_the_help_of_a_command_says_what_it_does_and_its_examples_can_be_read(
    run: Run, command: CliCommand
) -> None:
    done = run(command.name, "--help")
    assert " ".join(command.description.split()) in " ".join(done.out.split())
    assert command.examples
    for example in command.examples:
        assert f"\n  {example}\n" in done.out
        typed = re.search(r"patchpoint ([^|<>)]*)", example)
        assert typed is not None
        read = parser().parse_args(shlex.split(typed[1]))
        assert read.command == command.name


def test_a_list_that_leaves_every_checkpoint_out_does_not_say_that_there_is_none(
    project: Path, run: Run
) -> None:
    assert run("checkpoint").status == 0
    assert run("list", "--session", "other").out == "No checkpoint matches.\n"
    assert run("list", "--safety").out == "No checkpoint matches.\n"


@pytest.mark.parametrize("command", [command.name for command in command_table()])
def test_every_command_prints_its_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.status == 0
    assert done.out.startswith(f"usage: patchpoint {command}")


def test_the_handler_of_every_command_can_be_loaded() -> None:
    for command in command_table():
        module, _, function = command.handler.rpartition(".")
        assert callable(getattr(import_module(f"patchpoint.cli.{module}"), function)), command.name


def test_an_option_of_the_server_is_refused_elsewhere(project: Path, run: Run) -> None:
    done = run("--tcp", "list")
    assert done.status == 2
    assert "--tcp belongs to `serve`" in done.err
    for option in (["--token"], ["--allow-remote"], ["--allow-origin", "https://example.org"]):
        assert f"{option[0]} belongs to `serve`" in run(*option, "list").err


def test_a_token_that_can_be_guessed_and_an_origin_that_is_none_are_refused(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for origin in ("*", "example.org", "https://", "https://*.example.org", "https://example.org/page"):
        done = run("serve", "--ws", "--allow-origin", origin)
        assert done.status == 2
        assert "is not an origin" in done.err
    monkeypatch.setenv("PATCHPOINT_TOKEN", "short")
    done = run("serve", "--tcp", "--port", "0")
    assert done.status == 2
    assert "PATCHPOINT_TOKEN" in done.err


def test_a_root_that_is_not_a_folder_is_wrong_usage(project: Path, run: Run) -> None:
    for command in (["apply", str(ANSWER)], ["checkpoint"], ["doctor"]):
        done = run(*command, "--root", "no-such-folder")
        assert done.status == 2
        assert "no-such-folder" in done.err


def test_the_version_is_printed(run: Run) -> None:
    done = run("--version")
    assert done.status == 0
    assert done.out.startswith("patchpoint 0.")


def test_output_that_is_not_to_a_terminal_has_no_colour(project: Path, run: Run) -> None:
    assert "\x1b" not in run("apply", "--check", ANSWER).out


def test_a_reader_that_closes_its_end_is_not_a_failure(project: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PATCHPOINT_STATE_HOME": str(tmp_path / "state")}
    command = f"{sys.executable} -m patchpoint apply --check --atomic edit {ANSWER} | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=project, env=environment, timeout=60, text=True
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_an_answer_without_an_edit_has_a_word_for_each_of_its_fences(project: Path, run: Run) -> None:
    text = "First:\n\n```python\nbasket.close()\n```\n\nThen run:\n\n```bash\nrm -rf till\n```\n"
    done = run("apply", answer(project, text))
    assert done.status == 1
    assert "Line 3: this is some code: no path names its file; write it on the line above." in done.err
    assert "Line 9: this is no code: it holds commands, which are never run." in done.err
    refused = run("apply", answer(project, text), "--json").json["error"]
    assert refused["code"] == "no-edit"
    assert "Line 9: this is no code" in refused["feedback"]


def test_code_that_names_no_file_goes_to_the_one_that_has_its_definitions(project: Path, run: Run) -> None:
    old = (project / "till/tax.py").read_text()
    name = next(line for line in old.splitlines() if line.startswith("def "))
    text = f"Here is the new function:\n\n```python\n{name}\n    return 0\n```\n"
    done = run("apply", answer(project, text))
    assert done.status == 0, done.err + done.out
    text_of_it = old[old.index(name) + len(name) :].splitlines()[1]
    assert f"{name}\n{text_of_it}\n    return 0\n" in (project / "till/tax.py").read_text()


def test_whole_files_can_be_insisted_on_and_the_file_be_named(project: Path, run: Run) -> None:
    text = "It is empty now:\n\n```python\nx = 1\n```\n"
    assert run("apply", answer(project, text)).status == 1
    assert run("apply", "--format", "whole", "--file", "till/tax.py", answer(project, text)).status == 0
    assert (project / "till/tax.py").read_text() == "x = 1\n"
    assert run("apply", "--format", "half", answer(project, text)).status == 2


def test_what_prune_would_delete_is_listed_and_nothing_is_deleted(project: Path, run: Run) -> None:
    names = ("first", "second", "third")
    ids = [run("checkpoint", name, "--json").json["id"] for name in names]
    checked = run("prune", "--keep", "1", "--check")
    assert checked.status == 0
    assert [line.split("  ")[0] for line in checked.out.splitlines()[:2]] == [ids[1], ids[0]]
    assert "second" in checked.out
    assert checked.out.endswith("2 checkpoints would be deleted\n")
    assert run("delete", ids[0], "--check").out.endswith("1 checkpoint would be deleted\n")
    assert len(run("list", "--json").json["checkpoints"]) == 3
    assert run("prune", "--keep", "1").out == "2 checkpoints deleted\n"


def test_at_a_terminal_deleting_is_asked_about(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("checkpoint", "first")
    run("checkpoint", "second")
    asked: list[Sequence[str]] = []

    def answer_no(lines: Sequence[str]) -> bool:
        asked.append(lines)
        return False

    monkeypatch.setattr("patchpoint.cli.checkpoints.can_ask", lambda: True)
    monkeypatch.setattr("patchpoint.cli.checkpoints.ask", answer_no)
    for words in (["delete", "last"], ["prune", "--keep", "0"]):
        refused = run(*words)
        assert refused.status == 1
        assert "nothing was deleted" in refused.err
    assert [lines[-1] for lines in asked] == ["Delete 1 checkpoint?", "Delete 2 checkpoints?"]
    assert "second" in asked[0][0]
    assert len(run("list", "--json").json["checkpoints"]) == 2
    assert run("delete", "last", "--yes").status == 0
    assert len(asked) == 2


def test_a_pinned_checkpoint_is_deleted_by_force_alone(project: Path, run: Run) -> None:
    pinned = run("checkpoint", "mine", "--pin", "--json").json["id"]
    refused = run("delete", pinned)
    assert refused.status == 1
    assert f"{pinned} is pinned" in refused.err
    assert run("delete", pinned, "--force").status == 0


def test_a_limit_of_none_does_not_say_that_there_is_none(project: Path, run: Run) -> None:
    assert "No checkpoints yet" in run("list", "--limit", "0").out
    run("checkpoint", "first")
    assert run("list", "--limit", "0").out == "None listed: --limit is 0, and there is 1 checkpoint.\n"


# the mirror


def test_what_was_lost_is_listed_and_restored_by_its_id(project: Path, run: Run) -> None:
    (project / "mine.txt").write_text("only copy\n")
    id_ = run("checkpoint", "work", "--json").json["id"]
    shutil.rmtree(project / ".git")
    (project / "mine.txt").unlink()
    done = run("list")
    assert "No checkpoints yet" in done.out
    assert f"there was 1 checkpoint of '{project}'; its ref, or all of .git, is gone." in done.out
    assert id_ in done.out
    (group,) = run("list", "--json").json["elsewhere"]
    assert (group["why"], [one["id"] for one in group["checkpoints"]]) == ("lost", [id_])
    assert "there was 1 checkpoint" in run("log").out
    assert run("show", id_, "mine.txt").out == "only copy\n"
    assert run("restore", "last").status == 0
    assert (project / "mine.txt").read_text() == "only copy\n"
    assert "there was" not in run("list").out


def test_the_doctor_repairs_a_broken_repository_and_brings_back_what_it_had(project: Path, run: Run) -> None:
    id_ = run("checkpoint", "work", "--json").json["id"]
    shutil.rmtree(project / ".git/refs")
    done = run("list")
    assert done.status == 3
    assert "is no repository: it lacks refs" in done.err
    assert "there was 1 checkpoint of" in done.err
    assert run("doctor").status == 3
    done = run("doctor", "--repair")
    assert done.status == 0
    assert "lacked refs; created." in done.out
    assert "1 checkpoint of" in done.out
    assert [one["id"] for one in run("list", "--json").json["checkpoints"]] == [id_]


def test_the_doctor_proves_that_the_way_back_works(project: Path, run: Run) -> None:
    done = run("doctor", "--prove")
    assert done.status == 0
    assert "restored from the mirror alone in" in done.out
    assert "every byte is the same" in done.out
    assert run("list", "--json").json == {"checkpoints": [], "elsewhere": [], "missed": []}


def test_the_doctor_says_where_no_mirror_can_be_written(project: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state/mirrors").write_text("in the way")
    assert run("checkpoint").status == 0
    done = run("doctor")
    assert done.status == 0
    assert "Checkpoints are taken without a second copy" in done.out
