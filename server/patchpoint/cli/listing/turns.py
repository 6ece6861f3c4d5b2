"""`patchpoint list` and `log`: the checkpoints turn by turn, and what each turn changed."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from patchpoint.checkpoints.authorship.listed_turns import (
    ChangedLines,
    ListedTurn,
    TurnChanges,
    changed_lines,
    newest_turns,
)
from patchpoint.checkpoints.naming import session_named, short_ids
from patchpoint.checkpoints.record.checkpoint import milliseconds_of
from patchpoint.checkpoints.record.moments import moment_named
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.turns import turn_of, turns_of
from patchpoint.checkpoints.store import WORKTREE
from patchpoint.cli.listing.turn_lines import called, clock, painted_lines, turn_line
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, watching
from patchpoint.cli.terminal import DONE, WRONG_USAGE, CommandError
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.state_home import missed_path
from patchpoint.git.repository import Repository
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.shown import visible_line
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.cli.listing.missed import MissedData
    from patchpoint.cli.restoring.elsewhere import ElsewhereData
    from patchpoint.cli.terminal import Terminal
    from patchpoint.hooks.missed import Missed
    from patchpoint.progress import Progress
    from patchpoint.schema.responses import CheckpointData

NEWEST = 20
"""Turns that are listed unless more are asked for: as many as one screen shows."""
_MISSED_SINCE_S = 86_400.0
"""Seconds for which it is said that a hook took no checkpoint; `patchpoint doctor` says it for longer."""
_CHANGED_SHOWN = 20
"""Files that the log names after each turn; JSON names all."""
_MARKS = {
    FileOperation.CREATE: ("A", "green"),
    FileOperation.DELETE: ("D", "red"),
    FileOperation.RENAME: ("R", "yellow"),
    FileOperation.UPDATE: ("M", "yellow"),
}


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """The JSON of a file that changed."""

    path: str
    operation: FileOperation
    new_path: str | None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The JSON of a checkpoint, and of what changed until the next one that is listed, or until now."""

    checkpoint: CheckpointData
    changed: tuple[ChangedFile, ...]


@dataclass(frozen=True, slots=True)
class ListResult:
    """The JSON of a list, newest first."""

    checkpoints: tuple[CheckpointData, ...]
    elsewhere: tuple[ElsewhereData, ...]
    """Those of the folder that are not among its own."""
    missed: tuple[MissedData, ...] = ()
    """The calls of agents' hooks that took none."""


@dataclass(frozen=True, slots=True)
class LogResult:
    """The JSON of a log, newest first."""

    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which turns are asked for; `None` for any."""

    session: str | None = None
    agent: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    path: str | None = None

    @classmethod
    def of(cls, store: CheckpointStore, options: argparse.Namespace) -> Wanted:
        """Return what the options ask for. Raises `CommandError` for a time that is none."""
        now = datetime.now().astimezone()
        path = None
        if options.file is not None:
            from patchpoint.cli.stores import relative_paths

            (path,) = relative_paths(store.root, [options.file])
        return cls(
            session=None if options.session is None else session_named(store, options.session),
            agent=options.agent,
            since=_moment(options.since, now),
            until=_moment(options.until, now),
            path=path,
        )

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self == Wanted()

    def has(self, checkpoint: Checkpoint) -> bool:
        """Return whether a checkpoint is one of them, by itself."""
        taken = milliseconds_of(checkpoint.id) / 1000
        return (
            self.session in (None, checkpoint.session)
            and self.agent in (None, checkpoint.agent)
            and (self.since is None or self.since.timestamp() <= taken)
            and (self.until is None or taken < self.until.timestamp())
        )

    def has_missed(self, missed: Missed) -> bool:
        """Return whether a checkpoint that was not taken would have been one of them."""
        return (
            self.session in (None, missed.event.session)
            and self.agent in (None, missed.agent)
            and self.path is None
            and (self.until is None or missed.at < self.until.timestamp())
        )

    def among(self, records: Records, changes: TurnChanges) -> Iterator[ListedTurn]:
        """Yield the turns, newest first."""
        for turn in newest_turns(records):
            if self.since is not None and milliseconds_of(turn.checkpoint.id) / 1000 < self.since.timestamp():
                return
            if self.has(turn.checkpoint) and (
                self.path is None or any(_is_of(self.path, each) for each in changes.of(turn))
            ):
                yield turn


def list_checkpoints(options: argparse.Namespace, terminal: Terminal) -> int:
    """List the checkpoints, newest first, one line a turn."""
    with opened(options) as store:
        wanted = Wanted.of(store, options)
        is_all = wanted.is_all and not options.safety
        elsewhere = [group for group in store.elsewhere() if group.asked_for] if is_all else []
        if options.json:
            _print_list_as_json(options, terminal, store, wanted, elsewhere)
            return DONE
        printed = _print_turns(options, terminal, store, wanted)
        missed = _missed(store, wanted)
        there_are = len(store.list()) if options.limit == 0 else 0
    if not printed and not is_all:
        terminal.line("No checkpoint matches.")
    elif there_are:
        verb = "is" if there_are == 1 else "are"
        terminal.line(f"None listed: --limit is 0, and there {verb} {plural(there_are, 'checkpoint')}.")
    elif not printed:
        terminal.line("No checkpoints yet; take one with `patchpoint checkpoint`.")
    _print_missed(terminal, missed)
    _print_elsewhere(terminal, elsewhere)
    return DONE


def log(options: argparse.Namespace, terminal: Terminal) -> int:
    """List the turns, newest first, each with the files that it changed, or say who wrote a line."""
    if options.output is not None and not options.agent_trace:
        raise CommandError("-o is for --agent-trace; pass both.", "no-agent-trace", WRONG_USAGE)
    if options.agent_trace:
        from patchpoint.cli.listing.agent_trace import agent_trace

        return agent_trace(options, terminal)
    if options.place is not None:
        from patchpoint.cli.listing.line_log import line_log

        return line_log(options, terminal)
    with opened(options) as store, watching() as progress:
        wanted = Wanted.of(store, options)
        if options.json:
            _print_log_as_json(options, terminal, store, wanted, progress)
            return DONE
        elsewhere = [group for group in store.elsewhere() if group.asked_for] if wanted.is_all else []
        printed = _print_turns(options, terminal, store, wanted, progress)
        missed = _missed(store, wanted)
    if not printed:
        terminal.line("No checkpoints yet." if wanted.is_all else "No checkpoint matches.")
    _print_missed(terminal, missed)
    _print_elsewhere(terminal, elsewhere, briefly=True)
    return DONE


def checkpoints_data(found: Sequence[Checkpoint]) -> tuple[CheckpointData, ...]:
    """Return the JSON of checkpoints."""
    from patchpoint.schema.checkpoints import checkpoint_data

    turns = turns_of(found)
    return tuple(checkpoint_data(one, turns[one.id]) for one in found)


def terminal_columns(terminal: Terminal) -> int | None:
    """Return how wide the terminal is; `None` where there is none, and nothing is cut."""
    if not terminal.stream.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _print_turns(
    options: argparse.Namespace,
    terminal: Terminal,
    store: CheckpointStore,
    wanted: Wanted,
    progress: Progress | None = None,
) -> bool:
    """Print the turns and, with `progress`, the files of each; return whether there was any."""
    records = Records(Repository.open(store.root), None)
    changes = TurnChanges(records)
    limit = None if options.all else NEWEST if options.limit is None else options.limit
    if getattr(options, "safety", False):
        found = [ListedTurn(checkpoint=one, turn=turn_of(one)) for one in records.all(safety=True)[:limit]]
        more = False
    else:
        found = list(islice(wanted.among(records, changes), None if limit is None else limit + 1))
        more = limit is not None and len(found) > limit
        found = found[:limit]
    changed = [_changed(store, changes, one, progress) for one in found]
    now = datetime.now().astimezone()
    ids = (*records.ids(), *records.ids(safety=True))
    short = short_ids(ids, ids)
    lines = [turn_line(one, each, short, now) for one, each in zip(found, changed, strict=True)]
    for turn, files, line in zip(
        found, changed, painted_lines(terminal, lines, terminal_columns(terminal)), strict=True
    ):
        terminal.line(line)
        if progress is not None:
            _print_files(terminal, files)
        for step in turn.steps if options.steps else ():
            words = f"{clock(step, now)}  {called(step)}"
            terminal.line(f"    {terminal.paint(short[step.id], 'bold')}  {visible_line(words)}")
    if more and limit:
        terminal.line(terminal.paint(f"Older ones: patchpoint {options.command} --all", "dim"))
    return bool(found)


def _changed(
    store: CheckpointStore, changes: TurnChanges, turn: ListedTurn, progress: Progress | None
) -> tuple[ChangedLines, ...]:
    """Return what a turn changed; up to the present only where there is time to look at that."""
    if turn.end is None and progress is not None and not turn.is_shared:
        return tuple(map(changed_lines, store.diff(turn.checkpoint.id, WORKTREE, progress=progress)))
    return changes.of(turn)


def _print_files(terminal: Terminal, files: Sequence[ChangedLines]) -> None:
    for one in files[:_CHANGED_SHOWN]:
        mark, colour = _MARKS[one.operation]
        moved = f" -> {one.new_path}" if one.new_path else ""
        terminal.line(f"    {terminal.paint(mark, colour)} {visible_line(one.path + moved)}")
    if len(files) > _CHANGED_SHOWN:
        terminal.line(f"    and {len(files) - _CHANGED_SHOWN} more")


def _print_list_as_json(
    options: argparse.Namespace,
    terminal: Terminal,
    store: CheckpointStore,
    wanted: Wanted,
    elsewhere: Sequence[Elsewhere],
) -> None:
    from patchpoint.cli.listing.missed import missed_data
    from patchpoint.cli.restoring.elsewhere import elsewhere_data

    found = _matching(store, wanted, safety=options.safety)[: options.limit]
    missed = missed_data(_missed(store, wanted))
    print_json(terminal, ListResult(checkpoints_data(found), elsewhere_data(elsewhere), missed))


def _print_log_as_json(
    options: argparse.Namespace,
    terminal: Terminal,
    store: CheckpointStore,
    wanted: Wanted,
    progress: Progress,
) -> None:
    limit = None if options.all else NEWEST if options.limit is None else options.limit
    found = _matching(store, wanted)[:limit]
    after = [WORKTREE, *(one.id for one in found[:-1])]
    changed = [store.diff(one.id, until, progress=progress) for one, until in zip(found, after, strict=False)]
    entries = tuple(_entry(data, each) for data, each in zip(checkpoints_data(found), changed, strict=True))
    print_json(terminal, LogResult(entries))


def _matching(store: CheckpointStore, wanted: Wanted, *, safety: bool = False) -> list[Checkpoint]:
    if wanted.path is not None:
        records = Records(Repository.open(store.root), None)
        turns = wanted.among(records, TurnChanges(records))
        return [one for turn in turns for one in (*turn.steps[::-1], turn.checkpoint)]
    return [one for one in store.list(safety=safety) if wanted.has(one)]


def _entry(checkpoint: CheckpointData, changed: Sequence[FileDifference]) -> LogEntry:
    files = tuple(ChangedFile(one.path, one.operation, one.new_path) for one in changed)
    return LogEntry(checkpoint, files)


def _missed(store: CheckpointStore, wanted: Wanted) -> list[Missed]:
    """Return the calls of hooks that took no checkpoint: those of a day, unless others are asked for."""
    if not os.path.exists(missed_path()):  # noqa: PTH110 - before what it takes to read it is loaded
        return []
    from patchpoint.hooks.missed import missed_in

    since = time.time() - _MISSED_SINCE_S if wanted.since is None else wanted.since.timestamp()
    return [one for one in missed_in(os.path.realpath(store.root), since) if wanted.has_missed(one)]


def _print_missed(terminal: Terminal, missed: Sequence[Missed]) -> None:
    if missed:
        from patchpoint.cli.listing.missed import said_of_missed

        for says in said_of_missed(missed, datetime.now().astimezone()):
            terminal.line(f"{terminal.paint(says, 'yellow')}.")


def _print_elsewhere(terminal: Terminal, groups: Sequence[Elsewhere], *, briefly: bool = False) -> None:
    if groups:
        from patchpoint.cli.restoring.elsewhere import print_elsewhere

        print_elsewhere(terminal, groups, briefly=briefly)


def _moment(text: str | None, now: datetime) -> datetime | None:
    if text is None:
        return None
    found = moment_named(text, now)
    if found is None:
        raise CommandError(
            f"'{text}' is no time; write 14:30, noon, yesterday, 2026-11-24, '2026-11-24 14:30', or 2h for "
            "two hours ago.",
            "no-time",
            WRONG_USAGE,
        )
    return found


def _is_of(path: str, changed: ChangedLines) -> bool:
    return any(
        each == path or each.startswith(f"{path}/") for each in (changed.path, changed.new_path) if each
    )
