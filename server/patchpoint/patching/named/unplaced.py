"""Why nothing is written to a place that an edit names, and what is written where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.outcome import Reason
from patchpoint.text.lines import Span

NAMESAKES = "Include the enclosing class or function: {name} could be one of several definitions"


@dataclass(frozen=True, slots=True)
class Placed:
    """The lines of a text with the new ones among them, and the lines of the place in the text before."""

    lines: tuple[str, ...]
    place: Span
    """0-based numbers, the end exclusive."""
    note: str = ""
    is_certain: bool = True
    """More than one line vouches for the place."""
    doubt: str = ""
    """A sentence that says what speaks against it: then it is a proposal."""


@dataclass(eq=False)
class UnplacedError(Exception):
    """It is not certain which place is meant, or it cannot be changed as the edit says."""

    reason: Reason
    values: Mapping[str, str | int]
    """What the sentence of the reason names."""
    places: Sequence[Span] = field(default=())
    """The lines of the places that could be meant."""


def not_placed(name: str, why: str, places: Sequence[Span] = ()) -> UnplacedError:
    """Return that a place which is named cannot be changed as the edit says."""
    return UnplacedError(Reason.NOT_PLACED, {"name": name, "why": why}, places)


def not_there(name: str) -> UnplacedError:
    """Return that what is named is not in the file."""
    return UnplacedError(Reason.NOT_THERE, {"why": name})
