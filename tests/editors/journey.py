"""One journey for every editor: what an agent wrote is seen, line by line, decided about, and summed up.

The agent was asked to have the sessions of a shop end by themselves. It changed twelve places in five files,
deleted a file, made two and renamed one. Ten of these changes are kept, one after it was edited, and six are
reverted.
"""

from __future__ import annotations

import codecs
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.cli.screen import Screen
from tests.demo import agent
from tests.demo.project import contents

_ORDERS = '''\
"""Orders."""

from shop.sessions import load


def place(store, key, cart):
    session = load(store, key)
    return {"visitor": session.visitor, "cart": cart}
'''
_LEGACY = '''\
"""Sessions in files, as they were."""


def sweep(folder):
    for path in folder.iterdir():
        path.unlink()
'''
_MONEY = '''\
"""Amounts."""


def shown(amount):
    return f"{amount:.2f}"
'''
_CLOCK = '''\
"""The time, for tests to set."""

import time

now = time.monotonic
'''
_ASKED = "    session = load(store, key)\n"
_REFUSED = _ASKED + "    if session is None:\n        raise LookupError(key)\n"

_BEFORE = {"shop/orders.py": _ORDERS, "shop/legacy.py": _LEGACY, "shop/money.py": _MONEY}


@dataclass(frozen=True)
class Change:
    """One change of the agent, and what the person decides about it."""

    file: str
    gone: tuple[str, ...] = ()
    """The lines that are no longer there, each of which has to be seen."""
    shown: str = ""
    """What else is seen of it."""
    kept: bool = True
    edited: bool = False


CHANGES = (
    Change("README.md", ("They last as long as the visitor stays.",)),
    Change("notes.md", shown="I have changed how sessions work.", kept=False),
    Change("shop/cart.py", ('"""The cart."""',)),
    Change(
        "shop/cart.py",
        (
            "    amount = 0",
            "    for item in items:",
            "        amount += item.price",
            "    return round(amount, 2)",
        ),
        kept=False,
    ),
    Change("shop/clock.py", shown="now = time.monotonic"),
    Change("shop/legacy.py", tuple(line for line in _LEGACY.splitlines() if line), kept=False),
    Change("shop/prices.py", shown="money.py", kept=False),
    Change("shop/orders.py", shown="raise LookupError(key)"),
    Change("shop/sessions.py", ('"""Sessions of visitors."""',)),
    Change("shop/sessions.py", ("TIMEOUT = 1800",), kept=False),
    Change("shop/sessions.py", ("        self.seen = time.time()",), "    def __init__(self, visitor):"),
    Change("shop/sessions.py", ("        self.seen = time.time()",), "    def is_over(self):"),
    Change("shop/sessions.py", ("    return store.get(key)",)),
    Change("shop/sessions.py", ("    del store[key]",)),
    Change("shop/settings.py", ("DEBUG = False",), kept=False),
    Change("shop/settings.py", shown="SESSION_TIMEOUT = 300", edited=True),
)
KEPT = sum(change.kept for change in CHANGES)
REVERTED = len(CHANGES) - KEPT
WANTED = "1800"
"""The seconds that the person writes in place of those of the agent, 300."""


def before(project: Path) -> None:
    """Write the files as they are before the agent's turn."""
    agent.write("before", project)
    _write(project, _BEFORE)


def after(project: Path) -> None:
    """Do in the project what the agent did."""
    agent.write("after", project)
    _write(project, {"shop/orders.py": _ORDERS.replace(_ASKED, _REFUSED), "shop/clock.py": _CLOCK})
    (project / "shop/legacy.py").unlink()
    (project / "shop/money.py").rename(project / "shop/prices.py")


def _write(project: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (project / name).write_text(text, encoding="utf-8")


def decided() -> dict[str, bytes]:
    """Return the files as they are once all is decided, by their paths."""
    with tempfile.TemporaryDirectory() as folder:
        early, late = Path(folder) / "before", Path(folder) / "after"
        for project, write in ((early, (before,)), (late, (before, after))):
            project.mkdir()
            for step in write:
                step(project)
        files = contents(late)
        files |= {name: contents(early)[name] for name in ("shop/legacy.py", "shop/money.py")}
        files["shop/cart.py"] = contents(early)["shop/cart.py"].replace(
            b"The cart.", b"The cart of a visitor."
        )
    del files["notes.md"], files["shop/prices.py"]
    settings, sessions = files["shop/settings.py"], files["shop/sessions.py"]
    files["shop/settings.py"] = settings.replace(b"True", b"False").replace(b"300", WANTED.encode())
    files["shop/sessions.py"] = sessions.replace(b"TIMEOUT = 300", b"TIMEOUT = 1800")
    return files


class Journey:
    """A person at a terminal, whose keys are counted, and a recording of what they see."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.keys = 0
        self._looked: list[tuple[int, float]] = []

    def press(self, *keys: str) -> None:
        """Press keys one after another, or type texts."""
        self.keys += sum(1 if key.startswith("\x1b") else len(key) for key in keys)
        self.screen.press(*keys)

    def begin(self) -> None:
        """Count the keys from here on."""
        self.keys = 0

    def end(self, most: int) -> None:
        """Look at how many keys it took to decide about all of it: at most so many."""
        print(f"{self.keys} keys")
        assert self.keys <= most

    def see(self, *texts: str, seconds: float = 1.0) -> str:
        """Wait until all of these are on the screen at once, and look at it for so long; return it."""
        shown = self.screen.until(*texts)
        self._looked.append((len(self.screen.received), seconds))
        return shown

    def record(self, path: Path) -> None:
        """Write what was seen as an asciicast of version 2, at a pace that can be followed."""
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        columns, rows = self.screen.size
        lines: list[object] = [{"version": 2, "width": columns, "height": rows, "title": path.stem}]
        second = 0.0
        for number, data in enumerate(self.screen.received):
            second += 0.02 + sum(pause for at, pause in self._looked if at == number)
            lines.append([round(second, 2), "o", decode(data)])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )
