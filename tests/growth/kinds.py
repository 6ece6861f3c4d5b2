"""A kind of answer that can be made at any size, and how the time that it takes grows with that."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from patchpoint import apply_edits

MOST = 2.6
"""The times of an answer twice as long: linear is 2, and the square 4."""
_MOST_TRIES = 12
_SHORTEST = 0.004
"""In seconds; what takes less is noise."""


@dataclass(frozen=True)
class Asked:
    """An answer, and the files that it is for, by path."""

    files: Mapping[str, str]
    answer: str


@dataclass(frozen=True)
class Kind:
    """A kind of answer, by its size; at `size` it takes long enough to be measured."""

    make: Callable[[int], Asked]
    size: int

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.make.__name__

    def growth(self) -> list[float]:
        """Return how much longer twice and four times the size take, each in times of the size before.

        In CPU time, the least of a few runs: it stops once no run could show less than what is wanted.
        """
        asked = [self.make(self.size * times) for times in (1, 2, 4)]
        least = [float("inf")] * len(asked)
        growth: list[float] = []
        for _ in range(_MOST_TRIES):
            least = [min(known, _seconds(one)) for known, one in zip(least, asked, strict=True)]
            growth = [after / max(before, _SHORTEST) for before, after in pairwise(least)]
            if max(growth) <= MOST:
                break
        return growth


def _seconds(asked: Asked) -> float:
    start = time.process_time()
    apply_edits(asked.files, asked.answer)
    return time.process_time() - start
