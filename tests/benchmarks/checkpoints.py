"""How fast checkpoints are, and git itself: `python -m tests.benchmarks.checkpoints [--sizes 1000,30000]`.

    make bench-checkpoints                          # three sizes, 15 rounds: some ten minutes
    python -m tests.benchmarks.checkpoints --sizes 30000 --rounds 5 --plain 0

Makes seeded trees with history, and times in one run, interleaved so that all meet the same noise: ours (a
whole `CheckpointStore.take`: objects, commit and ref) against the plumbing that other tools run (`git add
-A`, `write-tree`, `commit-tree`, `update-ref`) with a cold temporary index, with a copy of the user's
index, and with an index of its own that is kept. Prints minima, medians and the median of the ratios of what
was done in turn, and the same of the processor's time, which says more on a machine that has other work; at
the end, what came of every goal.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore, RetentionPolicy, StoreOptions
from patchpoint.checkpoints.snapshot import stat_cache
from patchpoint.filesystem.user_state import OVERRIDE
from patchpoint.git.index import read as index_read

_SIZES = (30_000, 57_000, 200_000)
_PLAIN_FILES = 30_000
_KEPT_INDEX_GOAL, _FIRST_GOAL, _RESTORE_GOAL = 1.0, 1.3, 1.1
"""What ours may take of git's time, for trees of `_JUDGED` files and more."""
_JUDGED = 10_000
_LOOSE_ROUNDS = 3
"""Rounds in which all objects are loose: git takes long for one."""
_RESTORED = 1_000
KEEP_ALL = StoreOptions(retention=RetentionPolicy())
_IGNORED = 30_000
_FILES_A_FOLDER = 30
_LONG_AGO = 1_700_000_000
_WORDS = [
    "def",
    "return",
    "import",
    "self",
    "value",
    "for",
    "in",
    "if",
    "else",
    "None",
    "None:",
    "=",
    "+",
    "(x)",
    "#",
]

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


_verdicts: list[str] = []
"""What came of the goals so far."""


def judge(what: str, figure: float, goal: float, note: str = "") -> None:
    """Note (and print) how a figure, the smaller the better, compares to its goal."""
    verdict = f"{what}: {figure:.2f}{note}   (goal: {goal:.2f}, {'met' if figure <= goal else 'MISSED'})"
    _verdicts.append(verdict)
    print(f"  {verdict}")


def processor_time() -> float:
    """Seconds that this process and those that it started and waited for have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _middle_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the ratios of what was measured one after the other."""
    return statistics.median([one / other for one, other in zip(ours, theirs, strict=False)])


@dataclass
class Table:
    """Times in milliseconds by what was done, on the clock and of the processor."""

    title: str
    times: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str, work: Callable[[], object]) -> None:
        used, start = processor_time(), time.perf_counter()
        work()
        self.times.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        self.processor.setdefault(name, []).append((processor_time() - used) * 1000)

    def least(self, name: str) -> float:
        return min(self.times[name])

    def show(self, ratios: Iterable[tuple[str, str, float | None]] = ()) -> None:
        """Print the table, and of each pair in `ratios` how the first compares to the second and to the
        goal."""
        print(f"\n{self.title}")
        for name, times in self.times.items():
            middle, used = statistics.median(times), min(self.processor[name])
            print(f"  {name:33} min {min(times):8.1f} ms  median {middle:8.1f} ms  processor {used:8.1f} ms")
        for ours, theirs, goal in ratios:
            ratio = _middle_ratio(self.times[ours], self.times[theirs])
            used = _middle_ratio(self.processor[ours], self.processor[theirs])
            note = f" (minima {self.least(ours) / self.least(theirs):.2f}, processor {used:.2f})"
            what = f"{self.title}: {ours} / {theirs}"
            if goal is None:
                print(f"  {what}: {ratio:.2f}{note}")
            else:
                judge(what, ratio, goal, note)


class Tree:
    """A seeded tree of `count` files in a repository with some history, as it is after work of a while."""

    def __init__(self, root: Path, count: int) -> None:
        self.root = root
        self.chance = random.Random(count)
        self.paths = [
            root / f"package{number // 3000:03}" / f"module{number // 300 % 10}" / f"part{number // 30 % 10}"
            f"/file_{number % _FILES_A_FOLDER:02}.py"
            for number in range(count)
        ]
        for folder in sorted({path.parent for path in self.paths}):
            folder.mkdir(parents=True)
        for path in self.paths:
            path.write_text(self.text())

    def text(self) -> str:
        """Something like source text, of 0.1 to 3 KB."""
        return "".join(
            " ".join(self.chance.choices(_WORDS, k=8)) + f" {self.chance.random()}\n"
            for _ in range(self.chance.randrange(2, 60))
        )

    def edit(self, count: int) -> None:
        for path in self.chance.sample(self.paths, min(count, len(self.paths))):
            with path.open("a") as file:
                file.write(f"{self.chance.random()}\n")

    def ignored_files(self) -> None:
        for number in range(_IGNORED):
            path = self.root / "node_modules" / f"dependency{number // 100}" / f"file{number % 100}.js"
            if number % 100 == 0:
                path.parent.mkdir(parents=True)
            path.write_text("x\n")

    def git(self, *arguments: str, index: Path | None = None) -> str:
        environment = {**_ENVIRONMENT, "GIT_INDEX_FILE": str(index)} if index else _ENVIRONMENT
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit_history(self, *, pack: bool = True) -> None:
        (self.root / ".gitignore").write_text("node_modules/\n*.log\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "gc.auto", "0")
        for number in range(3):
            if number:
                self.edit(200)
            self.git("add", "-A")
            self.git("commit", "-q", "-m", f"commit {number}")
        if pack:
            self.pack()
        self.settle()

    def pack(self) -> None:
        self.git("repack", "-adq")
        self.git("prune-packed")

    def settle(self) -> None:
        """Give the files an age, so that neither git nor we have to doubt their time stamps."""
        for path in self.paths:
            os.utime(path, (_LONG_AGO, _LONG_AGO))
        self.git("update-index", "-q", "--refresh")
        wait_a_tick(self.root)

    def record(self, index: Path) -> None:
        """What tools run to take a checkpoint in an index that is not the user's."""
        self.git("add", "-A", index=index)
        tree = self.git("write-tree", index=index)
        commit = self.git("commit-tree", "-p", "HEAD", "-m", "checkpoint", tree)
        self.git("update-ref", "refs/other/checkpoint", commit)


def wait_a_tick(folder: Path) -> None:
    """Return when the file system's clock is well past all time stamps that there are."""
    probe = folder / ".git" / "probe"
    first = time.time_ns()
    while time.time_ns() - first < 50_000_000:
        probe.touch()
    probe.unlink()


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def forget(root: Path) -> None:
    """Make the next checkpoint the first one, as of a process that knows nothing yet."""
    (root / ".git" / "patchpoint" / "stat-cache").unlink(missing_ok=True)
    stat_cache._kept.clear()
    index_read._kept.clear()


def measure_repository(place: Path, count: int, rounds: int) -> float:
    """Time checkpoints of a tree of `count` files; answers the least time of one of the unchanged tree."""
    tree = Tree(place / f"tree{count}", count)
    tree.commit_history(pack=False)
    own, copied, cold = (place / f"{name}{count}" for name in ("own", "copied", "cold"))
    user = tree.root / ".git" / "index"
    store = CheckpointStore.open(tree.root, options=KEEP_ALL)
    is_judged = count >= _JUDGED

    def with_cold_index() -> None:
        cold.unlink(missing_ok=True)
        tree.git("read-tree", "HEAD", index=cold)
        tree.record(cold)

    def with_copied_index() -> None:
        shutil.copy2(user, copied)
        tree.record(copied)

    def measure_first(state: str, rounds: int) -> None:
        table = Table(f"{count:,} files, objects {state}")
        for _ in range(rounds):
            forget(tree.root)
            table.time("ours, first", store.take)
            table.time("git, cold index", with_cold_index)
        table.show([("ours, first", "git, cold index", _FIRST_GOAL if is_judged else None)])

    measure_first("loose", _LOOSE_ROUNDS)
    tree.pack()
    measure_first("packed", max(rounds // 2, 3))
    shutil.copy2(user, own)
    tree.record(own)
    store.take()
    unchanged = Table(f"{count:,} files, unchanged")
    for number in range(rounds):
        unchanged.time("ours", store.take)
        unchanged.time("git, index kept", lambda: tree.record(own))
        if number % 2 == 0:
            unchanged.time("git, user's index copied", with_copied_index)
    unchanged.show(
        [
            ("ours", "git, index kept", _KEPT_INDEX_GOAL if is_judged else None),
            ("ours", "git, user's index copied", None),
        ]
    )
    for changed, times in ((10, rounds), (1000, 3)):
        table = Table(f"{count:,} files, {changed:,} of them changed")
        for _ in range(times):
            # Each finds half of the contents stored already, by the other.
            tree.edit(changed // 2)
            table.time("ours", store.take)
            tree.edit(changed // 2)
            table.time("git, index kept", lambda: tree.record(own))
        goal = _KEPT_INDEX_GOAL if changed == 10 and is_judged else None
        table.show([("ours", "git, index kept", goal)])
    measure_restore(tree, store, rounds)
    tree.ignored_files()
    wait_a_tick(tree.root)
    store.take()
    table = Table(f"{count:,} files, unchanged, and {_IGNORED:,} ignored ones")
    for _ in range(3):
        table.time("ours", store.take)
        table.time("git, index kept", lambda: tree.record(own))
    table.show([("ours", "git, index kept", None)])
    shutil.rmtree(tree.root)
    return unchanged.least("ours")


def measure_restore(tree: Tree, store: CheckpointStore, rounds: int) -> None:
    """Time taking back what a run did: before it, ours has a checkpoint, and git an index that is up to date
    (each would else pay here for the files that the other one put back in the round before)."""
    tree.git("checkout", "-q", "-f", "HEAD", "--", ".")
    tree.settle()
    table = Table(f"{len(tree.paths):,} files, restoring {_RESTORED:,}")

    def after_a_run(name: str, work: Callable[[str], object]) -> None:
        tree.git("update-index", "-q", "--refresh")
        checkpoint = store.take()
        tree.edit(_RESTORED)
        table.time(name, lambda: work(checkpoint.id))

    for _ in range(rounds):
        after_a_run("ours, safety checkpoint included", store.restore)
        after_a_run("git reset --hard", lambda _: tree.git("reset", "-q", "--hard"))
    goal = _RESTORE_GOAL if len(tree.paths) >= _JUDGED else None
    table.show([("ours, safety checkpoint included", "git reset --hard", goal)])


def measure_plain_folder(place: Path, count: int) -> None:
    """A folder that is in no repository: the first checkpoint of all of it, and what it takes on the disk."""
    plain = Tree(place / f"plain{count}", count)
    store = CheckpointStore.open(plain.root)
    table = Table(f"{count:,} files in no repository")
    table.time("ours", store.take)
    ours = sum(bytes_in(folder) for folder in Path(os.environ[OVERRIDE]).rglob("objects"))

    def with_git() -> None:
        plain.git("init", "-q")
        plain.git("add", "-A")

    table.time("git init, git add -A", with_git)
    theirs = bytes_in(plain.root / ".git" / "objects")
    table.show([("ours", "git init, git add -A", 1.0)])
    sizes = f" (ours {ours / 1e6:.1f} MB, git {theirs / 1e6:.1f} MB)"
    judge(f"{table.title}: ours / git, bytes on disk", ours / theirs, 0.33, sizes)
    shutil.rmtree(plain.root)


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description="Time checkpoints and git itself.")
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)), help="numbers of files, with commas")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--plain", type=int, help="files in the folder without a repository; by default as the largest tree"
    )
    arguments = parser.parse_args()
    sizes = sorted(map(int, arguments.sizes.split(",")))
    plain = min(sizes[-1], _PLAIN_FILES) if arguments.plain is None else arguments.plain
    with tempfile.TemporaryDirectory(prefix="patchpoint-bench-") as folder:
        place = Path(folder)
        os.environ[OVERRIDE] = str(place / "state")
        least: dict[int, float] = {}
        for count in sizes:
            least[count] = measure_repository(place, count, arguments.rounds)
        if plain:
            measure_plain_folder(place, plain)
        for small, large in pairwise(sizes):
            growth = least[large] / least[small]
            judge(f"time of {large:,} files unchanged / time of {small:,}", growth, 1.1 * large / small)
    print("\nAll goals", *_verdicts, sep="\n  ")


if __name__ == "__main__":
    main()
