"""What becomes of composed answers: `python -m tests.benchmarks.composed [--vs OTHER] [--seed N] [set …]`.

The sets are `headings` above code, ordinary answers in many `manners` and languages, second `requests` in a
sentence, in eight languages, `parts` of data files and lists of imports, and `several` edits in one answer.
The last two are random: the same seed gives the same answers. Of `manners` and `requests` the right result is
known.

With `--vs` the same answers are read by another checkout of this project, too (a clone of the commit before a
change), and each answer that it makes something else of is counted by what differs. It may be older than
this benchmark.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.composed.answers import Changes, ComposedAnswer
from tests.composed.fates import Fate, Judgement, Result, change, judgement, results_with
from tests.composed.sets import SETS, answers_of

ROOT = Path(__file__).resolve().parents[2]

Judged = tuple[ComposedAnswer, Sequence[Result]]
"""An answer, and what each version made of it, this one last."""


def main() -> int:
    """Print what became of each set, and the answers that are wrong or that two versions differ in."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("sets", nargs="*", metavar="set", help=" ".join(SETS))
    options.add_argument("--vs", type=Path, metavar="OTHER", help="another checkout to compare with")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--count", type=int, default=1000, help="so many answers of each random set")
    options.add_argument("--show", type=int, default=3, help="the most answers of a class that are shown")
    given = options.parse_args()
    if unknown := set(given.sets) - set(SETS):
        options.error(f"there is no set {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    checkouts = [path.resolve() for path in (given.vs, ROOT) if path]
    for path in checkouts:
        if not (path / "server" / "patchpoint").is_dir():
            options.error(f"{path} is no checkout of Patchpoint: it has no server/patchpoint")
    started = time.monotonic()
    answers = list(answers_of(given.sets or SETS, given.count, given.seed))
    servers = [path / "server" for path in checkouts]
    with ThreadPoolExecutor() as threads:
        results = list(threads.map(partial(results_with, answers=answers), servers))
    for path, its_results in zip(checkouts, results, strict=True):
        print(f"with {path.name}" if given.vs else "with this checkout")
        print("\n".join(_counts(answers, its_results)), end="\n\n")
    judged = list(zip(answers, zip(*results, strict=True), strict=True))
    found = _differing(judged) if given.vs else _wrong(judged)
    classes = sorted(found.items(), key=lambda item: -len(item[1]))
    for name, among in classes:
        print(f"{len(among):5} {name}")
    for name, among in classes:
        for answer, its in among[: given.show]:
            print(f"\n{'=' * 8} {name}: {answer.group}, {answer.name}\n")
            print("\n".join(_shown(answer, its)))
    print(f"\n{len(answers)} answers, {time.monotonic() - started:.0f} s")
    return 0


def _counts(answers: Sequence[ComposedAnswer], results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each set, and how its answers fared."""
    fates: Counter[tuple[str, Fate]] = Counter()
    worths: Counter[tuple[str, Judgement | None]] = Counter()
    for answer, result in zip(answers, results, strict=True):
        fates[answer.group, result.fate] += 1
        worths[answer.group, judgement(answer, result)] += 1
    titles = ["answers", *(fate.value for fate in Fate), "known", *(one.value for one in Judgement)]
    yield f"  {'':10}" + "".join(f"  {title}" for title in titles)
    for group in dict.fromkeys(answer.group for answer in answers):
        own = [fates[group, fate] for fate in Fate]
        known = [worths[group, one] for one in Judgement]
        cells = [sum(own), *own, *([sum(known), *known] if any(known) else [])]
        padded = (f"  {cell:{len(title)}}" for cell, title in zip(cells, titles, strict=False))
        yield f"  {group:10}" + "".join(padded)


def _wrong(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Return the answers that are wrong with this version, by how they are."""
    found: dict[str, list[Judged]] = {}
    for answer, results in judged:
        worth = judgement(answer, results[-1])
        if worth in (Judgement.WRONG, Judgement.WRONG_WITH_A_YES):
            found.setdefault(worth.value, []).append((answer, results))
    return found


def _differing(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Return the answers that two versions differ in, by what differs."""
    found: dict[str, list[Judged]] = {}
    for answer, (before, now) in judged:
        if name := change(answer, before, now):
            found.setdefault(name, []).append((answer, (before, now)))
    return found


def _shown(answer: ComposedAnswer, results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of an answer, and what each version made of it."""
    yield from (f"    {line}".rstrip() for line in answer.text.splitlines())
    for version, result in zip(("before", "now")[-len(results) :], results, strict=True):
        yield f"\n---- {version}: {result.fate.value}{f' ({result.raised})' if result.raised else ''}"
        yield f"     {'; '.join(result.reasons)}"
        yield from _difference(answer, result.written)
        if result.with_yes != result.written:
            yield "     with a yes:"
            yield from _difference(answer, result.with_yes)
    if answer.right:
        others = len(answer.right) - 1
        yield f"\n---- right{f', as {others} others would be' if others else ''}:"
        yield from _difference(answer, answer.right[0])


def _difference(answer: ComposedAnswer, changes: Changes) -> Iterator[str]:
    """Yield the lines of a unified difference for each file that changes."""
    for path, after in changes.items():
        names = (path if path in answer.files else "none", path if after is not None else "none")
        before = answer.files.get(path, "").splitlines()
        lines = list(difflib.unified_diff(before, (after or "").splitlines(), *names, n=2, lineterm=""))
        yield from lines or [f"--- {names[0]}", f"+++ {names[1]}"]


if __name__ == "__main__":
    sys.exit(main())
