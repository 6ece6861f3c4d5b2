"""The command line: the same abilities as in an editor, for people, hooks and scripts."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from patchpoint.cli.arguments import SERVER_OPTIONS, parser
from patchpoint.cli.refusal import DONE, ENVIRONMENT_FAILED, INTERRUPTED, CommandError
from patchpoint.cli.terminal import Terminal, standard_output

_HANDLERS = {
    "serve": "serve.serve",
    "apply": "edits.apply",
    "apply-patch": "edits.apply_patch",
    "revert": "edits.revert",
    "checkpoint": "checkpoints.take",
    "list": "checkpoints.list_all",
    "show": "checkpoints.show",
    "diff": "checkpoints.diff",
    "delete": "checkpoints.delete",
    "prune": "checkpoints.prune",
    "restore": "restoring.restore",
    "undo": "restoring.undo",
    "push": "transfer.push",
    "fetch": "transfer.fetch",
    "doctor": "doctor.doctor",
}
"""Who does each command; its module is imported only when it is called, so that a hook need not wait."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit status: 0 done, 1 refused, 2 wrong usage, 3 the environment failed.

    Raises `SystemExit` for `--help` and for arguments that are not understood, as argparse does.
    """
    words = parser()
    options = words.parse_args(arguments)
    terminal = standard_output()
    if options.version:
        terminal.line(f"patchpoint {version('patchpoint')}")
        return DONE
    _refuse_misplaced_options(words, options)
    try:
        return _run(options, terminal)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    module, _, function = _HANDLERS[options.command or "serve"].partition(".")
    try:
        handler = getattr(importlib.import_module(f"patchpoint.cli.{module}"), function)
        status: int = handler(options, terminal)
        sys.stdout.flush()
    except CommandError as error:
        return _report(options, terminal, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or str(error)
        return _report(options, terminal, CommandError(f"{place}{reason}.", "io-error", ENVIRONMENT_FAILED))
    return status


def _report(options: argparse.Namespace, terminal: Terminal, error: CommandError) -> int:
    if getattr(options, "json", False):
        terminal.line(json.dumps({"error": {"code": error.code, "message": str(error)}}, ensure_ascii=False))
    else:
        complaints = Terminal.of(sys.stderr)
        complaints.line(f"{complaints.paint('patchpoint:', 'bold', 'red')} {error}")
    return error.status


def _refuse_misplaced_options(words: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.command in (None, "serve"):
        return
    for option, name in SERVER_OPTIONS.items():
        if getattr(options, name) != words.get_default(name):
            words.error(f"{option} belongs to `serve`, not to `{options.command}`")
