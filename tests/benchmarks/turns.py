"""What a change does to the time of finding a place: `python -m tests.benchmarks.turns OTHER [set …]`.

Runs the same edits with another checkout of this project (a clone of the commit before the change) and with
this one, in turn, each in a process of its own, so that the noise of the machine meets both. The processor's
time counts and, for each edit, the least of the rounds. Outcomes that differ are named.

The sets are `real`, `made`, `keep` and `lazy` of `../shared/cases` where that folder is there, and `drift`,
the drifted edits of `tests/locate`.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import lzma
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
SETS = ("real", "made", "keep", "lazy", "drift")
TURN = 40
"""So many edits are run with one checkout before the other has its turn."""
DRIFTED = 60

Work = Callable[[], Any]


def main() -> None:
    """Print the percentiles of both, their ratios, and the edits that take longest now."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("other", type=Path, help="the checkout to compare with")
    options.add_argument("sets", nargs="*", help=" ".join(SETS))
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    sets = given.sets or [name for name in SETS if name == "drift" or CASES.is_dir()]
    if given.worker:
        _work(given.other, sets)
        return
    workers = [_Worker(checkout, sets) for checkout in (given.other.resolve(), ROOT)]
    names = workers[0].names
    for number in range(given.rounds):
        for start in range(0, len(names), TURN):
            for worker in workers if number % 2 == 0 else workers[::-1]:
                worker.run(start, min(len(names), start + TURN))
    for name in sets:
        _report(name, [at for at, key in enumerate(names) if key.startswith(f"{name} ")], *workers)
    differing = [
        key
        for key, one, other in zip(names, *(worker.outcomes for worker in workers), strict=True)
        if one != other
    ]
    print(f"{len(names)} outcomes, {len(differing)} differ", *differing[:20], sep="\n  ")


class _Worker:
    """One checkout, and the least time of each edit so far in milliseconds."""

    def __init__(self, checkout: Path, sets: list[str]) -> None:
        command = [sys.executable, str(Path(__file__)), str(checkout), *sets, "--worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.names: list[str] = self._reply()
        self.times = [math.inf] * len(self.names)
        self.outcomes = [""] * len(self.names)

    def run(self, start: int, end: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{start} {end}\n")
        self._process.stdin.flush()
        for at, (taken, outcome) in enumerate(self._reply(), start):
            self.times[at] = min(self.times[at], taken)
            self.outcomes[at] = outcome

    def _reply(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def _report(name: str, among: list[int], other: _Worker, own: _Worker) -> None:
    if not among:
        return
    before, after = (sorted(worker.times[at] for at in among) for worker in (other, own))
    print(f"{name}, {len(among)} edits{'':12} before, ms   now, ms   ratio")
    for row, part in (("median", 0.5), ("95th percentile", 0.95), ("99th percentile", 0.99), ("worst", 1.0)):
        at = min(int(part * len(among)), len(among) - 1)
        print(f"  {row:24} {before[at]:12.2f} {after[at]:9.2f} {after[at] / before[at]:7.2f}")
    print(f"  {'all':24} {sum(before):12.0f} {sum(after):9.0f} {sum(after) / sum(before):7.2f}")
    slow = sorted(among, key=lambda at: -own.times[at])[:5]
    print("  slowest now:", ", ".join(f"{own.names[at].split(' ', 1)[1]} {own.times[at]:.0f}" for at in slow))


def _work(checkout: Path, sets: list[str]) -> None:
    """Time the edits that are asked for on standard input with the code of a checkout."""
    sys.path[:0] = [str(checkout / "server"), str(ROOT)]
    edits = [pair for name in sets for pair in _edits(name)]
    print(json.dumps([key for key, _ in edits]), flush=True)
    for line in sys.stdin:
        start, end = map(int, line.split())
        replies = []
        for _, work in edits[start:end]:
            began = time.process_time()
            outcome = work()
            taken = 1000 * (time.process_time() - began)
            replies.append((taken, hashlib.sha1(_shown(outcome).encode("utf-8", "replace")).hexdigest()))
        print(json.dumps(replies), flush=True)


def _shown(result: Any) -> str:
    """Return everything that an outcome or a report says."""
    if hasattr(result, "outcomes"):
        return repr(sorted(result.files.items())) + "".join(map(_shown, result.outcomes))
    return repr(replace(result, before=None)) + repr(result.text)


def _edits(name: str) -> Iterator[tuple[str, Work]]:
    from patchpoint import apply_edit, apply_edits

    if name == "drift":
        from tests.benchmarks.drift import project_texts
        from tests.locate.drifted_edits import KINDS, drifted_edits

        corpus = project_texts()
        for kind in KINDS:
            for number, edit in enumerate(drifted_edits(kind, corpus, DRIFTED, 0)):
                yield f"drift {kind} {number}", partial(apply_edit, edit.text, edit.search, edit.replace)
    elif name == "lazy":
        with lzma.open(CASES / "lazy-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                files = {case["path"]: case["before"]}
                yield f"lazy {case['id']}", partial(apply_edits, files, case["answer"])
    else:
        score: Any = _scorer()
        readers = {"real": score.real_cases, "made": score.made_cases, "keep": score.keep_cases}
        for case in readers[name](CASES / f"{name}-dev.jsonl.xz"):
            ident, _, text, search, new, every, _, _, _, path = case
            yield f"{name} {ident}", partial(apply_edit, text, search, new, replace_all=every, path=path)


def _scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", CASES / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
