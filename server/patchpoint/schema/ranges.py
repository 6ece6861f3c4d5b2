"""Places in a document, as requests and results have them."""

from __future__ import annotations

from patchpoint.dataclass import dataclass, field
from patchpoint.schema.decode import limits


@dataclass(frozen=True, slots=True)
class PositionData:
    """A place in a document, in the negotiated encoding (on the command line: in code points)."""

    line: int = field(metadata=limits(minimum=0))
    """From 0."""
    character: int = field(metadata=limits(minimum=0))
    """From the start of the line, from 0."""


@dataclass(frozen=True, slots=True)
class RangeData:
    """A stretch of a document; its end is exclusive."""

    start: PositionData
    end: PositionData
