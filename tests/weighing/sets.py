"""The sets of cases: recorded ones, and those that a seed makes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.benchmarks.drift import project_texts
from tests.locate.drifted_edits import KINDS, DriftedEdit, drifted_edits
from tests.weighing.cases import Case
from tests.weighing.mistakes import MISTAKES, mistaken_edits
from tests.weighing.recorded import CASES, recorded_cases
from tests.weighing.rows import rows
from tests.weighing.sources import sources

_VARIANTS = 20
"""So many times is each source there, with other words, to be drifted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which cases of a set are wanted."""

    seed: int = 0
    count: int = 60
    """The most made cases of a kind."""
    folder: Path = CASES
    """Where recorded cases are."""


def cases_of(name: str, wanted: Wanted) -> Iterator[Case]:
    """Yield the cases of a set, a key of `SETS`."""
    return SETS[name](wanted)


def drifted_cases(wanted: Wanted) -> Iterator[Case]:
    """Yield drifted edits of the sources of this project."""
    return _drifted("drift", project_texts(), wanted)


def drifted_in_languages(wanted: Wanted) -> Iterator[Case]:
    """Yield drifted edits of code in ten languages, which is nobody's."""
    chance = random.Random(wanted.seed)
    variants = [source for _ in range(_VARIANTS) for source in sources(chance)]
    return _drifted("languages", ["\n".join(source.lines) + "\n" for source in variants], wanted)


def mistaken_cases(wanted: Wanted) -> Iterator[Case]:
    """Yield edits with the mistakes that models make when they quote, in ten languages."""
    for kind in MISTAKES:
        for number, (source, edit) in enumerate(mistaken_edits(kind, wanted.count, wanted.seed)):
            yield _case("mistakes", f"{source.path} {number}", edit, source.path)


def _drifted(group: str, texts: list[str], wanted: Wanted) -> Iterator[Case]:
    for kind in KINDS:
        for number, edit in enumerate(drifted_edits(kind, texts, wanted.count, wanted.seed)):
            yield _case(group, str(number), edit)


def _case(group: str, name: str, edit: DriftedEdit, path: str = "") -> Case:
    return Case(
        group=group,
        kind=edit.kind,
        name=f"{edit.kind} {name}",
        text=edit.text,
        search=edit.search,
        replace=edit.replace,
        path=path,
        right=edit.right,
    )


def _recorded(group: str, wanted: Wanted) -> Iterator[Case]:
    return recorded_cases(group, wanted.folder)


def _rows(_wanted: Wanted) -> Iterator[Case]:
    return rows()


SETS: Mapping[str, Callable[[Wanted], Iterator[Case]]] = {
    "real": partial(_recorded, "real"),
    "made": partial(_recorded, "made"),
    "keep": partial(_recorded, "keep"),
    "drift": drifted_cases,
    "languages": drifted_in_languages,
    "mistakes": mistaken_cases,
    "rows": _rows,
}
