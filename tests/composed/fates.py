"""What became of composed answers with a version of Patchpoint, and how two versions differ in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tests.composed import applied_lines
from tests.composed.answers import Changes, ComposedAnswer


class Fate(Enum):
    """What became of an answer."""

    WRITTEN = "written"
    PROPOSED = "proposed"
    """Nothing was written, and something is with a yes to each proposal."""
    REFUSED = "refused"
    RAISED = "raised"


class Judgement(Enum):
    """What the fate of an answer is worth whose right result is known."""

    RIGHT = "right"
    """What was written or proposed is right, or nothing was written where nothing may be."""
    WRONG = "wrong"
    WRONG_WITH_A_YES = "wrong with a yes"
    MISSED = "missed"
    """Nothing was written or proposed, and something is right to be."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one version made of an answer."""

    written: Changes = field(default_factory=dict)
    with_yes: Changes = field(default_factory=dict)
    """What is written with a yes to each proposal."""
    reasons: Sequence[str] = ()
    """What it says of each edit."""
    raised: str = ""

    @property
    def fate(self) -> Fate:
        """What became of the answer."""
        if self.raised:
            return Fate.RAISED
        if self.written:
            return Fate.WRITTEN
        return Fate.PROPOSED if self.with_yes else Fate.REFUSED


def results_with(server: Path, answers: Sequence[ComposedAnswer]) -> list[Result]:
    """Return what becomes of answers with the code below a `server` folder, in a process of its own."""
    lines = (json.dumps({"files": dict(answer.files), "text": answer.text}) for answer in answers)
    done = subprocess.run(
        [sys.executable, str(applied_lines.__file__)],
        input="".join(f"{line}\n" for line in lines),
        env=os.environ | {"PYTHONPATH": str(server), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return [Result(**json.loads(line)) for line in done.stdout.splitlines()]


def judgement(answer: ComposedAnswer, result: Result) -> Judgement | None:
    """Return what a result is worth, `None` where that is not known.

    Neither blank lines nor white space at the ends of lines are looked at. Where nothing may be written, a
    proposal is not judged.
    """
    if answer.right is None:
        return None
    right = [_solid(changes) for changes in answer.right]
    if result.raised:
        return Judgement.WRONG
    if result.written:
        return Judgement.RIGHT if _solid(result.written) in right else Judgement.WRONG
    if not right:
        return Judgement.RIGHT
    if result.with_yes:
        return Judgement.RIGHT if _solid(result.with_yes) in right else Judgement.WRONG_WITH_A_YES
    return Judgement.MISSED


def change(answer: ComposedAnswer, before: Result, now: Result) -> str | None:
    """Return the class of what differs between two versions, `None` where nothing does."""
    if before == now:
        return None
    worth = [judgement(answer, result) for result in (before, now)]
    judged = "" if worth[0] is worth[1] else ", " + " → ".join(one.value for one in worth if one)
    if before.fate is not now.fate:
        return f"{before.fate.value} → {now.fate.value}{judged}"
    if before.written != now.written:
        return f"written, another text{judged}"
    if before.with_yes != now.with_yes:
        return f"{now.fate.value}, another text with a yes{judged}"
    return f"{now.fate.value}, another error" if before.raised else f"{now.fate.value}, for other reasons"


def _solid(changes: Changes) -> Mapping[str, list[str] | None]:
    return {path: None if text is None else _solid_lines(text) for path, text in changes.items()}


def _solid_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
