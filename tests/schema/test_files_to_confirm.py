"""What the configuration of git names inside of the working tree starts programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.schema.files_to_confirm import files_to_confirm
from patchpoint.schema.settings import Settings
from tests.git.git_judge import WorkingTree


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    made = WorkingTree.create(tmp_path / "work")
    made.write({"src/b.txt": "b\n"})
    return made


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("core.hooksPath", "scripts/hooks", "scripts/hooks/pre-commit"),
        ("core.hooksPath", "./scripts/hooks/", "scripts/hooks/pre-commit"),
        ("core.fsmonitor", "tools/watch --fast", "tools/watch"),
        ("filter.clean-up.clean", "sh ./tools/clean.sh %f", "tools/clean.sh"),
        ("filter.x.process", "'tools/with blank.py'", "tools/with blank.py"),
        ("diff.pic.textconv", "tools/pic", "tools/pic"),
        ("merge.lock.driver", "tools/merge %O %A %B", "tools/merge"),
        ("alias.ship", "!tools/ship.sh", "tools/ship.sh"),
        ("include.path", "../.gitsettings", ".gitsettings"),
        ("core.sshCommand", "tools/ssh -v", "tools/ssh"),
        ("credential.https://a.example.helper", "!tools/ask", "tools/ask"),
    ],
)
def test_what_the_configuration_names_in_the_tree_is_to_be_confirmed(
    tree: WorkingTree, name: str, value: str, path: str
) -> None:
    assert files_to_confirm((tree.root,), Settings()).why(tree.root / path) is None
    tree.git("config", name, value)
    for folder in (tree.root, tree.root / "src"):
        confirm = files_to_confirm((folder,), Settings())
        reader = confirm.why(tree.root / path)
        assert reader is not None
        assert name.partition(".")[0] in reader
        assert confirm.why(tree.root / "src/b.txt") is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.fsmonitor", "true"),
        ("core.hooksPath", "/somewhere/else"),
        ("core.hooksPath", "."),
        ("alias.st", "status -- src/b.txt"),
        ("core.editor", "vim"),
        ("user.name", "src/b.txt"),
        ("filter.x.clean", "unfinished 'quote"),
    ],
)
def test_what_is_elsewhere_or_no_program_is_not(tree: WorkingTree, name: str, value: str) -> None:
    tree.git("config", name, value)
    confirm = files_to_confirm((tree.root,), Settings())
    assert confirm.why(tree.root / "src/b.txt") is None


def test_the_users_patterns_are_among_it(tree: WorkingTree) -> None:
    confirm = files_to_confirm((tree.root,), Settings(confirm_files=("src/",)))
    assert confirm.why(tree.root / "src/b.txt") == "matches “src/” in the setting `apply.confirmFiles`"
