"""The open benchmark of applying edits, which `patchpoint bench` runs; see docs/benchmark.md."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.applying.cases import Case, read_cases
from tests.applying.engines import Answer, Engine, MissingEngineError, engines
from tests.applying.results import EngineResult, Table, errata, result_of, tables, write_results


def run(options: argparse.Namespace) -> int:
    """Ask each engine that is there about each case, print the tables, and return an exit status.

    The options are those of `patchpoint bench`.
    """
    left_out = errata()
    cases = [
        case
        for case in read_cases()
        if case.name not in left_out and (not options.kind or case.kind in options.kind)
    ]
    chosen = [one for one in engines(options.engine) if not options.only or one.name in options.only]
    if not cases or not chosen:
        print("There is no such kind or engine; docs/benchmark.md names them.", file=sys.stderr)
        return 2
    results: list[EngineResult] = []
    for engine in chosen:
        try:
            results.append(_result(engine, cases, options.runs, options.seconds))
        except MissingEngineError as error:
            print(f"Left out: {engine.name} ({error}); `make bench-apply` installs it.", file=sys.stderr)
        if options.file and results:
            today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            write_results(Path(options.file), today, options.runs, results)
    if not results:
        return 3
    for title, table in tables(results):
        print(f"{title}\n\n{aligned(table)}\n")
    return 0


def aligned(table: Table) -> str:
    """Return a table as lines of text."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rows = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in table]
    return "\n".join("  ".join(row).rstrip() for row in rows)


def _result(engine: Engine, cases: Sequence[Case], runs: int, seconds: float) -> EngineResult:
    answers: list[list[Answer]] = []
    for number in range(runs):
        with engine.started(number):
            print(f"{engine.name}: run {number + 1} of {runs}", file=sys.stderr)
            answers.append([engine.answer(case, seconds) for case in cases])
    return result_of(engine, cases, answers)
