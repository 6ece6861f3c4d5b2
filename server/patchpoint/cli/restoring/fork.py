"""`patchpoint fork`: a checkpoint as a linked working tree."""

from __future__ import annotations

import argparse
import shlex

from patchpoint.checkpoints.fork import fork_checkpoint
from patchpoint.checkpoints.naming import id_named
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, store_options, watching
from patchpoint.cli.terminal import DONE, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.schema.checkpoints import checkpoint_data
from patchpoint.schema.responses import CheckpointData, SkippedFileData
from patchpoint.wording import plural


@dataclass(frozen=True, slots=True)
class ForkResult:
    """The JSON of a fork."""

    path: str
    checkpoint: CheckpointData
    """The first checkpoint of the new working tree."""
    unsaved: tuple[str, ...]
    kept: tuple[SkippedFileData, ...]


def fork(options: argparse.Namespace, terminal: Terminal) -> int:
    """Make a linked working tree of a checkpoint."""
    with opened(options) as store, watching() as progress:
        done = fork_checkpoint(
            store,
            id_named(store, options.checkpoint),
            options.folder,
            branch=options.branch,
            options=store_options(options.root, options.wait),
            progress=progress,
        )
    first = done.checkpoint
    if options.json:
        left = tuple(SkippedFileData(path=each.path, reason=each.reason) for each in done.kept)
        print_json(terminal, ForkResult(str(done.path), checkpoint_data(first), done.unsaved, left))
        return DONE
    for each in done.kept:
        terminal.line(f"{terminal.paint('not there:', 'yellow')} {each.path} ({each.reason})")
    if done.unsaved:
        names = ", ".join(done.unsaved)
        terminal.line(
            f"{plural(len(done.unsaved), 'file')} with text that was unsaved in the editor: {names}"
        )
    at = (
        first.branch.removeprefix("refs/heads/")
        if first.branch
        else f"no branch, at {(first.head or '')[:10]}"
    )
    terminal.line(
        f"{terminal.paint('Forked', 'bold', 'green')} to {done.path}: {plural(first.files, 'file')}, on {at}"
    )
    terminal.line(
        terminal.paint(f"Remove it with: git worktree remove --force {shlex.quote(str(done.path))}", "dim")
    )
    return DONE
