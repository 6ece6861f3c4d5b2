"""`patchpoint checkpoint`, `list`, `show`, `diff`, `delete`, `prune`: recording a working tree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import datetime, timezone

from patchpoint.checkpoints.checkpoint import Checkpoint, Kind
from patchpoint.checkpoints.difference import FileDifference
from patchpoint.cli.answering import answer_json
from patchpoint.cli.refusal import DONE, WRONG_USAGE, CommandError
from patchpoint.cli.stores import opened, watching
from patchpoint.cli.terminal import Terminal, plural
from patchpoint.lsp.answers import CheckpointsAnswer, DeletedAnswer, DiffAnswer
from patchpoint.lsp.checkpoint_answers import checkpoint_answer, difference_answer

_KINDS = {Kind.MANUAL: "", Kind.BEFORE_APPLY: "before edits", Kind.RUN: "before a run", Kind.SAFETY: "safety"}
_SKIPPED_SHOWN = 10


def take(options: argparse.Namespace, terminal: Terminal) -> int:
    """Record the working tree."""
    if options.message is not None and options.session is None:
        raise CommandError("--message needs --session, the chat that it is of.", "no-session", WRONG_USAGE)
    kind = Kind.RUN if options.session is not None else Kind.MANUAL
    with opened(options) as store, watching() as progress:
        taken = store.take(
            label=options.label,
            session=options.session,
            message=options.message,
            kind=kind,
            progress=progress,
        )
    if options.json:
        answer_json(terminal, checkpoint_answer(taken))
        return DONE
    unchanged = "; nothing had changed since the one before" if taken.unchanged else ""
    terminal.line(
        f"Checkpoint {terminal.paint(taken.id, 'bold')} of {plural(taken.files, 'file')}{unchanged}"
    )
    _say_skipped(terminal, taken)
    terminal.line(terminal.paint(f"Go back to it with: patchpoint restore {taken.id}", "dim"))
    return DONE


def list_all(options: argparse.Namespace, terminal: Terminal) -> int:
    """List the checkpoints, newest first."""
    with opened(options) as store:
        found = store.list(session=options.session, limit=options.limit, safety=options.safety)
    if options.json:
        answer_json(terminal, CheckpointsAnswer(checkpoints=tuple(map(checkpoint_answer, found))))
    elif not found:
        terminal.line("There is no checkpoint yet; `patchpoint checkpoint` takes one.")
    else:
        _say_rows(terminal, [_row(one) for one in found])
    return DONE


def show(options: argparse.Namespace, terminal: Terminal) -> int:
    """Show what is known of a checkpoint, or write one of its files to standard output, byte for byte."""
    with opened(options) as store:
        if options.path is not None:
            try:
                content = store.read(options.checkpoint, options.path)
            except FileNotFoundError as error:
                raise CommandError(str(error), "no-such-file") from error
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            return DONE
        found = store.show(options.checkpoint)
    if options.json:
        answer_json(terminal, checkpoint_answer(found))
        return DONE
    for name, value in _facts(found):
        terminal.line(f"{terminal.paint(name.ljust(10), 'dim')}{value}")
    _say_skipped(terminal, found)
    return DONE


def diff(options: argparse.Namespace, terminal: Terminal) -> int:
    """Compare a checkpoint with the working tree as it is, or with another checkpoint."""
    with opened(options) as store, watching() as progress:
        found: dict[str, FileDifference] = {}
        for path in options.paths or [None]:
            differences = store.diff(options.checkpoint, options.against, path=path, progress=progress)
            found |= {one.path: one for one in differences}
        root = store.root
    if options.json:
        answer_json(terminal, DiffAnswer(files=tuple(difference_answer(one, root) for one in found.values())))
        return DONE
    for one in found.values():
        if options.stat:
            moved = f" -> {one.new_path}" if one.new_path else ""
            terminal.line(f"{one.operation.value:<8}{one.path}{moved}")
        else:
            terminal.diff(one.diff)
    if not found and terminal.stream.isatty():
        terminal.line("Nothing is different.")
    return DONE


def delete(options: argparse.Namespace, terminal: Terminal) -> int:
    """Forget one checkpoint."""
    with opened(options) as store:
        store.delete(options.checkpoint)
    return _say_deleted(options, terminal, (options.checkpoint,))


def prune(options: argparse.Namespace, terminal: Terminal) -> int:
    """Forget the checkpoints that are not needed any more."""
    with opened(options) as store:
        gone = store.prune(keep=options.keep, older_than_days=options.older_than_days)
    return _say_deleted(options, terminal, gone)


def _say_deleted(options: argparse.Namespace, terminal: Terminal, ids: tuple[str, ...]) -> int:
    if options.json:
        answer_json(terminal, DeletedAnswer(deleted=ids))
    else:
        terminal.line(f"{plural(len(ids), 'checkpoint')} deleted")
    return DONE


def _say_skipped(terminal: Terminal, taken: Checkpoint) -> None:
    for left in taken.skipped[:_SKIPPED_SHOWN]:
        terminal.line(f"{terminal.paint('not in it:', 'yellow')} {left.path} ({left.reason})")
    if len(taken.skipped) > _SKIPPED_SHOWN:
        terminal.line(f"and {len(taken.skipped) - _SKIPPED_SHOWN} more; --json names them all")


def _facts(found: Checkpoint) -> Iterator[tuple[str, str]]:
    yield "id", found.id
    if found.label:
        yield "label", found.label
    yield "taken", f"{found.created_at} ({ago(found.created_at)})"
    if _KINDS[found.kind]:
        yield "kind", _KINDS[found.kind]
    if found.session is not None:
        yield "session", found.session
    if found.message is not None:
        yield "message", found.message
    yield "branch", _branch(found) or "none"
    if found.head:
        yield "head", found.head
    yield "commit", found.commit
    yield "files", str(found.files)
    yield "root", found.root


def _row(found: Checkpoint) -> tuple[str, ...]:
    what = " ".join(found.label.split()) or _KINDS[found.kind]
    return found.id, ago(found.created_at), plural(found.files, "file"), _branch(found), what


def _branch(found: Checkpoint) -> str:
    return (found.branch or "").removeprefix("refs/heads/")


def _say_rows(terminal: Terminal, rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        id_, *rest = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        terminal.line("  ".join((terminal.paint(id_, "bold"), *rest)).rstrip())


def ago(created_at: str) -> str:
    """How long ago a moment was, as people say it."""
    taken = datetime.fromisoformat(created_at.removesuffix("Z")).replace(tzinfo=timezone.utc)
    seconds = max((datetime.now(timezone.utc) - taken).total_seconds(), 0)
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{plural(int(seconds // length), unit)} ago"
    return "just now"
