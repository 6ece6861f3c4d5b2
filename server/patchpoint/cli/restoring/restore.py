"""`patchpoint restore`: going back to a checkpoint."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.naming import id_named
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, relative_paths, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, ask, can_ask
from patchpoint.signals import unbroken
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.cli.terminal import Terminal


_SHOWN = 20
_SHOWN_REPOSITORIES = 5
_NOTHING_TO_DO = "Nothing to restore: the files already match the checkpoint."


def restore(options: argparse.Namespace, terminal: Terminal) -> int:
    """Restore the working tree, or a part of it, to a checkpoint."""
    if (options.session is None) != (options.message is None):
        raise CommandError("--session and --message must be used together.", "no-anchor", WRONG_USAGE)
    given = [options.checkpoint, *options.paths] if options.checkpoint is not None else []
    id_ = given.pop(0) if given and options.session is None else None
    if id_ is None and options.session is None:
        usage = "Name a checkpoint (see `patchpoint list`), or pass --session and --message."
        raise CommandError(usage, "no-checkpoint", WRONG_USAGE)
    if options.conversation:
        # Loaded by those alone who ask for it.
        from patchpoint.cli.restoring.conversation import (
            planned_fork,
            print_fork,
            with_conversation,
            write_fork,
        )

        if given:
            usage = "--conversation goes back with all files; name no paths."
            raise CommandError(usage, "conversation-of-paths", WRONG_USAGE)
    asks = bool(given) and not (options.check or options.force or options.json) and can_ask()
    with opened(options) as store, watching() as progress, unbroken():
        restored = partial(
            store.restore,
            id_named(store, id_) if id_ is not None else None,
            session=options.session,
            message=options.message,
            paths=relative_paths(store.root, given) if given else None,
            only=options.only,
            force=options.force,
            progress=progress,
        )
        fork = planned_fork(store, restored(dry_run=True).checkpoint) if options.conversation else None
        if asks and (remark := restored(dry_run=True).remark) and not ask([remark, "Restore these files?"]):
            raise CommandError("Nothing was restored.", "not-confirmed", REFUSED)
        done = restored(dry_run=options.check)
        if fork is not None and not options.check:
            write_fork(fork)
        root = store.root
    if options.json:
        from patchpoint.schema.checkpoints import restore_result

        result = restore_result(done, root)
        if fork is None:
            print_json(terminal, result)
        else:
            terminal.json(with_conversation(result, fork, check=options.check))
    else:
        print_restored(terminal, done, root)
        if fork is not None:
            print_fork(terminal, fork, check=options.check)
    return DONE


def print_files(terminal: Terminal, done: Restored, within: str = "") -> None:
    """Print the files that a restore created, overwrote, deleted and left as they were.

    `within` is the path of another repository that they are in.
    """
    start = f"{within}/" if within else ""
    for mark, colour, paths in (
        ("A", "green", done.created),
        ("M", "yellow", done.overwritten),
        ("D", "red", done.deleted),
    ):
        for path in paths[:_SHOWN]:
            terminal.line(f"{terminal.paint(mark, colour)}  {start}{path}")
        if len(paths) > _SHOWN:
            terminal.line(f"   and {len(paths) - _SHOWN} more")
    for left in done.kept:
        terminal.line(f"{terminal.paint('left as it is:', 'yellow')} {start}{left.path} ({left.reason})")


def print_restored(terminal: Terminal, done: Restored, root: Path) -> None:
    """Print what a restore of the working tree at `root` did, or would do."""
    print_files(terminal, done)
    if done.remark:
        terminal.line(done.remark)
    others = _in_others(done, root) if done.companions else {}
    for path, one in others.items():
        print_files(terminal, one, path)
        if one.remark:
            terminal.line(f"{path}: {one.remark}")
        if one.head_from != one.head_to:
            terminal.line(f"{path}: the branch went from {_short(one.head_from)} to {_short(one.head_to)}.")
    parts = [done, *others.values()]
    written, deleted = sum(len(one.written) for one in parts), sum(len(one.deleted) for one in parts)
    counts = f"{plural(written, 'file')} written, {deleted} deleted"
    if others:
        counts += f", also in {_listed(list(others))}"
    if done.dry_run:
        terminal.line(f"Would restore: {counts}")
        if others:
            terminal.line(terminal.paint("Without other repositories: --only", "dim"))
        return
    if all(one.safety is None for one in parts):
        what = "Nothing else differs from the checkpoint." if done.kept else _NOTHING_TO_DO
        terminal.line(what)
        return
    name = f"“{done.checkpoint.label}”" if done.checkpoint.label else done.checkpoint.id
    terminal.line(f"{terminal.paint('Restored', 'bold', 'green')} {name}: {counts}")
    if done.head_from != done.head_to:
        terminal.line(f"The branch went from {_short(done.head_from)} to {_short(done.head_to)}.")
    if done.dropped:
        terminal.line(f"Deleted {plural(len(done.dropped), 'later checkpoint')} of the session.")
    if done.session_reset:
        terminal.line(f"The agent of session {done.session} has to start over.")
    if done.safety:
        terminal.line(terminal.paint("To undo: patchpoint undo", "dim"))


def _in_others(done: Restored, root: Path) -> dict[str, Restored]:
    """Return what was done in other repositories, by their paths."""
    from patchpoint.schema.checkpoints import shown_path

    return {shown_path(place, root): one for place, one in done.parts(root)[1:]}


def _listed(paths: Sequence[str]) -> str:
    shown = ", ".join(f"'{path}'" for path in paths[:_SHOWN_REPOSITORIES])
    more = len(paths) - _SHOWN_REPOSITORIES
    return f"{shown} and {more} more" if more > 0 else shown


def _short(commit: str | None) -> str:
    return commit[:10] if commit else "no commit"
