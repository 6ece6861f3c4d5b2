"""The ledger of a workspace folder, which outlasts the server: pending edits, refusals and applications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit
from patchpoint.filesystem.user_state import read_json, set_aside, state_directory, write_json
from patchpoint.workspace.history.recorded import is_record, revert_times, within

KEPT_APPLICATIONS = 50
"""How many applications are kept: the newest ones, which can be reverted."""
KEPT_APPLICATION_SIZE = 16 * 1024 * 1024
"""How many characters the texts of the kept applications have together."""
KEPT_PROPOSALS = 100
"""How many proposed edits are kept: the latest ones."""
KEPT_REFUSALS = 200
"""How many refused edits are kept: the latest ones."""

if TYPE_CHECKING:
    from cattrs import Converter

    from patchpoint.patching.pending import PendingEdit
    from patchpoint.workspace.history.applications import Application

_VERSION = 1
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedEdit:
    """An edit that could not be applied, and how often it was refused."""

    edit: str
    """The id of the edit, from `patchpoint.patching.pending.edit_id`."""
    times: int
    answer: str = ""
    """What the answer that it was last refused in is known by; empty where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdit:
    """An edit that was proposed under an id, so that whoever accepts it need not send it again."""

    id: str
    edit: Edit
    """Its path is the name of its file below the workspace folder."""


class Ledger:
    """The records of one workspace folder, one file for each kind in the user's state folder.

    Nothing is cached: servers and command lines that work on one folder see each other's records. Methods
    raise `OSError` if the state folder cannot be written; a file with a record that cannot be decoded is set
    aside, and the other records are written again.
    """

    def __init__(self, root: Path) -> None:
        folder = state_directory(root)
        self._pending = folder / "pending.json"
        self._refusals = folder / "refusals.json"
        self._proposals = folder / "proposals.json"
        self._applications = folder / "applications.json"

    def pending(self) -> dict[str, PendingEdit]:
        """Return the pending edits by id, in the order in which they were added."""
        from patchpoint.patching.pending import PendingEdit

        return {pending.id: pending for pending in _read(self._pending, PendingEdit)}

    def keep_pending(self, pending: Mapping[str, PendingEdit]) -> None:
        """Replace the pending edits."""
        if pending or self._pending.exists():
            _write(self._pending, list(pending.values()))

    def refusals(self) -> list[RefusedEdit]:
        """Return the edits that were refused, the latest last."""
        return _read(self._refusals, RefusedEdit)

    def keep_refusals(self, refusals: Sequence[RefusedEdit]) -> None:
        """Replace the refused edits; only the last `KEPT_REFUSALS` are kept."""
        _write(self._refusals, list(refusals[-KEPT_REFUSALS:]))

    def proposals(self) -> dict[str, ProposedEdit]:
        """Return the edits that were proposed, by the ids of the proposals, the latest last."""
        return {one.id: one for one in _read(self._proposals, ProposedEdit)}

    def keep_proposals(self, proposals: Sequence[ProposedEdit]) -> None:
        """Add proposed edits; only the last `KEPT_PROPOSALS` are kept."""
        if proposals:
            known = self.proposals()
            for one in proposals:
                known.pop(one.id, None)
                known[one.id] = one
            _write(self._proposals, list(known.values())[-KEPT_PROPOSALS:])

    def applications(self) -> list[Application]:
        """Return the applications, the newest first."""
        from patchpoint.workspace.history.applications import Application

        return _read(self._applications, Application)

    def chosen(self) -> set[str]:
        """Return the ids of the edits for which the user chose one of several places, whenever it was."""
        return {name for one in self._recorded() for name in one.get("chosen", ())}

    def keep_application(self, application: Application) -> None:
        """Add an application; only the newest are kept, within `KEPT_APPLICATIONS` and their size."""
        known = [asdict(application), *self._recorded()]
        kept = within(known, KEPT_APPLICATIONS, KEPT_APPLICATION_SIZE)
        write_json(self._applications, _VERSION, kept)

    def keep_reverted(self, name: str, *, reverted: bool = True) -> None:
        """Keep that the application with the id `name` has been reverted, or else made again."""
        known = self._recorded()
        times = revert_times({one["id"]: one.get("reverts", "") for one in known}, name, reverted=reverted)
        if times:
            changed = [
                one | {"reverted_at": times.get(one["id"], one.get("reverted_at", ""))} for one in known
            ]
            write_json(self._applications, _VERSION, changed)

    def _recorded(self) -> list[dict[str, Any]]:
        """Return the applications as they are in the file, for what needs no more: they may be many."""
        content: Any = read_json(self._applications, _VERSION)
        if content is None:
            return []
        if not isinstance(content, list) or not all(map(is_record, content)):
            return [asdict(one) for one in self.applications()]
        return content


def _read(path: Path, kind: type[_T]) -> list[_T]:
    content: Any = read_json(path, _VERSION)
    if content is None:
        return []
    from cattrs.errors import BaseValidationError

    known: list[_T] = []
    is_damaged = not isinstance(content, list)
    for one in content if not is_damaged else ():
        try:
            known.append(_converter().structure(one, kind))
        except (BaseValidationError, TypeError, ValueError):
            is_damaged = True
    if is_damaged:
        set_aside(path)
        with suppress(OSError):
            _write(path, known)
    return known


@cache
def _converter() -> Converter:
    """Return the converter of records; its library is large, and most folders have none."""
    from cattrs import Converter

    return Converter()


def _write(path: Path, records: list[Any]) -> None:
    write_json(path, _VERSION, [asdict(one) for one in records])
