"""Edits at the ends of open files, in each editor: after every step buffer and file are right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.editing import Editing
from tests.editors.ends import ENDS, write_ends
from tests.editors.helix.screen import Helix

Run = Callable[..., dict[str, Any]]
State = dict[str, dict[str, str]]

STEPS = {
    "resolved": ("resolved", "before"),
    "applied": ("applied", "resolved"),
    "taken back": ("before", "applied"),
    "restored after": ("applied", "applied"),
    "undone after": ("before", "before"),
    "restored before": ("before", "before"),
    "undone before": ("before", "before"),
}
"""Which of a cell's texts each step leads to in the buffer of a file, and which is on the disk by then.

An edit is in its buffer until that is written, a restore writes the file.
"""


def shown(step: str, name: str) -> str:
    text: str = getattr(ENDS[name], STEPS[step][0])
    return text


def written(step: str, name: str) -> str:
    text: str = getattr(ENDS[name], STEPS[step][1])
    return text


@pytest.fixture
def given(project: Path, editing: Editing) -> Path:
    """What the scripts are given: the files, the places to choose, and what each step leads to."""
    write_ends(project)
    given = {
        "files": list(ENDS),
        "candidates": {name: cell.candidate for name, cell in ENDS.items()},
        "shown": {step: {name: shown(step, name).replace("\r\n", "\n") for name in ENDS} for step in STEPS},
    }
    path = editing.home / "given.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    return path


def test_neovim_edits_the_ends_of_files(neovim: Run, given: Path) -> None:
    seen = neovim("ends.lua", GIVEN=str(given))

    def ended(text: str) -> str:
        """As Neovim shows and writes a text: with an ending after the last line, of which there is one."""
        return text if text.endswith("\n") else text + "\n"

    wrong = []
    for step in STEPS:
        for name, state in seen[step].items():
            disk = written(step, name)
            # A file that is not written yet, or that a restore wrote, is as it was; and of an empty buffer
            # that never had a line nothing is written.
            as_it_was = step in ("resolved", "restored before") or (name, step) == ("empty.py", "applied")
            wanted = {"shown": ended(shown(step, name)), "disk": disk if as_it_was else ended(disk)}
            if step.startswith("undone"):
                # Somebody had typed a line there, and not saved it.
                wanted["shown"] += "typed\r\n" if name == "crlf.py" else "typed\n"
            wrong += [(step, name, state, wanted)] if state != wanted else []
    assert wrong == []
    assert seen["twice"] == ["ambiguous"] * 4
    assert seen["once"] == ["applied"] * 5
    # Where it removes the last line of an empty file, Neovim tells the server of one more than is left.
    assert set(re.findall(r"still shows the old text of (\S+)\.", seen["messages"])) <= {"empty.py"}


def test_neovim_writes_an_ending_that_an_edit_gives_the_last_line_once(neovim: Run, project: Path) -> None:
    before = "one\ntwo"
    contents = {
        "ended.py": "one\ntwo\n",
        "longer.py": "one\ntwo\nthree\n",
        "blank.py": "one\n\n",
        "new.py": "x\n",
    }
    for name in contents:
        (project / name).write_text(before)
    seen = neovim("new_ending.lua", CONTENTS=json.dumps(contents))
    assert seen == {
        name: {"written": content, "back": before, "statuses": ["applied", "reverted"]}
        for name, content in contents.items()
    }


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_emacs_edits_the_ends_of_files(emacs: Run, given: Path, client: str) -> None:
    """Nothing is typed before a restore: Emacs asks its user about every such buffer, by itself."""
    seen = emacs("ends.el", client, GIVEN=str(given))
    wrong = []
    for step in STEPS.keys() - {"undone before"}:
        for name, state in seen[step].items():
            wanted = {"shown": shown(step, name), "disk": written(step, name)}
            wrong += [(step, name, state, wanted)] if state != wanted else []
    assert wrong == []
    assert seen["twice"] == ["ambiguous"] * 4
    assert seen["once"] == ["applied"] * 5
    assert [line for line in seen["messages"] if "still shows the old text" in line] == []


def test_helix_edits_the_ends_of_files(helix: Helix, given: Path, project: Path) -> None:
    """What its buffers show is what it writes; after a restore it is asked to read the files again."""
    assert given.exists()
    helix.shows("●")
    for name in ENDS:
        helix.command(f"open {name}")
        helix.shows(f" {name} ")

    def ended(text: str) -> str:
        """As Helix writes a text that it has changed: with an ending after the last line."""
        return text if text.endswith("\n") else text + "\n"

    def files() -> dict[str, bytes]:
        return {name: (project / name).read_bytes() for name in ENDS}

    def writes(step: str, *names: str) -> None:
        wanted = {name: ended(shown(step, name)).encode() for name in names or ENDS}
        helix.until_after("write-all", f"{wanted}, {step}", lambda: wanted.items() <= files().items(), 1.0)

    chosen = [name for name, cell in ENDS.items() if cell.candidate]
    helix.command("open twice.md")
    helix.shows(f"● {len(chosen)}")
    for name in chosen:
        helix.search("SEARCH")
        helix.shows(f"candidate {ENDS[name].candidate}: {name}")
        helix.choose(f"Apply the edit at candidate {ENDS[name].candidate}")
    writes("resolved", *chosen)
    helix.command("open once.md")
    helix.shows(" once.md ")
    helix.choose("Apply all edits in this document")
    writes("applied")
    helix.command("lsp-workspace-command patchpoint.takeCheckpoint")
    helix.shows("Checkpoint taken")
    # The newest is the first that is offered.
    helix.choose("Revert: answer of")
    writes("resolved")
    before = files()
    helix.choose("Restore the workspace to the checkpoint of")
    helix.until("the restored files", lambda: files() != before)
    helix.command("reload-all")
    writes("restored after")
    helix.command("lsp-workspace-command patchpoint.undoRestore")
    helix.until("the files before the restore", lambda: files() == before)
    helix.command("reload-all")
    writes("resolved")
    for name in reversed(chosen):
        helix.choose("Revert: answer of")
        writes("taken back", name)
    writes("taken back")
