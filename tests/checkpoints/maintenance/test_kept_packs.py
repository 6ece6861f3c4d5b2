"""Packs of our own that git keeps: when they are released, merged and swept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.options import RetentionPolicy, StoreOptions
from patchpoint.checkpoints.snapshot import stat_cache
from patchpoint.git.odb import kept_packs
from tests.git.git_judge import WorkingTree

HOUR, DAY = 3600.0, 86_400.0


def packs_of(tree: WorkingTree) -> Path:
    return tree.root / ".git/objects/pack"


def marks_of(tree: WorkingTree) -> list[Path]:
    return sorted(packs_of(tree).glob("*.keep"))


def grow_older(tree: WorkingTree, seconds: float) -> None:
    for path in packs_of(tree).iterdir():
        then = path.stat().st_mtime - seconds
        os.utime(path, (then, then))


def take_large(tree: WorkingTree) -> None:
    """A checkpoint whose pack is not small."""
    tree.write({"large.bin": os.urandom(kept_packs.SMALL_BYTES + 1)})
    CheckpointStore.open(tree.root).take()


def turn(tree: WorkingTree) -> None:
    """Whatever has the lock of the checkpoints."""
    CheckpointStore.open(tree.root).prune(keep=1000)


@pytest.mark.parametrize(("age", "large", "kept"), [
    (0.0, True, True),
    (0.9 * HOUR, True, True),
    (1.1 * HOUR, True, False),
    (1.1 * HOUR, False, True),
    (0.9 * DAY, False, True),
    (1.1 * DAY, False, False),
])  # fmt: skip
def test_a_pack_is_kept_until_no_collection_can_be_older(
    tree: WorkingTree, age: float, large: bool, kept: bool
) -> None:
    if large:
        take_large(tree)
    else:
        CheckpointStore.open(tree.root).take()
    grow_older(tree, age)
    turn(tree)
    assert bool(marks_of(tree)) == kept
    tree.git("gc", "-q", "--prune=now")
    assert len(list(packs_of(tree).glob("*.pack"))) == 1 + kept
    assert CheckpointStore.open(tree.root).doctor().findings == ()


@pytest.mark.parametrize("age", [1.0, 11 * HOUR, 13 * HOUR])
def test_while_git_collects_nothing_is_released(tree: WorkingTree, age: float) -> None:
    take_large(tree)
    grow_older(tree, 2 * DAY)
    running = tree.root / ".git/gc.pid"
    running.write_text("1 elsewhere")
    os.utime(running, (time.time() - age, time.time() - age))
    turn(tree)
    assert bool(marks_of(tree)) == (age < 12 * HOUR)


def test_what_is_used_again_is_kept_as_long_as_what_is_new(tree: WorkingTree) -> None:
    take_large(tree)
    store = CheckpointStore.open(tree.root)
    store.delete(store.list()[0].id)
    grow_older(tree, 0.9 * HOUR)
    store.take()
    grow_older(tree, 0.9 * HOUR)
    turn(tree)
    assert len(marks_of(tree)) == 2


def test_packs_that_others_keep_stay_kept(tree: WorkingTree) -> None:
    tree.git("repack", "-adq")
    (pack,) = packs_of(tree).glob("*.pack")
    others = pack.with_suffix(".keep")
    others.write_text("kept by the user\n")
    take_large(tree)
    grow_older(tree, 2 * DAY)
    turn(tree)
    assert marks_of(tree) == [others]


def test_a_pack_from_a_time_to_come_is_new_now(tree: WorkingTree) -> None:
    take_large(tree)
    grow_older(tree, -365 * DAY)
    turn(tree)
    (mark,) = marks_of(tree)
    assert mark.stat().st_mtime < time.time() + 60


def test_many_checkpoints_are_in_few_packs(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    for number in range(60):
        tree.write({"a.txt": f"{number}\n"})
        store.take()
        assert len(list(packs_of(tree).glob("*.pack"))) <= 2 * kept_packs.MOST_SMALL + 1
    assert len(list(packs_of(tree).iterdir())) == 3 * len(marks_of(tree))
    tree.refuse_damage()
    stat_cache._kept.clear()
    for number, checkpoint in enumerate(reversed(CheckpointStore.open(tree.root).list()[:50]), 10):
        assert store.read(checkpoint.id, "a.txt") == f"{number}\n".encode()


@pytest.mark.parametrize("releases", [1, 7])
def test_what_deleted_checkpoints_held_is_gone_after_days_and_collections(
    tree: WorkingTree, releases: int
) -> None:
    """The disk holds what is left of the checkpoints, not what there ever was."""
    store = CheckpointStore.open(tree.root, options=StoreOptions(retention=RetentionPolicy(keep=3)))
    sizes = []
    for number in range(21):
        tree.write({"a.bin": os.urandom(100_000)})
        store.take()
        if number % (21 // releases) == 21 // releases - 1:
            for _ in range(2):
                grow_older(tree, 2 * DAY)
                turn(tree)
            tree.git("gc", "-q", "--prune=now")
            sizes.append(sum(path.stat().st_size for path in packs_of(tree).iterdir()))
    assert max(sizes) < 6 * 100_000
    assert len(list(packs_of(tree).glob("*.pack"))) == 1
    assert store.doctor().findings == ()


def test_packs_in_a_multi_pack_index_are_not_merged(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    for number in range(kept_packs.MOST_SMALL + 1):
        tree.write({"a.txt": f"{number}\n"})
        store.take()
    before = set(packs_of(tree).glob("*.pack"))
    grow_older(tree, 60)
    tree.git("multi-pack-index", "write")
    turn(tree)
    assert set(packs_of(tree).glob("*.pack")) == before
    tree.git("multi-pack-index", "verify")


def test_in_a_private_store_packs_are_merged_and_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    folder.mkdir()
    store = CheckpointStore.open(folder)
    for number in range(kept_packs.MOST_SMALL + 2):
        (folder / "a.txt").write_text(f"{number}\n")
        store.take()
    marks = list((tmp_path / "state").rglob("*.keep"))
    assert len(marks) == 2
    for mark in marks:
        os.utime(mark, (1, 1))
    store.take()
    assert len(list((tmp_path / "state").rglob("*.keep"))) == 3
    assert store.doctor().findings == ()
    for number, checkpoint in enumerate(reversed(store.list()[1:])):
        assert store.read(checkpoint.id, "a.txt") == f"{number}\n".encode()


KILLED = """
import os, signal, sys
from patchpoint.checkpoints import CheckpointStore
from patchpoint.filesystem.open_directory import OpenDirectory, StagedFile
left = int(sys.argv[2])
def counted(call):
    def instead(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **named)
    return instead
unlink = os.unlink
def unlink_counted(place, **named):
    return (counted(unlink) if b"pack-" in os.fsencode(place) else unlink)(place, **named)
os.unlink = unlink_counted
StagedFile.rename_over = counted(StagedFile.rename_over)
OpenDirectory.write_new = counted(OpenDirectory.write_new)
CheckpointStore.open(sys.argv[1]).take()
"""


def test_killed_at_any_instant_of_writing_and_merging_nothing_is_lost_or_left(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    for number in range(kept_packs.MOST_SMALL + 1):
        tree.write({"a.txt": f"{number}\n"})
        store.take()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for count in range(0, 200, 7):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(tree.root), str(count)], env=environment, check=False
        )
        tree.refuse_damage()
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert count > 7
    turn(tree)
    assert store.doctor().findings == ()
    files = {path.suffix for path in packs_of(tree).iterdir()}
    assert files == {".pack", ".idx", ".keep"}
    assert len({path.stem for path in packs_of(tree).iterdir()}) == len(marks_of(tree))
