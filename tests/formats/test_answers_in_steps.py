"""Answers in several steps about small repositories: what is written, what is shown, and what is asked.

`tests/data/steps/repositories.txt` has the files, and `answers.txt` the answers, each with what becomes of it
and lines that its files have, or have not, once all that it proposes is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from patchpoint import apply_edits

FOLDER = Path(__file__).parents[1] / "data" / "steps"
_HEAD = "\n:::: "


@dataclass
class Steps:
    """One answer: `becomes` is `written`, `shown` (as proposals) or `asked` (no change)."""

    name: str
    repository: str
    becomes: str
    text: str
    has: list[tuple[str, str]] = field(default_factory=list)
    lacks: list[tuple[str, str]] = field(default_factory=list)


def _sections(name: str) -> Iterator[tuple[list[str], str]]:
    for section in ("\n" + (FOLDER / name).read_text(encoding="utf-8")).split(_HEAD)[1:]:
        head, _, text = section.partition("\n")
        yield head.split(), text


@cache
def repositories() -> dict[str, dict[str, str]]:
    """Return the files of each repository, by its name."""
    found: dict[str, dict[str, str]] = {}
    for (kind, name), text in _sections("repositories.txt"):
        if kind == "repository":
            files = found[name] = {}
        else:
            files[name] = text + "\n"
    return found


@cache
def answers() -> tuple[Steps, ...]:
    """Return all answers."""
    found: list[Steps] = []
    for (kind, *words), text in _sections("answers.txt"):
        if kind == "answer":
            name, repository, becomes = words
            found.append(Steps(name, repository, becomes, text))
        else:
            (found[-1].has if kind == "has" else found[-1].lacks).append((words[0], text))
    return tuple(found)


STEPS = pytest.mark.parametrize("steps", answers(), ids=lambda steps: steps.name)


@STEPS
def test_only_what_is_certain_is_written_and_the_rest_is_shown_or_asked(steps: Steps) -> None:
    before = repositories()[steps.repository]
    unasked = apply_edits(before, steps.text).files
    accepted = apply_edits(before, steps.text, accept="all").files
    becomes = "written" if unasked != before else "shown" if accepted != before else "asked"
    assert becomes == steps.becomes
    for path, text in steps.has:
        assert text in (accepted[path] or "")
    for path, text in steps.lacks:
        assert text not in (accepted.get(path) or "")


@STEPS
def test_nothing_is_written_of_its_first_half_that_all_of_it_does_not_write(steps: Steps) -> None:
    before = repositories()[steps.repository]
    rows = steps.text.splitlines(keepends=True)
    half = apply_edits(before, "".join(rows[: len(rows) // 2])).files
    whole = apply_edits(before, steps.text, accept="all").files
    for path, text in half.items():
        added = set((text or "").splitlines()) - set(before.get(path, "").splitlines())
        assert added <= set((whole.get(path) or "").splitlines()), path
