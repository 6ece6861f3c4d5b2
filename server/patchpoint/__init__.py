"""Patchpoint: edits that a language model wrote, made safe.

What is exported is imported when it is first asked for: the server answers an editor, and a hook takes its
checkpoint, before what neither of them needs has been loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "Candidate": "outcome",
    "Edit": "edit",
    "Ladder": "locate.ladder",
    "Malformed": "edit",
    "Outcome": "outcome",
    "Report": "request",
    "Rung": "outcome",
    "Status": "outcome",
    "apply_edit": "apply",
    "apply_edits": "request",
    "parse_edits": "formats",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'patchpoint' has no attribute '{name}'")
    return getattr(import_module(f"patchpoint.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
