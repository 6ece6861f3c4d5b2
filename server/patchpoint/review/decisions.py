"""What a person has decided about the changes since a checkpoint, and the summary of it for a model.

A decision belongs to a hunk by its id, which says where it was at the checkpoint and what it is: edits of
other lines do not part them, and lines that change again are not what was decided about, so they are open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.review.change_set import FileChanges, changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.hunks import Alignment, Hunk
from patchpoint.text.lines import split_at_line_feeds
from patchpoint.text.shown import visible_line

MOST_TAKEN_BACK = 500
"""Changes reverted that are remembered with their text; more are only counted."""
MOST_KEPT = 50_000
_MOST_LINES = 24
"""Lines of a change that the summary shows."""
_LONGEST = 4000
"""Characters that are remembered of each side of a change that was reverted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A change that was reverted."""

    id: str
    path: str
    line: int
    """Where it was, from 1; 0 for a file as a whole."""
    removed: str
    added: str
    because: str = ""
    waiting: bool = False
    """Whether that is decided, and still to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The decisions about the changes since one checkpoint."""

    since: str
    """The id of the checkpoint, by which the review is called, too."""
    paths: tuple[str, ...] = ()
    """The files and folders that are reviewed; none means all."""
    shown: bool = False
    """Whether an editor shows it, and shows it again after a restart."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """The path of each hunk that is kept, by its id."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What a person says to the model about a hunk, by its id, whatever is decided about it."""
    split: tuple[str, ...] = ()
    """The ids of hunks of which each part is decided about by itself."""
    aligned: Mapping[str, Alignment] = field(default_factory=dict)
    """Which lines are which in files of which hunks were reverted or edited, by path."""
    taken_back: tuple[TakenBack, ...] = ()
    uncounted: int = 0
    """Changes reverted that are not in `taken_back`, which has `MOST_TAKEN_BACK`."""

    def decision(self, hunk: Hunk) -> Decision:
        """Return what has been decided about a hunk that is there: to keep it, or nothing yet."""
        return Decision.KEEP if hunk.id in self.kept else Decision.OPEN

    def deciding(
        self,
        decision: Decision,
        file: FileChanges,
        ids: Collection[str],
        because: str | None = None,
        *,
        waiting: bool = False,
    ) -> Review:
        """Return the review with this decided about hunks of a file, as it is with them.

        What is reverted may be `waiting` to be. `because` is the note on them, which `None` leaves as it is.
        """
        notes, is_taken_back = self.notes, decision is Decision.TAKE_BACK
        if because is not None:
            notes = {**notes, **dict.fromkeys(ids, because[:_LONGEST].strip())}
            notes = {id_: note for id_, note in notes.items() if note}
        wanted = [hunk for hunk in file.hunks if is_taken_back and hunk.id in ids]
        gone = [_taken_back(file, hunk, notes.get(hunk.id, ""), waiting) for hunk in wanted]
        decided = replace(self._reverted(ids, gone), notes=dict(list(notes.items())[-MOST_KEPT:]))
        if is_taken_back and not waiting:
            return decided.rewriting(file, {hunk.id: hunk.removed for hunk in wanted})
        if decision is Decision.KEEP:
            kept = {**decided.kept, **dict.fromkeys(ids, file.path_now)}
            return replace(decided, kept=dict(list(kept.items())[-MOST_KEPT:]))
        return decided

    def rewriting(self, file: FileChanges, texts: Mapping[str, str]) -> Review:
        """Return the review once hunks of a file, by their ids, have `texts` in place of what they added."""
        now = file.aligned_with(texts)
        others = {path: one for path, one in self.aligned.items() if path != file.path}
        return replace(self, aligned=others if now is None else {**others, file.path: now})

    def without_lines(self, file: FileChanges, hunk: Hunk, removed: str, added: str) -> Review:
        """Return the review with some lines of a hunk reverted: `added` went, and `removed` came back."""
        gone = _taken_back(file, replace(hunk, removed=removed, added=added), "", waiting=False)
        return self._reverted([hunk.id], [gone])

    def _reverted(self, ids: Collection[str], gone: Sequence[TakenBack]) -> Review:
        """Return the review with no more decided about these hunks than that those of `gone` are reverted.

        Of what is done, some is only counted; what waits is to be done.
        """
        every = (*(one for one in self.taken_back if one.id not in ids), *gone)
        done = [one for one in every if not one.waiting]
        return replace(
            self,
            kept={id_: path for id_, path in self.kept.items() if id_ not in ids},
            taken_back=(*done[:MOST_TAKEN_BACK], *(one for one in every if one.waiting)),
            uncounted=self.uncounted + len(done[MOST_TAKEN_BACK:]),
        )

    def waiting(self, files: Iterable[FileChanges]) -> dict[str, TakenBack]:
        """Return, by their ids, the changes in `files` that are decided to be reverted, and are not yet."""
        there = {hunk.id for file in files for hunk in file.hunks}
        return {one.id: one for one in self.taken_back if one.waiting and one.id in there}

    def tally(self, files: Iterable[FileChanges]) -> Tally:
        """Return the numbers of the changes kept, reverted and open; one that is back again is open."""
        ids = [hunk.id for file in files for hunk in file.hunks]
        kept = sum(1 for id_ in ids if id_ in self.kept)
        back = {one.id for one in self.taken_back}.difference(ids)
        return Tally(kept, len(back) + self.uncounted, len(ids) - kept)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many changes have been decided, and how many have not."""

    kept: int
    taken_back: int
    open: int

    def __str__(self) -> str:
        said = f"kept {self.kept}, reverted {self.taken_back}"
        return f"{said}, undecided {self.open}" if self.open else said


def summary_of(review: Review, files: Sequence[FileChanges], unsaved: Sequence[FileChanges] = ()) -> str:
    """Return what was kept and what was reverted, and why, as plain text for the model that wrote it.

    `unsaved` are the files whose text in the editor is not that on the disk, as they are on the disk, which
    is what the model reads. Nothing in the summary is read as an edit.
    """
    there = {hunk.id for file in files for hunk in file.hunks}
    parts = [f"Your changes were reviewed: {review.tally(files)}."]
    for word, wanted in (("Kept", Decision.KEEP), ("Undecided", Decision.OPEN)):
        found = (one for one in changes_of(files) if review.decision(one.hunk) is wanted)
        counts = Counter(visible_line(one.file.path_now) for one in found)
        if counts:
            parts.append(f"{word}: {', '.join(f'{path} ({count})' for path, count in counts.items())}.")
    noted = [one for one in changes_of(files) if one.hunk.id in review.notes]
    if noted:
        parts.append("Notes on what is in the files:")
    for one in noted:
        line = "" if one.file.is_whole else f", line {one.hunk.new[0] + 1}"
        parts.append(f"- {visible_line(one.file.path_now)}{line}: {visible_line(review.notes[one.hunk.id])}")
    if unsaved:
        named = ", ".join(visible_line(file.path_now) for file in unsaved)
        parts.append(f"Not saved in the editor, so not on disk yet: {named}.")
    back = [one for one in review.taken_back if one.id not in there]
    on_disk = {hunk.id for file in unsaved for hunk in file.hunks}
    for heading, is_there in (
        ("Reverted, so it is no longer in the files", False),
        ("Reverted in the editor but not saved yet, so it is still in the files on disk", True),
    ):
        own = [_about(one) for one in back if (one.id in on_disk) is is_there]
        parts += [f"{heading}; do not write it again unchanged:", *own] if own else []
    if review.uncounted:
        parts.append(f"- and {review.uncounted} more")
    return "\n".join(parts) + "\n"


def _about(one: TakenBack) -> str:
    """Return what was reverted, where, why, and its lines."""
    path = visible_line(one.path)
    where = f"{path}, line {one.line}" if one.line else path
    why = f", because {one.because.strip().rstrip('.')}" if one.because.strip() else ""
    if not one.line:
        return f"- {where}, the file as a whole{why}."
    sides = (("-", split_at_line_feeds(one.removed)), ("+", split_at_line_feeds(one.added)))
    lines = [f"{sign}{line.rstrip()}" for sign, side in sides for line in side]
    return "\n".join((f"- {where}{why}:", *change_lines(lines)))


def change_lines(lines: Sequence[str]) -> list[str]:
    """Return how a summary shows lines of a change, each of which begins with its sign."""
    shown = [f"      {line[0]} {line[1:]}".rstrip() for line in lines[:_MOST_LINES]]
    more = len(lines) - len(shown)
    return [*shown, f"      and {more} lines more"] if more else shown


def _taken_back(file: FileChanges, hunk: Hunk, because: str, waiting: bool) -> TakenBack:
    return TakenBack(
        id=hunk.id,
        path=file.path_now,
        line=0 if file.is_whole else hunk.new[0] + 1,
        removed="" if file.is_whole else hunk.removed[:_LONGEST],
        added="" if file.is_whole else hunk.added[:_LONGEST],
        because=because[:_LONGEST],
        waiting=waiting,
    )
