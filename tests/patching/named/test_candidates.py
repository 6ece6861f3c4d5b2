"""The places that a person is offered: those that may be meant, each with the definition that it is in."""

from __future__ import annotations

import pytest

from patchpoint.edit import Edit
from patchpoint.outcome import Candidate, Status
from patchpoint.patching.resolve import resolve_edit

SEVERITY = """\
function severityToString(level) {
  if (level > 2) {
    throw new Error("no such level");
  }
  return NAMES[level];
}

class Severity {
  toNumber(name) {
    throw new Error("no such level");
  }
}

throw new Error("no such level");
"""
THROWN = 'throw new Error("no such level");'


def candidates_of(text: str, search: str, path: str) -> tuple[Candidate, ...]:
    """The places offered for an edit that has no certain one."""
    outcome = resolve_edit(text, Edit(path=path, search=search, replace=f"{search} // known"))
    assert outcome.status is Status.AMBIGUOUS
    return outcome.candidates


def test_a_candidate_names_the_definitions_that_it_is_in() -> None:
    where = [one.where for one in candidates_of(SEVERITY, THROWN, "severity.js")]
    assert where == ["in severityToString", "in Severity > toNumber", ""]


def test_a_candidate_that_begins_a_definition_names_the_one_around_it() -> None:
    circle = "class Circle:\n    def area(self):\n        return 1\n"
    square = "class Square:\n    def area(self):\n        return 2\n"
    text = f"{circle}\n\n{square}"
    assert [one.where for one in candidates_of(text, "    def area(self):", "shapes.py")] == [
        "in Circle",
        "in Square",
    ]


def test_a_heading_is_named_without_its_signs() -> None:
    text = "# Usage\n\nRun it.\n\n## Again\n\nRun it.\n"
    assert [one.where for one in candidates_of(text, "Run it.", "README.md")] == [
        "in Usage",
        "in Usage > Again",
    ]


@pytest.mark.parametrize("path", ["severity.txt", "severity", ""])
def test_where_no_language_is_known_no_definition_is_named(path: str) -> None:
    assert {one.where for one in candidates_of(SEVERITY, THROWN, path)} == {""}


def test_the_model_reads_which_definitions_the_places_are_in() -> None:
    outcome = resolve_edit(SEVERITY, Edit(path="severity.js", search=THROWN, replace=""))
    assert "1. in severityToString, line 3\n" in outcome.feedback


def test_a_choice_by_number_is_the_place_of_that_number() -> None:
    edit = Edit(path="severity.js", search=THROWN, replace="return null;")
    second = resolve_edit(SEVERITY, edit).candidates[1]
    chosen = resolve_edit(SEVERITY, edit, chosen=second.span)
    assert chosen.text is not None
    assert chosen.text.splitlines()[9] == "    return null;"


def test_what_hardly_resembles_the_quotation_is_not_offered() -> None:
    search = "alpha\nq1 = 3\nq2 = 55\nq3 = 77\nwholly other things\nand some more of them\n"
    outcome = resolve_edit("alpha\nbeta\ngamma\n", Edit(path="a.txt", search=search, replace="beta\n"))
    assert (outcome.status, outcome.candidates) == (Status.NOT_FOUND, ())
    assert "nearest" not in outcome.feedback


def test_a_bracket_alone_is_not_offered() -> None:
    text = "a = {\n}\n"
    outcome = resolve_edit(text, Edit(path="a.txt", search="zz(\n}\n", replace="zz(1\n}\n"))
    assert outcome.status is Status.NOT_FOUND
    assert all(any(map(str.isalnum, one.preview)) for one in outcome.candidates)


def test_a_bracket_that_the_edit_quotes_is_offered() -> None:
    text = "a {\n}\nb {\n}\n"
    assert [one.line for one in candidates_of(text, "}", "a.txt")] == [2, 4]
