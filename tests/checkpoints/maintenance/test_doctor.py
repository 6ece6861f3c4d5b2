from __future__ import annotations

import os
import time

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree

TWO_DAYS = 2 * 86_400


def test_a_sound_store_has_nothing_to_tell_of(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.restore(store.take().id)
    diagnosis = store.doctor()
    assert diagnosis.findings == ()
    assert diagnosis.healthy


def test_what_a_crash_left_behind_is_reported_and_removed(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    git = tree.root / ".git"
    litter = [
        tree.root / "src" / f".patchpoint-{taken.id}-3",
        git / "index.lock",
        git / "refs/patchpoint/checkpoints" / f"{taken.id}.lock",
        git / "objects/pack/tmp_pack_old",
    ]
    for place in litter:
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"patchpoint {taken.id}")
    os.utime(litter[-1], (time.time() - TWO_DAYS,) * 2)
    found = store.doctor()
    assert [finding.code for finding in found.findings] == ["left-behind"] * len(litter)
    assert not found.healthy
    assert store.doctor(repair=True).healthy
    assert not any(place.exists() for place in litter)
    assert tree.git("status", "--porcelain") == ""


def test_what_is_somebody_elses_is_left_alone(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    others = [
        tree.root / ".git/index.lock",
        tree.root / ".patchpoint-notes",
        tree.root / ".git/objects/pack/tmp_new",
    ]
    for place in others:
        place.write_text("not ours")
    assert store.doctor(repair=True).findings == ()
    assert all(place.exists() for place in others)


def test_temporary_packs_of_a_crash_long_ago_go_at_the_start(tree: WorkingTree) -> None:
    old, new = (tree.root / ".git/objects/pack" / name for name in ("tmp_pack_old", "tmp_pack_new"))
    for place in (old, new):
        place.write_bytes(b"half a pack")
    os.utime(old, (time.time() - TWO_DAYS,) * 2)
    CheckpointStore.open(tree.root)
    assert not old.exists()
    assert new.exists()


def test_a_journal_that_cannot_be_read_is_reported_and_not_guessed_at(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    (tree.root / ".git/patchpoint/restore.applying").write_text("{half")
    before = tree.files()
    (finding,) = CheckpointStore.open(tree.root).doctor(repair=True).findings
    assert (finding.code, finding.repaired) == ("unfinished-restore", False)
    assert "restore.applying" in finding.message
    assert tree.files() == before
