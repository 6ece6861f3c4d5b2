"""The options of the commands for agents, shells and the installation."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.shared_options import add_check, add_common, add_yes
from patchpoint.cli.parsing.values import agent


def add_setup_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `setup`."""
    parser.add_argument(
        "agents",
        nargs="*",
        metavar="AGENT",
        type=agent,
        help="claude, codex, gemini, cursor, copilot, opencode, qwen, pi, kilo, droid (default: list them)",
    )
    parser.add_argument("--all", action="store_true", help="every agent found on this machine")
    parser.add_argument(
        "--generic",
        action="store_true",
        help="print what an agent with hooks like those of Claude Code needs, and change nothing",
    )
    parser.add_argument("--remove", action="store_true", help="undo it")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="have the hook of Codex also rewrite patches that drifted, and refuse those without a place",
    )
    add_check(parser)
    parser.add_argument(
        "--project",
        action="store_true",
        help="in the project at --root, for everyone who works on it, instead of for you alone",
    )
    add_yes(parser)
    add_common(parser)


def add_hook_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `hook`."""
    parser.add_argument(
        "agent",
        nargs="?",
        help="claude, codex, gemini, cursor, copilot, opencode, qwen, pi, kilo, droid; else by the input",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="rewrite a patch of Codex that drifted, and refuse one that has no place",
    )
    parser.add_argument(
        "--lines",
        action="store_true",
        help="read one event a line and answer each with a line, for a plugin that keeps the process",
    )


def add_completion_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `completion`."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def add_bench_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `bench`."""
    parser.add_argument("--only", action="append", metavar="ENGINE", help="this engine (repeat it for more)")
    parser.add_argument("--kind", action="append", help="only cases of this kind (repeat it for more)")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="another engine: a command that answers one case a line, as docs/benchmark.md says",
    )
    parser.add_argument("--runs", type=int, default=5, help="how often each case is tried (default: 5)")
    parser.add_argument(
        "--seconds", type=float, default=10, help="a case that takes longer is refused (default: 10)"
    )
    parser.add_argument("--out", dest="file", metavar="FILE", help="write the results as JSON")


def add_doctor_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `doctor`."""
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair what a crash left behind, and bring back checkpoints that were lost",
    )
    parser.add_argument(
        "--prove",
        action="store_true",
        help="take a checkpoint, restore it next to the folder, and compare every byte",
    )
    add_common(parser)
