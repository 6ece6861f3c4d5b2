"""`patchpoint rewind`: picking a turn, by its agent and its prompt, and going back to before it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from patchpoint.checkpoints.authorship.listed_turns import ListedTurn, TurnChanges
from patchpoint.checkpoints.naming import short_ids
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.store import WORKTREE
from patchpoint.cli.listing.turn_lines import TurnLine, painted_lines, turn_line
from patchpoint.cli.listing.turns import NEWEST, ListResult, Wanted, checkpoints_data, terminal_columns
from patchpoint.cli.output import print_json
from patchpoint.cli.restoring.restore import print_restored
from patchpoint.cli.stores import opened
from patchpoint.cli.terminal import DONE, REFUSED, CommandError, Terminal, ask, has_screen
from patchpoint.git.repository import Repository
from patchpoint.signals import unbroken

if TYPE_CHECKING:
    from patchpoint.checkpoints.store import CheckpointStore

_ON_A_SCREEN = 200
"""Turns that a full screen scrolls through unless all are asked for."""


def rewind(options: argparse.Namespace, terminal: Terminal) -> int:
    """Have a person pick a turn, and restore the state before it; without a terminal, list what there is."""
    is_asked = not options.json and sys.stdin.isatty() and terminal.stream.isatty()
    on_screen = is_asked and not options.plain and has_screen(terminal)
    with opened(options) as store:
        records = Records(Repository.open(store.root), None)
        changes = TurnChanges(records)
        wanted = Wanted.of(store, options)
        most = _ON_A_SCREEN if on_screen else NEWEST
        limit = None if options.all else most if options.limit is None else options.limit
        turns = list(islice(wanted.among(records, changes), limit))
        if options.json:
            print_json(terminal, ListResult(checkpoints_data([one.checkpoint for one in turns]), ()))
            return DONE
        if not turns:
            terminal.line("No checkpoints yet." if wanted.is_all else "No checkpoint matches.")
            return DONE
        ids = (*records.ids(), *records.ids(safety=True))
        short, now = short_ids(ids, ids), datetime.now().astimezone()
        lines = [turn_line(one, changes.of(one), short, now) for one in turns]
        if not on_screen:
            _print_numbered(terminal, lines)
        if not is_asked:
            terminal.line(terminal.paint("Go back to before one with: patchpoint restore NAME", "dim"))
            return DONE
        picked = _on_screen(store, turns, lines) if on_screen else _by_number(lines)
        if picked is None:
            terminal.line("Nothing was restored.")
            return DONE
        return _restore(options, terminal, store, turns[picked], lines[picked])


def _print_numbered(terminal: Terminal, lines: Sequence[TurnLine]) -> None:
    digits = len(str(len(lines)))
    columns = terminal_columns(terminal)
    room = None if columns is None else columns - digits - 2
    for number, line in enumerate(painted_lines(terminal, lines, room), 1):
        terminal.line(f"{number:>{digits}}  {line}")


def _by_number(lines: Sequence[TurnLine]) -> int | None:
    """Ask for a number or a name, and return which one is meant; `None` for an empty answer."""
    errors = Terminal.of(sys.stderr)
    errors.stream.write(f"Go back to before which? [1-{len(lines)}, empty for none] ")
    errors.stream.flush()
    said = sys.stdin.readline().strip()
    if not said:
        return None
    named = [at for at, one in enumerate(lines) if said in (str(at + 1), one.name)]
    if len(named) != 1:
        raise CommandError(f"'{said}' is none of them; nothing was restored.", "no-checkpoint", REFUSED)
    return named[0]


def _on_screen(store: CheckpointStore, turns: Sequence[ListedTurn], lines: Sequence[TurnLine]) -> int | None:
    # Loaded by this command and a review alone, and only where there is a screen.
    from patchpoint.cli.screen.turn_picker import PickedFrom, TurnPicker

    return TurnPicker(
        [
            PickedFrom(
                line=line,
                agent=one.turn.agent or "",
                changed=partial(
                    _difference, store, one.checkpoint.id, WORKTREE if one.end is None else one.end.id
                ),
                restored=partial(_difference, store, one.checkpoint.id, WORKTREE),
            )
            for one, line in zip(turns, lines, strict=True)
        ]
    ).run()


def _difference(store: CheckpointStore, old: str, new: str) -> str:
    return "".join(one.diff for one in store.diff(old, new))


def _restore(
    options: argparse.Namespace, terminal: Terminal, store: CheckpointStore, turn: ListedTurn, line: TurnLine
) -> int:
    """Show what a restore changes, and do it after one yes."""
    planned = store.restore(turn.checkpoint.id, dry_run=True)
    fork = None
    if options.conversation:
        from patchpoint.cli.restoring.conversation import planned_fork, print_fork, write_fork

        fork = planned_fork(store, planned.checkpoint)
    print_restored(terminal, planned, store.root)
    if fork is not None:
        print_fork(terminal, fork, check=True)
    elif not any(
        one.written or one.deleted or one.head_from != one.head_to for _, one in planned.parts(store.root)
    ):
        return DONE
    if not ask([f"Go back to before {line.name}, “{line.words}”?"]):
        raise CommandError("Nothing was restored.", "not-confirmed", REFUSED)
    with unbroken():
        done = store.restore(turn.checkpoint.id)
        if fork is not None:
            write_fork(fork)
    print_restored(terminal, done, store.root)
    if fork is not None:
        print_fork(terminal, fork, check=False)
    return DONE
