"""Who made each change between two checkpoints: a step of a session, a person, or nobody that is known.

A change is a session's if what one of its steps said makes exactly this change of the file, or if that step
alone was at work and does not say what it does, such as a command. It is a person's if an editor saved just
this, or if a restore brought it. All else is nobody's, or one of several's: nothing is guessed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import permutations

from patchpoint.checkpoints.authorship.brackets import Bracket, brackets
from patchpoint.checkpoints.authorship.contents import Contents
from patchpoint.checkpoints.authorship.intervals import Interval, intervals
from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.editors_own import is_editors_own
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.steps import Event, SavedFile, recorded_steps
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Change, Entry, ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.stated_change import DoesNotApplyError, StatedChange, results_of

_MOST_EFFECTS = 5
"""Stated changes of one file between two checkpoints of which every order is tried."""


class By(Enum):
    """Whose a change is."""

    SESSION = "session"
    PERSON = "person"
    NOBODY = "nobody"
    SEVERAL = "several"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A change of one file, and whose it is."""

    path: bytes
    old: Entry | None
    new: Entry | None
    interval: Interval
    """When it was made."""
    by: By
    session: str | None = None
    turn: str | None = None
    since: Checkpoint | None = None
    """The session's newest checkpoint before it; its turn is this one's."""
    contenders: frozenset[str] = frozenset()
    """The sessions that may have made it, where it is one of several's."""
    is_open: bool = False
    """Whether the session may have been done before, so that it may be a person's."""
    is_stated: bool = False
    """Whether an edit of the session said that it makes just this of the file."""


@dataclass(frozen=True)
class Authorship:
    """The changes of a working tree since its first checkpoint."""

    intervals: Sequence[Interval]
    claims: Sequence[Claim]
    """Oldest first."""
    contents: Contents


def authorship(records: Records, now: ObjectID) -> Authorship:
    """Return whose each change up to the tree `now` is, as far as the checkpoints reach back."""
    safety = {each.id: each for each in records.all(safety=True)}
    # What a restore writes has a checkpoint as well, which is no state that the tree was in.
    ordinary = records.all()
    were = [each for each in safety.values() if each.safety_for is not None]
    known = intervals([*ordinary, *were])
    restored = {each.id: each for each in (*ordinary, *safety.values())}
    contents = Contents(records.objects)
    events = recorded_steps(records.repository.patchpoint_directory)
    at_work = _AtWork(records.objects, contents, known, events, restored)
    return Authorship(known, at_work.claims(now), contents)


@dataclass(frozen=True, slots=True)
class _Effect:
    """What is known to have been done to a file, once: by a step, an editor's save or a restore."""

    bracket: Bracket | None
    """`None` for a person's."""
    change: StatedChange | None = None
    saved: SavedFile | None = None
    restored: Entry | None = None

    def results(self, before: Entry | None, contents: Contents) -> list[Entry | None]:
        """Return what a file can be after it; none where it cannot have been done to this one."""
        if self.saved is not None:
            was = None if before is None else before.oid.decode()
            return [_saved_entry(self.saved, before, contents)] if was == self.saved.was else []
        if self.change is None:
            return [self.restored]
        if before is not None and not stat.S_ISREG(before.mode):
            return []
        try:
            found = results_of(self.change, None if before is None else contents.of(before))
        except (DoesNotApplyError, CheckpointDamagedError):
            return []  # of what was saved between two checkpoints, nobody has the content
        return [None if each is None else contents.with_content(before, each) for each in found]


_Part = tuple[_Effect, Entry | None, Entry | None]
"""An effect, and the file before and after it."""


class _AtWork:
    """Who was at work when, for one change after the other, oldest first."""

    def __init__(
        self,
        objects: ObjectReader,
        contents: Contents,
        known: Sequence[Interval],
        events: Sequence[Event],
        restored: Mapping[str, Checkpoint],
    ) -> None:
        self._objects = objects
        self._contents = contents
        self._known = known
        self._restored = restored
        self._brackets = brackets(known, events)
        self._used: set[tuple[int, bytes]] = set()
        """The brackets, by their identity, whose change of a file has been found."""
        self._saved: dict[str, list[SavedFile]] = {}
        for event in events:
            if isinstance(event, SavedFile):
                self._saved.setdefault(event.after, []).append(event)

    def claims(self, now: ObjectID) -> list[Claim]:
        """Return whose each change up to the tree `now` is, oldest first.

        What is explained exactly is looked for first, wherever it may have been done: only what is found
        nowhere can be a part of a change.
        """
        changes = [
            (number, each) for number in range(len(self._known)) for each in self._changes(number, now)
        ]
        exactly = [self._exactly(number, change) for number, change in changes]
        return [
            claim
            for (number, change), found in zip(changes, exactly, strict=True)
            for claim in (found or self._in_part(number, change))
        ]

    def _changes(self, number: int, now: ObjectID) -> Iterator[Change]:
        start, end = self._known[number].start, self._known[number].end
        after = now if end is None else ObjectID(end.tree.encode())
        changed = self._objects.changes(ObjectID(start.tree.encode()), after)
        for change in sorted(changed, key=lambda change: change.path):
            if not any(each and is_editors_own(self._objects, each, change.path) for each in (start, end)):
                yield change

    def _exactly(self, number: int, change: Change) -> list[Claim]:
        """Return whose a change is that is what is known to have been done, and no more; none where it is
        more."""
        interval = self._known[number]
        solutions = self._sequences(change.old, self._effects(number, change.path), change.new)
        if not solutions:
            return []
        if (parts := _shortest(solutions)) is not None:
            return list(self._of_parts(change.path, interval, parts))
        those = [part[0].bracket for parts in solutions for part in parts]
        return [self._of_several(change, interval, filter(None, those))]

    def _in_part(self, number: int, change: Change) -> Iterator[Claim]:
        """Yield whose the parts of another change are."""
        interval, path = self._known[number], change.path
        effects = self._effects(number, path)
        later: list[Claim] = []
        while (saved := self._saved_last(change, effects)) is not None:
            effect, before = saved
            effects.remove(effect)
            later = [*self._of_parts(path, interval, [(effect, before, change.new)]), *later]
            change = Change(path, change.old, before)
        if later and (parts := _shortest(self._sequences(change.old, effects, change.new))):
            yield from self._of_parts(path, interval, parts)
            yield from later
            return
        open_ones = [each for each in self._running(number) if each.may_write(path)]
        sure = [each for each in effects if each.bracket is not None and each.bracket.is_done]
        ends = self._ends(change.old, sure) if sure and len(sure) == len(effects) else {}
        if len(ends) == 1:
            ((rest, parts),) = ends.items()
            yield from self._of_parts(path, interval, parts)
            change, effects = Change(path, rest, change.new), []
        if change.old != change.new:
            yield self._of_rest(change, interval, effects, open_ones)
        yield from later

    def _saved_last(self, change: Change, effects: Sequence[_Effect]) -> tuple[_Effect, Entry | None] | None:
        """Return the save that a change ended with, and the file before it, if that is known."""
        for each in effects:
            if each.saved is None or change.new is None or each.saved.now != change.new.oid.decode():
                continue
            if each.saved.was is None:
                return each, None
            content = each.saved.content_before(self._contents.of(change.new))
            if content is not None:
                before = self._contents.with_content(change.new, content)
                if before.oid.decode() == each.saved.was:
                    return each, before
        return None

    def _running(self, number: int) -> list[Bracket]:
        return [each for each in self._brackets if each.low <= number < each.high]

    def _effects(self, number: int, path: bytes) -> list[_Effect]:
        """Return what is known to have been done to a file in an interval, and was not found before."""
        return [
            *(
                _Effect(each, each.changes[path])
                for each in self._running(number)
                if path in each.changes and (id(each), path) not in self._used
            ),
            *self._effects_of_persons(path, self._known[number]),
        ]

    def _of_rest(
        self, change: Change, interval: Interval, effects: Sequence[_Effect], open_ones: Sequence[Bracket]
    ) -> Claim:
        """Return whose a change is that nothing explains which is known to have been done."""
        saves = [each.saved for each in effects if each.saved is not None]
        if saves and not open_ones and all(each.bracket is None for each in effects):
            is_last = change.new is not None and saves[-1].now == change.new.oid.decode()
            by = By.PERSON if is_last else By.NOBODY
            return Claim(path=change.path, old=change.old, new=change.new, interval=interval, by=by)
        owners = {each.session for each in open_ones}
        others = {each.bracket.session for each in effects if each.bracket is not None} - owners
        if not owners:
            return Claim(path=change.path, old=change.old, new=change.new, interval=interval, by=By.NOBODY)
        if len(owners) > 1 or others or saves:
            known = [each.bracket for each in effects if each.bracket is not None]
            return self._of_several(change, interval, [*open_ones, *known])
        return self._of_session(change, interval, open_ones)

    def _of_session(self, change: Change, interval: Interval, own: Sequence[Bracket]) -> Claim:
        certain = [each for each in own if not each.is_open and not each.is_vague]
        # Steps of one session at the same time are of one turn; the last to begin is taken for all.
        one = (certain or list(own))[-1]
        is_open = not certain and (
            one.is_open or any(each.session in interval.open_ended for each in own if each.is_vague)
        )
        return Claim(
            path=change.path,
            old=change.old,
            new=change.new,
            interval=interval,
            by=By.SESSION,
            session=one.session,
            turn=one.turn,
            since=one.since,
            is_open=is_open,
        )

    def _of_several(self, change: Change, interval: Interval, those: Iterable[Bracket]) -> Claim:
        return Claim(
            path=change.path,
            old=change.old,
            new=change.new,
            interval=interval,
            by=By.SEVERAL,
            contenders=frozenset(each.session for each in those),
        )

    def _of_parts(self, path: bytes, interval: Interval, parts: Sequence[_Part]) -> Iterator[Claim]:
        for effect, old, new in parts:
            one = effect.bracket
            if one is not None:
                self._used.add((id(one), path))
            yield Claim(
                path=path,
                old=old,
                new=new,
                interval=interval,
                by=By.PERSON if one is None else By.SESSION,
                session=None if one is None else one.session,
                turn=None if one is None else one.turn,
                since=None if one is None else one.since,
                is_stated=one is not None,
            )

    def _effects_of_persons(self, path: bytes, interval: Interval) -> Iterator[_Effect]:
        name = os.fsdecode(path)
        for saved in self._saved.get(interval.start.id, ()):
            if saved.path == name:
                yield _Effect(None, saved=saved)
        if (target := self._restored.get(interval.start.safety_for or "")) is not None:
            yield _Effect(None, restored=self._objects.at(ObjectID(target.tree.encode()), path))

    def _sequences(
        self, before: Entry | None, effects: Sequence[_Effect], goal: Entry | None
    ) -> list[tuple[_Part, ...]]:
        """Return the ways in which some of `effects`, one after the other, make `goal` of `before`."""
        orders = _orders(effects)
        found: dict[tuple[int, ...], tuple[_Part, ...]] = {}
        for order in orders:
            for parts in self._applied(before, order):
                for length in range(1, len(parts) + 1):
                    if parts[length - 1][2] == goal:
                        some = parts[:length]
                        found.setdefault(tuple(id(part[0]) for part in some), some)
        return list(found.values())

    def _ends(
        self, before: Entry | None, effects: Sequence[_Effect]
    ) -> dict[Entry | None, tuple[_Part, ...]]:
        """Return what a file can be after all of `effects`, in any order, and how each comes about."""
        found: dict[Entry | None, tuple[_Part, ...]] = {}
        for order in permutations(effects) if len(effects) <= _MOST_EFFECTS else [tuple(effects)]:
            for parts in self._applied(before, order):
                if len(parts) == len(effects):
                    found.setdefault(parts[-1][2], parts)
        return found

    def _applied(self, before: Entry | None, order: Sequence[_Effect]) -> Iterator[tuple[_Part, ...]]:
        """Yield the longest ways to apply effects in this order, up to the first that does not apply."""
        waiting: list[tuple[_Part, ...]] = [()]
        while waiting:
            parts = waiting.pop()
            state = parts[-1][2] if parts else before
            results = order[len(parts)].results(state, self._contents) if len(parts) < len(order) else []
            further = [(*parts, (order[len(parts)], state, each)) for each in results if each != state]
            if further:
                waiting += further
            elif parts:
                yield parts


def _orders(effects: Sequence[_Effect]) -> list[tuple[_Effect, ...]]:
    """Return the orders in which effects are tried: all of them, or for many that in which they began."""
    if len(effects) <= _MOST_EFFECTS:
        return list(permutations(effects))
    return [tuple(effects[first:]) for first in range(len(effects))]


def _shortest(solutions: Sequence[tuple[_Part, ...]]) -> tuple[_Part, ...] | None:
    """Return the solution with the fewest parts; `None` where such ones are of different sessions."""
    least = min(map(len, solutions), default=0)
    shortest = [parts for parts in solutions if len(parts) == least]
    owners = {
        tuple(sorted(part[0].bracket.session if part[0].bracket else "" for part in parts))
        for parts in shortest
    }
    return shortest[0] if len(owners) == 1 and least else None


def _saved_entry(saved: SavedFile, before: Entry | None, contents: Contents) -> Entry:
    with suppress(CheckpointDamagedError):
        content = saved.content_after(b"" if before is None else contents.of(before))
        if (
            content is not None
            and (found := contents.with_content(before, content)).oid == saved.now.encode()
        ):
            return found
    return Entry(_mode(before), ObjectID(saved.now.encode()))


def _mode(entry: Entry | None) -> int:
    return stat.S_IFREG | 0o644 if entry is None else entry.mode
