"""How well and how fast edits find their place: run `python -m tests.benchmarks.locate [--quick]`.

Runs the cases of `../shared/cases` where that folder is there (edits that real models wrote, and made
ones), rung by rung, and two plain engines on the same real cases: diff-match-patch, and a window of equal
length slid over the lines with difflib. Then shows how time grows with the text.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from types import ModuleType
from typing import Any

from diff_match_patch import diff_match_patch  # type: ignore[import-untyped]

from patchpoint import Ladder, apply_edit
from patchpoint.locate.hints import Hints
from patchpoint.locate.ladder import locate
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote
from patchpoint.progress import Silent

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
WINDOW_SIMILARITY = 0.8
"""What aider asked of a window before it gave the method up."""
WINDOW_SECONDS = 1.0
"""So long the sliding window may look for one edit; in large files it would look for minutes."""

Engine = Callable[[str, str, str, bool], tuple[str | None, str]]
"""Text, search, replacement, all occurrences: the new text or `None`, and how it was found."""


@dataclass
class Tally:
    """What became of the cases of one row."""

    right: int = 0
    wrong: int = 0
    refused: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, verdict: str, must_refuse: bool, milliseconds: float) -> None:
        """Count one case; refusing is right where nothing may be written."""
        self.right += verdict in ("bytes", "place") or (must_refuse and verdict == "refused")
        self.wrong += verdict == "wrong"
        self.refused += verdict == "refused"
        self.times.append(milliseconds)

    def row(self, name: str) -> str:
        """One line of a table."""
        times = sorted(self.times)
        count = len(times)
        middle, late = times[count // 2], times[int(count * 0.95)]
        return (
            f"  {name:32} {count:5} {100 * self.right / count:6.1f} % {100 * self.wrong / count:7.2f} % "
            f"{middle:9.2f} {late:9.1f}"
        )


def patchpoint(text: str, search: str, replace: str, every: bool) -> tuple[str | None, str]:
    """What this project does."""
    outcome = apply_edit(text, search, replace, replace_all=every)
    return outcome.text, outcome.rung.value if outcome.rung else outcome.status.value


def match_and_patch(text: str, search: str, replace: str, every: bool) -> tuple[str | None, str]:
    """Google's diff-match-patch: a patch from search text to replacement, looked for in the whole text."""
    engine = diff_match_patch()
    engine.Match_Distance = max(1000, 4 * len(text))
    engine.Diff_Timeout = 0.5
    patched, landed = engine.patch_apply(engine.patch_make(search, replace), text)
    return (patched, "patch") if landed and all(landed) else (None, "none")


def sliding_window(text: str, search: str, replace: str, every: bool) -> tuple[str | None, str]:
    """The window of as many lines that difflib finds most similar."""
    if search in text:
        return text.replace(search, replace, -1 if every else 1), "exact"
    lines = text.splitlines(keepends=True)
    size = len(search.splitlines())
    best, place = WINDOW_SIMILARITY, -1
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(search)
    started = time.perf_counter()
    for start in range(len(lines) - size + 1):
        if time.perf_counter() - started > WINDOW_SECONDS:
            return None, "too long"
        matcher.set_seq1("".join(lines[start : start + size]))
        if (
            matcher.real_quick_ratio() >= best
            and matcher.quick_ratio() >= best
            and (ratio := matcher.ratio()) > best
        ):
            best, place = ratio, start
    if place < 0:
        return None, "none"
    return "".join(lines[:place]) + replace + "".join(lines[place + size :]), "window"


def main() -> None:
    """Print the tables."""
    if CASES.is_dir():
        score = _scorer()
        for name in ("real", "made", "keep"):
            _by_rung(score, name)
        if "--quick" not in sys.argv:
            _compare(score)
    else:
        print(f"there are no cases at {CASES}: only growth is measured")
    _growth()
    _hundred_megabytes()


def _scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", CASES / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _cases(score: Any, name: str) -> Iterator[Any]:
    readers = {"real": score.real_cases, "made": score.made_cases, "keep": score.keep_cases}
    yield from readers[name](CASES / f"{name}-dev.jsonl.xz")


def _run(score: Any, name: str, engine: Engine) -> tuple[dict[str, Tally], dict[str, Tally]]:
    """The tallies by group of case, and by how the place was found."""
    groups: dict[str, Tally] = defaultdict(Tally)
    ways: dict[str, Tally] = defaultdict(Tally)
    for _, group, content, search, replace, every, judged, _, _, _ in _cases(score, name):
        started = time.perf_counter()
        after, way = engine(content, search, replace, every)
        milliseconds = 1000 * (time.perf_counter() - started)
        verdict = score.judge(content, after, **judged)
        must_refuse = judged.get("may_change") is False
        groups[group].add(verdict, must_refuse, milliseconds)
        ways[way].add(verdict, must_refuse, milliseconds)
    return groups, ways


def _by_rung(score: Any, name: str) -> None:
    groups, ways = _run(score, name, patchpoint)
    print(f"{name} cases{'':27} cases    right     wrong   ms median       p95")
    for group in sorted(groups):
        print(groups[group].row(group))
    print("  by rung or refusal:")
    for way in sorted(ways):
        print(ways[way].row("  " + way))


def _compare(score: Any) -> None:
    engines: dict[str, Engine] = {
        "patchpoint": patchpoint,
        "diff-match-patch": match_and_patch,
        "difflib window": sliding_window,
    }
    for name, engine in engines.items():
        groups, _ = _run(score, "real", engine)
        print(f"real cases, {name:22} cases    right     wrong   ms median       p95")
        for group in sorted(groups):
            print(groups[group].row(group))


def _growth() -> None:
    print("a drifted search of 20 lines, ms of the best of three  similarity  indentation   nowhere")
    for count in (1_000, 10_000, 100_000, 1_000_000):
        lines = _code(count)
        text = "\n".join(lines) + "\n"
        at = 2 * count // 3
        block = lines[at : at + 20]
        drifted = [line.replace("(", "( ", 1) + "x" if n % 3 == 0 else line for n, line in enumerate(block)]
        deeper = ["\t" + line for line in block]
        alien = [f"    completely = unknown({n}, thing) and nothing_of_it" for n in range(20)]
        times = [_best(text, quoted) for quoted in (drifted, deeper, alien)]
        print(f"  in {count:9,} lines {'':30} {times[0]:9.1f} {times[1]:12.1f} {times[2]:9.1f}")


def _best(text: str, quoted: list[str]) -> float:
    search = "\n".join(quoted) + "\n"
    replace = search.replace(quoted[10], quoted[10] + "  # changed")
    runs = []
    for _ in range(3):
        started = time.perf_counter()
        apply_edit(text, search, replace)
        runs.append(1000 * (time.perf_counter() - started))
    return min(runs)


def _hundred_megabytes() -> None:
    text = "x = 1234567890 + abcdefgh(ijkl)\n" * (100 * 1024 * 1024 // 32)
    at = len(text) * 9 // 10 // 32 * 32
    search = "the line that is only here\n"
    text = text[:at] + search + text[at:]
    found: list[float] = []
    located: list[float] = []
    replaced: list[float] = []
    applied: list[float] = []
    for _ in range(5):
        started = time.perf_counter()
        text.find(search)
        found.append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        locate(SourceText(text), Quote.of(search, ""), Hints(), Ladder(), Silent())
        located.append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        text.replace(search, "another line\n", 1)
        replaced.append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        apply_edit(text, search, "another line\n")
        applied.append(1000 * (time.perf_counter() - started))
    print(
        f"an exact match in 100 MB: located in {min(located):.0f} ms, {min(located) / min(found):.1f} times "
        f"str.find ({min(found):.0f} ms); applied in {min(applied):.0f} ms, "
        f"{min(applied) / min(replaced):.1f} times str.replace ({min(replaced):.0f} ms)"
    )


def _code(count: int) -> list[str]:
    """Return `count` lines that look like a program; the same each time."""
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz_"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(3000)]
    lines: list[str] = []
    while len(lines) < count:
        a, b, c, d = chance.choices(words, k=4)
        lines.append(f"def {a}_{b}({c}, {d}):")
        for _ in range(chance.randint(3, 12)):
            kind = chance.random()
            if kind < 0.15:
                lines.append("    return None")
            elif kind < 0.25:
                lines.append("")
            elif kind < 0.35:
                lines.append("    else:")
            else:
                a, b, c, d = chance.choices(words, k=4)
                lines.append(f"    {a} = {b}({c}, {d}) + {chance.randint(0, 99)}")
    return lines[:count]


if __name__ == "__main__":
    main()
