"""A stat cache that came with the folder: whatever is in it, a checkpoint holds the bytes of the files."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.snapshot import stat_cache
from patchpoint.git.repository import Repository
from tests.checkpoints.snapshot_judge import snapshot_of
from tests.git.git_judge import WorkingTree


@pytest.fixture
def tree(tree: WorkingTree) -> WorkingTree:
    """One with a stat cache, of which this process knows nothing."""
    tree.write({"b.txt": "two and four\n", "new/c.txt": "untracked\n"})
    CheckpointStore.open(tree.root).take()
    stat_cache._kept.clear()
    return tree


def place_of(tree: WorkingTree) -> Path:
    return tree.root / ".git/patchpoint/stat-cache"


def is_believed(tree: WorkingTree) -> bool:
    stat_cache._kept.clear()
    return stat_cache.load_table(Repository.open(tree.root)) is not None


def recorded(tree: WorkingTree) -> dict[str, str]:
    taken = snapshot_of(tree).tree
    listed = tree.git("ls-tree", "-r", "--name-only", taken).splitlines()
    return {path: tree.git("cat-file", "blob", f"{taken}:{path}") for path in listed}


def on_disk(tree: WorkingTree) -> dict[str, str]:
    return {path: content.decode() for path, (_, content) in tree.files().items()}


def test_a_cache_that_another_user_wrote_is_not_believed(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_believed(tree)
    repository = Repository.open(tree.root)
    table = stat_cache.load_table(repository)
    assert table is not None
    first, second = table.paths.index(b"a.txt"), table.paths.index(b"b.txt")
    table.ids[first], table.ids[second] = table.ids[second], table.ids[first]
    table.dirty[0] = 1
    with monkeypatch.context() as other_user:
        other_user.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
        stat_cache.save_table(repository, table)
        assert is_believed(tree)
    assert not is_believed(tree)
    tree.write({"x.txt": "so that a tree is made of the root\n"})
    assert recorded(tree) == on_disk(tree)
    assert is_believed(tree)


def test_a_cache_is_not_believed_where_there_is_no_key(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "empty"))
    assert not is_believed(tree)


@pytest.mark.parametrize("seed", range(40))
def test_no_change_of_a_byte_is_believed(tree: WorkingTree, seed: int) -> None:
    place = place_of(tree)
    content = bytearray(place.read_bytes())
    chance = random.Random(seed)
    at = chance.randrange(48) if seed % 2 else chance.randrange(len(content))
    if seed % 4 == 3:
        del content[at:]
    else:
        content[at] ^= 1 << chance.randrange(8)
    place.write_bytes(content)
    assert not is_believed(tree)
    tree.write({"a.txt": "changed\n"})
    assert recorded(tree) == on_disk(tree)


def make_link(place: Path) -> None:
    target = place.with_name("target")
    place.rename(target)
    place.symlink_to(target)


def make_pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def make_directory(place: Path) -> None:
    place.unlink()
    place.mkdir()


def make_huge(place: Path) -> None:
    os.truncate(place, 1 << 40)


@pytest.mark.parametrize("change", [make_link, make_pipe, make_directory, make_huge])
def test_what_is_no_file_of_ours_is_not_read(tree: WorkingTree, change: Callable[[Path], None]) -> None:
    change(place_of(tree))
    assert not is_believed(tree)
    tree.write({"a.txt": "changed\n"})
    assert recorded(tree) == on_disk(tree)
