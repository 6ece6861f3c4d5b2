"""Patchpoint: edits that a language model wrote, made safe."""

from patchpoint.apply import apply_edit
from patchpoint.edit import Edit, Malformed
from patchpoint.formats import parse_edits
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Candidate, Outcome, Rung, Status
from patchpoint.request import Report, apply_edits

__all__ = [
    "Candidate",
    "Edit",
    "Ladder",
    "Malformed",
    "Outcome",
    "Report",
    "Rung",
    "Status",
    "apply_edit",
    "apply_edits",
    "parse_edits",
]
