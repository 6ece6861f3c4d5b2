"""One command of the command line, as the table of them has it."""

from __future__ import annotations

import argparse
from enum import Enum
from importlib import import_module

from patchpoint.dataclass import dataclass

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.cli.terminal import Terminal


class CommandGroup(Enum):
    """The headings under which the help lists the commands."""

    EDITS = "edits"
    CHECKPOINTS = "checkpoints"
    AGENTS = "agents"
    INSTALLATION = "editor and installation"


@dataclass(frozen=True, slots=True)
class CliCommand:
    """One command."""

    name: str
    group: CommandGroup
    help: str
    """Its line in the list of commands."""
    handler: str
    """`module.function` below `patchpoint.cli`. The module is imported when the command is run, so that no
    command waits for those of others."""
    options: str
    """`module.function` below `patchpoint.cli.parsing`, which adds its options; empty if it has none."""
    description: str
    """What it does, in sentences."""
    examples: tuple[str, ...]
    """Command lines as a person types them."""

    @property
    def examples_text(self) -> str:
        """Return the examples as the end of the help has them."""
        return "\n".join(("examples:", *(f"  {line}" for line in self.examples)))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the command to its parser."""
        if self.options:
            module, _, function = self.options.rpartition(".")
            getattr(import_module(f"patchpoint.cli.parsing.{module}"), function)(parser)

    def run(self, options: argparse.Namespace, terminal: Terminal) -> int:
        """Run the command and return its exit status. Raises `CommandError` and `OSError`."""
        module, _, function = self.handler.rpartition(".")
        status: int = getattr(import_module(f"patchpoint.cli.{module}"), function)(options, terminal)
        return status
