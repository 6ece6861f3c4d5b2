"""A release: one version everywhere, a dated changelog, and workflows that trust nothing that moves."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

import patchpoint
from tools import release
from tools.release import (
    ADDRESSES,
    PLACES,
    ReleaseError,
    dated,
    notes,
    require_releasable,
    versions,
    with_version,
)

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github").rglob("*.yml"))

CHANGELOG = """# Changelog

## [Unreleased]

### May break

- The one thing.

## [0.0.9] - 2026-01-02

- Older.
"""


def test_every_file_says_the_version_of_the_server() -> None:
    assert {name: said for name, said in versions() if said != patchpoint.__version__} == {}


@pytest.mark.parametrize(("name", "pattern"), PLACES)
def test_a_new_version_is_written_where_the_old_one_was(name: str, pattern: str) -> None:
    before = (ROOT / name).read_text(encoding="utf-8")
    after = with_version(before, pattern, "9.8.7")
    found = re.search(pattern, after, re.MULTILINE)
    assert found is not None
    assert found[1] == "9.8.7"
    assert with_version(after, pattern, patchpoint.__version__) == before


def test_what_was_unreleased_gets_the_date_of_the_release() -> None:
    text = dated(CHANGELOG, "0.1.0", date(2026, 12, 1))
    assert "## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n### May break\n" in text
    assert notes(text, "0.1.0") == "### May break\n\n- The one thing.\n"
    assert notes(text, "0.0.9") == "- Older.\n"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (CHANGELOG, "0.0.9"),
        ("# Changelog\n", "0.1.0"),
        ("## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n", "0.2.0"),
    ],
)
def test_nothing_is_released_twice_and_not_without_notes(text: str, version: str) -> None:
    with pytest.raises(ReleaseError):
        dated(text, version, date(2026, 12, 1))


@pytest.mark.parametrize("tag", ["0.1.0", "v0.1", "v99.0.0", f"v{patchpoint.__version__}"])
def test_a_tag_needs_the_version_the_date_and_the_address(tag: str) -> None:
    with pytest.raises(ReleaseError):
        require_releasable(tag, "https://git.example.org/nobody/patchpoint")


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what a release is checked by, with a dated changelog and the address everywhere."""
    for name in {*(place[0] for place in PLACES), *(place[0] for place in ADDRESSES)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "CHANGELOG", tmp_path / "CHANGELOG.md")
    dated_text = dated(CHANGELOG, patchpoint.__version__, date(2026, 1, 2))
    (tmp_path / "CHANGELOG.md").write_text(dated_text, encoding="utf-8")
    for name, before, after in NAMED:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert before in text
        (tmp_path / name).write_text(text.replace(before, after, 1), encoding="utf-8")
    return tmp_path


ADDRESS = "https://git.example.org/somebody/patchpoint"
NAMED = (
    ("pyproject.toml", "[project.scripts]", f'[project.urls]\nSource = "{ADDRESS}"\n\n[project.scripts]'),
    (
        "editors/vscode/package.json",
        '  "version"',
        f'  "repository": {{"type": "git", "url": "{ADDRESS}"}},\n  "version"',
    ),
    *(
        (f"editors/emacs/{name}.el", ";; Version", f";; URL: {ADDRESS}\n;; Version")
        for name in ("patchpoint", "patchpoint-eglot", "lsp-patchpoint")
    ),
)


def test_a_release_that_names_its_repository_everywhere_is_taken(released: Path) -> None:
    require_releasable(f"v{patchpoint.__version__}", ADDRESS)


@pytest.mark.parametrize(("name", "before", "after"), NAMED, ids=[each[0] for each in NAMED])
def test_a_file_that_does_not_name_the_repository_stops_the_release(
    released: Path, name: str, before: str, after: str
) -> None:
    text = (released / name).read_text(encoding="utf-8")
    (released / name).write_text(text.replace(after, before, 1), encoding="utf-8")
    with pytest.raises(ReleaseError, match=f"{re.escape(name)} does not name the repository: .*{ADDRESS}"):
        require_releasable(f"v{patchpoint.__version__}", ADDRESS)


def test_this_changelog_has_a_section_for_what_comes_next() -> None:
    assert "\n## [Unreleased]\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_this_version_has_a_date_and_says_first_what_may_break() -> None:
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), patchpoint.__version__)
    assert re.findall(r"^### (.+)$", text, re.MULTILINE)[0] == "May break"


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_uses_fixed_commits_and_asks_for_nothing_it_does_not_need(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    for used in re.findall(r"uses: (\S+)", text):
        assert used.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used
    if workflow.parent.name == "workflows":
        assert "\npermissions: {}\n" in text, "each job says what it may"
        assert text.count("actions/checkout@") == text.count("persist-credentials: false")


def test_every_python_and_every_platform_is_tried() -> None:
    tests = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    classifiers = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )
    assert all(f'"{version}"' in tests for version in classifiers)
    assert all(system in tests for system in ("ubuntu-24.04", "macos-15", "windows-2025"))
