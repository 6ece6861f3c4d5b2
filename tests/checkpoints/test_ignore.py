from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints.ignore import IgnoreRules, PathRules, standard_rules
from patchpoint.checkpoints.repository import Repository
from tests.checkpoints.git_judge import WorkingTree

_PATHS_TO_CHECK = int(os.environ.get("PATCHPOINT_IGNORE_PATHS", "8000"))
"""How many generated paths are held against git's own answer."""

_PIECES = [
    "a",
    "b",
    "c",
    "foo",
    "bar",
    "*",
    "?",
    "**",
    "a*",
    "*.c",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[^b]x",
    "\\*",
    "x y",
]
_PIECES += [
    "***",
    "*a*",
    "[[:alpha:]]",
    "[]a]",
    "[a",
    "foo**",
    "**foo",
    "\\",
    "\\a",
    ".x",
    "é",
    "[--c]",
    "[\\]]",
    "A",
]
_PIECES += [
    "[[:upper:]]b",
    "[a\\-c]",
    "a?c",
    "*[0-9]",
    "f*o",
    "[[:foo:]]",
    "[]-a]",
    "[z-a]",
    "*.*",
    "-",
    "#",
    "!",
]
_NAMES = [
    "a",
    "b",
    "c",
    "foo",
    "bar",
    "ab",
    "a.c",
    "x y",
    "foobar",
    "xfoo",
    ".x",
    "é",
    "bx",
    "*",
    "a*",
    "A",
    "Ab",
    "abc",
]
_NAMES += ["]", "[a", "a1", "-", "#", "!", "\\", "fooo", "#x", "!x", "a ", "Foo", "a-c"]


def random_pattern(chance: random.Random) -> str:
    pattern = "/".join(chance.choice(_PIECES) for _ in range(chance.choice([1, 1, 1, 2, 2, 3])))
    if chance.random() < 0.2:
        pattern = "/" + pattern
    if chance.random() < 0.25:
        pattern += "/"
    if chance.random() < 0.2:
        pattern = "!" + pattern
    return pattern + chance.choice([""] * 8 + [" ", "\\ ", "  ", "\r", "\t"])


def random_rules(chance: random.Random) -> bytes:
    lines = [random_pattern(chance) for _ in range(chance.randrange(1, 5))]
    if chance.random() < 0.1:
        lines.insert(0, "# a comment")
    text = "\n".join(lines) + chance.choice(["\n", ""])
    return (b"\xef\xbb\xbf" if chance.random() < 0.05 else b"") + text.encode()


def random_path(chance: random.Random) -> str:
    return "/".join(chance.choice(_NAMES) for _ in range(chance.choice([1, 1, 2, 2, 3, 4])))


def what_git_ignores(tree: WorkingTree, paths: list[str]) -> set[str]:
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=tree.root,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        input="\0".join(paths).encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1])


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
        mine = {path for path in paths if ours.ignores(path.encode(), is_folder=(tree.root / path).is_dir())}
        expected = what_git_ignores(tree, paths)
        assert mine == expected, (rules, (tree.root / ".git/info/exclude").read_bytes(), mine ^ expected)
        checked += len(paths)


def ignore_file_of(tree: WorkingTree) -> Callable[[bytes], bytes | None]:
    def content(path: bytes) -> bytes | None:
        place = tree.root / os.fsdecode(path)
        return place.read_bytes() if place.is_file() else None

    return content


def ignored(rules: str, path: str, *, is_folder: bool = False) -> bool:
    return PathRules(IgnoreRules().within(b"", rules.encode()), lambda _: None).ignores(
        path.encode(), is_folder=is_folder
    )


def test_the_last_pattern_that_matches_decides() -> None:
    assert ignored("*.log\n!keep.log\n", "a.log")
    assert not ignored("*.log\n!keep.log\n", "keep.log")


def test_nothing_in_an_ignored_folder_can_be_taken_back() -> None:
    assert ignored("build/\n!build/keep\n", "build/keep")


def test_a_folder_whose_contents_are_ignored_is_itself_not() -> None:
    assert not ignored("logs/**\n!logs/keep.txt\n", "logs", is_folder=True)
    assert not ignored("logs/**\n!logs/keep.txt\n", "logs/keep.txt")
    assert ignored("logs/**\n!logs/keep.txt\n", "logs/other.txt")


def test_the_users_own_file_of_patterns_is_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tmp_path / "mine").write_text("*.mine\n")
    tree.git("config", "core.excludesFile", str(tmp_path / "mine"))
    assert standard_rules(Repository.open(tree.root)).ignores(b"a.mine", is_folder=False)
    tree.git("config", "--unset", "core.excludesFile")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "git").mkdir(parents=True)
    (tmp_path / "config" / "git" / "ignore").write_text("*.theirs\n")
    assert standard_rules(Repository.open(tree.root)).ignores(b"a.theirs", is_folder=False)
