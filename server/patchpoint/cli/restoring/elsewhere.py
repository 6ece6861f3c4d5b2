"""Print the checkpoints of a folder that are not among its own, for `list` and `log`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from patchpoint.cli.output import print_table
from patchpoint.dataclass import dataclass
from patchpoint.wording import ago

if TYPE_CHECKING:
    from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
    from patchpoint.checkpoints.mirror.register import Registered
    from patchpoint.cli.terminal import Terminal

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ElsewhereData:
    """The JSON of checkpoints that are elsewhere."""

    why: str
    """`lost`, `private`, `moved` or `removed`."""
    says: str
    checkpoints: tuple[ElsewhereCheckpoint, ...]


@dataclass(frozen=True, slots=True)
class ElsewhereCheckpoint:
    """The JSON of one of them."""

    id: str
    label: str
    created_at: str
    session: str | None


def elsewhere_data(groups: Sequence[Elsewhere]) -> tuple[ElsewhereData, ...]:
    """Return the JSON of what is elsewhere."""
    return tuple(
        ElsewhereData(
            group.why.value,
            group.says,
            tuple(
                ElsewhereCheckpoint(one.id, one.label, _moment(one), one.session) for one in group.asked_for
            ),
        )
        for group in groups
    )


def print_elsewhere(terminal: Terminal, groups: Sequence[Elsewhere], *, briefly: bool = False) -> None:
    """Print what there was until when, and how it is brought back."""
    for group in groups:
        terminal.line(f"{terminal.paint(group.says, 'yellow')}.")
        if briefly:
            continue
        print_table(terminal, list(_rows(group)))
        if len(group.asked_for) > _SHOWN:
            terminal.line(f"and {len(group.asked_for) - _SHOWN} more; --json names them all")
    if groups:
        every = " `patchpoint doctor --repair` brings all back." if any(one.is_own for one in groups) else ""
        terminal.line(terminal.paint(f"restore, show, diff and fork take their ids.{every}", "dim"))


def _rows(group: Elsewhere) -> Iterator[tuple[str, ...]]:
    now = datetime.now(timezone.utc)
    for one in group.asked_for[:_SHOWN]:
        yield one.id, ago(_moment(one), now), one.label, one.session or ""


def _moment(one: Registered) -> str:
    return datetime.fromtimestamp(one.taken, timezone.utc).isoformat()
