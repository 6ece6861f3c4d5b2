"""Turns in lines of a terminal: whose each is, when it was, what was asked for, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from patchpoint.checkpoints.authorship.listed_turns import ChangedLines, ListedTurn
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind, milliseconds_of
from patchpoint.cli.listing.columns import columns_of, cut, padded
from patchpoint.cli.terminal import Terminal
from patchpoint.dataclass import dataclass
from patchpoint.text.shown import visible_line
from patchpoint.wording import files_named

KINDS = {
    CheckpointKind.MANUAL: "",
    CheckpointKind.BEFORE_APPLY: "before edits",
    CheckpointKind.RUN: "before a run",
    CheckpointKind.AFTER_RUN: "after a run",
    CheckpointKind.STEP: "before a step of a run",
    CheckpointKind.AFTER_STEP: "after a step of a run",
    CheckpointKind.SAFETY: "safety",
}
"""Why each kind was taken, for one that has no label."""

_GAP = "  "
_LEAST_WORDS = 16
"""Columns below which what was asked for is not cut for the names of files."""
_WIDEST_FILES = 30
_SHORT = 8
"""Characters of a session or a message, which are named by beginnings, where it is a long one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """The parts of the line of a turn."""

    name: str
    """What `restore` and the others take for it."""
    when: str
    words: str
    anchor: str
    files: str
    added: int
    removed: int

    @property
    def counts(self) -> str:
        """How many lines came and went, as in `+40 -3`."""
        return " ".join(f"{sign}{count}" for sign, count in (("+", self.added), ("-", self.removed)) if count)


def turn_line(
    turn: ListedTurn, changed: Sequence[ChangedLines], short: Mapping[str, str], now: datetime
) -> TurnLine:
    """Return the parts of a turn's line; `short` has the ids that are not written in full."""
    one = turn.checkpoint
    return TurnLine(
        name=visible_line(turn_name(one, short)),
        when=clock(one, now),
        words=visible_line(called(one, turn.turn.prompt)),
        anchor=visible_line(_anchor(one)),
        files=visible_line(files_named([each.new_path or each.path for each in changed])),
        added=sum(each.added for each in changed),
        removed=sum(each.removed for each in changed),
    )


def turn_name(checkpoint: Checkpoint, short: Mapping[str, str]) -> str:
    """Return the shortest name of a checkpoint: of the prompt that it precedes, or its id."""
    return checkpoint.prompt_name or short.get(checkpoint.id, checkpoint.id)


def called(checkpoint: Checkpoint, prompt: str | None = None) -> str:
    """Return what a checkpoint is called or, without a label, why it was taken, and whether it is pinned."""
    name = " ".join((checkpoint.label or prompt or "").split()) or KINDS[checkpoint.kind]
    return " ".join(filter(None, (name, "(pinned)" if checkpoint.pinned else "")))


def clock(checkpoint: Checkpoint, now: datetime) -> str:
    """Return the time of a checkpoint, as `clock_at` does."""
    return clock_at(milliseconds_of(checkpoint.id) / 1000, now)


def clock_at(seconds: float, now: datetime) -> str:
    """Return the time so many seconds after 1970 in the time zone of `now`, with the date of another day."""
    moment = datetime.fromtimestamp(seconds, now.tzinfo)
    if moment.date() == now.date():
        return moment.strftime("%H:%M")
    return moment.strftime("%m-%d %H:%M" if moment.year == now.year else "%Y-%m-%d %H:%M")


def painted_lines(terminal: Terminal, lines: Sequence[TurnLine], columns: int | None) -> Iterator[str]:
    """Yield lines in aligned columns, all of them in so many columns of the terminal."""
    if not lines:
        return
    name, when, counts, files = (
        max(columns_of(text) for text in texts)
        for texts in (
            [one.name for one in lines],
            [one.when for one in lines],
            [one.counts for one in lines],
            [one.files for one in lines],
        )
    )
    words = max(columns_of(_said(one)) for one in lines)
    if columns is not None:
        left = columns - name - when - counts - 4 * len(_GAP)
        files = max(min(files, _WIDEST_FILES, left - _LEAST_WORDS), 0)
        words = max(min(words, left - files), 0)
    for one in lines:
        said = padded(cut(_said(one), words), words)
        head, anchor, tail = said.partition(f"  {one.anchor}") if one.anchor else (said, "", "")
        cells = (
            terminal.paint(padded(one.name, name), "bold"),
            terminal.paint(padded(one.when, when), "dim"),
            f"{head}{terminal.paint(anchor, 'dim') if anchor else ''}{tail}",
            *([padded(cut(one.files, files), files)] if files else []),
            *([_painted_counts(terminal, one)] if counts else []),
        )
        yield _GAP.join(cells).rstrip()


def _said(one: TurnLine) -> str:
    return f"{one.words}  {one.anchor}" if one.anchor else one.words


def _painted_counts(terminal: Terminal, one: TurnLine) -> str:
    styles = {"+": "green", "-": "red"}
    return " ".join(terminal.paint(count, styles[count[0]]) for count in one.counts.split())


def _anchor(checkpoint: Checkpoint) -> str:
    """Return what names a checkpoint after `@`, of a session that is not known by its agent."""
    if checkpoint.session is None or checkpoint.prompt_name is not None:
        return ""
    return ":".join(_shortened(part) for part in (checkpoint.session, checkpoint.message) if part)


def _shortened(part: str) -> str:
    return part if len(part) <= _SHORT + 4 else part[:_SHORT]
