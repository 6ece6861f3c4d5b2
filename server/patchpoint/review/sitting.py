"""One sitting of a review: the changes in order, the one that is looked at, and what was decided in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.review.change_set import FileChanges, ListedChange, changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.hunks import Hunk


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided about a change, and the note on it."""

    decision: Decision
    because: str = ""


UNDECIDED = Verdict(Decision.OPEN)


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """The changes of a review as they are gone through; every step makes a new one."""

    changes: tuple[ListedChange, ...]
    at: int = 0
    """The change that is looked at, from 0."""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """What was decided about each change, by its id; what is not in it is undecided."""
    steps: tuple[Mapping[str, Verdict], ...] = ()
    """What each decision of this sitting replaced, the last one last."""

    @classmethod
    def of(cls, files: Sequence[FileChanges], verdicts: Mapping[str, Verdict]) -> Sitting:
        """Return a sitting that begins at the first change that is undecided."""
        return cls(changes=tuple(changes_of(files)), verdicts=verdicts)._at_undecided(0)

    @property
    def change(self) -> ListedChange:
        """The change that is looked at. Raises `IndexError` where there is none."""
        return self.changes[self.at]

    def verdict(self, hunk: Hunk) -> Verdict:
        """Return what was decided about a change."""
        return self.verdicts.get(hunk.id, UNDECIDED)

    def is_open(self, change: ListedChange) -> bool:
        """Whether nothing is decided about a change."""
        return self.verdict(change.hunk).decision is Decision.OPEN

    def count(self, decision: Decision) -> int:
        """Return about how many changes this was decided."""
        return sum(1 for one in self.changes if self.verdict(one.hunk).decision is decision)

    @cached_property
    def files(self) -> tuple[FileChanges, ...]:
        """The files that have the changes, in their order."""
        return tuple({id(one.file): one.file for one in self.changes}.values())

    def in_file(self, file: FileChanges) -> tuple[ListedChange, ...]:
        """Return the changes of a file."""
        return tuple(one for one in self.changes if one.file is file)

    def moved(self, step: int) -> Sitting:
        """Return the sitting at a later change, or with a negative step an earlier one; the ends stop it."""
        return replace(self, at=max(0, min(self.at + step, len(self.changes) - 1)))

    def at_file(self, step: int) -> Sitting:
        """Return the sitting at the first change of the file that is so many files on or back."""
        wanted = self.files[max(0, min(self.files.index(self.change.file) + step, len(self.files) - 1))]
        return replace(self, at=next(at for at, one in enumerate(self.changes) if one.file is wanted))

    def at_id(self, id_: str) -> Sitting:
        """Return the sitting at the change with this id, or as it is where no change has it."""
        at = next((at for at, one in enumerate(self.changes) if one.hunk.id == id_), self.at)
        return replace(self, at=at)

    def at_match(self, words: str, step: int = 1) -> Sitting | None:
        """Return the sitting at the next change whose path or lines have `words`, in any case of letters.

        `step` is -1 for the one before. After the last change comes the first. `None` where none has them.
        """
        wanted, count = words.casefold(), len(self.changes)
        for at in ((self.at + step * distance) % count for distance in range(1, count + 1)):
            one = self.changes[at]
            texts = one.file.path_now, one.hunk.removed, one.hunk.added
            if any(wanted in text.casefold() for text in texts):
                return replace(self, at=at)
        return None

    def decided(self, decision: Decision, ids: Collection[str] | None = None) -> Sitting:
        """Return the sitting with this decided about the change that is looked at, or about those of `ids`.

        Their notes stay. It goes on to the next change that is undecided, and stays where none is.
        """
        chosen = [self.change.hunk.id] if ids is None else list(ids)
        decided = {id_: replace(self.verdicts.get(id_, UNDECIDED), decision=decision) for id_ in chosen}
        return self._with(decided)._at_undecided(self.at)

    def noted(self, words: str) -> Sitting:
        """Return the sitting with this note on the change that is looked at, in place of the one before."""
        hunk = self.change.hunk
        return self._with({hunk.id: replace(self.verdict(hunk), because=words)})

    def _with(self, verdicts: Mapping[str, Verdict]) -> Sitting:
        before = {id_: self.verdicts.get(id_, UNDECIDED) for id_ in verdicts}
        return replace(self, verdicts={**self.verdicts, **verdicts}, steps=(*self.steps, before))

    def undone(self) -> Sitting:
        """Return the sitting without the last decision of it, and at the change that it was about."""
        if not self.steps:
            return self
        before = self.steps[-1]
        made = replace(self, verdicts={**self.verdicts, **before}, steps=self.steps[:-1])
        return made.at_id(next(iter(before), ""))

    def _at_undecided(self, first: int) -> Sitting:
        """Return the sitting at the first undecided change from `first` on, or else from the beginning."""
        order = [*range(first, len(self.changes)), *range(first)]
        at = next((at for at in order if self.is_open(self.changes[at])), first)
        return replace(self, at=at)


def changed_verdicts(before: Sitting, after: Sitting) -> dict[Verdict, list[ListedChange]]:
    """Return the changes about which `after` has another verdict than `before`, by that verdict."""
    found: dict[Verdict, list[ListedChange]] = {}
    for one in after.changes:
        verdict = after.verdict(one.hunk)
        if verdict != before.verdict(one.hunk):
            found.setdefault(verdict, []).append(one)
    return found
