"""`patchpoint push` and `fetch`: checkpoints that follow a person to another machine."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from patchpoint.cli.answering import answer_json
from patchpoint.cli.refusal import DONE
from patchpoint.cli.stores import opened, watching
from patchpoint.cli.terminal import Terminal, plural


@dataclass(frozen=True, slots=True)
class MovedAnswer:
    """The ids of the checkpoints that were not there yet."""

    checkpoints: tuple[str, ...]


def push(options: argparse.Namespace, terminal: Terminal) -> int:
    """Send checkpoints to a remote."""
    with opened(options) as store, watching() as progress:
        moved = store.push(options.remote, options.checkpoints or None, progress=progress)
    return _say_moved(options, terminal, moved, "sent")


def fetch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Fetch the checkpoints of a remote."""
    with opened(options) as store, watching() as progress:
        moved = store.fetch(options.remote, progress=progress)
    return _say_moved(options, terminal, moved, "fetched")


def _say_moved(options: argparse.Namespace, terminal: Terminal, moved: tuple[str, ...], verb: str) -> int:
    if options.json:
        answer_json(terminal, MovedAnswer(moved))
    elif moved:
        terminal.line(f"{plural(len(moved), 'checkpoint')} {verb}")
    else:
        terminal.line("Every checkpoint was there already.")
    return DONE
