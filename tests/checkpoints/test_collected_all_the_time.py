"""Git collects garbage all the time, next to processes that take, restore and delete checkpoints.

The loops run for `PATCHPOINT_COLLECTED_SECONDS`, by default 8.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree

SECONDS = float(os.environ.get("PATCHPOINT_COLLECTED_SECONDS", "8"))
SEED = int(os.environ.get("PATCHPOINT_SEED", "1"))
COLLECTIONS = ("repack -adq", "gc -q --prune=now", "prune --expire=now")
CHANGES = ("pack-refs --all", "add -A", "commit -q --allow-empty -m more", "reset -q")
PROCESSES = 4
PACK_IS_GONE = "unable to mark recent objects"
"""What ends `git prune`, before it prunes, where another process replaces a pack that it is about to read."""

WORKER = """
import random, sys, time
from pathlib import Path
from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import (
    CheckpointDamagedError, CheckpointNotFoundError, NothingToUndoError, RepositoryBusyError, TreeMovedError
)
root, number, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
rng = random.Random(number)
end = time.monotonic() + seconds
store = CheckpointStore.open(root)
done = 0
while time.monotonic() < end:
    for name in rng.sample(range(120), rng.choice([1, 30])):
        content = rng.choice([f"{rng.random()}\\n" * 50, f"{rng.randrange(5)}\\n" * 50])
        (root / f"d{name % 9}" / f"f{name}").write_text(content)
    kind = rng.choice(["take"] * 6 + ["restore", "undo", "prune", "delete", "diff", "reopen"])
    try:
        known = store.list()
        some = rng.choice(known).id if known else ""  # the others may have deleted all of them
        if kind == "take" or not known:
            store.take(label=str(number), buffers={"d1/f1": f"{rng.randrange(3)}"})
        elif kind == "restore":
            store.restore(some, force=True)
        elif kind == "undo":
            store.undo(force=True)
        elif kind == "prune":
            store.prune(keep=20)
        elif kind == "delete":
            store.delete(some)
        elif kind == "diff":
            store.diff(some)
        else:
            store = CheckpointStore.open(root)
        done += 1
    except (CheckpointNotFoundError, NothingToUndoError, RepositoryBusyError, TreeMovedError):
        pass
    except CheckpointDamagedError:
        if kind != "diff":  # which reads without the lock what another process has deleted since
            raise
print(done)
"""


def test_every_checkpoint_can_be_read(tree: WorkingTree) -> None:
    for number in range(120):
        tree.write({f"d{number % 9}/f{number}": f"{number}\n" * 50})
    tree.commit("files")
    CheckpointStore.open(tree.root).take()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tree.root), str(SEED * PROCESSES + number), str(SECONDS)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    rng = random.Random(SEED)
    collected: Counter[str] = Counter()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if rng.random() < 0.2:
            tree.git(*rng.choice(CHANGES).split(), check=False)
        command = rng.choice(COLLECTIONS)
        try:
            tree.git(*command.split())
        except AssertionError as error:
            if PACK_IS_GONE not in str(error):
                raise
        else:
            collected[command] += 1
    for worker in workers:
        done, problems = worker.communicate()
        assert (worker.returncode, problems) == (0, "")
        assert int(done) > 0
    assert set(collected) == set(COLLECTIONS)
    tree.refuse_damage()
    store = CheckpointStore.open(tree.root)
    assert store.doctor().findings == ()
    checkpoints = (*store.list(), *store.list(safety=True))
    for checkpoint in checkpoints:
        tree.git("rev-list", "--objects", f"{checkpoint.commit}^!")
    for checkpoint in checkpoints[:5]:
        store.restore(checkpoint.id, force=True)
        assert store.take().tree == checkpoint.tree
