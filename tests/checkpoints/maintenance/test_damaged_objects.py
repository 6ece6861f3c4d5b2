"""Loose objects that a power failure, or a bad disk, left empty, cut short or changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.snapshot import stat_cache
from tests.git.git_judge import WorkingTree

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: b"\0" * len(data),
    "junk": lambda data: b"junk" * 50,
    "flipped": lambda data: data[:5] + bytes([data[5] ^ 1]) + data[6:],
}
damaged = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)


def without_last_byte(data: bytes) -> bytes:
    """All of the content can be read, but git does not read it."""
    return data[:-1]


rewritten = pytest.mark.parametrize(
    "damage", [*DAMAGES.values(), without_last_byte], ids=[*DAMAGES, "last byte gone"]
)


def loose(tree: WorkingTree, name: str) -> Path:
    oid = tree.git("rev-parse", name).strip()
    return tree.root / ".git/objects" / oid[:2] / oid[2:]


def harm(place: Path, damage: Callable[[bytes], bytes]) -> None:
    data = place.read_bytes()
    place.chmod(0o644)
    place.write_bytes(damage(data))


@damaged
@pytest.mark.parametrize("part", ["", "^{tree}", ":src", ":src/new.txt", "^2", "^2^{tree}", "^2:untracked"])
def test_doctor_names_the_checkpoint(tree: WorkingTree, damage: Callable[[bytes], bytes], part: str) -> None:
    tree.write({"src/new.txt": "new\n"})
    alone = StoreOptions(mirror_bytes=None)
    harmed = CheckpointStore.open(tree.root, options=alone).take()
    tree.loosen()
    harm(loose(tree, harmed.commit + part), damage)
    stat_cache._kept.clear()
    fresh = CheckpointStore.open(tree.root, options=alone)
    (finding,) = fresh.doctor(repair=True).findings
    assert (finding.code, finding.repaired) == ("checkpoint-damaged", False)
    assert harmed.id in finding.message
    assert fresh.disk_use().safety == 0


@rewritten
def test_a_damaged_object_is_written_again(tree: WorkingTree, damage: Callable[[bytes], bytes]) -> None:
    tree.write({"precious.txt": "precious " * 40})
    oid = tree.git("hash-object", "-w", "precious.txt").strip()
    harm(loose(tree, oid), damage)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"precious.txt": "gone"})
    store.restore(taken.id)
    assert (tree.root / "precious.txt").read_text() == "precious " * 40
    tree.git("fsck", "--strict", "--no-dangling")


@rewritten
def test_a_damaged_object_of_the_index_is_written_again(
    tree: WorkingTree, damage: Callable[[bytes], bytes]
) -> None:
    tree.write({"precious.txt": "precious " * 40})
    tree.git("add", "precious.txt")
    harm(loose(tree, ":precious.txt"), damage)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"precious.txt": "gone"})
    store.restore(taken.id)
    assert (tree.root / "precious.txt").read_text() == "precious " * 40


def test_a_damaged_large_object_is_written_again(tree: WorkingTree) -> None:
    tree.write({"large.bin": b"0123456789abcdef" * 100_000})
    oid = tree.git("hash-object", "-w", "large.bin").strip()
    harm(loose(tree, oid), DAMAGES["empty"])
    store = CheckpointStore.open(tree.root)
    store.take()
    assert tree.git("cat-file", "-s", oid).strip() == "1600000"


@damaged
def test_a_restore_names_the_damaged_object(tree: WorkingTree, damage: Callable[[bytes], bytes]) -> None:
    tree.write({"precious.txt": "precious " * 40})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.loosen()
    place = loose(tree, f"{taken.commit}:precious.txt")
    tree.write({"precious.txt": "other"})
    harm(place, damage)
    with pytest.raises(CheckpointDamagedError, match=f"Object {place.parent.name}{place.name} "):
        store.restore(taken.id)
    assert (tree.root / "precious.txt").read_text() == "other"
    assert store.list(safety=True) == ()


def test_a_blob_in_an_alternate_is_there(tree: WorkingTree, tmp_path: Path) -> None:
    tree.git("clone", "-q", "--shared", str(tree.root), str(tmp_path / "clone"))
    clone = WorkingTree(tmp_path / "clone")
    store = CheckpointStore.open(clone.root)
    taken = store.take()
    assert store.doctor().findings == ()
    clone.write({"a.txt": "changed\n"})
    store.restore(taken.id)
    assert (clone.root / "a.txt").read_text() == "one\ntwo\nthree\n"
