"""Patchpoint: edits that a language model wrote, made safe.

Each name is imported on first use: the server replies to an editor, and a hook takes its checkpoint, before
modules that neither of them needs have been loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.api import Report, apply_edit, apply_edits, edit_symbol, merge_lazy
    from patchpoint.checkpoints.options import RetentionPolicy, SnapshotOptions, StoreOptions
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.edit import Edit, Malformed
    from patchpoint.formats import parse_edits
    from patchpoint.locate.ladder import Ladder
    from patchpoint.outcome import Candidate, Outcome, Proposal, Reason, Rung, Status
    from patchpoint.version import __version__ as __version__

__all__ = [
    "Candidate",
    "CheckpointStore",
    "Edit",
    "Ladder",
    "Malformed",
    "Outcome",
    "Proposal",
    "Reason",
    "Report",
    "RetentionPolicy",
    "Rung",
    "SnapshotOptions",
    "Status",
    "StoreOptions",
    "apply_edit",
    "apply_edits",
    "edit_symbol",
    "merge_lazy",
    "parse_edits",
]

_HOMES = {
    "Candidate": "outcome",
    "CheckpointStore": "checkpoints.store",
    "Edit": "edit",
    "Ladder": "locate.ladder",
    "Malformed": "edit",
    "Outcome": "outcome",
    "Proposal": "outcome",
    "Reason": "outcome",
    "Report": "api",
    "RetentionPolicy": "checkpoints.options",
    "Rung": "outcome",
    "SnapshotOptions": "checkpoints.options",
    "Status": "outcome",
    "StoreOptions": "checkpoints.options",
    "__version__": "version",
    "apply_edit": "api",
    "apply_edits": "api",
    "edit_symbol": "api",
    "merge_lazy": "api",
    "parse_edits": "formats",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'patchpoint' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"patchpoint.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
