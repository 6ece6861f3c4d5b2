"""The table of reasons has one row for each reason, and every row makes a sentence."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import patchpoint
from patchpoint.outcome import Candidate, Guard, Reason, Status
from patchpoint.patching.reasons import DIAGNOSTIC_CODES, REASONS, Part, ReasonRow, refusal

VALUES: dict[str, str | int] = {
    "ids": "0123456789ab",
    "line": 3,
    "name": "greet",
    "other": 1,
    "problem": "line 3, column 5: unexpected '}'",
    "others": "edits 1 and 2",
    "remedy": "confirm it",
    "target": "new.txt",
    "verb": "move",
    "where": ", line 3",
    "why": "It is no edit.",
}
PLACES = (Candidate(span=(0, 1), similarity=1.0, line=3, last_line=4, preview="a"),)


def test_every_reason_has_one_row() -> None:
    assert set(REASONS) == set(Reason)
    assert len(Reason) <= 30, "a reason is one thing to be done; what differs is for its sentence or a guard"
    assert all(REASONS[reason].reason is reason for reason in Reason)


def test_every_reason_and_every_guard_is_given_by_some_module() -> None:
    package = Path(patchpoint.__file__).parent
    tables = (package / "outcome.py", package / "patching" / "reasons.py")
    code = "".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py") if path not in tables)
    given = set(re.findall(r"\bReason\.([A-Z_]+)", code)) | {guard.reason.name for guard in Guard}
    assert {reason.name for reason in Reason} <= given
    assert {guard.name for guard in Guard} <= set(re.findall(r"\bGuard\.([A-Z_]+)", code))


def test_what_locates_and_merges_gives_reasons_that_need_no_values_but_why() -> None:
    package = Path(patchpoint.__file__).parent
    rooms = (package / "locate", package / "patching" / "merging")
    code = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    named = set(re.findall(r"\bReason\.([A-Z_]+)", code)) | {guard.reason.name for guard in Guard}
    for name in named - {Reason.ALREADY_APPLIED.name, Reason.BREAKS_SYNTAX.name}:
        refused = refusal(Reason[name], "a.txt", PLACES, 1, why="a line is gone")
        assert "a.txt" in refused.message


def test_every_status_that_changes_nothing_has_a_reason_and_those_of_the_protocol_a_code() -> None:
    matching = {Status.APPLIED, Status.REVERTED, Status.MATCHED}
    assert {row.status for row in REASONS.values()} == set(Status) - matching
    assert set(DIAGNOSTIC_CODES) == set(Status) - matching - {Status.ALREADY_APPLIED}


@pytest.mark.parametrize("row", REASONS.values(), ids=lambda row: row.reason.name.lower())
def test_a_reason_makes_a_whole_sentence_with_and_without_places(row: ReasonRow) -> None:
    named = {name for _, name, _, _ in Formatter().parse(row.message) if name}
    assert named <= {"path", "file", "count", "lines", *VALUES}
    for places in (PLACES, ()):
        outcome = refusal(row.reason, "a.txt", places, None, **VALUES)
        assert (outcome.status, outcome.reason) == (row.status, row.reason)
        assert outcome.message.endswith(".")
        assert outcome.message == outcome.feedback
        assert "{" not in outcome.message
        assert ("lines 3 to 4" in outcome.message) == ("lines" in named and bool(places))
        assert "()" not in outcome.message


def test_what_a_model_may_send_again_comes_with_advice() -> None:
    for row in REASONS.values():
        if row.status is Status.AMBIGUOUS:
            assert row.feedback == (Part.PLACES, Part.ADVICE)
        if Part.NEAREST in row.feedback:
            assert Part.ADVICE in row.feedback
