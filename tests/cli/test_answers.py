"""What goes to a model and comes from it: instructions, feedback and the clipboard."""

from __future__ import annotations

import base64
import os
import pty
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from patchpoint.cli.parsing import edit_options
from patchpoint.formats import parse_edits
from patchpoint.formats.instructions import INSTRUCTIONS, form_to_send, model_instructions
from tests.cli.calls import Run, answer, edit
from tests.demo.project import contents

RIGHT = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
TWICE = edit("till/tax.py", '    return tax.quantize(Decimal("0.01"))', "    return tax")
NOWHERE = edit("till/basket.py", "def loyalty(customer):\n    return customer.years", "pass")
SEQUENCE = re.compile("\x1b\\]52;c;([A-Za-z0-9+/=]*)\x07")


class Clipboard(types.ModuleType):
    """The library, on a clipboard of the test's own."""

    class CopykittenError(Exception):
        pass

    def __init__(self, text: str | None) -> None:
        super().__init__("copykitten")
        self.text = text

    def paste(self) -> str:
        if self.text is None:
            raise self.CopykittenError("Clipboard was never initialized.")
        return self.text

    def copy(self, text: str) -> None:
        if self.text is None:
            raise self.CopykittenError("Clipboard was never initialized.")
        self.text = text


def in_terminal(*arguments: str | Path) -> tuple[int, str]:
    """Run a command whose output a terminal shows; return its status and what the terminal got."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "patchpoint", *arguments],
        stdin=subprocess.DEVNULL, stdout=there, stderr=there, env=os.environ | {"TERM": "xterm"},
    ) as process:  # fmt: skip
        os.close(there)
        shown = b""
        while True:
            try:
                piece = os.read(here, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(here)
    return process.returncode, shown.decode()


# feedback


def test_the_feedback_names_what_was_refused_and_is_all_that_a_pipe_gets(project: Path, run: Run) -> None:
    before = contents(project)
    done = run("apply", "--feedback", answer(project, RIGHT + TWICE + NOWHERE))
    assert done.status == 1
    assert done.out.startswith("Nothing of your answer was applied.\n\n")
    assert "\n\nUnderstood, but not applied: till/tax.py.\n\n" in done.out
    assert "Edit 2 of till/tax.py:\n\nThe search text occurs 2 times" in done.out
    assert "Add the" in done.out
    assert "The edit of till/basket.py:\n\n" in done.out
    assert "0 of 3 edits applied" in done.err
    assert "0 of 3" not in done.out
    assert contents(project) == before


def test_the_feedback_says_which_edits_are_not_to_be_sent_again(project: Path, run: Run) -> None:
    done = run("apply", "--atomic", "edit", "--feedback", answer(project, RIGHT + TWICE))
    assert done.out.startswith("Applied, and not to be sent again: till/tax.py.\n")
    again = run("apply", "--atomic", "edit", "--feedback", answer(project, TWICE))
    assert again.out.startswith("Nothing of your answer was applied.")
    assert "fails again if you resend it unchanged" in again.out


def test_a_person_who_looks_again_is_no_other_failure_of_the_model(project: Path, run: Run) -> None:
    asked = answer(project, NOWHERE)
    run("apply", asked)
    first = run("apply", "--feedback", asked).out
    assert "fails again" not in first
    assert run("apply", "--feedback", asked).out == first
    assert run("apply", "--feedback", "--message", "m1", asked).out != first
    again = run("apply", "--feedback", answer(project, f"Once more:\n\n{NOWHERE}")).out
    assert "failed 3 times" in again


def test_a_refusal_ends_with_what_to_send_back_to_the_model(project: Path, run: Run) -> None:
    said = "Send back to the model what --feedback prints"
    assert run("apply", answer(project, NOWHERE)).out.rstrip().endswith(said)
    assert said in run("apply", answer(project, "You should change the tax rate.\n")).err
    assert said not in run("apply", "--feedback", answer(project, NOWHERE)).err
    assert said not in run("apply", answer(project, RIGHT)).out


def test_there_is_no_feedback_where_everything_was_applied(project: Path, run: Run) -> None:
    done = run("apply", "--feedback", answer(project, RIGHT))
    assert (done.status, done.out) == (0, "")
    assert "1 of 1 edit applied" in done.err


def test_a_model_in_whose_answer_there_is_no_edit_is_shown_how_to_write_one(project: Path, run: Run) -> None:
    prose = answer(project, "You should change the tax rate.\n")
    done = run("apply", "--feedback", prose)
    assert done.status == 1
    assert "No edits found in this text" in done.err
    assert form_to_send() in done.out
    error = run("apply", "--json", prose).json["error"]
    assert error["code"] == "no-edit"
    assert form_to_send() in error["feedback"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "Rename `total` in `till/tax.py`. Then call it. Test src/a.py, too.\n",
            "2 sentences name files or code",
        ),
        ("Make the tax reduced in till/tax.py.\n", "1 sentence names files or code"),
        ("I would rather not.\n", "It names no file and shows no code."),
        ("\n", "The text is empty."),
    ],
)
def test_what_an_answer_without_an_edit_has_instead_is_said(
    project: Path, run: Run, text: str, seen: str
) -> None:
    done = run("apply", "--feedback", answer(project, text))
    assert f"No edits found in this text. {seen}" in done.err
    assert seen in done.out


def test_half_of_an_answer_is_not_written_and_the_missing_part_is_named(project: Path, run: Run) -> None:
    before = contents(project)
    helper = "First a helper:\n\n```python\ndef halved():\n    return 7\n```\n\n"
    use = edit("till/tax.py", 'REDUCED = Decimal("0.05")', "REDUCED = Decimal(halved()) / 100")
    half = answer(project, helper + use)
    done = run("apply", half)
    assert done.status == 1
    assert contents(project) == before
    assert "It uses `halved`" in done.out
    assert "Line 3: this shows halved: no path names its file" in done.out
    assert "if it is one, send it, too:\n- def halved" in run("apply", "--feedback", half).out
    (outcome,) = run("apply", "--json", half).json["edits"]
    assert (outcome["status"], outcome["code"]) == ("conflict", "incomplete-answer")
    assert run("apply", "--atomic", "edit", half).status == 0
    assert contents(project) != before


def test_feedback_in_two_ways_at_once_is_wrong_usage(project: Path, run: Run) -> None:
    done = run("apply", "--feedback", "--json", answer(project, TWICE))
    assert done.status == 2
    assert "--feedback" in done.json["error"]["message"]


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
def test_feedback_is_exact_in_a_pipe_and_visible_on_a_terminal(project: Path, run: Run) -> None:
    nasty = "one\x1b[2J\u202e = 1"
    (project / "nasty.py").write_text(f"{nasty}\ntwo = 2\nthree = 3\n")
    refused = answer(project, edit("nasty.py", "one = 1\ntwo = 22\nthree = 33\nfour = 4", "x = 1"))
    status, shown = in_terminal("apply", "--feedback", refused)
    assert status == 1
    assert "\\x1b[2J" in shown
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown
    (project / "twice.py").write_text(f"{nasty}\nsame\nother\nsame\n")
    piped = run("apply", "--feedback", answer(project, edit("twice.py", "same", "x")))
    assert nasty in piped.out


# the clipboard


def test_the_answer_is_taken_from_the_clipboard(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "copykitten", Clipboard(f"Here you are:\n\n{RIGHT}"))
    done = run("apply", "--clipboard")
    assert done.status == 0
    assert 'REDUCED = Decimal("0.07")' in (project / "till/tax.py").read_text()
    assert run("list", "--json").json["checkpoints"][0]["label"] == "Before 1 edit: tax.py"


@pytest.mark.parametrize(
    ("platform", "program"), [("darwin", "pbpaste |"), ("win32", "Get-Clipboard |"), ("linux", "wl-paste |")]
)
def test_without_the_library_the_error_names_the_pipe(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch, platform: str, program: str
) -> None:
    monkeypatch.setitem(sys.modules, "copykitten", None)
    monkeypatch.setattr("patchpoint.cli.answers.clipboard.sys.platform", platform)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    done = run("apply", "--clipboard")
    assert done.status == 3
    assert "patchpoint[clipboard]" in done.err
    assert f"`{program} patchpoint apply`" in done.err


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_clipboard_without_text_is_named(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    monkeypatch.setitem(sys.modules, "copykitten", Clipboard(text))
    done = run("apply", "--clipboard")
    assert done.status in (1, 3)
    assert "clipboard" in done.err
    assert "Traceback" not in done.err


def test_a_file_and_the_clipboard_at_once_are_wrong_usage(project: Path, run: Run) -> None:
    done = run("apply", "--clipboard", answer(project, RIGHT))
    assert done.status == 2
    assert "--clipboard, not both" in done.err


def test_the_feedback_goes_into_the_clipboard_of_the_platform(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard = Clipboard(RIGHT + TWICE)
    monkeypatch.setitem(sys.modules, "copykitten", clipboard)
    monkeypatch.setattr("patchpoint.cli.answers.clipboard.sys.platform", "darwin")
    done = run("apply", "--clipboard", "--feedback")
    assert done.out == ""
    assert clipboard.text is not None
    assert clipboard.text.startswith("Nothing of your answer was applied.")
    assert "to the clipboard; paste it" in done.err


def test_feedback_that_no_clipboard_takes_is_printed(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "copykitten", Clipboard(RIGHT + TWICE))
    monkeypatch.setattr("patchpoint.cli.answers.clipboard.sys.platform", "linux")
    done = run("apply", "--clipboard", "--feedback")
    assert done.status == 1
    assert done.out.startswith("Nothing of your answer was applied.")
    assert "The clipboard cannot be written from here" in done.err


# instructions


@pytest.mark.parametrize("name", [one.value for one in INSTRUCTIONS])
def test_the_instructions_for_each_format_are_printed_and_are_no_answer(
    project: Path, run: Run, name: str
) -> None:
    done = run("instructions", "--format", name)
    assert (done.status, done.err) == (0, "")
    assert done.out in INSTRUCTIONS.values()
    assert run("instructions", "--format", name, "--json").json == {"text": done.out}
    assert parse_edits(done.out) == []
    assert run("apply", answer(project, done.out)).status == 1


def test_the_formats_to_choose_from_are_those_that_there_are_instructions_for() -> None:
    assert tuple(one.value for one in INSTRUCTIONS) == edit_options.INSTRUCTED_FORMATS


def test_blocks_are_what_a_model_is_asked_for_by_default(run: Run) -> None:
    assert run("instructions").out == model_instructions()
    assert run("instructions", "--format", "anchors").status == 2


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
def test_a_terminal_is_asked_to_fill_the_clipboard() -> None:
    status, shown = in_terminal("instructions", "--clipboard")
    (copied,) = SEQUENCE.findall(shown)
    assert base64.b64decode(copied).decode() == model_instructions()
    assert "to the clipboard" in SEQUENCE.sub("", shown)
    assert status == 0


def test_a_clipboard_that_cannot_be_filled_is_an_error_that_names_the_pipe(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setattr("patchpoint.cli.answers.clipboard.sys.platform", "linux")
    done = run("instructions", "--clipboard")
    assert done.status == 3
    assert "| wl-copy`" in done.err
    assert "\x1b" not in done.out


def test_a_file_above_the_folder_that_is_worked_in_is_named_with_the_way_to_it(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project / "docs" / "deep"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    before = (project / "till" / "tax.py").read_text()
    for path in ("till/tax.py", "../../till/tax.py"):
        text = answer(project, edit(path, 'REDUCED = Decimal("0.05")', "REDUCED = 1"))
        refused = run("apply", text)
        assert refused.status == 1
        assert f"till/tax.py exists in {project}; pass --root {project} to edit it." in refused.out
        assert (project / "till" / "tax.py").read_text() == before
        assert run("apply", text, "--root", project, "--check").status == 0
    for path in ("none.py", "../../../answer.md", str(project / "till" / "tax.py")):
        refused = run("apply", answer(project, edit(path, "a", "b")))
        assert refused.status == 1
        assert "--root" not in refused.out


def test_without_a_repository_no_file_is_looked_for_above_the_folder(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (tmp_path / "a" / "x.py").write_text("one\n")
    monkeypatch.chdir(folder)
    refused = run("apply", answer(folder, edit("x.py", "one", "two")))
    assert refused.status == 1
    assert "--root" not in refused.out
