"""What the engines made of the cases, as a file keeps it, and the tables that show it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.applying.cases import CASES, DATA, Case, Verdict
from tests.applying.engines import Answer, Engine

RESULTS = DATA / "results"
ERRATA = DATA / "errata.json"
OURS = "patchpoint"

_LETTERS = {Verdict.RIGHT: "R", Verdict.ALTERED: "A", Verdict.WRONG: "W", Verdict.REFUSED: "-"}

Table = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """What one engine made of all cases."""

    name: str
    version: str
    fates: Mapping[str, str]
    """By kind, a letter for each case: right, altered, wrong, or `-` for refused."""
    median: float
    """Milliseconds."""
    late: float
    """Milliseconds; 95 of 100 cases took at most that."""
    unstable: tuple[str, ...]
    """The cases that did not become the same in every run that ended."""
    too_long: tuple[str, ...]
    crashed: tuple[str, ...]

    def count(self, verdict: Verdict, kind: str | None = None) -> int:
        """Return how many cases, of one kind or of all, became that."""
        fates = self.fates.values() if kind is None else [self.fates[kind]]
        return sum(fate.count(_LETTERS[verdict]) for fate in fates)


def result_of(engine: Engine, cases: Sequence[Case], runs: Sequence[Sequence[Answer]]) -> EngineResult:
    """Return what an engine made of cases, the first run being judged."""
    fates: dict[str, str] = {}
    for case, answer in zip(cases, runs[0], strict=True):
        fates[case.kind] = fates.get(case.kind, "") + _LETTERS[case.verdict(answer.after)]
    first = list(zip(cases, runs[0], strict=True))
    times = sorted(answer.milliseconds for answers in runs for answer in answers)
    return EngineResult(
        name=engine.name,
        version=engine.version,
        fates=fates,
        median=round(median(times), 3),
        late=round(times[int(0.95 * len(times))], 3),
        unstable=tuple(
            case.name
            for case, *answers in zip(cases, *runs, strict=True)
            if len({one.after for one in answers if not one.is_late}) > 1
        ),
        too_long=tuple(case.name for case, answer in first if answer.is_late),
        crashed=tuple(case.name for case, answer in first if answer.error),
    )


def write_results(file: Path, date: str, runs: int, results: Iterable[EngineResult]) -> None:
    """Write results as JSON, with what they were measured of, and where.

    The results of other engines in the file stay, if they are of the same day, cases, runs and machine.
    """
    head = {
        "date": date,
        "cases": hashlib.sha256(CASES.read_bytes()).hexdigest(),
        "runs": runs,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
    }
    engines = {result.name: asdict(result) for result in results}
    if file.exists():
        there = json.loads(file.read_text(encoding="utf-8"))
        if {name: there.get(name) for name in head} == head:
            engines = {one["name"]: one for one in there["engines"]} | engines
    text = json.dumps(head | {"engines": list(engines.values())}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")


def read_results(file: Path) -> list[EngineResult]:
    """Return the results in a file."""
    rows = json.loads(file.read_text(encoding="utf-8"))["engines"]
    lists = ("unstable", "too_long", "crashed")
    return [EngineResult(**row | {name: tuple(row[name]) for name in lists}) for row in rows]


def read_head(file: Path) -> dict[str, Any]:
    """Return the date, runs, machine and Python of a file of results, and the count of its cases."""
    whole: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    count = sum(map(len, whole["engines"][0]["fates"].values()))
    return {name: whole[name] for name in ("date", "cases", "runs", "machine", "python")} | {"count": count}


def errata() -> dict[str, str]:
    """Return the cases that are not counted, with what is wrong with them."""
    rows = json.loads(ERRATA.read_text(encoding="utf-8"))
    return {row["case"]: row["why"] for row in rows}


def tables(results: Sequence[EngineResult]) -> Iterator[tuple[str, Table]]:
    """Yield the tables with their titles: where Patchpoint loses, all cases, and each kind."""
    yield "Where Patchpoint loses", _losses(results)
    yield "All cases", _all(results)
    yield "Each kind: right / altered / wrong, the rest refused", _kinds(results)


def _losses(results: Sequence[EngineResult]) -> Table:
    ours = next((result for result in results if result.name == OURS), None)
    rows = [["", OURS, "better"]]
    if ours is None:
        return rows
    others = [result for result in results if result is not ours]
    for kind in ours.fates:
        more = [one for one in others if one.count(Verdict.RIGHT, kind) > ours.count(Verdict.RIGHT, kind)]
        fewer = [one for one in others if one.count(Verdict.WRONG, kind) < ours.count(Verdict.WRONG, kind)]
        if more:
            shown = ", ".join(f"{one.name} {one.count(Verdict.RIGHT, kind)}" for one in more)
            rows.append([f"{kind}: right", str(ours.count(Verdict.RIGHT, kind)), shown])
        if fewer:
            shown = ", ".join(f"{one.name} {one.count(Verdict.WRONG, kind)}" for one in fewer)
            rows.append([f"{kind}: wrong", str(ours.count(Verdict.WRONG, kind)), shown])
    quicker = [one for one in others if one.median < ours.median]
    if quicker:
        shown = ", ".join(f"{one.name} {_time(one.median)}" for one in quicker)
        rows.append(["median time of a case", _time(ours.median), shown])
    return rows


def _all(results: Sequence[EngineResult]) -> Table:
    head = [
        "engine",
        *(verdict.value for verdict in Verdict),
        "median",
        "95 of 100",
        "not the same",
        "> limit",
        "raised",
    ]
    return [
        head,
        *(
            [
                f"{one.name} {one.version}",
                *(str(one.count(verdict)) for verdict in Verdict),
                _time(one.median),
                _time(one.late),
                str(len(one.unstable)),
                str(len(one.too_long)),
                str(len(one.crashed)),
            ]
            for one in sorted(results, key=lambda one: -one.count(Verdict.RIGHT))
        ),
    ]


def _kinds(results: Sequence[EngineResult]) -> Table:
    kinds = list(dict.fromkeys(kind for result in results for kind in result.fates))
    shown = (Verdict.RIGHT, Verdict.ALTERED, Verdict.WRONG)

    def cell(result: EngineResult, kind: str) -> str:
        counts = Counter({verdict: result.count(verdict, kind) for verdict in shown})
        return " / ".join(str(counts[verdict]) for verdict in shown)

    rows = [[kind, str(len(results[0].fates[kind])), *(cell(one, kind) for one in results)] for kind in kinds]
    return [["kind", "cases", *(result.name for result in results)], *rows]


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.2f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
