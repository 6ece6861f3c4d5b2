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
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n",
        1,
        ("'twin'\n", "'new'\n'twin'\n"),
        "'new'\n'twin'\n'one'\n'two'\n'three'\n'twin'\n",
        ("'new'\n'twin'\n'one'\n", "'zero'\n'new'\n'twin'\n'one'\n"),
        "'zero'\n'new'\n'twin'\n'one'\n'two'\n'three'\n'twin'\n",
    ),
    "last.py": Cell(
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n",
        2,
        ("'twin'\n", "'twin'\n'new'\n"),
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n'new'\n",
        ("'three'\n'twin'\n'new'\n", "'three'\n'twin'\n'new'\n\n\n'last'\n"),
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n'new'\n\n\n'last'\n",
    ),
    "bare.py": Cell(
        "'twin'\n'one'\n'two'\n'three'\n'twin'",
        2,
        ("'twin'\n", "'twin'\n'new'\n"),
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n'new'",
        ("'three'\n'twin'\n'new'\n", "'three'\n'twin'\n'new'\n\n\n'last'\n"),
        "'twin'\n'one'\n'two'\n'three'\n'twin'\n'new'\n\n\n'last'",
    ),
    "empty.py": Cell("", 0, ("", ""), "", ("", "'one'\n'two'\n"), "'one'\n'two'\n"),
    "crlf.py": Cell(
        "'twin'\r\n'one'\r\n'two'\r\n'three'\r\n'twin'\r\n",
        2,
        ("'twin'\n", "'twin'\n'new'\n"),
        "'twin'\r\n'one'\r\n'two'\r\n'three'\r\n'twin'\r\n'new'\r\n",
        ("'three'\n'twin'\n'new'\n", "'three'\n'twin'\n'new'\n\n\n'last'\n"),
        "'twin'\r\n'one'\r\n'two'\r\n'three'\r\n'twin'\r\n'new'\r\n\r\n\r\n'last'\r\n",
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
