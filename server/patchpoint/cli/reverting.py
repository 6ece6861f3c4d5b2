"""What was applied: `applications` lists it, `revert` reverts it."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from patchpoint.cli.apply import accepted_of, carry_out, print_done
from patchpoint.cli.output import print_json, print_table
from patchpoint.cli.stores import require_folder, store_options, watching
from patchpoint.cli.terminal import DONE, REFUSED, CommandError, Terminal
from patchpoint.headless.apply import CheckpointBefore, FolderRequest
from patchpoint.schema.operations import applications_result
from patchpoint.wording import ago, files_named, plural
from patchpoint.workspace.history.applications import Application
from patchpoint.workspace.history.ledger import Ledger


def applications(options: argparse.Namespace, terminal: Terminal) -> int:
    """List what was applied, newest first."""
    require_folder(options.root)
    known = Ledger(options.root.resolve()).applications()
    listed = applications_result(known, options.session, options.limit)
    if options.json:
        print_json(terminal, listed)
        return DONE
    by_id = {one.id: one for one in known}
    print_table(terminal, [_row(by_id[one.id]) for one in listed.applications])
    if not listed.applications:
        terminal.line("Nothing was applied here yet." if not known else "No application matches.")
    return DONE


def revert(options: argparse.Namespace, terminal: Terminal) -> int:
    """Revert an application, even if its files have changed since, or what a session changed."""
    if options.session is not None or options.turn is not None:
        from patchpoint.cli.restoring.session import revert_session

        return revert_session(options, terminal)
    require_folder(options.root)
    root = options.root.resolve()
    found = _application_named(root, options.application or options.named)
    asked = FolderRequest(
        edits=found.back,
        roots=(root,),
        base=Path.cwd(),
        originals=found.originals(),
        accept=accepted_of(options),
        reverts=found.id,
        remedy=None,  # what was there before is asked for by name
    )
    before = CheckpointBefore(options=store_options(root, options.wait))
    with watching() as progress:
        done = carry_out(options, asked, None if options.no_checkpoint else before, progress)
    return print_done(options, terminal, done)


def _application_named(root: Path, name: str | None) -> Application:
    """Return the application with the id `name`, or which begins with it, or else the last one."""
    known = Ledger(root).applications()
    found = [one for one in known if (one.id.startswith(name) if name else one.is_revertible)]
    if not found:
        what = f"No application '{name}'" if name else "Nothing to revert"
        raise CommandError(f"{what} in {root}.", "no-application", REFUSED)
    if name and len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise CommandError(
            f"'{name}' could be {ids}; give more characters.", "ambiguous-application", REFUSED
        )
    if found[0].reverted_at:
        raise CommandError(
            f"Nothing to revert: '{found[0].id}' has already been reverted.", "already-reverted", REFUSED
        )
    return found[0]


def _row(one: Application) -> tuple[str, ...]:
    now = datetime.now().astimezone()
    anchor = ":".join(filter(None, (one.origin.session, one.origin.message)))
    state = "reverted" if one.reverted_at else f"reverts {one.reverts}" if one.reverts else ""
    return (
        one.id,
        ago(one.created_at, now),
        plural(len(one.edits), "edit"),
        anchor,
        one.origin.name,
        files_named(one.files),
        state,
    )
