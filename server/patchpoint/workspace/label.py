"""What an answer is called, and a checkpoint before it: what follows it."""

from __future__ import annotations

from patchpoint.outcome import Status
from patchpoint.patching.plan import Plan
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line
from patchpoint.wording import before_edits, before_reverting

_LONGEST = 80
"""Characters of a title."""
_FEWEST_WORDS = 3
_FEWEST_LETTERS = 8
"""Of a line in a script that has no spaces between words: fewer name something and say nothing."""
_SENTENCE = regex(r"\W*(.+?)(?:[.!?:](?=\s|$)|[。！？：]|$)")
_NO_PROSE = ("```", "~~~", "<", "{", "[", "|", "@@", "---", "+++", "***", "diff ")


def title_of(answer: str) -> str:
    """Return the first sentence of an answer, by which it is called; empty where no words come first."""
    for line in answer.splitlines():
        words = line.strip()[:1000].replace("**", "")
        if words.startswith(_NO_PROSE):
            break
        found = _SENTENCE.match(words)
        said = visible_line(found[1]).strip("*_` ") if found is not None else ""
        if len(said.split()) >= _FEWEST_WORDS or (not said.isascii() and len(said) >= _FEWEST_LETTERS):
            return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
    return ""


def label_before(plan: Plan, *, reverting: bool = False) -> str:
    """Return what a checkpoint before `plan` is called; `reverting` for edits that revert earlier ones."""
    paths = [change.new_path or change.path for change in plan.changes]
    if reverting:
        return before_reverting(paths)
    return before_edits(sum(one.status is Status.MATCHED for one in plan.outcomes), paths)
