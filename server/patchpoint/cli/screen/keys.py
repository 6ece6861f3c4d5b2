"""The keys of the full screen, as its help and its last line name them."""

from __future__ import annotations

from enum import Enum

from prompt_toolkit.formatted_text import StyleAndTextTuples

KEYS = (
    ("y", "keep this change, and go on"),
    ("r", "revert it, and go on"),
    ("o", "leave it undecided, and go on"),
    ("Y  R", "keep, or revert, all that is undecided in this file"),
    ("u", "undo the last decision"),
    ("j  k", "the next change, the one before; so do the arrows"),
    ("]  [", "the next file, the one before"),
    ("c", "write a note on it, whatever you decide; the model reads it"),
    ("e", "edit its new lines; Ctrl-S writes them, Esc leaves them as they are"),
    ("v", "choose some of its lines with j and k, and revert those with r"),
    ("s", "split it into parts, each to be decided about"),
    ("x", "show more of the file around it"),
    ("space b", "scroll on, and back"),
    ("/  n  N", "find a word in the changes; the next one, the one before"),
    ("g", "look at the files again"),
    ("q", "end: what you decided to revert is reverted then, and can be undone"),
)


class Mode(Enum):
    """What the keys are for at the moment; the values are the last line of the screen."""

    CHANGES = (
        "y keep  r revert  u undo  j/k ]/[ move  c note  e edit  v lines  s split  / find  ? help  q end"
    )
    LINES = "j/k choose lines  r revert these lines  Esc back"
    EDIT = "Ctrl-S write  Esc leave it as it is"
    ASK = "Enter done  Esc back"
    HELP = "any key: back"


def help_text() -> StyleAndTextTuples:
    """Return the keys and what they do, with their styles."""
    found: StyleAndTextTuples = [("", "\n")]
    for key, meaning in KEYS:
        found += [("class:key", f"  {key:<9}"), ("", f"{meaning}\n")]
    return found
