"""How the process of a command ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def ended(folder: Path, before: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Return what a command printed, and its status, in a process that did something `before`."""
    lines = ["import sys", "from patchpoint.cli import main", before, f"sys.argv[1:] = {list(words)}"]
    script = "\n".join([*lines, "sys.exit(main())"])
    return subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tax.py").write_text("RATE = 7\n")
    (tmp_path / "answer.md").write_text(
        "tax.py\n```python\n<<<<<<< SEARCH\nRATE = 7\n=======\nRATE = 19\n>>>>>>> REPLACE\n```\n"
    )
    return tmp_path


def test_what_was_printed_gets_through_a_pipe(folder: Path) -> None:
    done = ended(folder, "", "apply", "--dry-run", "answer.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "+RATE = 19\n" in done.stdout


def test_the_status_of_a_refusal_is_that_of_the_process(folder: Path) -> None:
    (folder / "tax.py").write_text("nothing of it\n")
    assert ended(folder, "", "apply", "answer.md").returncode == 1


def test_what_is_to_be_done_at_the_end_is_done(folder: Path) -> None:
    done = ended(folder, "import atexit\natexit.register(print, 'goodbye')", "apply", "answer.md")
    assert done.stdout.endswith("goodbye\n")


def test_a_thread_that_is_at_work_is_waited_for(folder: Path) -> None:
    before = (
        "import threading\n"
        "def late():\n"
        "    threading.main_thread().join()\n"
        "    print('written by the thread')\n"
        "threading.Thread(target=late).start()"
    )
    assert ended(folder, before, "apply", "answer.md").stdout.endswith("written by the thread\n")


def test_a_thread_that_nobody_waits_for_holds_nothing_up(folder: Path) -> None:
    before = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()"
    assert ended(folder, before, "apply", "answer.md").returncode == 0
