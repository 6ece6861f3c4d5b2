"""Which of many cases a test tries: a share of them, the same each time, or all of them; how many examples.

All cases are tried where `PATCHPOINT_EVERY_CASE` is in the environment: `PATCHPOINT_EVERY_CASE=1 make test`.
With `--most-cases 8`, as in `make test-fast`, a test with more rows than that has 8 of them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

T = TypeVar("T")

_MOST_CASES = "--most-cases"
_MOST_EXAMPLES = settings.get_profile("default").max_examples
"""How many a property tries that does not say it, where not all try fewer."""


def share(cases: Sequence[T], number: int = 0, of: int = 1) -> Sequence[T]:
    """Return every `of`-th case, from the `number`-th on: `of` numbers in a row make up all of them.

    Fewer are returned where all properties try fewer examples, but at least one.
    """
    if "PATCHPOINT_EVERY_CASE" in os.environ:
        return cases
    of = min(of * _MOST_EXAMPLES // tries(_MOST_EXAMPLES), len(cases))
    return cases[number % of :: of]


def tries(number: int) -> int:
    """Return how many examples a property tries that needs `number`: fewer where all try fewer."""
    return max(1, number * settings().max_examples // _MOST_EXAMPLES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the most rows of one test."""
    parser.addoption(_MOST_CASES, type=int, metavar="NUMBER", help="try so many cases of one test at most")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the rows of a test that are too many: of any kind of row some remain, the same each time."""
    most = config.getoption(_MOST_CASES)
    if most is None:
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    tried = {
        item
        for rows in cases.values()
        for item in sorted(rows, key=lambda row: crc32(row.nodeid.encode()))[:most]
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in tried])
    items[:] = [item for item in items if item in tried]
