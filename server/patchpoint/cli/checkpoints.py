"""The checkpoints of a tree: `checkpoint`, `show`, `diff`, `rename`, `delete`, `prune`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import CheckpointDamagedError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named
from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.checkpoints.record.turns import turns_of
from patchpoint.checkpoints.store import WORKTREE
from patchpoint.cli.listing.turn_lines import KINDS, called
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, relative_paths, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, ask, can_ask
from patchpoint.text.shown import visible
from patchpoint.wording import ago, plural

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.turns import Turn
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.cli.terminal import Terminal


_DELETED_SHOWN = 20
_SKIPPED_SHOWN = 10


def take_checkpoint(options: argparse.Namespace, terminal: Terminal) -> int:
    """Record the working tree."""
    if options.message is not None and options.session is None:
        raise CommandError("--message needs --session, the chat it belongs to.", "no-session", WRONG_USAGE)
    if options.after and options.session is None:
        raise CommandError("--after needs --session, the chat that did the work.", "no-session", WRONG_USAGE)
    kind = CheckpointKind.RUN if options.session is not None else CheckpointKind.MANUAL
    kind = CheckpointKind.AFTER_RUN if options.after else kind
    with opened(options) as store, watching() as progress:
        taken = store.take(
            label=options.label,
            session=options.session,
            message=options.message,
            kind=kind,
            progress=progress,
        )
        taken = store.pin(taken.id) if options.pin else taken
    if options.json:
        from patchpoint.schema.checkpoints import checkpoint_data

        print_json(terminal, checkpoint_data(taken))
        return DONE
    unchanged = "; nothing has changed since the last one" if taken.unchanged else ""
    terminal.line(
        f"Checkpoint {terminal.paint(taken.id, 'bold')} of {plural(taken.files, 'file')}{unchanged}"
    )
    _print_skipped(terminal, taken)
    terminal.line(terminal.paint(f"Go back to it with: patchpoint restore {taken.id}", "dim"))
    return DONE


def show(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print the facts of a checkpoint, or write one of its files to standard output, byte for byte."""
    with opened(options) as store:
        if options.path is not None:
            try:
                content = store.read(id_named(store, options.checkpoint), options.path)
            except FileNotFoundError as error:
                raise CommandError(str(error), "no-such-file") from error
            sys.stdout.flush()
            # A pipe gets the file as it was; a terminal would obey it.
            if terminal.stream.isatty():
                content = visible(content.decode("utf-8", "surrogateescape")).encode()
            sys.stdout.buffer.write(content)
            return DONE
        found = store.show(id_named(store, options.checkpoint))
        others = store.list(session=found.session) if found.session is not None else ()
    turn = turns_of((found, *others))[found.id]
    if options.json:
        from patchpoint.schema.checkpoints import checkpoint_data

        print_json(terminal, checkpoint_data(found, turn))
        return DONE
    for name, value in _facts(found, turn):
        terminal.line(f"{terminal.paint(name.ljust(10), 'dim')}{value}")
    _print_skipped(terminal, found)
    return DONE


def diff(options: argparse.Namespace, terminal: Terminal) -> int:
    """Compare a checkpoint with the working tree or with another checkpoint."""
    with opened(options) as store, watching() as progress:
        found: dict[str, FileDifference] = {}
        old, given = _compared(store, options)
        new = _against(store, options, old)
        for path in relative_paths(store.root, given) or (None,):
            differences = store.diff(old, new, path=path, progress=progress)
            found |= {one.path: one for one in differences}
        root = store.root
    if options.json:
        from patchpoint.schema.checkpoints import file_change_data
        from patchpoint.schema.responses import DiffResult

        print_json(terminal, DiffResult(files=tuple(file_change_data(one, root) for one in found.values())))
        return DONE
    for one in found.values():
        if options.stat:
            moved = f" -> {one.new_path}" if one.new_path else ""
            terminal.line(f"{one.operation.value:<8}{one.path}{moved}")
        else:
            terminal.patch(one.diff, one.patch)
    if not found and terminal.stream.isatty():
        terminal.line("No differences.")
    return DONE


def rename_checkpoint(options: argparse.Namespace, terminal: Terminal) -> int:
    """Give a checkpoint another label, or pin or unpin it."""
    if options.label is None and not options.pin and not options.unpin:
        raise CommandError("Give a new name, --pin or --unpin.", "nothing-to-rename", WRONG_USAGE)
    with opened(options) as store:
        pinned = options.pin if options.pin or options.unpin else None
        renamed = store.relabel(id_named(store, options.checkpoint), options.label, pinned=pinned)
    if options.json:
        from patchpoint.schema.checkpoints import checkpoint_data

        print_json(terminal, checkpoint_data(renamed))
    else:
        terminal.line(f"Checkpoint {terminal.paint(renamed.id, 'bold')}: {called(renamed)}")
    return DONE


def delete(options: argparse.Namespace, terminal: Terminal) -> int:
    """Delete one checkpoint."""
    with opened(options) as store:
        gone = id_named(store, options.checkpoint)
        known: dict[str, Checkpoint] = {}
        with suppress(CheckpointDamagedError):
            known[gone] = store.show(gone)
        if gone in known and known[gone].pinned and not (options.force or options.check):
            raise CommandError(f"{gone} is pinned; pass --force to delete it anyway.", "pinned", REFUSED)
        if not options.check:
            _confirm_deletion(options, (gone,), known)
            store.delete(gone)
    return _print_deleted(options, terminal, (gone,), known)


def prune(options: argparse.Namespace, terminal: Terminal) -> int:
    """Delete the checkpoints that are no longer needed."""
    with opened(options) as store:
        pruned = partial(store.prune, keep=options.keep, older_than_days=options.older_than_days)
        gone = pruned(dry_run=True)
        known = {one.id: one for one in (*store.list(), *store.list(safety=True))}
        if gone and not options.check:
            _confirm_deletion(options, gone, known)
            gone = pruned()
    return _print_deleted(options, terminal, gone, known)


def _compared(store: CheckpointStore, options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the id of the checkpoint to compare with, by default the last, and the paths that were named."""
    if options.checkpoint is None:
        return id_named(store, "last"), options.paths
    if " " in options.checkpoint and os.path.lexists(options.checkpoint):
        return id_named(store, "last"), [options.checkpoint, *options.paths]
    try:
        return id_named(store, options.checkpoint), options.paths
    except CheckpointNotFoundError:
        if not os.path.lexists(options.checkpoint):
            raise
        return id_named(store, "last"), [options.checkpoint, *options.paths]


def _against(store: CheckpointStore, options: argparse.Namespace, old: str) -> str:
    """Return what the checkpoint `old` is compared with."""
    if not options.turn:
        return options.against if options.against == WORKTREE else id_named(store, options.against)
    from patchpoint.checkpoints.authorship.listed_turns import turns_listed

    end = next((one.end for one in turns_listed(store.list()) if one.checkpoint.id == old), None)
    return WORKTREE if end is None else end.id


def _confirm_deletion(
    options: argparse.Namespace, ids: Sequence[str], known: Mapping[str, Checkpoint]
) -> None:
    """Ask a person at a terminal; anywhere else there is nobody to ask, and a script says what it means.

    Raises `CommandError` for a no.
    """
    if options.yes or options.json or not can_ask():
        return
    lines = [_deletion(id_, known) for id_ in ids[:_DELETED_SHOWN]]
    if len(ids) > _DELETED_SHOWN:
        lines.append(f"and {len(ids) - _DELETED_SHOWN} more; --check lists them all")
    if not ask((*lines, f"Delete {plural(len(ids), 'checkpoint')}?")):
        raise CommandError("Cancelled; nothing was deleted.", "not-confirmed", REFUSED)


def _print_deleted(
    options: argparse.Namespace, terminal: Terminal, ids: Sequence[str], known: Mapping[str, Checkpoint]
) -> int:
    if options.json:
        from patchpoint.schema.responses import DeletedCheckpointsResult

        print_json(terminal, DeletedCheckpointsResult(deleted=tuple(ids)))
        return DONE
    for id_ in ids if options.check else ():
        terminal.line(_deletion(id_, known))
    terminal.line(f"{plural(len(ids), 'checkpoint')} {'would be deleted' if options.check else 'deleted'}")
    return DONE


def _deletion(id_: str, known: Mapping[str, Checkpoint]) -> str:
    found = known.get(id_)
    if found is None:
        return id_
    return "  ".join(filter(None, (id_, _age(found), called(found), found.session)))


def _print_skipped(terminal: Terminal, taken: Checkpoint) -> None:
    for other in taken.companions[:_SKIPPED_SHOWN]:
        terminal.line(f"{terminal.paint('with it:', 'dim')} {other.path} ({other.id})")
    if len(taken.companions) > _SKIPPED_SHOWN:
        terminal.line(
            f"and {len(taken.companions) - _SKIPPED_SHOWN} other repositories; --json names them all"
        )
    for left in taken.left_out[:_SKIPPED_SHOWN]:
        terminal.line(f"{terminal.paint('left out:', 'yellow')} {left.path} ({left.reason})")
    if len(taken.left_out) > _SKIPPED_SHOWN:
        terminal.line(f"and {len(taken.left_out) - _SKIPPED_SHOWN} more; --json names them all")


def _facts(found: Checkpoint, turn: Turn) -> Iterator[tuple[str, str]]:
    yield "id", found.id
    if found.label:
        yield "label", found.label
    yield "taken", f"{found.created_at} ({_age(found)})"
    if KINDS[found.kind]:
        yield "kind", KINDS[found.kind]
    if found.session is not None:
        yield "session", found.session
    if turn.agent is not None:
        yield "agent", turn.agent
    if turn.number is not None:
        yield "number", f"{turn.agent}#{turn.number}"
    if turn.name is not None:
        yield "turn", turn.name
    if turn.prompt is not None:
        yield "prompt", turn.prompt
    yield "branch", _branch(found) or "none"
    if found.head:
        yield "head", found.head
    yield "commit", found.commit
    if found.pinned:
        yield "pinned", "yes"
    yield "files", str(found.files)
    yield "root", found.root


def _age(found: Checkpoint) -> str:
    return ago(found.created_at, datetime.now(timezone.utc))


def _branch(found: Checkpoint) -> str:
    return (found.branch or "").removeprefix("refs/heads/")
