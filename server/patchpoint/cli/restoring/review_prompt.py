"""Asking a person about each change of a review at a terminal, with the letters of `git add -p`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence

from patchpoint.cli.terminal import Terminal
from patchpoint.review.change_set import FileChanges
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.review.decisions import Review

_HELP = (
    ("y", "keep this change"),
    ("n", "decide later: keep it for now, and leave it open"),
    ("r", "revert this change, and say why"),
    ("a", "keep this and all later changes in this file"),
    ("d", "decide later about this and all later changes in this file"),
    ("q", "decide later about this and all later changes"),
    ("?", "show this"),
)


def ask_about(
    terminal: Terminal,
    review: Review,
    files: Sequence[FileChanges],
    keep: Callable[[str, str], None],
    take_back: Callable[[str, str, str], None],
    decided: Collection[str],
) -> None:
    """Ask about each open change but those `decided`.

    `keep` is called at once for each that is kept, with the path of its file at the checkpoint and its id,
    and `take_back` for each that is to be reverted, with the reason, too. As in `git add -p`, `n` changes
    nothing. The end of the input is `q`.
    """
    waiting = [
        (
            file,
            [
                hunk
                for hunk in file.hunks
                if review.decision(hunk) is Decision.OPEN and hunk.id not in decided
            ],
        )
        for file in files
    ]
    total = sum(len(hunks) for _, hunks in waiting)
    number = 0
    for file, hunks in waiting:
        letter = ""
        for hunk in hunks:
            number += 1
            if letter not in ("a", "d"):
                terminal.line(terminal.paint(file.path_now, "bold"))
                if file.risks.get(hunk.id) is Risk.UNPARSABLE:
                    terminal.line(terminal.paint(f"After this change, {NO_LONGER_PARSES}.", "red"))
                terminal.diff(file.diff(hunk))
                letter = _letter(terminal, f"({number}/{total}) Keep this change [y,n,r,a,d,q,?]? ")
            if letter == "q":
                return
            if letter in ("y", "a"):
                keep(file.path, hunk.id)
            elif letter == "r":
                because = _line(terminal, "Reason for the model (optional): ")
                take_back(file.path, hunk.id, because or "")


def _letter(terminal: Terminal, question: str) -> str:
    while True:
        answer = _line(terminal, question)
        if answer is None:
            return "q"
        letter = answer[:1].lower().replace("t", "r")
        if letter != "?" and any(letter == known for known, _ in _HELP):
            return letter
        for known, meaning in _HELP:
            terminal.line(f"{terminal.paint(known, 'bold')}  {meaning}")


def _line(terminal: Terminal, question: str) -> str | None:
    """Return what a person answers; `None` at the end of the input."""
    terminal.stream.write(question)
    terminal.stream.flush()
    answer = sys.stdin.readline()
    return answer.strip() if answer else None
