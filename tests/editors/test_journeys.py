"""An agent's sixteen changes are seen, decided about and summed up by keys, in editors and at a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.screen import in_terminal
from tests.demo.project import contents
from tests.editors import journey
from tests.editors.editing import Editing
from tests.editors.helix.screen import configure
from tests.editors.installed import BIN, ROOT, editor
from tests.editors.journey import CHANGES, KEPT, REVERTED, Journey

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

HERE = Path(__file__).parent
PLUGINS = ROOT / "editors"
RECORDINGS = ROOT / "build" / "journeys"
SIZE = (110, 34)
_COUNTED = re.compile(r"\b\d+/\d+ +│")
"""What Helix has above a list that can be searched: how many of how many are in it."""


@pytest.fixture
def shop(tmp_path: Path, programs: Path) -> Editing:
    """The project, in which the agent has done its work, and an empty home folder."""
    home, project = tmp_path / "home", tmp_path / "shop"
    for folder in (home, project):
        folder.mkdir()
    editing = Editing(project, home, programs)
    journey.before(project)
    editing.call("git", "init", "-q")
    editing.call(str(BIN / "patchpoint"), "checkpoint", "before the agent")
    journey.after(project)
    return editing


def test_at_a_terminal(shop: Editing) -> None:
    words = ["bash", "--norc", "--noprofile", "-i"]
    with at_screen(words, shop, PS1="$ ") as person:
        person.see("$")
        person.press("patchpoint review\r")
        person.begin()
        for number, change in enumerate(CHANGES, 1):
            person.see(f"{number} of 16", *change.gone, change.shown)
            if change.edited:
                person.press("e")
                person.see("Ctrl-S write")
                person.press("\x1b[F", *"\x7f" * 3, journey.WANTED, "\x13")
            else:
                person.press("y" if change.kept else "r")
        person.see("Every change is decided")
        person.end(25)
        person.press("q")
        person.see(f"kept {KEPT}, reverted {REVERTED}")
        person.press("patchpoint review --finish\r")
        person.see(f"Your changes were reviewed: kept {KEPT}, reverted {REVERTED}.", seconds=3)
    ended(shop, person, "terminal")


def test_in_neovim(shop: Editing) -> None:
    prepare = f"lua vim.opt.runtimepath:prepend('{PLUGINS / 'neovim'}')"
    start = "lua require('patchpoint').setup({ keys = true })"
    plugin = "runtime plugin/patchpoint.lua"
    lines = (word for line in (prepare, start, plugin) for word in ("--cmd", line))
    words = [editor("nvim", "`make setup` installs it"), "--clean", *lines, "README.md"]
    # The list is in the order of the names that files have.
    in_order = sorted(CHANGES, key=lambda change: change.file)
    with at_screen(words, shop) as person:
        person.see("They end when the visitor has been idle")
        person.press(":Patchpoint review\r")
        person.begin()
        last = ""
        for number, change in enumerate(in_order):
            # The cursor is in the list, and above it is the file at the change.
            person.see(f"{16 - number} open", *change.gone, change.shown)
            if change.edited:
                person.press("\r", "A", *"\x7f" * 3, journey.WANTED, "\x1b")
                person.see(f"+ SESSION_TIMEOUT = {journey.WANTED}")
            decision = "gk" if change.kept else "gK"
            person.press("." if decision == last else decision)
            last = "" if change.edited else decision
        person.see(f"0 open, {KEPT} kept, {REVERTED} reverted")
        person.end(40)
        person.press(":Patchpoint review finish a\r")
        person.see("Save and finish")
        person.press("1\r")
        person.see("summary copied")
        person.press(":enew\r", '"ap')
        person.see(f"Your changes were reviewed: kept {KEPT}, reverted {REVERTED}.", seconds=3)
    ended(shop, person, "neovim")


def test_in_emacs(shop: Editing) -> None:
    emacs = editor("emacs", "install Emacs 29, or Emacs 28 with eglot (Debian: emacs-nox, elpa-eglot)")
    words = [emacs, "-q", "-nw", "-l", str(HERE / "emacs" / "shown.el"), "shop/settings.py"]
    with at_screen(words, shop, PLUGIN=str(PLUGINS / "emacs")) as person:
        person.see("[eglot:shop]")
        person.press("\x1bx", "patchpoint-review\r")
        person.begin()
        for number, change in enumerate(CHANGES):
            person.see(f"{16 - number} open", *change.gone, change.shown)
            if change.edited:
                person.press("\r")
                person.see("settings.py    All L4")
                person.press("\x05", *"\x7f" * 3, journey.WANTED, "\x18\x13", "\x18o", "g")
                person.see(f"+SESSION_TIMEOUT = {journey.WANTED}")
            person.press("k" if change.kept else "t")
            if not change.kept:
                person.see("Why, for the model", seconds=0.2)
                person.press("\r")
        person.see(f"Review: 0 open, {KEPT} kept, {REVERTED} reverted")
        person.end(40)
        person.press("f")
        person.see("summary copied")
        person.press("\x18b", "*scratch*\r", "\x19", "\x181")
        person.see(f"Your changes were reviewed: kept {KEPT}, reverted {REVERTED}.", seconds=3)
    ended(shop, person, "emacs")


def test_in_helix(shop: Editing) -> None:
    configure(shop.home / ".config" / "helix")
    with at_screen(
        [editor("hx", "tests/editors/install.sh installs it on Debian"), "README.md"], shop
    ) as person:
        person.see("They end when the visitor has been idle")
        refused, began = "not supported for any language server", "●   7  They end"
        shown, press = "", person.press
        while began not in shown:
            press(":")
            person.screen.until(lambda text: refused not in text)
            press("lsp-workspace-command patchpoint.reviewChanges\r")
            # Helix does not wait for a server that is being started: a person would wait, or do it again.
            press = person.screen.press
            shown = person.screen.until(lambda text: refused in text or began in text)
        # The file that is gone is a document with what it was, whose place sorts first.
        in_order = sorted(CHANGES, key=lambda change: (change.file != "shop/legacy.py", change.file))
        person.begin()
        for number, change in enumerate(in_order):
            left = 16 - number
            shown, press = "", person.press
            while f"{left}/{left} " not in shown:
                press(" D")
                shown = person.screen.until(lambda text: bool(_COUNTED.search(text)))
                if f"{left}/{left} " not in shown:
                    # It lists what the server has sent so far: a person would look again.
                    person.screen.press("\x1b")
                    person.screen.until(lambda text: not _COUNTED.search(text))
                    press = person.screen.press
            person.see(f"{left}/{left} ", seconds=0.2)
            person.press("\r")
            person.see(*change.gone, change.shown)
            if change.edited:
                person.press("A")
                column = len("SESSION_TIMEOUT = 300") + 1
                for key in (*"\x7f" * 3, *journey.WANTED):
                    # Of two changes within a millisecond Helix may tell the server the second one first.
                    person.see(f"4:{column}", seconds=0.1)
                    person.press(key)
                    column += -1 if key == "\x7f" else 1
                person.see(f"4:{column}", seconds=0.1)
                person.press("\x1b")
                person.see(" NOR ", journey.WANTED)
            person.press(" a")
            person.see("Keep this", "Revert this", seconds=0.2)
            person.press(*"\r" if change.kept else "\t\r")
            person.screen.until(lambda text: "Revert this" not in text and "(review-change)" not in text)
        person.end(120)
        person.press(":wa\r")
        person.screen.until(lambda text: "[+]" not in text)
        person.press(" a")
        person.see("Finish the review")
        person.press("\t\t\t\r")
        person.see("The text is at /")
        (summary,) = (shop.home / "state/patchpoint/shown").glob("*/review.txt")
        person.press(f":open {summary}\r")
        person.see(f"Your changes were reviewed: kept {KEPT}, reverted {REVERTED}.", seconds=3)
    ended(shop, person, "helix")


@contextmanager
def at_screen(words: list[str], shop: Editing, **variables: str) -> Iterator[Journey]:
    """Run a program in the project, in a terminal with 256 colours."""
    environment = shop.environment | {"TERM": "xterm-256color"} | variables
    with in_terminal(words, shop.project, environment, SIZE) as screen:
        yield Journey(screen)


def ended(shop: Editing, person: Journey, name: str) -> None:
    """Look at what the files are, and keep the recording."""
    person.record(RECORDINGS / f"{name}.cast")
    assert contents(shop.project) == journey.decided()
