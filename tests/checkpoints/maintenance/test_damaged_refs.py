"""Refs that hold no object id: of checkpoints, of HEAD and of a branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import (
    BranchChangedError,
    CheckpointDamagedError,
    CheckpointError,
    CheckpointNotFoundError,
)
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.cli import main
from tests.git.git_judge import WorkingTree

JUNK = [
    b"\0" * 41,
    b"",
    b"0" * 40 + b"\n",
    b"g" * 40 + b"\n",
    b"a" * 39 + b"\n",
    b"\xff\xfe",
    b"ref: refs/heads/main",
]


def ref_of(tree: WorkingTree, id_: str) -> Path:
    return tree.root / ".git/refs/patchpoint/checkpoints" / id_


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("which", [0, 1])
def test_the_other_checkpoints_go_on(tree: WorkingTree, junk: bytes, which: int) -> None:
    store = CheckpointStore.open(tree.root)
    ids = [store.take(label=label).id for label in ("one", "two")]
    damaged, other = ids[which], ids[1 - which]
    ref_of(tree, damaged).write_bytes(junk)
    assert [each.id for each in store.list()] == [other]
    with pytest.raises(CheckpointDamagedError, match=f"'{damaged}'.*patchpoint delete"):
        store.show(damaged)
    three = store.take(label="three")
    tree.write({"a.txt": "changed\n"})
    store.restore(other)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    store.undo()
    assert (tree.root / "a.txt").read_text() == "changed\n"
    assert store.prune(keep=2) == ()
    (finding,) = store.doctor().findings
    assert (finding.code, finding.repaired) == ("checkpoint-damaged", False)
    assert damaged in finding.message
    assert store.disk_use().checkpoints == 2
    assert store.doctor(repair=True).healthy
    assert {each.id for each in store.list()} == {damaged, other, three.id}  # the mirror knew it
    assert store.doctor().findings == ()


def test_without_a_mirror_a_damaged_checkpoint_is_deleted(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(mirror_bytes=None))
    damaged, other = (store.take(label=label).id for label in ("one", "two"))
    ref_of(tree, damaged).write_bytes(b"junk")
    assert store.doctor(repair=True).healthy
    assert not ref_of(tree, damaged).exists()
    assert [each.id for each in store.list()] == [other]
    assert store.doctor().findings == ()


@pytest.mark.parametrize("junk", JUNK)
def test_a_damaged_checkpoint_is_deleted_by_name(tree: WorkingTree, junk: bytes) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    store.pin(taken.id)
    ref_of(tree, taken.id).write_bytes(junk)
    store.delete(taken.id)
    assert tree.git("for-each-ref", "refs/patchpoint") == ""
    with pytest.raises(CheckpointNotFoundError):
        store.delete(taken.id)


def test_a_damaged_pin_goes_with_its_checkpoint(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    store.pin(taken.id)
    (tree.root / ".git/refs/patchpoint/pinned" / taken.id).write_bytes(b"junk")
    (finding,) = store.doctor().findings
    assert taken.id in finding.message
    store.delete(taken.id)
    assert store.doctor().findings == ()


def test_an_id_in_capitals_or_before_white_space_counts_as_for_git(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    ref_of(tree, taken.id).write_text(f"{taken.commit.upper()} \n")
    assert store.show(taken.id).commit == taken.commit
    assert store.doctor().findings == ()
    store.delete(taken.id)
    assert store.list() == ()


def test_prune_keeps_a_sound_checkpoint_before_a_damaged_one(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    sound, damaged = store.take(), store.take()
    ref_of(tree, damaged.id).write_bytes(b"")
    assert store.prune(keep=1) == ()
    assert store.show(sound.id).id == sound.id


def test_a_private_store_is_not_cleared_while_a_ref_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a").write_text("a")
    store = CheckpointStore.open(folder)
    first = store.take()
    (folder / "a").write_text("b")
    second = store.take()
    place = store.marks[0] / first.id
    content = place.read_bytes()
    place.write_bytes(b"")
    store.delete(second.id)
    place.write_bytes(content)
    store.restore(first.id)
    assert (folder / "a").read_text() == "a"


@pytest.mark.parametrize("junk", JUNK[:-1])
@pytest.mark.parametrize("place", ["HEAD", "refs/heads/main"])
def test_a_damaged_branch_does_not_get_into_a_checkpoint(tree: WorkingTree, junk: bytes, place: str) -> None:
    store = CheckpointStore.open(tree.root)
    before = store.take()
    damaged = tree.root / ".git" / place
    sound = damaged.read_bytes()
    damaged.write_bytes(junk)
    tree.write({"a.txt": "changed\n"})
    taken = store.take()
    assert (taken.head, taken.branch) == (None, None)
    with pytest.raises(BranchChangedError, match="cannot be read"):
        store.restore(before.id)
    store.restore(before.id, force=True)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    store.undo()
    assert (tree.root / "a.txt").read_text() == "changed\n"
    damaged.write_bytes(sound)
    store.restore(taken.id, force=True)
    assert damaged.read_bytes() == sound
    tree.refuse_damage()


def test_a_head_that_was_detached_since_is_not_deleted(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    head = tree.root / ".git/HEAD"
    head.write_bytes(b"junk\n")
    taken = store.take()
    head.write_text("ref: refs/heads/main\n")
    tree.git("checkout", "-q", "--detach")
    detached = head.read_bytes()
    store.restore(taken.id, force=True)
    assert head.read_bytes() == detached


@pytest.mark.parametrize("junk", [b"\0" * 80, b"junk\n", b"# pack-refs with: peeled \nzzz refs/heads/main\n"])
def test_damaged_packed_refs_are_named(
    tree: WorkingTree, junk: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    (tree.root / ".git/packed-refs").write_bytes(junk)
    for action in (store.list, store.take, store.doctor, store.undo):
        with pytest.raises(CheckpointError, match=r"packed-refs|No restore to undo"):
            action()
    monkeypatch.chdir(tree.root)
    assert main(["list"]) != 0
    assert main(["doctor"]) != 0


def test_an_empty_file_of_packed_refs_has_no_refs(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    (tree.root / ".git/packed-refs").write_bytes(b"")
    assert [each.id for each in store.list()] == [taken.id]
