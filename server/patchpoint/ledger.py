"""What Patchpoint remembers of a workspace folder from start to start: pending edits, refusals, and
applications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.errors import BaseValidationError

from patchpoint.applications import Application
from patchpoint.pending import PendingEdit
from patchpoint.state import read_json, set_aside, state_folder, write_json

KEPT_APPLICATIONS = 50
"""The newest so many can be taken back."""
KEPT_REFUSALS = 200

_VERSION = 1
_CONVERTER = Converter()
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An edit that was handed over and could not land."""

    edit: str
    """As `patchpoint.pending.edit_id` names it."""
    times: int


class Ledger:
    """The records of one workspace folder, each in a file of its own in the user's state folder.

    Nothing is held in memory: servers and command lines at work on one folder see each other's records.
    Methods raise `OSError` where the state folder cannot be written; a file that cannot be understood is set
    aside.
    """

    def __init__(self, root: Path) -> None:
        folder = state_folder(root)
        self._pending = folder / "pending.json"
        self._refusals = folder / "refusals.json"
        self._applications = folder / "applications.json"

    def pending(self) -> dict[str, PendingEdit]:
        """The pending edits by id, in the order in which they came."""
        return {pending.id: pending for pending in _read(self._pending, PendingEdit)}

    def keep_pending(self, pending: Mapping[str, PendingEdit]) -> None:
        """Replace the pending edits."""
        if pending or self._pending.exists():
            _write(self._pending, list(pending.values()))

    def refusals(self) -> list[Refusal]:
        """The edits that were refused, the latest last."""
        return _read(self._refusals, Refusal)

    def keep_refusals(self, refusals: Sequence[Refusal]) -> None:
        """Replace them; of more than `KEPT_REFUSALS` the first go."""
        _write(self._refusals, list(refusals[-KEPT_REFUSALS:]))

    def applications(self) -> list[Application]:
        """What was applied and can be taken back, the newest first."""
        return _read(self._applications, Application)

    def keep_application(self, application: Application) -> None:
        """Add what was applied; the oldest beyond `KEPT_APPLICATIONS` go."""
        _write(self._applications, [application, *self.applications()][:KEPT_APPLICATIONS])


def _read(path: Path, kind: type[_T]) -> list[_T]:
    content: Any = read_json(path, _VERSION)
    if content is None:
        return []
    try:
        return _CONVERTER.structure(content, list[kind])  # type: ignore[valid-type]
    except (BaseValidationError, TypeError, ValueError):
        set_aside(path)
        return []


def _write(path: Path, records: list[Any]) -> None:
    write_json(path, _VERSION, _CONVERTER.unstructure(records))
