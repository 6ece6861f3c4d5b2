"""A kind of answer that can be made at any size, and how the time that it takes grows with that."""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, pairwise

from patchpoint import apply_edits

MOST = 2.6
"""The times of an answer twice as long: linear is 2, and the square 4."""
_MOST_SECONDS = 30.0
"""Of processor time, after which what still grows faster does so by itself."""
_FEWEST_TRIES = 3
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

        In CPU time, the least of some runs: as many as a busy machine needs to let each size run once in
        peace, and a few where it does not. What may have been disturbed, and so runs again, is the larger of
        the two sizes that seem too far apart.
        """
        asked = [self.make(self.size * times) for times in (1, 2, 4)]
        start = time.process_time()
        _seconds(self.make(self.size // 4))  # which compiles patterns, and loads what waits for its first use
        least = [_seconds(one) for one in asked]
        for tries in count(1):
            growth = [after / max(before, _SHORTEST) for before, after in pairwise(least)]
            too_much = max(growth) > MOST
            if not too_much or (tries >= _FEWEST_TRIES and time.process_time() - start > _MOST_SECONDS):
                break
            larger = growth.index(max(growth)) + 1
            least[larger] = min(least[larger], _seconds(asked[larger]))
        return growth


def _seconds(asked: Asked) -> float:
    with _nothing_kept():
        start = time.process_time()
        apply_edits(asked.files, asked.answer)
        return time.process_time() - start


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Forget what was worked out for the same text before; collect no garbage of other tests meanwhile."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "patchpoint":
            for held in vars(module).values():
                # One without a bound holds a table, which is the same for any text.
                if isinstance(held, functools._lru_cache_wrapper) and held.cache_parameters()["maxsize"]:
                    held.cache_clear()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
