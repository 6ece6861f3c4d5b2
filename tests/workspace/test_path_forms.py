"""The path of a file that an answer shows: shortened, with the repository's name in front, or new."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.edit import Edit
from patchpoint.formats import parse_edits
from patchpoint.outcome import Outcome, Status
from patchpoint.workspace.request import Workspace, plan_request, read_request

CART = "import json\n\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n"
NEW = CART.replace("(path) as", "(path, 'rb') as")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "packages/shop/src").mkdir(parents=True)
    (tmp_path / "packages/shop/src/cart.py").write_text(CART)
    return tmp_path


def applied(folder: Path, label: str, code: str = NEW) -> tuple[dict[str, str | None], Outcome]:
    """Return the files that an answer would change, and its one outcome."""
    edits = parse_edits(f"{label}\n\n```python\n{code}```\n")
    plan = plan_request(read_request(edits, Workspace(roots=(folder,))))
    [outcome] = plan.outcomes
    return {change.path: change.after for change in plan.changes}, outcome


@pytest.mark.parametrize(
    "label",
    [
        "`src/cart.py`",
        "**cart.py**",
        "shop-main/packages/shop/src/cart.py",
        "In `src/cart.py`, replace everything with:",
        "[cart.py](packages/shop/src/cart.py)",
        "[cart.py](https://git.example.org/me/shop/blob/main/packages/shop/src/cart.py#L4)",
        "packages/shop/src/cart.py:4",
        "`packages/shop/src/cart.py` (line 4)",
    ],
)
def test_the_one_file_that_it_can_mean_is_changed(folder: Path, label: str) -> None:
    changed, outcome = applied(folder, label)
    assert changed == {"packages/shop/src/cart.py": NEW}
    assert outcome.status is Status.MATCHED


def test_how_a_path_was_read_is_said(folder: Path) -> None:
    _, outcome = applied(folder, "`src/cart.py`")
    assert (
        "it was read as 'packages/shop/src/cart.py', the only file that fits (shortened)" in outcome.notes[0]
    )
    _, outcome = applied(folder, "shop-main/packages/shop/src/cart.py")
    assert f"there is no 'shop-main' in {folder}" in outcome.notes[0]


def test_a_shortened_path_never_has_a_fragment_overwrite_the_file(folder: Path) -> None:
    changed, outcome = applied(folder, "**cart.py**", "import csv\n")
    assert changed == {}
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    assert len(outcome.proposal.text.splitlines()) > len("import csv\n".splitlines())


def test_a_shortened_path_of_two_files_is_refused_with_both(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src/cart.py").write_text(CART)
    changed, outcome = applied(folder, "**cart.py**")
    assert changed == {}
    assert "packages/shop/src/cart.py, src/cart.py; write the whole path" in outcome.message


@pytest.mark.parametrize(
    ("label", "path"), [("`./cart.py`", "cart.py"), ("Create `cart.py`:", "cart.py"), ("`new.py`", "new.py")]
)
def test_a_new_file_is_created_where_it_is_plainly_meant(folder: Path, label: str, path: str) -> None:
    assert applied(folder, label)[0] == {path: NEW}


def test_a_file_that_is_missing_is_said_to_be_missing_from_the_folder(folder: Path) -> None:
    _, outcome = applied(folder, "In `lib/none.py`, fix it:")
    assert outcome.status is Status.NOT_FOUND
    assert outcome.message.endswith(f"Searched {folder}.")


def test_a_tool_call_writes_where_it_says(folder: Path) -> None:
    [edit] = parse_edits('{"name": "write", "path": "cart.py", "content": "x = 1\\n"}')
    assert isinstance(edit, Edit)
    plan = plan_request(read_request([edit], Workspace(roots=(folder,))))
    assert [change.path for change in plan.changes] == ["cart.py"]
