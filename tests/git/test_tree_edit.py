"""A tree with some of its paths changed is the tree that git makes of the same changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.objects.tree_edit import edited_tree
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree

_NAMES = ("a", "a.b", "a0", "ab", "b", "é")
_MODES = (0o100644, 0o100755, 0o120000)


def random_path(chance: random.Random) -> str:
    return "/".join(chance.choice(_NAMES) for _ in range(chance.randrange(1, 4)))


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=10, deadline=None)
def test_changed_paths_are_in_the_tree_that_git_writes(
    tmp_path_factory: pytest.TempPathFactory, object_format: str, seed: int
) -> None:
    chance = random.Random(seed)
    tree = WorkingTree.create(tmp_path_factory.mktemp("tree") / "repo", f"--object-format={object_format}")
    blob = tree.git("rev-parse", "HEAD:a.txt").strip()
    repository = Repository.open(tree.root)
    objects = ObjectReader(repository)
    tree.git("read-tree", "--empty")
    current: ObjectID | None = None
    for _ in range(4):
        changes: dict[str, int | None] = {}
        for _ in range(chance.randrange(1, 12)):
            path = random_path(chance)
            above = any(path.startswith(other + "/") or other.startswith(path + "/") for other in changes)
            if not above:
                changes[path] = chance.choice((*_MODES, None))
        for path, mode in changes.items():
            if mode is None:
                tree.git("rm", "-q", "--cached", "--ignore-unmatch", "-r", "--", path)
            else:
                tree.git("update-index", "--add", "--replace", "--cacheinfo", f"{mode:o},{blob},{path}")
        with ObjectWriter(repository) as writer:
            entries = {
                path.encode(): None if mode is None else Entry(mode, ObjectID(blob.encode()))
                for path, mode in changes.items()
            }
            current = edited_tree(objects, writer, current, entries)
            writer.finish()
        expected = tree.git("write-tree").strip()
        empty = tree.git("ls-files") == ""
        assert current is None if empty else current == expected.encode()
    tree.refuse_damage()
