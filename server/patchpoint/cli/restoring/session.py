"""`patchpoint revert --session`: reverting what one session changed."""

from __future__ import annotations

import argparse
from pathlib import Path

from patchpoint.checkpoints.naming import turn_named
from patchpoint.checkpoints.session_revert import SessionReverted
from patchpoint.checkpoints.session_revert import revert_session as session_reverted
from patchpoint.cli.output import print_json
from patchpoint.cli.restoring.restore import print_files
from patchpoint.cli.stores import opened, store_options, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.schema.checkpoints import restore_result
from patchpoint.schema.responses import RestoreResult
from patchpoint.signals import unbroken
from patchpoint.wording import plural

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class LeftChangeData:
    """The JSON of a change that a session made and that was not reverted."""

    path: str
    reason: str
    lines: tuple[int, int] | None
    """Where it is now: the first line, from 1, and the last; `None` for a file as a whole."""
    removed: str
    added: str


@dataclass(frozen=True, slots=True)
class SessionRevertedResult:
    """The JSON of a session that was reverted."""

    restored: RestoreResult | None
    left: tuple[LeftChangeData, ...]
    unattributed: tuple[str, ...]
    """The files that changed while the session was at work, by no step that is known: these changes stay."""
    open_ended: bool
    """Whether no checkpoint says when a turn was done: refused, unless with `--until-now`."""


def revert_session(options: argparse.Namespace, terminal: Terminal) -> int:
    """Revert what a session changed, and leave what others changed since."""
    if options.session is None or options.application or options.named:
        usage = "Name an application, or pass --session (and --turn for one of its turns)."
        raise CommandError(usage, "no-session", WRONG_USAGE)
    with opened(options) as store, watching() as progress, unbroken():
        session, turn = turn_named(store, options.session)
        if session != options.session and "#" in options.session and turn is None:
            raise CommandError(
                f"{options.session} cannot be reverted by itself: its agent does not tell its turns apart. "
                f"--session {session} reverts all that the session did.",
                "no-turn",
                REFUSED,
            )
        done = session_reverted(
            store.root,
            session,
            options.turn or turn,
            per_file=options.atomic == "file",
            until_now=options.until_now,
            include_unattributed=options.include_unattributed,
            dry_run=options.check,
            options=store_options(options.root, options.wait),
            progress=progress,
        )
        root = store.root
    if options.json:
        print_json(terminal, _session_result(done, root))
    else:
        _print_session_reverted(terminal, done, session, until_now=options.until_now)
    return REFUSED if done.left or (done.open_ended and not options.until_now) else DONE


def _session_result(done: SessionReverted, root: Path) -> SessionRevertedResult:
    return SessionRevertedResult(
        restored=restore_result(done.restored, root) if done.restored is not None else None,
        left=tuple(
            LeftChangeData(
                path=each.path,
                reason=each.reason,
                lines=(each.obstacle.lines[0] + 1, each.obstacle.lines[1]) if each.obstacle else None,
                removed=each.obstacle.removed if each.obstacle else "",
                added=each.obstacle.added if each.obstacle else "",
            )
            for each in done.left
        ),
        unattributed=done.unattributed,
        open_ended=done.open_ended,
    )


def _print_session_reverted(
    terminal: Terminal, done: SessionReverted, session: str, *, until_now: bool
) -> None:
    for each in done.left:
        where = ""
        if each.obstacle is not None:
            first, end = each.obstacle.lines
            where = f", lines {first + 1} to {end}" if end > first + 1 else f", line {first + 1}"
        terminal.line(f"{terminal.paint('stays:', 'yellow')} {each.path}{where}: {each.reason}")
        if each.obstacle is not None:
            for sign, text, colour in (
                ("-", each.obstacle.removed, "red"),
                ("+", each.obstacle.added, "green"),
            ):
                for line in text.splitlines()[:_SHOWN]:
                    terminal.line(terminal.paint(f"    {sign}{line}", colour))
    for path in done.unattributed:
        terminal.line(
            f"{terminal.paint('stays:', 'yellow')} {path}: changed meanwhile, by no step that is known "
            "(--include-unattributed reverts that too)"
        )
    if done.restored is not None:
        print_files(terminal, done.restored)
        if done.open_ended and not until_now:
            terminal.line(
                f"Nothing was changed: no checkpoint records when session {session} finished, so some of "
                "this may be yours. To revert all of it, add --until-now."
            )
            return
        counts = f"{plural(len(done.restored.written), 'file')} written, {len(done.restored.deleted)} deleted"
        if done.restored.dry_run:
            terminal.line(f"Would revert: {counts}")
            return
        terminal.line(f"{terminal.paint('Reverted', 'bold', 'green')} session {session}: {counts}")
        terminal.line(terminal.paint("To undo: patchpoint undo", "dim"))
    elif done.left:
        terminal.line(
            f"Nothing was changed. With --atomic file, what session {session} did to other files is reverted."
        )
    else:
        terminal.line(f"Nothing that session {session} changed is left.")
