"""The checkpoints of a working tree turn by turn: what each began with, its steps, and what it changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from patchpoint.checkpoints.diff import FileDifference, file_differences, hunks_of
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.editors_own import is_editors_own
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.turns import Turn, belongs_to, turn_of
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Change
from patchpoint.git.odb.ids import ObjectID
from patchpoint.text.file_operation import FileOperation

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.checkpoints.authorship.claims import Authorship, Claim

_READ_FIRST = 64
"""Checkpoints that are read before it is looked at how many turns they are; then twice as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTurn:
    """A turn of a session, or a checkpoint that is in none."""

    checkpoint: Checkpoint
    """The state before it."""
    turn: Turn
    steps: tuple[Checkpoint, ...] = ()
    """The others of the turn, oldest first."""
    end: Checkpoint | None = None
    """The state that it left; `None` for the present."""
    is_shared: bool = False
    """Whether another session was at work meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedLines:
    """A file that a turn changed, and how many of its lines."""

    path: str
    operation: FileOperation
    new_path: str | None
    added: int
    removed: int


def newest_turns(records: Records) -> Iterator[ListedTurn]:
    """Yield the turns of all checkpoints, newest first, reading no more of them than are asked for."""
    count, yielded = _READ_FIRST, 0
    while True:
        read = records.newest(count)
        is_all = len(read) < count
        turns = turns_listed(read)
        # Of the older half it is not known whether they begin with what was read.
        sure = len(turns) if is_all else len(turns) // 2
        begun = next((at for at, one in enumerate(turns[:sure]) if not is_all and _may_be_cut(one)), sure)
        yield from turns[yielded:begun]
        yielded = max(yielded, begun)
        if is_all:
            return
        count *= 2


def turns_listed(checkpoints: Iterable[Checkpoint]) -> list[ListedTurn]:
    """Return checkpoints turn by turn, newest first.

    A turn ends with the checkpoint after it or, where an agent was interrupted, with the next of all.
    """
    ordered = sorted(checkpoints, key=lambda each: each.id)
    turns: list[list[int]] = []
    current: dict[str, list[int]] = {}
    for number, one in enumerate(ordered):
        begun = current.get(one.session) if one.session is not None else None
        if begun is not None and belongs_to(one, turn_of(ordered[begun[0]])):
            begun.append(number)
            continue
        turns.append([number])
        if one.session is not None:
            current[one.session] = turns[-1]
    ends = [
        numbers[-1] + (ordered[numbers[-1]].kind is not CheckpointKind.AFTER_RUN or len(numbers) == 1)
        for numbers in turns
    ]
    shared = _shared(
        [(ordered[numbers[0]].session, numbers[0], end) for numbers, end in zip(turns, ends, strict=True)]
    )
    return [
        ListedTurn(
            checkpoint=ordered[numbers[0]],
            turn=turn_of(ordered[numbers[0]]),
            steps=tuple(ordered[number] for number in numbers[1:]),
            end=ordered[ends[at]] if ends[at] < len(ordered) else None,
            is_shared=at in shared,
        )
        for at, numbers in reversed(list(enumerate(turns)))
    ]


class TurnChanges:
    """What turns changed, each by itself."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def of(self, turn: ListedTurn) -> tuple[ChangedLines, ...]:
        """Return the files that a turn changed, by their paths; none of one that goes on until the present.

        Of what others changed at the same time, only what a step of the turn is known to have done counts.
        """
        if turn.end is None:
            return ()
        if turn.is_shared:
            return tuple(self._claimed(turn))
        changes = self._between(turn.checkpoint, turn.end)
        return tuple(map(changed_lines, file_differences(self._records.objects, changes)))

    def _between(self, old: Checkpoint, new: Checkpoint) -> Iterator[Change]:
        objects = self._records.objects
        skipped = [os.fsencode(left.path) for each in (old, new) for left in each.skipped]
        for change in objects.changes(ObjectID(old.tree.encode()), ObjectID(new.tree.encode())):
            is_known = not any(change.path == each or change.path.startswith(each + b"/") for each in skipped)
            if is_known and not any(is_editors_own(objects, each, change.path) for each in (old, new)):
                yield change

    @cached_property
    def _authorship(self) -> Authorship:
        from patchpoint.checkpoints.authorship.claims import authorship

        (newest,) = self._records.newest(1)
        return authorship(self._records, ObjectID(newest.tree.encode()))

    @cached_property
    def _claims(self) -> dict[str, list[Claim]]:
        """The changes of sessions, by the checkpoint that each was made after."""
        found: dict[str, list[Claim]] = {}
        for claim in self._authorship.claims:
            if claim.session is not None and claim.since is not None:
                found.setdefault(claim.since.id, []).append(claim)
        return found

    def _claimed(self, turn: ListedTurn) -> Iterator[ChangedLines]:
        by_path: dict[bytes, list[Claim]] = {}
        for one in (turn.checkpoint, *turn.steps):
            for claim in self._claims.get(one.id, ()):
                by_path.setdefault(claim.path, []).append(claim)
        contents = self._authorship.contents
        for path, claims in sorted(by_path.items()):
            added = removed = 0
            for claim in claims:
                old, new = (b"" if each is None else contents.of(each) for each in (claim.old, claim.new))
                plus, minus = _counted(hunks_of(old, new))
                added, removed = added + plus, removed + minus
            operation = FileOperation.UPDATE
            if claims[0].old is None:
                operation = FileOperation.CREATE
            elif claims[-1].new is None:
                operation = FileOperation.DELETE
            yield ChangedLines(
                path=os.fsdecode(path), operation=operation, new_path=None, added=added, removed=removed
            )


def changed_lines(difference: FileDifference) -> ChangedLines:
    """Return how much of a file differs."""
    added, removed = _counted(difference.hunks)
    return ChangedLines(
        path=difference.path,
        operation=difference.operation,
        new_path=difference.new_path,
        added=added,
        removed=removed,
    )


def _counted(hunks: Sequence[str]) -> tuple[int, int]:
    """Return how many lines hunks add and remove."""
    lines = [line for hunk in hunks for line in hunk.split("\n")[1:]]
    return sum(line[:1] == "+" for line in lines), sum(line[:1] == "-" for line in lines)


def _may_be_cut(turn: ListedTurn) -> bool:
    """Return whether a turn's prompt may be older than what was read."""
    return turn.checkpoint.session is not None and turn.checkpoint.kind is not CheckpointKind.RUN


def _shared(spans: Sequence[tuple[str | None, int, int]]) -> set[int]:
    """Return which of some turns (session, first and last checkpoint) another session was at work during."""
    found: set[int] = set()
    running: list[int] = []
    for at, (session, first, _) in enumerate(spans):
        running = [other for other in running if spans[other][2] > first]
        others = [other for other in running if spans[other][0] not in (None, session)]
        if session is not None and others:
            found |= {at, *others}
        running.append(at)
    return found
