"""Edits at the ends of files, where editors differ in what a line and its ending are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cell:
    """A file, and what two edits make of it: one that fits at two places, and one that fits at one."""

    before: str
    candidate: int
    """The place at which the first edit is put, counted from 1; 0 for a file that has no two places."""
    twice: tuple[str, str]
    """What the first edit searches for, and what it makes of that."""
    resolved: str
    once: tuple[str, str]
    """The same of the second edit."""
    applied: str


ENDS = {
    "first.py": Cell(
        "twin\none\ntwo\nthree\ntwin\n",
        1,
        ("twin\n", "new\ntwin\n"),
        "new\ntwin\none\ntwo\nthree\ntwin\n",
        ("new\ntwin\none\n", "zero\nnew\ntwin\none\n"),
        "zero\nnew\ntwin\none\ntwo\nthree\ntwin\n",
    ),
    "last.py": Cell(
        "twin\none\ntwo\nthree\ntwin\n",
        2,
        ("twin\n", "twin\nnew\n"),
        "twin\none\ntwo\nthree\ntwin\nnew\n",
        ("three\ntwin\nnew\n", "three\ntwin\nnew\n\n\nlast\n"),
        "twin\none\ntwo\nthree\ntwin\nnew\n\n\nlast\n",
    ),
    "bare.py": Cell(
        "twin\none\ntwo\nthree\ntwin",
        2,
        ("twin\n", "twin\nnew\n"),
        "twin\none\ntwo\nthree\ntwin\nnew",
        ("three\ntwin\nnew\n", "three\ntwin\nnew\n\n\nlast\n"),
        "twin\none\ntwo\nthree\ntwin\nnew\n\n\nlast",
    ),
    "empty.py": Cell("", 0, ("", ""), "", ("", "one\ntwo\n"), "one\ntwo\n"),
    "crlf.py": Cell(
        "twin\r\none\r\ntwo\r\nthree\r\ntwin\r\n",
        2,
        ("twin\n", "twin\nnew\n"),
        "twin\r\none\r\ntwo\r\nthree\r\ntwin\r\nnew\r\n",
        ("three\ntwin\nnew\n", "three\ntwin\nnew\n\n\nlast\n"),
        "twin\r\none\r\ntwo\r\nthree\r\ntwin\r\nnew\r\n\r\n\r\nlast\r\n",
    ),
}
"""The first line, the last one, no ending after that, no line at all, and other endings."""


def write_ends(folder: Path) -> None:
    """Write the files, and the two answers about them, into a folder."""
    for name, cell in ENDS.items():
        (folder / name).write_bytes(cell.before.encode())
    (folder / "twice.md").write_text(
        answer({name: cell.twice for name, cell in ENDS.items() if cell.candidate})
    )
    (folder / "once.md").write_text(answer({name: cell.once for name, cell in ENDS.items()}))


def answer(edits: dict[str, tuple[str, str]]) -> str:
    """Return what a model writes for one edit of each file."""
    return "".join(
        f"{name}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n\n"
        for name, (search, replace) in edits.items()
    )
