"""A real Emacs with eglot or with lsp-mode, set up as docs/editors/emacs.md says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchpoint.formats.instructions import model_instructions
from tests.demo.project import contents
from tests.editors.editing import Editing
from tests.editors.installed import LISP, PROGRAMS, ROOT, editor, no_test
from tests.editors.reviewed import CHANGED, LINES

Emacs = Callable[..., dict[str, Any]]


def test_emacs_applies_an_answer_chooses_a_candidate_and_restores(emacs: Emacs, project: Path) -> None:
    before = contents(project)
    seen = emacs("apply-and-restore.el", PATH=PROGRAMS)

    statuses = [edit["status"] for edit in seen["answer"]["edits"]]
    assert statuses == ["applied", "applied", "applied", "applied", "ambiguous", "notFound"]
    chosen = seen["taxAfterChoice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["taxOnDisk"] == chosen
    assert seen["taxAfterRestore"] == before["till/tax.py"].decode()
    assert contents(project) == before


def test_an_emacs_that_shows_its_changes_late_is_believed(emacs: Emacs, project: Path) -> None:
    before = contents(project)["till/basket.py"].decode()
    seen = emacs("without-the-plugin.el")

    edits = seen["answer"]["edits"]
    assert [edit["status"] for edit in edits] == [*["applied"] * 4, "ambiguous", "notFound"]
    assert any("has not been seen yet" in edit["message"] for edit in edits)
    assert "if count < 1:" in seen["basket"]
    # Further changes of a buffer that the server has not seen have to wait.
    assert "conflict" in {edit["status"] for edit in seen["tooSoon"]["edits"]}
    pending = {edit["status"] for edit in seen["pending"]["edits"]}
    assert {"ambiguous", "notFound"} <= pending
    assert {edit["status"] for edit in seen["reverted"]["edits"]} == {"reverted"}
    assert seen["basketAfterRevert"] == before


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_a_server_that_was_killed_and_started_again_knows_the_same(
    emacs: Emacs, project: Path, client: str
) -> None:
    before = contents(project)
    seen = emacs("another-server.el", client)

    assert {edit["status"] for edit in seen["before"]["pending"]["edits"]} == {"ambiguous", "notFound"}
    (ambiguous,) = (edit for edit in seen["after"]["pending"]["edits"] if edit["status"] == "ambiguous")
    assert [candidate["range"]["start"]["line"] for candidate in ambiguous["candidates"]] == [9, 15]
    labels = [checkpoint["label"] for checkpoint in seen["before"]["checkpoints"]["checkpoints"]]
    assert labels == ["before the next answer", "Before 4 edits: basket.py, receipt.py, +1"]
    # Of what the answer had besides its edits, a new server knows nothing: it speaks of the edits alone.
    said = [seen[when]["pending"].pop("feedback") for when in ("before", "after")]
    assert "in this form." in said[0]
    assert said[1].startswith("2 of your 2 edits were not applied.")
    assert seen["after"] == seen["before"]
    assert seen["taxOnDisk"].count("rounding=ROUND_HALF_UP") == 1
    assert contents(project) == before


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_the_commands_go_the_whole_way_with_either_client(emacs: Emacs, project: Path, client: str) -> None:
    before = contents(project)
    seen = emacs("by-command.el", client)

    assert seen["applied"].startswith("Patchpoint: 4 of 6 edits applied\n")
    assert "is not in till/basket.py" in seen["applied"]
    assert "candidate 2: tax.py:16" in seen["ambiguous"]
    assert any(title.startswith("Apply the edit at candidate 1") for title in seen["actions"])
    chosen = seen["taxAfterChoice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["taxOnDisk"] == chosen
    assert re.search(r"checkpoint \w+ of \d+ files", seen["taken"])
    assert re.search(r"restored, \d+ files written, 0 deleted", seen["restored"])
    assert seen["taxAfterRestore"].count("rounding=ROUND_HALF_UP") == 0
    assert seen["taxAfterUndo"] == chosen
    assert seen["takenBack"] == "Patchpoint: 1 of 1 edits reverted"
    assert seen["instructions"] == model_instructions()
    assert "in this form." in seen["feedback"]
    assert (project / "till" / "tax.py").read_text() == chosen
    assert contents(project).keys() == before.keys()


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_everything_can_be_seen_before_it_is_done(emacs: Emacs, project: Path, client: str) -> None:
    before = contents(project)
    seen = emacs("looking-first.el", client)

    assert "renamed to “where it began”" in seen["renamed"]
    assert seen["nothing"] == "Patchpoint: nothing has changed since that checkpoint"
    assert seen["askedForNothing"] == 0
    assert seen["prose"] == "Patchpoint: no edits found in the text"
    assert seen["preview"] == "Patchpoint: 4 of 6 edits fit; C-c C-c applies them"
    assert "+from decimal import ROUND_HALF_UP, Decimal" in seen["previewed"]
    assert seen["untouched"] is True
    assert seen["applied"].startswith("Patchpoint: 4 of 6 edits applied")
    assert seen["notApplied"] is True
    assert "changed since the preview" in seen["outdated"]
    assert seen["previewClosed"] is True
    # One row a place, and one for the edit that has none or a remote one.
    assert [row.split()[:2] for row in seen["pending"][:2]] == [["tax.py", "10"], ["tax.py", "16"]]
    assert seen["pending"][2].startswith("basket.py")
    assert seen["chosen"].index("def reduced") < seen["chosen"].index("rounding=ROUND_HALF_UP)")
    assert seen["discardQuestion"] == "Discard 1 pending edit? "
    assert seen["discarded"] == "Patchpoint: 1 pending edit discarded"
    # The difference shows what has changed; before a restore, what will.
    assert "+from decimal import ROUND_HALF_UP, Decimal" in seen["diff"]
    assert seen["question"] == "Restore 3 files as shown? "
    assert "-from decimal import ROUND_HALF_UP, Decimal" in seen["restoreShown"]
    assert "+from decimal import Decimal" in seen["restoreShown"]
    assert seen["left"] is True
    assert contents(project) == before


def test_the_packages_pass_package_lint_and_checkdoc_and_compile_without_a_warning(editing: Editing) -> None:
    executable = editor("emacs", "install Emacs 29, or Emacs 28 with eglot (Debian: emacs-nox, elpa-eglot)")
    if not LISP.exists():
        no_test("There is no package-lint here; tests/editors/install.sh fetches it on Debian.")
    script = Path(__file__).parent / "emacs" / "lint.el"
    seen = editing.run([executable, "-q", "--batch", "-l", str(script)], "emacs", LISP=str(LISP))
    # There is no page of the project on the web that could be named.
    assert [found for found in seen["found"] if "Homepage or URL" not in found] == []


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_the_answer_of_a_chat_is_shown_as_what_it_would_change(emacs: Emacs, client: str) -> None:
    seen = emacs("response.el", client)
    assert seen["nothing"] is True
    assert "+from decimal import ROUND_HALF_UP, Decimal" in seen["shown"]
    assert seen["untouched"] is True
    assert seen["elsewhere"].endswith("open a file of the project to see what the answer would change")


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_a_command_from_lisp_has_what_was_just_typed(emacs: Emacs, client: str) -> None:
    seen = emacs("from-lisp.el", client)
    assert "checkpoint" in seen["taken"]
    assert seen["text"].startswith("# typed\n")


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_what_was_restored_is_read_again_at_once(emacs: Emacs, client: str) -> None:
    assert emacs("read-again.el", client) == {"same": True, "modified": False}


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_twelve_changes_are_reviewed_in_a_list(emacs: Emacs, reviewed: Path, client: str) -> None:
    seen = emacs("review.el", client)

    assert seen["headings"][:3] == ["update  deep/three.txt", "@@ line 1 @@", "@@ line 10 @@"]
    made = seen["headings"].index("create  made.txt")
    assert seen["headings"][made + 1] == "@@ the file, as a whole @@"
    assert seen["at"] == "@@ line 1 @@"
    assert (seen["folded"], seen["opened"]) == (True, True)
    assert seen["faces"] == ["diff-removed", "diff-added"]
    assert seen["compared"] == [LINES, CHANGED["one.txt"]]
    assert seen["after"] == "@@ line 25 @@", "the next change is at point, not the first"
    assert seen["title"] == "Review: 0 open, 7 kept, 5 reverted"
    assert seen["asked"] == ["Not saved: one.txt.  Finish?"] * 2
    # What docs/review.md shows of it is what was seen.
    page = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
    assert "\n".join(("M-x patchpoint-review", *seen["window"])) in page
    assert "\n".join(("f", seen["said"])) in page
    assert (reviewed / "deep/three.txt").read_text() == LINES
    assert (reviewed / "one.txt").read_text() == CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "two.txt").read_text() == CHANGED["two.txt"].removesuffix("end\n")
    assert not (reviewed / "made.txt").exists()
    assert "kept 7, reverted 5, undecided 0" in seen["said"]
    assert seen["summary"].startswith("Your changes were reviewed: kept 7, reverted 5.\n")
    assert "- made.txt, the file as a whole, because nobody needs it." in seen["summary"]


@pytest.mark.parametrize(
    ("client", "wanted"), [("eglot", "eglot-server-programs"), ("lsp", "lsp-patchpoint")]
)
def test_emacs_is_set_up_by_the_lines_of_its_page(
    editing: Editing, reviewed: Path, client: str, wanted: str
) -> None:
    """The clients themselves, which a person installs from an archive, are on the load path."""
    executable = editor("emacs", "install Emacs 29, or Emacs 28 with eglot (Debian: emacs-nox, elpa-eglot)")
    if client == "lsp" and not LISP.exists():
        no_test("There is no lsp-mode here; tests/editors/install.sh fetches it on Debian.")
    page = (ROOT / "docs" / "editors" / "emacs.md").read_text(encoding="utf-8")
    (lines,) = (block for block in re.findall(r"```elisp\n(.*?)```", page, re.DOTALL) if wanted in block)
    init = editing.home / ".emacs.d" / "init.el"
    init.parent.mkdir()
    init.write_text(lines.replace("/path/to/patchpoint", str(ROOT)), encoding="utf-8")

    script = Path(__file__).parent / "emacs" / "first-hunk.el"
    paths = [word for folder in sorted(LISP.glob("*")) for word in ("-L", str(folder))]
    seen = editing.run([executable, "-q", "--batch", *paths, "-l", str(script)], "emacs", CLIENT=client)
    assert seen == {"kept": 1, "reverting": True}
