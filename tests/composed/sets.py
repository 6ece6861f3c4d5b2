"""The sets of composed answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from tests.composed.answers import ComposedAnswer
from tests.composed.headings import headed_answers
from tests.composed.manners import ordinary_answers
from tests.composed.parts import shown_parts
from tests.composed.second_requests import second_requests
from tests.composed.several import several_edits

WHOLE_SETS: Mapping[str, Callable[[], Iterator[ComposedAnswer]]] = {
    "headings": headed_answers,
    "manners": ordinary_answers,
    "requests": second_requests,
}
"""Those that are the same each time."""
RANDOM_SETS: Mapping[str, Callable[[int, int], Iterator[ComposedAnswer]]] = {
    "parts": shown_parts,
    "several": several_edits,
}
"""Those of a count and a seed."""
SETS = (*WHOLE_SETS, *RANDOM_SETS)


def answers_of(names: Iterable[str], count: int, seed: int) -> Iterator[ComposedAnswer]:
    """Yield the answers of sets; of those that are random, as many as are wanted of each."""
    return chain.from_iterable(
        WHOLE_SETS[name]() if name in WHOLE_SETS else RANDOM_SETS[name](count, seed) for name in names
    )
