"""Histories of two sessions and a person, compared with what copies of all files say."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import ChangedSinceError, NothingToUndoError
from patchpoint.edit import Edit
from tests.git.git_judge import WorkingTree
from tests.operations.working import (
    Files,
    applied,
    created,
    deleted,
    files_in,
    redone,
    replaced,
    restored,
    reverted,
    undone,
)

HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "6"))
SEED = int(os.environ.get("PATCHPOINT_SEED", "1"))
STEPS = 30
WHO = ("", "claude-1", "codex-1")
NAMES = ("a.txt", "b.txt", "dir/c.txt", "dir/d.sh", "new/e.txt", "new/f/g.txt", "h.txt", "x.log")


@dataclass
class Done:
    """An operation, by the copies of all files before and after it."""

    who: str
    before: Files
    after: Files
    began: int
    last: int
    is_undone: bool = False
    undone_at: int = 0

    def differing(self) -> set[str]:
        names = self.before.keys() | self.after.keys()
        return {name for name in names if self.before.get(name) != self.after.get(name)}


@dataclass
class Model:
    """What undo and redo should do."""

    done: list[Done] = field(default_factory=list)
    clock: int = 0

    def add(self, who: str, before: Files, after: Files) -> None:
        self.clock += 1
        self.done.append(Done(who, before, after, self.clock, self.clock))

    def undo(self, who: str, now: Files) -> Files | None:
        """The files afterwards; those of `now` where it is refused, `None` where there is nothing to undo."""
        standing = [each for each in self.done if each.who == who and not each.is_undone]
        if not standing:
            return None
        chosen = max(standing, key=lambda each: each.last)
        return self._moved(chosen, chosen.after, chosen.before, now, is_undone=True)

    def redo(self, who: str, now: Files) -> Files | None:
        own = [each for each in self.done if each.who == who]
        undone = [each for each in own if each.is_undone]
        if not undone:
            return None
        chosen = max(undone, key=lambda each: each.last)
        if any(each.began > chosen.last for each in own):
            return None
        return self._moved(chosen, chosen.before, chosen.after, now, is_undone=False)

    def _moved(self, chosen: Done, there: Files, wanted: Files, now: Files, *, is_undone: bool) -> Files:
        names = chosen.differing()
        if any(now.get(name) != there.get(name) for name in names):
            return now
        self.clock += 1
        chosen.is_undone, chosen.last = is_undone, self.clock
        kept = {name: each for name, each in now.items() if name not in names}
        return kept | {name: wanted[name] for name in names if name in wanted}


def test_a_history_goes_back_and_forth_as_copies_of_all_files_do(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for number in range(HISTORIES):
        rng = random.Random(SEED * 1000 + number)
        tree = WorkingTree.create(tmp_path / str(number))
        tree.write({".gitignore": "*.log\n", "a.txt": lines(rng), "dir/c.txt": lines(rng), "x.log": "log\n"})
        model, checkpoints = Model(), [CheckpointStore.open(tree.root).take().id]
        for _ in range(STEPS):
            seen[step(tree, rng, model, checkpoints)] += 1
        tree.refuse_damage()
    print(dict(seen))
    assert all(seen[act] for act in ("undo", "redo", "undo refused", "redo refused", "restore", "revert"))


def step(tree: WorkingTree, rng: random.Random, model: Model, checkpoints: list[str]) -> str:
    who, before = rng.choice(WHO), files_in(tree.root)
    act = rng.choice(["apply"] * 5 + ["undo"] * 6 + ["redo"] * 4 + ["restore", "take", "revert", "person"])
    if act in ("undo", "redo"):
        wanted = (model.undo if act == "undo" else model.redo)(who, before)
        try:
            (undone if act == "undo" else redone)(tree.root, who)
        except NothingToUndoError:
            assert wanted is None
        except ChangedSinceError:
            assert wanted == before
        else:
            assert wanted is not None
            assert wanted == files_in(tree.root)
            return act
        assert files_in(tree.root) == before
        return f"{act} refused"
    if act == "take":
        checkpoints.append(CheckpointStore.open(tree.root).take().id)
    elif act == "person":
        name = rng.choice(NAMES)
        tree.write({name: None if name in before and rng.random() < 0.4 else lines(rng)})
    elif act == "restore":
        restored(tree.root, rng.choice(checkpoints), who)
        record(tree, model, who, before)
    elif act == "revert":
        try:
            done = reverted(tree.root)
        except StopIteration:
            return act
        if done.changes:
            record(tree, model, "", before)
    else:
        edits = list(edits_of(before, rng))
        done = applied(tree.root, edits, who, checkpoint=rng.random() < 0.5)
        if done.changes:
            record(tree, model, who, before)
    return act


def record(tree: WorkingTree, model: Model, who: str, before: Files) -> None:
    after = files_in(tree.root)
    if after != before:
        model.add(who, before, after)


def edits_of(files: Files, rng: random.Random) -> list[Edit]:
    edits = []
    for name in rng.sample(NAMES, rng.choice([1, 1, 2])):
        if name not in files:
            edits.append(created(name, lines(rng)))
        elif rng.random() < 0.3:
            edits.append(deleted(name))
        else:
            old = files[name][1].decode().splitlines(keepends=True)[0]
            edits.append(replaced(name, old, lines(rng)))
    return edits


def lines(rng: random.Random) -> str:
    return "".join(f"{rng.random()}\n" for _ in range(rng.choice([1, 3])))
