"""A real Helix in a real terminal, set up as docs/editors/helix.md says, and driven by its keys."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.demo.project import contents
from tests.editors.helix.screen import Helix

ADD = b"    def add(self, name: str, price: Decimal, count: int = 1) -> None:\n"
CHECKED = b"""\
        if count < 1:
            raise ValueError(f"{count} of {name}: at least one, please")
"""
IMPORT = (b"import Decimal", b"import ROUND_HALF_UP, Decimal")
ROUNDED = (b'Decimal("0.01"))\n', b'Decimal("0.01"), rounding=ROUND_HALF_UP)\n')


def test_helix_applies_a_drifted_edit_chooses_a_candidate_and_restores(helix: Helix, project: Path) -> None:
    before = contents(project)
    tax = project / "till" / "tax.py"

    # The answer is open; what the model misquoted is underlined, and applied where it belongs.
    helix.shows("●")
    helix.search("def add")
    helix.shows("Found by indentation in till/basket.py.")
    helix.choose("Preview this edit")
    helix.shows("The text is at /")
    assert contents(project) == before
    assert helix.choose("Apply this edit") == ["Apply this edit"]
    applied = {"till/basket.py": before["till/basket.py"].replace(ADD, ADD + CHECKED)}
    helix.until("the edit on disk", lambda: contents(project) == before | applied)
    assert len(checkpoints(project)) == 1

    # An edit that fits at two places is said to, and nothing happens to it with all the others.
    helix.search("tax.quantize")
    helix.shows("candidate 2: tax.py:16 (in reduced)")
    helix.choose("Apply the edits that match")
    imported = before["till/tax.py"].replace(*IMPORT)
    helix.until("the import on disk", lambda: tax.read_bytes() == imported)
    receipt = (project / "till" / "receipt.py").read_bytes()
    assert b"\t# the customer's copy\n" in receipt
    assert b"{date.today():%d %B %Y}" in receipt

    # Where it fits it is shown as well; the second place is chosen in the buffer, which is then saved.
    helix.command("open till/tax.py")
    helix.shows("● 1")
    helix.command("10")
    helix.shows("(ambiguous-edit)")
    offered = helix.choose("Apply the edit at candidate 2 (line 16")
    assert offered[0].startswith("Apply the edit at candidate 1 (line 10")
    helix.shows("rounding=ROUND_HALF_UP)")
    helix.shows("till/tax.py [+]")
    assert tax.read_bytes() == imported
    helix.type("u")
    helix.hides("rounding=ROUND_HALF_UP)")
    helix.type("U")
    helix.shows("rounding=ROUND_HALF_UP)")
    first, second = imported.split(b"def reduced")
    worked = contents(project) | {"till/tax.py": first + b"def reduced" + second.replace(*ROUNDED)}
    helix.command("write")
    helix.until("the choice on disk", lambda: contents(project) == worked)

    # A checkpoint, a mishap, and back.
    taken = checkpoints(project)
    helix.command("lsp-workspace-command patchpoint.takeCheckpoint")
    helix.until("the checkpoint", lambda: checkpoints(project) - taken)
    helix.type("%c")
    helix.shows(" INS ")
    helix.type("mishap")
    helix.press("Escape")
    helix.shows(" NOR ")
    helix.command("write")
    mishap = worked | {"till/tax.py": b"mishap\n"}
    helix.until("the mishap", lambda: contents(project) == mishap)
    helix.choose("Restore the workspace to the checkpoint of")
    helix.until("the restored file", lambda: contents(project) == worked)
    # Helix still shows the mishap, and will not write it over what was restored.
    helix.command("write")
    helix.shows("file modified by an external process")
    assert contents(project) == worked
    helix.command("reload-all")
    helix.shows("rounding=ROUND_HALF_UP)")
    helix.command("lsp-workspace-command patchpoint.undoRestore")
    helix.until("the mishap again", lambda: contents(project) == mishap)


def test_a_server_that_was_killed_and_started_again_shows_helix_the_same(helix: Helix, project: Path) -> None:
    helix.shows("●")
    helix.search("tax.quantize")
    helix.shows("candidate 2")
    tax = project / "till" / "tax.py"
    before = tax.read_bytes()
    helix.choose("Apply the edits that match")
    helix.until("the import on disk", lambda: IMPORT[1] in tax.read_bytes())
    helix.command("open till/tax.py")
    helix.command("10")
    helix.shows("(ambiguous-edit)")
    (server,) = children(helix.process())

    os.kill(server, signal.SIGKILL)
    helix.shows("Language server exited")
    helix.hides("(ambiguous-edit)")
    helix.shows_after("lsp-restart", "(ambiguous-edit)")
    offered = helix.choose("Restore the workspace to “Before 4 edits: basket.py, receipt.py, +1”")
    assert any(title.startswith("Apply the edit at candidate 2 (line 16") for title in offered)
    helix.until("the restored file", lambda: tax.read_bytes() == before)


def test_helix_reviews_what_an_agent_wrote_and_ends_with_the_summary(helix: Helix, project: Path) -> None:
    tax, receipt = (project / "till" / name for name in ("tax.py", "receipt.py"))
    before = contents(project)
    words = [sys.executable, "-m", "patchpoint", "checkpoint", "before the agent"]
    subprocess.run(words, cwd=project, env=os.environ | helix.environment, check=True, capture_output=True)
    tax.write_bytes(before["till/tax.py"].replace(b"    tax = net * STANDARD\n", b"    tax = net\n"))
    receipt.unlink()

    # It is begun by name; what is gone is on the screen, in which definition, and so is the deleted file.
    helix.shows("●")
    # Helix shows one message at a time, and what comes from elsewhere at that moment takes its place.
    review = "lsp-workspace-command patchpoint.reviewChanges"
    helix.shows_after(review, "2 changes to review in 2 files.")
    helix.command("open till/tax.py")
    helix.search("tax = net")
    helix.shows("standard: 1 line changed since “before the agent”")
    helix.shows("-     tax = net * STANDARD")
    helix.choose("Show what was there")
    helix.shows("The text is at /")
    helix.choose("Revert this change")
    helix.shows("till/tax.py [+]")
    helix.command("write")
    helix.until("the line on disk", lambda: tax.read_bytes() == before["till/tax.py"])
    helix.choose("Next change")
    helix.shows("The next change is at /")
    helix.choose("Finish the review")
    # Where its summary is is said last, and Helix shows the last message.
    helix.shows("The text is at /")


def checkpoints(project: Path) -> set[str]:
    """Return the refs of the checkpoints, as git lists them."""
    command = ["git", "for-each-ref", "--format=%(refname)", "refs/patchpoint/checkpoints"]
    return set(
        subprocess.run(command, cwd=project, check=True, capture_output=True, text=True).stdout.split()
    )


def children(process: int) -> list[int]:
    """Return the ids of the running child processes of a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == process and state != "Z":
            found.append(int(entry.parent.name))
    return found
