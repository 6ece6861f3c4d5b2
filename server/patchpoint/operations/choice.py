"""Which operation is undone or redone next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.operations.log import ABOUT_OTHERS, LoggedOperation, OperationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An operation, and whether it is undone."""

    operation: LoggedOperation
    last: LoggedOperation
    """Itself, or the last undo or redo of it: what changed the files last."""

    @property
    def is_undone(self) -> bool:
        """Whether it is taken back."""
        return self.last.cause.kind is OperationKind.UNDO


@dataclass(frozen=True, slots=True, kw_only=True)
class NextOperation:
    """The operation to take back, or to bring back."""

    standing: Standing | None
    """`None` where there is none."""
    passed: tuple[Standing, ...] = ()
    """Newer ones of others, which were passed over."""
    since: LoggedOperation | None = None
    """Of a redo that may not be: what was done since the undo."""


def standings(operations: Iterable[LoggedOperation]) -> list[Standing]:
    """Return all operations but undo and redo, those first on which something was done last.

    `operations` are the newest first.
    """
    last: dict[str, LoggedOperation] = {}
    found = []
    for each in operations:
        if each.cause.kind in ABOUT_OTHERS:
            last.setdefault(each.cause.target, each)
        else:
            found.append(Standing(operation=each, last=last.get(each.id, each)))
    return sorted(found, key=lambda each: each.last.cause.name, reverse=True)


def to_undo(operations: Sequence[LoggedOperation], session: str | None) -> NextOperation:
    """Return the last operation of a session (of a person: empty; of anybody: `None`) that is not undone."""
    passed: list[Standing] = []
    for each in standings(operations):
        if each.is_undone:
            continue
        if session in (None, each.operation.cause.session):
            return NextOperation(standing=each, passed=tuple(passed))
        passed.append(each)
    return NextOperation(standing=None, passed=tuple(passed))


def older_to_undo(
    operations: Sequence[LoggedOperation], session: str | None, than: LoggedOperation
) -> list[Standing]:
    """Return the operations of a session (as for `to_undo`) that are not undone and older, newest first."""
    known = [each for each in standings(operations) if session in (None, each.operation.cause.session)]
    first = next((number for number, each in enumerate(known) if each.operation.id == than.id), len(known))
    return [each for each in known[first + 1 :] if not each.is_undone]


def to_redo(operations: Sequence[LoggedOperation], session: str | None) -> NextOperation:
    """Return the operation of a session (as for `to_undo`) that was undone last, if it did nothing since."""
    passed: list[Standing] = []
    known = standings(operations)
    own = [each for each in known if session in (None, each.operation.cause.session)]
    for each in known:
        if not each.is_undone:
            continue
        if each not in own:
            passed.append(each)
            continue
        newer = [one.operation for one in own if one.operation.cause.name > each.last.cause.name]
        since = max(newer, key=lambda one: one.cause.name, default=None)
        return NextOperation(standing=None if since else each, passed=tuple(passed), since=since)
    return NextOperation(standing=None, passed=tuple(passed))
