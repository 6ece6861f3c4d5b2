"""Patterns with many stars: equal to git's own matching, and no pattern takes long."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from patchpoint.git.ignore.rules import IgnoreRules, PathRules
from patchpoint.git.wildmatch import any_of, name_expression, path_expression
from tests.git.git_judge import WorkingTree, what_git_ignores

_PATTERNS = int(os.environ.get("PATCHPOINT_STAR_PATTERNS", "400"))
"""How many generated patterns are compared with git."""

_STARS = ["*"] * 5 + ["/**/", "**/", "**", "/**"]
_BETWEEN = ["a", "b", "ab", "/", "/a", "a/", "b/", "a/b", "?", "[ab]", "[!a]", ".", "aa", "/?", "*/"]
_BETWEEN += ["\\a", "\\/", "A"]


def pattern_of_stars(chance: random.Random) -> str:
    """Return a pattern of up to six stars, with or without something before, between and after them."""
    parts = [chance.choice(_BETWEEN)] if chance.random() < 0.5 else []
    for _ in range(chance.randrange(7)):
        parts.append(chance.choice(_STARS))
        if chance.random() < 0.85:
            parts.append(chance.choice(_BETWEEN))
    return "".join(parts).replace("//", "/") or "a"


def path_of_few_letters(chance: random.Random) -> str:
    names = [
        "".join(chance.choice("aab.A") for _ in range(chance.choice([1, 1, 2, 3, 4, 6])))
        for _ in range(chance.choice([1, 1, 2, 3, 4, 6, 8]))
    ]
    return "/".join("a" if name in (".", "..") else name for name in names)


@pytest.mark.parametrize("fold", [False, True], ids=["by case", "in any case"])
def test_patterns_of_many_stars_match_what_they_match_for_git(tmp_path: Path, fold: bool) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("config", "core.ignorecase", str(fold).lower())
    chance = random.Random(fold)
    matched = 0
    for _ in range(_PATTERNS // 2):
        content = (pattern_of_stars(chance) + "\n").encode()
        (tree.root / ".gitignore").write_bytes(content)
        paths = sorted({path_of_few_letters(chance) for _ in range(30)})
        ours = PathRules(IgnoreRules(fold=fold).within(b"", content), lambda _: None)
        mine = {path for path in paths if ours.ignores(path.encode())}
        assert mine == what_git_ignores(tree, paths), content
        matched += len(mine)
    assert matched > _PATTERNS


def test_the_same_pattern_may_be_written_twice() -> None:
    rules = IgnoreRules().within(b"", b"*a*b*c*d\n/x/*a*b*c*d\nx/*a*b*c*d\n*a*b*c*d\n*a*b*c*d/\n")
    assert rules.ignores(b"x/abcd", is_directory=False)
    assert any_of([]) is None


_HARD = """
import os, sys
from pathlib import Path
from patchpoint.git.config import _matches
from patchpoint.git.ignore.attributes import Conversions
from patchpoint.git.ignore.rules import IgnoreRules
from patchpoint.git.repository import Repository

letters, deep, both = b"a" * 255, b"a/" * 2000 + b"c", (b"a" * 30 + b"/") * 100 + b"c"
repository = Repository.open(Path(sys.argv[1]))
for pattern in sys.argv[2:]:
    line = os.fsencode(pattern)
    rules = IgnoreRules().within(b"", line + b"\\n")
    text = line + b" text\\n"
    attributes = Conversions(repository, [b".gitattributes"], lambda _: [text])
    for path in (letters, deep, both):
        assert not rules.ignores(path, is_directory=False), (line, path)
        assert not attributes.may_apply(path), (line, path)
        assert not _matches(line, path, fold=True), (line, path)
"""


def test_no_pattern_takes_long(tmp_path: Path) -> None:
    """Each of these takes hours when every way of dividing the text among the stars is tried."""
    tree = WorkingTree.create(tmp_path / "repo")
    patterns = [
        "*a" * 12 + "*b",
        "/" + "*a" * 12 + "*b",
        "**/" + "*a" * 12 + "*b",
        "**/a/" * 12 + "b",
        "**/*a*a*a*a*a*a/" * 4 + "**/b",
        "a/" + "**/?/" * 12 + "b*b",
        "*a*a*a*a/" * 12 + "b",
        "**\\/a" * 8 + "**\\/b",
        "[a-c]*" * 12 + "[!a-c]",
    ]
    subprocess.run(
        [sys.executable, "-c", _HARD, str(tree.root), *patterns],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
        check=True,
    )


@pytest.mark.parametrize("pattern", ["*.log", "*foo*bar", "node_modules", "*.egg-info*"])
def test_an_ordinary_pattern_is_a_plain_expression(pattern: str) -> None:
    expression = name_expression(pattern.encode(), fold=False)
    assert expression is not None
    assert b"(?" not in expression


def test_one_star_after_directories_is_a_plain_expression() -> None:
    assert path_expression(b"**/cache/*.tmp", fold=False) == rb"(?:.*/)?cache/[^/]*\.tmp"
