"""Each call is killed at a random instant, at times the recovery as well, and the next start is watched."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.git import refs
from patchpoint.git.repository import Repository
from tests.checkpoints.killing import State, run_and_kill, state
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked and killed")

ROUNDS = int(os.environ.get("PATCHPOINT_KILLED_ROUNDS", "40"))
SEED = int(os.environ.get("PATCHPOINT_SEED", "1"))
_NAMES = [f"d{number % 4}/e{number % 3}/f{number}.txt" for number in range(24)] + [
    "ß/ü.txt",
    "-dash",
    "run.sh",
]


def change_files(tree: WorkingTree, rng: random.Random) -> None:
    for name in rng.sample(_NAMES, rng.choice([1, 4, 12])):
        if rng.random() < 0.25:
            (tree.root / name).unlink(missing_ok=True)
            continue
        tree.write({name: f"{rng.random()}\n" * rng.choice([1, 3, 500])})
        if rng.random() < 0.2:
            (tree.root / name).chmod(0o755)
    if rng.random() < 0.3:
        tree.git("add", "-A")
    if rng.random() < 0.2:
        tree.commit("one more")
    if rng.random() < 0.2:
        tree.git("pack-refs", "--all")


def locks(tree: WorkingTree) -> list[Path]:
    return list((tree.root / ".git").rglob("*.lock*"))


class Calls:
    """What is done to one repository, and the states that each may leave."""

    def __init__(self, tree: WorkingTree, rng: random.Random) -> None:
        self.tree, self.rng = tree, rng
        self.recorded: dict[str, State] = {}
        """The state that each checkpoint was taken of, by its id."""

    def take(self, session: str | None = None, message: str | None = None) -> str:
        id_ = CheckpointStore.open(self.tree.root).take(session=session, message=message).id
        self.recorded[id_] = state(self.tree)
        return id_

    def next(self, kind: str) -> tuple[Callable[[CheckpointStore], object], State | None]:
        """The call, and the state after it where that is another one."""
        rng, store = self.rng, CheckpointStore.open(self.tree.root)
        some = rng.choice([each.id for each in store.list()[:12]])
        if kind == "restore":
            return lambda store: store.restore(some, force=True), self.recorded[some]
        if kind == "undo":
            before = state(self.tree)
            if store.restore(some, force=True).safety is not None:
                return lambda store: store.undo(force=True), before
        if kind == "anchor":
            anchor = self.take("chat", f"m{rng.random()}")
            message = store.show(anchor).message
            change_files(self.tree, rng)
            self.take("chat", "later")
            return lambda store: store.restore(session="chat", message=message, force=True), self.recorded[
                anchor
            ]
        calls: dict[str, Callable[[CheckpointStore], object]] = {
            "take": lambda store: store.take(),
            "undo": lambda store: store.take(label="there is nothing to undo"),
            "prune": lambda store: store.prune(keep=5),
            "delete": lambda store: store.delete(some),
            "pin": lambda store: store.pin(some, pinned=not store.show(some).pinned),
        }
        return calls[kind], None


def kinds() -> Iterator[str]:
    while True:
        yield from ("restore", "take", "prune", "undo", "delete", "anchor", "pin")


def test_it_is_the_old_state_or_the_new_one_and_no_lock_is_left(tree: WorkingTree) -> None:
    rng = random.Random(SEED)
    calls = Calls(tree, rng)
    events: dict[str, int] = {}
    killed = 0
    for _, kind in zip(range(ROUNDS), kinds(), strict=False):
        change_files(tree, rng)
        calls.take()
        call, new = calls.next(kind)
        old = state(tree)
        at = rng.randint(1, events.get(kind, 60))
        done = run_and_kill(lambda call=call: call(CheckpointStore.open(tree.root)), at)  # type: ignore[misc]
        events[kind] = done + 5 if done else events.get(kind, 60)
        killed += not done
        if rng.random() < 0.3:
            run_and_kill(lambda: CheckpointStore.open(tree.root), rng.randint(1, 40))
        store = CheckpointStore.open(tree.root)
        now = state(tree)
        assert now in ((old,) if new is None else (old, new)), (SEED, kind, at)
        assert locks(tree) == [], (SEED, kind, at)
        tree.git("pack-refs", "--all")
        calls.take()
        for checkpoint in store.list():
            calls.recorded.setdefault(checkpoint.id, old)
    assert killed > ROUNDS / 3
    assert CheckpointStore.open(tree.root).doctor().findings == ()
    tree.refuse_damage()


@pytest.mark.parametrize("packed", [False, True])
def test_a_checkpoint_whose_pinning_was_killed_can_be_pinned(tree: WorkingTree, packed: bool) -> None:
    taken = CheckpointStore.open(tree.root).take()
    if packed:
        tree.git("pack-refs", "--all")

    def pin() -> None:
        CheckpointStore.open(tree.root).pin(taken.id)

    for at in range(1, 1000):
        events = run_and_kill(pin, at)
        store = CheckpointStore.open(tree.root)
        assert store.pin(taken.id).pinned
        assert locks(tree) == []
        assert list((tree.root / ".git/patchpoint").glob("refs.*")) == []
        store.pin(taken.id, pinned=False)
        if events:
            assert at > 5
            return
    pytest.fail("it was killed each time")


def test_a_name_that_is_taken_is_not_created_again(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    other = tree.git("rev-parse", "HEAD").strip()
    name = f"refs/patchpoint/checkpoints/{taken.id}".encode()
    for pack in (False, True):
        if pack:
            tree.git("pack-refs", "--all")
        assert not refs.create(Repository.open(tree.root).refs, name, other)
        assert store.show(taken.id).commit == taken.commit
