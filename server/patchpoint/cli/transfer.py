"""`patchpoint push` and `fetch`: checkpoints on another machine."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, watching
from patchpoint.cli.terminal import DONE, Terminal
from patchpoint.wording import plural


@dataclass(frozen=True, slots=True)
class TransferResult:
    """The ids of the checkpoints that were transferred: those that the other side did not have."""

    checkpoints: tuple[str, ...]


def push(options: argparse.Namespace, terminal: Terminal) -> int:
    """Send checkpoints to a remote."""
    with opened(options) as store, watching() as progress:
        transferred = store.push(options.remote, options.checkpoints or None, progress=progress)
    return _print_transferred(options, terminal, transferred, "sent")


def fetch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Fetch the checkpoints of a remote."""
    with opened(options) as store, watching() as progress:
        transferred = store.fetch(options.remote, progress=progress)
    return _print_transferred(options, terminal, transferred, "fetched")


def _print_transferred(
    options: argparse.Namespace, terminal: Terminal, transferred: tuple[str, ...], verb: str
) -> int:
    if options.json:
        print_json(terminal, TransferResult(transferred))
    elif transferred:
        terminal.line(f"{plural(len(transferred), 'checkpoint')} {verb}")
    else:
        terminal.line("Every checkpoint was already there.")
    return DONE
