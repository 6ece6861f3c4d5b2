"""`patchpoint demo`: a model's answer that misquotes a small shop, applied, reviewed and undone."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from patchpoint.cli.demo.shop import ANSWER, CART, PRICES, contents, shop
from patchpoint.cli.parsing.run import run_command
from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, REFUSED, CommandError, Terminal, can_ask
from patchpoint.dataclass import dataclass
from patchpoint.signals import SIGNALLED, Stopped

_NEXT = (
    ("patchpoint apply", "paste a model's answer, then Ctrl-D"),
    ("patchpoint apply answer.md", "or save it to a file first"),
    ("patchpoint apply --feedback answer.md", "what to tell the model of refused edits"),
    ("patchpoint instructions", "what to tell it beforehand"),
    ("patchpoint setup", "a checkpoint before an agent's prompts"),
    ("patchpoint COMMAND --help", "everything else"),
)


class _QuitError(Exception):
    """The person has seen enough."""


@dataclass(slots=True)
class _Guide:
    """Who tells the story: prints the headings, the explanations and what the commands print."""

    terminal: Terminal
    waits: bool
    """Whether a person reads along and says when to go on."""
    chapter: int = 0

    def begin(self, title: str) -> None:
        """Print the heading of the next step, once the person has read the last one."""
        if self.waits and self.chapter:
            self._wait()
        self.chapter += 1
        self.terminal.line()
        self.terminal.line(self.terminal.paint(f"{self.chapter}. {title}", "bold", "blue"))

    def say(self, text: str) -> None:
        """Print an explanation, its lines as they are."""
        self.terminal.line()
        for line in text.splitlines():
            self.terminal.line(line)

    def compare(self, model: str, file: str) -> None:
        """Print what the model quotes, and what the file has instead."""
        self.terminal.line(f"  {self.terminal.paint('model', 'dim')}  {self.terminal.paint(model, 'red')}")
        self.terminal.line(f"  {self.terminal.paint('file ', 'dim')}  {self.terminal.paint(file, 'green')}")

    def run(self, line: str, status: int = DONE, *unshown: str) -> None:
        """Run a command as a shell does, with options that are not shown; it must end with `status`."""
        self.terminal.line()
        self.terminal.line(f"{self.terminal.paint('$', 'dim')} {self.terminal.paint(line, 'bold')}")
        self.terminal.stream.flush()
        ended = run_command([*shlex.split(line)[1:], *unshown])
        if ended >= SIGNALLED:
            raise Stopped(ended - SIGNALLED, done=False)
        if ended != status:
            raise CommandError(
                f"The demo expected `{line}` to exit with status {status}, not {ended}; please report this.",
                "demo-failed",
                ENVIRONMENT_FAILED,
            )

    def check(self, holds: bool, claim: str) -> None:
        """Print that `claim` holds. Raises `CommandError` where it does not."""
        if not holds:
            raise CommandError(
                f"The demo failed: it is not true that {claim}; please report this.",
                "demo-failed",
                ENVIRONMENT_FAILED,
            )
        self.terminal.line()
        self.terminal.line(self.terminal.paint(f"✓ {claim[0].upper()}{claim[1:]}.", "green"))

    def _wait(self) -> None:
        self.terminal.line()
        self.terminal.stream.write("Enter: next step, q: quit ")
        self.terminal.stream.flush()
        answer = sys.stdin.readline()
        if not answer or answer.strip().lower() in ("q", "quit"):
            raise _QuitError


def demo(_options: argparse.Namespace, terminal: Terminal) -> int:
    """Show the whole way once, in a folder of its own."""
    guide = _Guide(terminal, waits=can_ask() and terminal.stream.isatty())
    try:
        with shop() as folder:
            above = folder.parent
            _play(guide, folder)
    except _QuitError:
        return DONE
    terminal.line()
    terminal.line(terminal.paint("Now with a project of yours:", "bold"))
    terminal.line()
    width = max(len(command) for command, _ in _NEXT)
    for command, does in _NEXT:
        terminal.line(f"  {command.ljust(width)}  {terminal.paint(does, 'dim')}")
    if above.exists():
        terminal.line()
        terminal.line(f"The demo's folder could not be deleted completely; delete {above}.")
    return DONE


def _play(guide: _Guide, folder: Path) -> None:
    terminal = guide.terminal
    before = contents(folder)
    terminal.line(terminal.paint("Patchpoint: a model's answer, applied, reviewed and undone", "bold"))
    guide.say(
        f"A small shop of {len(before) - 1} files is in\n    {folder}\n"
        "and is deleted at the end. Nothing of yours is read or changed."
    )

    guide.begin("What the model wrote")
    guide.say(
        f"{ANSWER} has two edits. The first quotes {CART} without its\n"
        "indentation, and with a curly apostrophe that the file does not have:"
    )
    terminal.line()
    answer, cart = (before[name].decode("utf-8") for name in (ANSWER, CART))
    for word in ("def add", "# a customer"):
        guide.compare(_line_with(word, answer), _line_with(word, cart))
    guide.say(f"The second quotes a line of {PRICES} that is there twice.")

    guide.begin("Apply it: all of it, or nothing")
    guide.run(f"patchpoint apply {ANSWER}", REFUSED, "--yes")
    guide.check(contents(folder) == before, "nothing was written")
    guide.say(
        "The first edit has one place in spite of the misquote. The second has two,\n"
        "and Patchpoint does not guess. At a terminal of yours it asks you to pick;\n"
        "here an option does, the line in gross_food."
    )

    guide.begin("Pick, and look before anything is written")
    guide.run(f"patchpoint apply --choose 2:2 --check {ANSWER}")
    guide.say(
        "The new lines have the depth of the file, and the comment keeps its own\n"
        "apostrophe: nothing changes but what the model meant to change."
    )

    guide.begin("Apply")
    guide.run(f"patchpoint apply --choose 2:2 {ANSWER}")
    guide.run("patchpoint list")
    guide.say("That is a checkpoint of all files, taken before the first one was written.")

    guide.begin("Review what an agent did meanwhile")
    (folder / "notes.txt").write_text("made by a command that nobody watched\n", encoding="utf-8")
    prices = folder / PRICES
    prices.write_bytes(prices.read_bytes().replace(b"TAX = 0.20", b"TAX = 0.02", 1))
    guide.say("Say an agent has since run a command. Since the checkpoint:")
    guide.run("patchpoint diff --stat")
    guide.say(
        f"{PRICES} has a new tax, too. Keep or revert each change at a terminal\n"
        "with `patchpoint review`, in your editor, or by name:"
    )
    guide.run('patchpoint review --take-back --file notes.txt --because "nobody asked for it"')
    guide.check(not (folder / "notes.txt").exists(), "the file that nobody asked for is gone")

    guide.begin("Go back")
    guide.run("patchpoint restore last")
    guide.check(
        contents(folder) == before,
        f"all {len(before)} files are as they were before, byte for byte, whoever changed them",
    )


def _line_with(word: str, text: str) -> str:
    return next(line for line in text.splitlines() if word in line)
