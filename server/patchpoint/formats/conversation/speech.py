"""Who speaks where in a text that is a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from patchpoint.text.lines import Span


class Speaker(Enum):
    """Whose words a turn has."""

    USER = "user"
    MODEL = "model"
    TOOL = "tool"
    """What a program printed, or what came of a tool call."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What one speaker says at once, without the label that says who it is."""

    speaker: Speaker
    span: Span
    """Whole lines of the text."""
