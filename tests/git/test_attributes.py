"""No file that git may convert counts as one that it does not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from patchpoint.git.ignore.attributes import Conversions
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree
from tests.git.random_patterns import random_path, random_pattern

_ROUNDS = 60
_CONVERTING = ("text", "eol=crlf", "ident", "filter=x", "working-tree-encoding=UTF-16", "dos", "text=auto")
_OTHERS = ("-text", "!text", "binary", "diff=x", "-filter")


def random_line(chance: random.Random) -> str:
    pattern = random_pattern(chance).strip()
    if chance.random() < 0.2:
        pattern = '"' + pattern.replace("\\", "\\\\").replace('"', "") + '"'
    return pattern + " " + " ".join(chance.sample((*_CONVERTING, *_OTHERS), 2)) + "\n"


@pytest.mark.parametrize("fold", [False, True], ids=["by case", "whatever the case"])
def test_a_file_that_git_may_convert_is_never_missed(tmp_path: Path, fold: bool) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("config", "core.ignorecase", str(fold).lower())
    chance = random.Random(fold)
    asked = ["text", "eol", "crlf", "ident", "filter", "working-tree-encoding"]
    converted = 0
    for _ in range(_ROUNDS):
        content = "[attr]dos text eol=crlf\n" + "".join(
            random_line(chance) for _ in range(chance.randrange(1, 5))
        )
        tree.write({".gitattributes": content})
        repository, contents = Repository.open(tree.root), [content.encode()]
        conversions = Conversions(repository, [b".gitattributes"], {b".gitattributes": contents}.__getitem__)
        paths = sorted({random_path(chance) for _ in range(200)})
        said = tree.git("check-attr", "-z", "--stdin", *asked, stdin="\0".join(paths)).split("\0")
        for path, value in zip(said[0::3], said[2::3], strict=False):
            if value not in ("unset", "unspecified"):
                converted += 1
                assert conversions.may_apply(path.encode()), (content, path)
    assert converted > 100
