"""The same edit of the same text has the same outcome, whatever came before it and in whatever process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edit
from tests.locate.drifted_edits import KINDS, DriftedEdit, drifted_edits
from tests.sampling import tries

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "server").rglob("*.py"))[:60]]
WORDS = ["a = b(c)", "a = b(d)", "    return a", "def e():", "}", "call(f, g)", "call(f, h)", "", "x, y"]


def answer_of(text: str, search: str, replace: str) -> str:
    """All that an outcome says, in one line."""
    outcome = apply_edit(text, search, replace)
    candidates = [(candidate.span, candidate.similarity) for candidate in outcome.candidates]
    return repr((outcome.status, outcome.reason, outcome.rung, outcome.text, candidates, outcome.feedback))


def edits() -> list[DriftedEdit]:
    return [edit for kind in KINDS for edit in drifted_edits(kind, TEXTS, 6, seed=5)]


def answers() -> str:
    """A digest of the outcomes of all edits."""
    said = "\n".join(answer_of(edit.text, edit.search, edit.replace) for edit in edits())
    return hashlib.sha256(said.encode()).hexdigest()


@pytest.mark.slow
def test_another_process_with_another_hash_seed_gives_the_same_answers() -> None:
    script = "from tests.locate import test_determinism; print(test_determinism.answers())"
    path = os.pathsep.join((str(ROOT / "server"), str(ROOT)))
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1", "4711")
    }
    assert said == {answers()}


@pytest.mark.slow
def test_the_order_of_the_edits_makes_no_difference() -> None:
    forwards = {edit: answer_of(edit.text, edit.search, edit.replace) for edit in edits()}
    backwards = {edit: answer_of(edit.text, edit.search, edit.replace) for edit in reversed(edits())}
    assert forwards == backwards


lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map("\n".join)


@settings(deadline=None)
@given(lines, lines, lines)
def test_asking_again_gives_the_same_answer(text: str, search: str, replace: str) -> None:
    assert answer_of(text, search, replace) == answer_of(text, search, replace)


@settings(max_examples=tries(60), deadline=None)
@given(lines, lines, st.integers(1, 4))
def test_what_follows_far_behind_makes_no_difference(text: str, search: str, count: int) -> None:
    behind = "".join(f"\n\nunrelated_{n} = {{{n}: [{n}]}}" for n in range(20 * count))
    one, other = apply_edit(text + behind, search, "z = 1"), apply_edit(text + behind + "\n", search, "z = 1")
    assert (one.status, one.rung) == (other.status, other.rung)
