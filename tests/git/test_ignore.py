from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.git.ignore.rules import IgnoreRules, PathRules, standard_rules
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree, what_git_ignores
from tests.git.random_patterns import random_path, random_rules

_PATHS_TO_CHECK = int(os.environ.get("PATCHPOINT_IGNORE_PATHS", "8000"))
"""How many generated paths are held against git's own answer."""


@pytest.mark.parametrize("fold", [False, True], ids=["by case", "whatever the case"])
def test_generated_paths_are_ignored_exactly_where_git_ignores_them(tmp_path: Path, fold: bool) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("config", "core.ignorecase", str(fold).lower())
    (tree.root / ".gitignore").unlink()
    repository = Repository.open(tree.root)
    chance = random.Random(fold)
    checked = 0
    while checked < _PATHS_TO_CHECK // 2:
        folders = ["", "a", "foo", "a/b", "a/foo"]
        rules = {folder: random_rules(chance) for folder in folders if not folder or chance.random() < 0.4}
        (tree.root / ".git" / "info" / "exclude").write_bytes(random_rules(chance))
        for folder in folders:
            place = tree.root / folder / ".gitignore"
            place.parent.mkdir(parents=True, exist_ok=True)
            if folder in rules:
                place.write_bytes(rules[folder])
            else:
                place.unlink(missing_ok=True)
        paths = sorted({random_path(chance) for _ in range(400)})
        # What is not on the disk is a file to git, so that what is above another path is a file here as well.
        ours = PathRules(standard_rules(repository), ignore_file_of(tree))
        mine = {
            path for path in paths if ours.ignores(path.encode(), is_directory=(tree.root / path).is_dir())
        }
        expected = what_git_ignores(tree, paths)
        assert mine == expected, (rules, (tree.root / ".git/info/exclude").read_bytes(), mine ^ expected)
        checked += len(paths)


def ignore_file_of(tree: WorkingTree) -> Callable[[bytes], bytes | None]:
    def content(path: bytes) -> bytes | None:
        place = tree.root / os.fsdecode(path)
        return place.read_bytes() if place.is_file() else None

    return content


def ignored(rules: str, path: str, *, is_directory: bool = False) -> bool:
    return PathRules(IgnoreRules().within(b"", rules.encode()), lambda _: None).ignores(
        path.encode(), is_directory=is_directory
    )


def test_the_last_pattern_that_matches_decides() -> None:
    assert ignored("*.log\n!keep.log\n", "a.log")
    assert not ignored("*.log\n!keep.log\n", "keep.log")


def test_nothing_in_an_ignored_folder_can_be_taken_back() -> None:
    assert ignored("build/\n!build/keep\n", "build/keep")


def test_a_folder_whose_contents_are_ignored_is_itself_not() -> None:
    assert not ignored("logs/**\n!logs/keep.txt\n", "logs", is_directory=True)
    assert not ignored("logs/**\n!logs/keep.txt\n", "logs/keep.txt")
    assert ignored("logs/**\n!logs/keep.txt\n", "logs/other.txt")


def test_the_users_own_file_of_patterns_is_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tmp_path / "mine").write_text("*.mine\n")
    tree.git("config", "core.excludesFile", str(tmp_path / "mine"))
    assert standard_rules(Repository.open(tree.root)).ignores(b"a.mine", is_directory=False)
    tree.git("config", "--unset", "core.excludesFile")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "git").mkdir(parents=True)
    (tmp_path / "config" / "git" / "ignore").write_text("*.theirs\n")
    assert standard_rules(Repository.open(tree.root)).ignores(b"a.theirs", is_directory=False)
