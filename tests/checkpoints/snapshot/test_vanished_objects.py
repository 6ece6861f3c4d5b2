"""Objects of an earlier checkpoint that a garbage collection of git removed, all or some of them."""

from __future__ import annotations

from collections.abc import Callable, Set
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.snapshot import proof, stat_cache, take
from patchpoint.git.odb.ids import RawObjectID
from patchpoint.git.odb.presence import PresenceProof, prove_presence
from tests.git.git_judge import WorkingTree


def remove_loose(tree: WorkingTree, oid: str) -> None:
    (tree.root / ".git/objects" / oid[:2] / oid[2:]).unlink()


def in_new_process() -> None:
    stat_cache._kept.clear()


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    "name", [":new", ":new/deep", ":new/deep/file.txt", "^2:untracked/new", "^2:index/staged"]
)
def test_a_checkpoint_after_an_interrupted_prune_is_whole(tree: WorkingTree, name: str, kept: bool) -> None:
    tree.write({"new/deep/file.txt": "untracked\n", "new/b": "b\n", "staged/c.txt": "staged\n"})
    tree.git("add", "staged/c.txt")
    store = CheckpointStore.open(tree.root)
    first = store.take()
    tree.loosen()
    oid = tree.git("rev-parse", first.commit + name).strip()
    store.delete(first.id)
    remove_loose(tree, oid)
    if not kept:
        in_new_process()
    second = store.take()
    tree.git("fsck", "--strict", "--no-dangling")
    tree.git("gc", "-q")
    before = tree.files()
    tree.write({"new/deep/file.txt": None, "a.txt": "changed\n"})
    store.restore(second.id)
    assert tree.files() == before
    assert tree.git("status", "--porcelain", "staged") == "A  staged/c.txt\n"


def remove_packs(objects: Path) -> None:
    for file in (objects / "pack").iterdir():
        file.unlink()


def cut_packs(objects: Path) -> None:
    for file in (objects / "pack").glob("*.pack"):
        file.chmod(0o644)
        file.write_bytes(b"PACK")


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("change", [remove_packs, cut_packs])
@pytest.mark.parametrize("also_new", [True, False])
def test_a_checkpoint_after_its_pack_vanished_is_whole(
    tree: WorkingTree, change: Callable[[Path], None], kept: bool, also_new: bool
) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    objects = tree.root / ".git/objects"
    assert len(list((objects / "pack").glob("*.pack"))) == 1
    change(objects)
    if not kept:
        in_new_process()
    tree.write({"new/1.txt": "changed\n"} if also_new else {})
    second = store.take()
    before = tree.files()
    tree.write({f"new/{number}.txt": None for number in range(60)})
    store.restore(second.id)
    assert tree.files() == before


def test_a_checkpoint_after_the_repository_that_it_borrows_from_was_pruned_is_whole(
    tree: WorkingTree, tmp_path: Path
) -> None:
    borrower = WorkingTree(tmp_path / "borrower")
    tree.git("clone", "-q", "--shared", str(tree.root), str(borrower.root))
    borrower.write({"new.txt": "lent without a ref\n"})
    lent = tree.git("hash-object", "-w", "--stdin", stdin="lent without a ref\n").strip()
    store = CheckpointStore.open(borrower.root)
    store.delete(store.take().id)
    for place in (borrower.root, tree.root):
        (place / ".git/objects" / lent[:2] / lent[2:]).unlink(missing_ok=True)
    second = store.take()
    borrower.git("fsck", "--strict", "--no-dangling")
    assert store.read(second.id, "new.txt") == b"lent without a ref\n"


def test_what_was_proven_is_not_looked_for_again(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    tree.git("add", "new/1.txt")
    store = CheckpointStore.open(tree.root)
    monkeypatch.setattr(take, "_RACY_NS", -3_600_000_000_000)  # so that nothing is read again for being new
    store.take()
    asked: list[int] = []

    def prove(
        objects: bytes,
        wanted: set[RawObjectID],
        width: int,
        given: PresenceProof | None,
        read: Set[RawObjectID],
    ) -> PresenceProof:
        asked.append(len(wanted))
        return prove_presence(objects, wanted, width, given, read)

    monkeypatch.setattr(proof, "prove_presence", prove)
    for kept in (True, False):
        if not kept:
            in_new_process()
        store.take()
        assert asked == []
    tree.write({"new/2.txt": "changed\n"})
    store.take()
    assert asked == []  # what is new is in a pack of which it is known
    for mark in (tree.root / ".git/objects/pack").glob("*.keep"):
        mark.unlink()
    tree.git("repack", "-adq")
    store.take()
    assert len(asked) == 1
    assert asked[0] > 60
    store.take()
    assert len(asked) == 1


def test_an_object_that_is_empty_since_is_written_again(tree: WorkingTree) -> None:
    tree.write({"new.txt": "untracked\n"})
    store = CheckpointStore.open(tree.root)
    oid = tree.git("rev-parse", f"{store.take().commit}:new.txt").strip()
    tree.loosen()
    place: Path = tree.root / ".git/objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    place.write_bytes(b"")
    in_new_process()
    store.take()
    assert tree.git("cat-file", "blob", oid) == "untracked\n"


def test_a_prune_of_all_that_is_unreachable_costs_nothing_but_time(tree: WorkingTree) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    tree.git("repack", "-adq")
    tree.git("prune", "--expire=now")
    second = store.take()
    tree.git("fsck", "--strict", "--no-dangling")
    assert store.show(second.id).files == 63


def test_what_is_not_checked_out_need_not_be_there(tree: WorkingTree, tmp_path: Path) -> None:
    tree.git("config", "uploadpack.allowFilter", "true")
    place = tmp_path / "partial"
    tree.git("clone", "-q", "--filter=blob:none", "--sparse", tree.root.as_uri(), str(place))
    partial = WorkingTree(place)
    store = CheckpointStore.open(partial.root)
    for _ in range(2):
        assert store.take().files == 3
        partial.write({"a.txt": "changed\n"})
