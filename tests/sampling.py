"""Which of many cases a test tries: a share of them, the same each time, or all of them; how many examples.

All cases are tried where `PATCHPOINT_EVERY_CASE` is in the environment: `PATCHPOINT_EVERY_CASE=1 make test`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")


def share(cases: Sequence[T], number: int, of: int) -> Sequence[T]:
    """Return every `of`-th case, from the `number`-th on: `of` numbers in a row make up all of them."""
    return cases if "PATCHPOINT_EVERY_CASE" in os.environ else cases[number % of :: of]


def tries(number: int) -> int:
    """Return how many examples a property tries that needs `number`: fewer where all try fewer."""
    return max(1, number * settings().max_examples // settings.get_profile("default").max_examples)
