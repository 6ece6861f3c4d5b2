"""The clipboard of a real X server, which another program has filled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.calls import edit
from tests.editors.installed import no_test

ANSWER = "Here you are:\n\n" + edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
Apply = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def display() -> Iterator[str]:
    """The name of the display of an X server of the test's own."""
    if not (shutil.which("Xvfb") and shutil.which("xclip")):
        no_test("There are no Xvfb and xclip here; the system's packages xvfb and xclip have them.")
    pytest.importorskip("copykitten")
    listens, tells = os.pipe()
    command = ["Xvfb", "-displayfd", str(tells), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[tells], stderr=subprocess.DEVNULL) as server:
        os.close(tells)
        with os.fdopen(listens, encoding="ascii") as answer:
            number = answer.readline().strip()
        yield f":{number}"
        server.terminate()


@pytest.fixture
def apply(project: Path, display: str, tmp_path: Path) -> Apply:
    """Apply what is in the clipboard, in the project; with `copied`, once another program has copied that."""

    def call(*options: str, copied: str = "") -> subprocess.CompletedProcess[str]:
        environment = {name: text for name, text in os.environ.items() if name != "WAYLAND_DISPLAY"}
        environment |= {"DISPLAY": display, "PATCHPOINT_STATE_HOME": str(tmp_path / "state")}
        if copied:
            subprocess.run(
                ["xclip", "-selection", "clipboard", "-in"],
                env=environment, input=copied, text=True, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        return subprocess.run(
            [sys.executable, "-m", "patchpoint", "apply", "--clipboard", *options],
            cwd=project, env=environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    return call


def test_an_answer_that_was_copied_is_applied(project: Path, apply: Apply) -> None:
    done = apply(copied=ANSWER)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 edit applied" in done.stdout
    assert 'REDUCED = Decimal("0.07")' in (project / "till/tax.py").read_text()


def test_what_was_copied_may_be_in_any_script(project: Path, apply: Apply) -> None:
    done = apply(copied=ANSWER.replace('Decimal("0.07")', 'Decimal("0.07")  # ermäßigt, 軽減税率'))
    assert done.returncode == 0, done.stderr
    assert "# ermäßigt, 軽減税率\n" in (project / "till/tax.py").read_text(encoding="utf-8")


def test_where_nothing_was_copied_the_error_says_what_to_do(apply: Apply) -> None:
    done = apply()
    assert done.returncode == 3
    assert "The clipboard has no text, or cannot be reached from here" in done.stderr
    assert "`xclip -o -selection clipboard | patchpoint apply`" in done.stderr


def test_text_without_an_edit_changes_nothing(project: Path, apply: Apply) -> None:
    before = (project / "till/tax.py").read_bytes()
    done = apply(copied="Have a nice day!\n")
    assert done.returncode == 1
    assert "No edits found" in done.stderr
    assert (project / "till/tax.py").read_bytes() == before
