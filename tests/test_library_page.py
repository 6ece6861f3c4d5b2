"""The page for authors of programs: its examples run, and its reference is that of the code."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tools.library_page import PAGE, with_reference


def test_the_reference_is_that_of_the_code() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == with_reference(written), "run `make docs` (python -m tools.library_page)"


def test_the_examples_do_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "greet.py").write_text("def greet(name):\n    print('Hello ' + name)\n")
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {"folder": folder}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 15
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)
