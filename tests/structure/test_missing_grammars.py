"""Where grammars are not installed (an extra, or all on Alpine on ARM), it is said what was not checked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GO = "package main\n\nfunc Add(a int, b int) int {\n\treturn a + b\n}\n"
MISQUOTED = "m.go\n<<<<<<< SEARCH\n    return a  + b\n=======\n    return a + b + 1\n>>>>>>> REPLACE\n"
QUOTED = MISQUOTED.replace("    return a  + b\n", "\treturn a + b\n")
SHOWN = "// ... existing code ...\n\nfunc Add(a int, b int) int {\n\treturn a - b\n}\n"
LAZY = f"m.go\n```go\npackage main\n\n{SHOWN}```\n"
SWIFT = "func add(a: Int, b: Int) -> Int {\n    return a + b\n}\n"
MISQUOTED_SWIFT = MISQUOTED.replace("m.go", "m.swift")
LAZY_SWIFT = (
    "m.swift\n```swift\n// ... existing code ...\n\n"
    "func add(a: Int, b: Int) -> Int {\n    return a - b\n}\n```\n"
)
INSTALL = 'there is no grammar for Swift here: pip install "patchpoint[grammars]"'


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is installed but the grammars."""
    folder = tmp_path_factory.mktemp("libraries")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith("tree_sitter"):
            (folder / path.name).symlink_to(path)
    return folder


@pytest.fixture(scope="module")
def without_extra(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is installed but the grammars of the extra."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'"(tree-sitter-[\w-]+)', text.partition("\ngrammars = [")[2].partition("\n]")[0])
    assert named
    folder = tmp_path_factory.mktemp("without_extra")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.name not in {each.replace("-", "_") for each in named}:
            (folder / path.name).symlink_to(path)
    return folder


def call(libraries: Path, folder: Path, *words: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-m", "patchpoint", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(libraries)])},
        input=answer,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.go").write_text(GO, encoding="utf-8")
    (tmp_path / "m.swift").write_text(SWIFT, encoding="utf-8")
    return tmp_path


def test_a_misquoted_edit_is_applied_and_says_what_was_not_checked(libraries: Path, folder: Path) -> None:
    done = call(libraries, folder, "apply", "--json", "-", answer=MISQUOTED)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    assert "Whether this breaks the syntax was not checked: tree-sitter is not installed here." in done.stdout
    assert "a + b + 1" in (folder / "m.go").read_text(encoding="utf-8")


def test_an_exact_edit_has_nothing_to_say(libraries: Path, folder: Path) -> None:
    done = call(libraries, folder, "apply", "-", answer=QUOTED)
    assert done.returncode == 0, done.stderr
    assert "tree-sitter" not in done.stdout


def test_code_that_a_grammar_would_merge_is_only_shown_without_it(libraries: Path, folder: Path) -> None:
    done = call(libraries, folder, "apply", "-", answer=LAZY)
    assert done.returncode == 1
    assert "proposed" in done.stdout
    assert "Tree-sitter is not installed here." in done.stdout
    assert (folder / "m.go").read_text(encoding="utf-8") == GO


def test_doctor_names_what_is_missing_and_finds_nothing_broken(libraries: Path, folder: Path) -> None:
    findings = json.loads(call(libraries, folder, "doctor", "--json").stdout)["findings"]
    (grammars,) = [one for one in findings if one["name"] == "grammars"]
    assert grammars["says"].startswith("missing: tree-sitter; ")
    assert "Go" in grammars["says"]
    assert grammars["healthy"]


def test_a_language_of_the_extra_is_edited_and_the_extra_is_named(without_extra: Path, folder: Path) -> None:
    done = call(without_extra, folder, "apply", "-", answer=MISQUOTED_SWIFT)
    assert done.returncode == 0, done.stderr
    assert f"Whether this breaks the syntax was not checked: {INSTALL}." in done.stdout
    assert "a + b + 1" in (folder / "m.swift").read_text(encoding="utf-8")


def test_code_that_a_grammar_of_the_extra_would_merge_is_only_shown_and_the_extra_is_named(
    without_extra: Path, folder: Path
) -> None:
    done = call(without_extra, folder, "apply", "-", answer=LAZY_SWIFT)
    assert done.returncode == 1
    assert "proposed" in done.stdout
    assert f"{INSTALL[:1].upper()}{INSTALL[1:]}." in done.stdout
    assert (folder / "m.swift").read_text(encoding="utf-8") == SWIFT


def test_without_the_extra_the_usual_languages_are_judged(without_extra: Path, folder: Path) -> None:
    done = call(without_extra, folder, "apply", "-", answer=LAZY)
    assert done.returncode == 0, done.stdout
    assert "a - b" in (folder / "m.go").read_text(encoding="utf-8")


def test_doctor_names_the_languages_of_the_extra_and_what_installs_them(
    without_extra: Path, folder: Path
) -> None:
    findings = json.loads(call(without_extra, folder, "doctor", "--json").stdout)["findings"]
    (grammars,) = [one for one in findings if one["name"] == "grammars"]
    assert grammars["says"].endswith('in C#, PHP, Kotlin, Swift, Scala: pip install "patchpoint[grammars]"')
    assert grammars["healthy"]
