"""`patchpoint undo`, `redo` and `operations`: what Patchpoint did, taken back and brought back."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.cli.stores import command_error, require_folder, store_options, watching
from patchpoint.cli.terminal import DONE, WRONG_USAGE, CommandError
from patchpoint.headless.undo import ANYBODY, Undone, UndoRequest, about_of, operations_of, said_of
from patchpoint.headless.undo import redo as redone
from patchpoint.headless.undo import undo as undone
from patchpoint.signals import unbroken
from patchpoint.wording import ago

if TYPE_CHECKING:
    from pathlib import Path

    from patchpoint.cli.terminal import Terminal
    from patchpoint.operations.log import LoggedOperation
    from patchpoint.progress import Progress

_SHOWN = 20
_COLOURS = {"A": "green", "D": "red"}


def undo(options: argparse.Namespace, terminal: Terminal) -> int:
    """Take back the last thing that Patchpoint did."""
    return _carry_out(options, terminal, undone)


def redo(options: argparse.Namespace, terminal: Terminal) -> int:
    """Bring back what was undone last."""
    return _carry_out(options, terminal, redone)


def operations(options: argparse.Namespace, terminal: Terminal) -> int:
    """List what Patchpoint did, newest first."""
    require_folder(options.root)
    try:
        root, found = operations_of(options.root, store_options(options.root))
    except CheckpointError as error:
        raise command_error(error) from error
    from patchpoint.schema.operations import operations_result

    listed = operations_result(root, found, options.session, options.limit)
    if options.json:
        from patchpoint.cli.output import print_json

        print_json(terminal, listed)
        return DONE
    from patchpoint.cli.output import print_table

    by_id = {each.id: each for each in found}
    print_table(terminal, [_row(by_id[one.id], one.state, root) for one in listed.operations])
    if not listed.operations:
        terminal.line("No operation matches." if found else "Nothing was done here yet.")
    return DONE


def _carry_out(
    options: argparse.Namespace,
    terminal: Terminal,
    way: Callable[[Path, UndoRequest, Progress], Undone],
) -> int:
    if options.session is not None and options.any_session:
        raise CommandError("Give --session or --any-session, not both.", "two-sessions", WRONG_USAGE)
    require_folder(options.root)
    asked = UndoRequest(
        session=ANYBODY if options.any_session else options.session or "",
        named=options.operation or "",
        dry_run=options.check,
        options=store_options(options.root, options.wait),
    )
    try:
        with watching() as progress, unbroken():
            done = way(options.root, asked, progress)
    except CheckpointError as error:
        raise command_error(error) from error
    if options.json:
        from patchpoint.cli.output import print_json
        from patchpoint.headless.operations import undone_result

        print_json(terminal, undone_result(done))
    else:
        _print_undone(terminal, done)
    return DONE


def _print_undone(terminal: Terminal, done: Undone) -> None:
    verb = done.kind.value
    for each in done.passed[:1]:
        whose = f"session {each.cause.session}" if each.cause.session else "a person"
        more = f" and {len(done.passed) - 1} more" if len(done.passed) > 1 else ""
        terminal.line(
            f"{terminal.paint('stays:', 'yellow')} {said_of(each, done.root)}, by {whose}{more} "
            f"(patchpoint {verb} {each.id})"
        )
    for mark, path in done.files[:_SHOWN]:
        terminal.line(f"{terminal.paint(mark, _COLOURS.get(mark, 'yellow'))}  {path}")
    if len(done.files) > _SHOWN:
        terminal.line(f"   and {len(done.files) - _SHOWN} more")
    if done.restored is not None:
        for left in done.restored.kept:
            terminal.line(f"{terminal.paint('left as it is:', 'yellow')} {left.path} ({left.reason})")
    for id_ in done.missing:
        terminal.line(f"{terminal.paint('gone for good:', 'yellow')} {id_} (its objects were collected)")
    what = f"{said_of(done.operation, done.root)}{_whose(done.operation)}"
    if done.dry_run:
        terminal.line(f"Would {verb}: {what}")
        return
    past = "Undone" if verb == "undo" else "Redone"
    terminal.line(f"{terminal.paint(past, 'bold', 'green')}: {what}")
    again = "patchpoint redo brings it back" if verb == "undo" else "patchpoint undo takes it back"
    terminal.line(terminal.paint(f"{again}.", "dim"))


def _whose(operation: LoggedOperation) -> str:
    return f", by session {operation.cause.session}" if operation.cause.session else ""


def _row(operation: LoggedOperation, state: str, root: Path) -> tuple[str, ...]:
    cause = operation.cause
    kind = f"{cause.kind.value} {cause.target}" if cause.target else cause.kind.value
    return (
        operation.id,
        ago(operation.at, datetime.now(timezone.utc)),
        kind,
        "" if state == "done" else state,
        about_of(operation, root),
        cause.session,
    )
