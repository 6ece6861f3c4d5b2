"""The checkpoints of a tree: `checkpoint`, `list`, `log`, `show`, `diff`, `rename`, `delete`, `prune`."""

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
from patchpoint.checkpoints.naming import id_named, session_named
from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.checkpoints.record.turns import turns_of
from patchpoint.checkpoints.store import WORKTREE
from patchpoint.cli.output import print_json, print_table
from patchpoint.cli.stores import opened, relative_paths, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, ask, can_ask
from patchpoint.dataclass import dataclass
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.shown import visible, visible_line
from patchpoint.wording import ago, plural

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.turns import Turn
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.cli.restoring.elsewhere import ElsewhereData
    from patchpoint.cli.terminal import Terminal
    from patchpoint.schema.responses import CheckpointData


_KINDS = {
    CheckpointKind.MANUAL: "",
    CheckpointKind.BEFORE_APPLY: "before edits",
    CheckpointKind.RUN: "before a run",
    CheckpointKind.AFTER_RUN: "after a run",
    CheckpointKind.STEP: "before a step of a run",
    CheckpointKind.AFTER_STEP: "after a step of a run",
    CheckpointKind.SAFETY: "safety",
}
_DELETED_SHOWN = 20
_SKIPPED_SHOWN = 10
_CHANGED_SHOWN = 20
"""Files that the log names after each checkpoint; JSON names all."""
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


@dataclass(frozen=True, slots=True)
class LogResult:
    """The JSON of a log, newest first."""

    entries: tuple[LogEntry, ...]


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


def list_checkpoints(options: argparse.Namespace, terminal: Terminal) -> int:
    """List the checkpoints, newest first."""
    with opened(options) as store:
        found = store.list(session=_session(store, options), limit=options.limit, safety=options.safety)
        there_are = len(store.list()) if options.limit == 0 else 0
        is_all = options.session is None and not options.safety
        elsewhere = [group for group in store.elsewhere() if group.asked_for] if is_all else []
    if options.json:
        from patchpoint.cli.restoring.elsewhere import elsewhere_data
        from patchpoint.schema.checkpoints import checkpoints_data

        print_json(terminal, ListResult(checkpoints_data(found), elsewhere_data(elsewhere)))
        return DONE
    if not found and (options.session is not None or options.safety):
        terminal.line("No checkpoint matches.")
    elif there_are:
        terminal.line(f"None listed: --limit is 0, and there {_are(there_are)}.")
    elif not found:
        terminal.line("No checkpoints yet; take one with `patchpoint checkpoint`.")
    else:
        print_table(terminal, [_row(one, turn) for one, turn in zip(found, _shown_turns(found), strict=True)])
    _print_elsewhere(terminal, elsewhere)
    return DONE


def log(options: argparse.Namespace, terminal: Terminal) -> int:
    """List the checkpoints, newest first, each with the files that changed after it, or who wrote a line."""
    if options.place is not None:
        from patchpoint.cli.listing.line_log import line_log

        return line_log(options, terminal)
    with opened(options) as store, watching() as progress:
        found = store.list(session=_session(store, options), limit=options.limit)
        is_all = options.session is None and not options.json
        elsewhere = [group for group in store.elsewhere() if group.asked_for] if is_all else []
        after = [WORKTREE, *(one.id for one in found[:-1])]
        entries = [
            (one, store.diff(one.id, until, progress=progress))
            for one, until in zip(found, after, strict=False)
        ]
    if options.json:
        from patchpoint.schema.checkpoints import checkpoints_data

        listed = zip(checkpoints_data(found), entries, strict=True)
        print_json(terminal, LogResult(tuple(_entry(data, changed) for data, (_, changed) in listed)))
        return DONE
    for (one, changed), turn in zip(entries, _shown_turns(found), strict=True):
        _print_entry(terminal, one, turn, changed)
    if not entries:
        terminal.line("No checkpoint matches." if options.session is not None else "No checkpoints yet.")
    _print_elsewhere(terminal, elsewhere, briefly=True)
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
        new = options.against if options.against == WORKTREE else id_named(store, options.against)
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
            terminal.diff(one.diff)
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
        terminal.line(f"Checkpoint {terminal.paint(renamed.id, 'bold')}: {_what(renamed)}")
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


def _print_elsewhere(terminal: Terminal, groups: Sequence[Elsewhere], *, briefly: bool = False) -> None:
    if groups:
        from patchpoint.cli.restoring.elsewhere import print_elsewhere

        print_elsewhere(terminal, groups, briefly=briefly)


def _session(store: CheckpointStore, options: argparse.Namespace) -> str | None:
    return None if options.session is None else session_named(store, options.session)


def _compared(store: CheckpointStore, options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the id of the checkpoint to compare with, by default the last, and the paths that were named."""
    if options.checkpoint is None:
        return id_named(store, "last"), options.paths
    try:
        return id_named(store, options.checkpoint), options.paths
    except CheckpointNotFoundError:
        if not os.path.lexists(options.checkpoint):
            raise
        return id_named(store, "last"), [options.checkpoint, *options.paths]


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
    return "  ".join(filter(None, (id_, _age(found), _what(found), found.session)))


def _are(count: int) -> str:
    return f"{'is' if count == 1 else 'are'} {plural(count, 'checkpoint')}"


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
    if _KINDS[found.kind]:
        yield "kind", _KINDS[found.kind]
    if found.session is not None:
        yield "session", found.session
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


def _row(found: Checkpoint, turn: str) -> tuple[str, ...]:
    """Return the cells of a checkpoint, the widest of which, its session and turn, is the last."""
    return (found.id, _age(found), plural(found.files, "file"), _branch(found), _what(found), turn)


def _shown_turns(found: Sequence[Checkpoint]) -> list[str]:
    """Return for each checkpoint its session and its turn, as `@` and a name of a checkpoint have them."""
    turns = turns_of(found)
    return [":".join(filter(None, (one.session, turns[one.id].name))) for one in found]


def _what(found: Checkpoint) -> str:
    """Return what a checkpoint is called or, without a label, why it was taken, and whether it is pinned."""
    name = " ".join(found.label.split()) or _KINDS[found.kind]
    return " ".join(filter(None, (name, "(pinned)" if found.pinned else "")))


def _age(found: Checkpoint) -> str:
    return ago(found.created_at, datetime.now(timezone.utc))


def _branch(found: Checkpoint) -> str:
    return (found.branch or "").removeprefix("refs/heads/")


def _entry(checkpoint: CheckpointData, changed: Sequence[FileDifference]) -> LogEntry:
    files = tuple(ChangedFile(one.path, one.operation, one.new_path) for one in changed)
    return LogEntry(checkpoint, files)


def _print_entry(
    terminal: Terminal, checkpoint: Checkpoint, turn: str, changed: Sequence[FileDifference]
) -> None:
    words = (_age(checkpoint), _what(checkpoint))
    rest = "  ".join(visible_line(word) for word in words if word)
    anchor = f"  {terminal.paint(turn, 'dim')}" if turn else ""
    terminal.line(f"{terminal.paint(checkpoint.id, 'bold')}  {rest}{anchor}")
    for one in changed[:_CHANGED_SHOWN]:
        mark, colour = _MARKS[one.operation]
        moved = f" -> {one.new_path}" if one.new_path else ""
        terminal.line(f"    {terminal.paint(mark, colour)} {one.path}{moved}")
    if len(changed) > _CHANGED_SHOWN:
        terminal.line(f"    and {len(changed) - _CHANGED_SHOWN} more")
