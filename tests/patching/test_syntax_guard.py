"""The guard: what was not found exactly may not break a file that parsed; a person may insist."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.api import apply_edit, apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Atomic, Outcome, Reason, Rung, Status
from patchpoint.patching.plan import Plan, plan_edits
from patchpoint.patching.resolve import resolve_edit

PACKAGE = """\
{
  "name": "scale",
  "scripts": {
    "test": "vitest",
    "build": "tsc"
  }
}
"""
NOTEBOOK = """\
{
 "cells": [
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": [
    "import math\\n",
    "total = sum(values)\\n",
    "print(total)"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"""
PROJECT = """\
[project]
name = "scale"
dependencies = [
    "rich>=13",
    "httpx>=0.27",
]
"""
GO = """\
package scale

func Double(n int) int {
\tif n < 0 {
\t\treturn 0
\t}
\treturn 2 * n
}
"""
TSX = """\
export const Hello = ({ name }: { name: string }) => (
  <p>
    Hello, <b>{name}</b>
  </p>
);
"""


def test_package_json_quoted_with_other_spaces_is_not_left_without_a_comma() -> None:
    search = '"test":  "vitest",\n"build":  "tsc"\n'
    outcome = apply_edit(
        PACKAGE, search, '"test": "vitest run"\n"build": "tsc -b"\n', path="web/package.json"
    )
    assert outcome.reason is Reason.BREAKS_SYNTAX
    assert "web/package.json" in outcome.message
    assert "line 5, column 5: Expecting ',' delimiter" in outcome.message
    assert outcome.message in outcome.feedback


def test_a_notebook_quoted_as_python_stays_a_notebook() -> None:
    search = "import math\ntotal = sum(values)\nprint(total)\n"
    outcome = apply_edit(NOTEBOOK, search, search.replace("sum", "max"), path="a.ipynb")
    assert outcome.text == NOTEBOOK.replace("sum", "max")


@pytest.mark.parametrize(
    ("path", "text", "search", "replace"),
    [
        ("pyproject.toml", PROJECT, '  "rich>=13",\n  "httpx>=0.27",\n', '  "rich>=14"\n  "httpx>=0.27"\n'),
        ("scale.go", GO, "  if n < 0 {\n    return 0\n  }\n", "  if n < 0 {\n    return 0\n"),
        ("Hello.tsx", TSX, "      Hello, <b>{name}</b>\n", "      Hello, <b>{name}</b\n"),
        (
            "scale.py",
            "def f(a):\n\n    return [a]\n",
            "def f(a):\n    return [a]\n",
            "def f(a):\n    return [a\n",
        ),
    ],
)
def test_a_file_that_parsed_still_does(path: str, text: str, search: str, replace: str) -> None:
    outcome = apply_edit(text, search, replace, path=path)
    assert outcome.reason is Reason.BREAKS_SYNTAX
    assert re.search(r"line \d+, column \d+: ", outcome.message)
    assert apply_edit(text, search, search.replace("0", "1").replace("name", "who"), path=path).text
    # Nothing is known of its language without a path, nor of what it should be when it did not parse before.
    assert apply_edit(text, search, replace).text is not None
    broken = text + "((\n"
    assert apply_edit(broken, search, replace, path=path).text is not None


def test_an_exact_edit_that_is_given_as_data_is_its_callers_own_business() -> None:
    outcome = apply_edit(PACKAGE, '"vitest",', '"vitest"', path="package.json")
    assert outcome.rung is Rung.EXACT
    assert not outcome.needs_confirmation
    assert outcome.text == PACKAGE.replace('"vitest",', '"vitest"')


BROKEN = "a.go\n<<<<<<< SEARCH\n\t\treturn 0\n\t}\n=======\n\t\treturn 1\n>>>>>>> REPLACE\n"


def test_an_exact_edit_of_an_answer_that_breaks_the_syntax_is_shown_first() -> None:
    files = {"a.go": GO}
    shown = apply_edits(files, BROKEN)
    assert shown.files == files
    [proposal] = shown.proposals
    assert "breaks the syntax" in proposal.why
    assert "+\t\treturn 1\n" in proposal.diff
    made = apply_edits(files, BROKEN, accept=[proposal.id])
    assert made.files == {"a.go": GO.replace("return 0\n\t}\n", "return 1\n")}
    [outcome] = made.outcomes
    assert (outcome.status, outcome.rung) == (Status.APPLIED, Rung.EXACT)
    assert any("breaks the syntax" in note for note in outcome.notes)
    assert apply_edits(files, BROKEN, accept=["0" * 12]).files == files


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ('"vitest",', '"vitest run"', '"vitest run",'),
        ('"tsc"', '"tsc",\n    "lint": "biome",', '"tsc",\n    "lint": "biome"'),
        ('  "scripts": {', '  "type": "module"\n  "scripts": {', '  "type": "module",\n  "scripts": {'),
    ],
)
def test_a_comma_that_json_lacks_or_has_too_many_is_corrected_where_somebody_says_yes(
    old: str, new: str, meant: str
) -> None:
    answer = f"package.json\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
    other = 'package.json\n<<<<<<< SEARCH\n"scale"\n=======\n"scales"\n>>>>>>> REPLACE\n'
    files = {"package.json": PACKAGE}
    assert apply_edits(files, answer).files == files
    text = PACKAGE.replace(old, meant)
    assert apply_edits(files, answer, accept="all").files == {"package.json": text}
    both = apply_edits(files, answer + other, accept="all")
    assert both.files == {"package.json": text.replace('"scale"', '"scales"')}


def test_two_edits_of_an_answer_that_break_the_syntax_only_alone_are_certain() -> None:
    answer = (
        "a.go\n<<<<<<< SEARCH\n\tif n < 0 {\n=======\n\tif n < 0 {\n\t\tif n < -9 {\n>>>>>>> REPLACE\n"
        "<<<<<<< SEARCH\n\t\treturn 0\n\t}\n=======\n\t\t\treturn 0\n\t\t}\n\t}\n>>>>>>> REPLACE\n"
    )
    assert apply_edits({"a.go": GO}, answer).ok


def test_a_person_may_insist_and_is_asked_once_more() -> None:
    edit = Edit(path="scale.go", search="  if n < 0 {\n    return 0\n  }\n", replace="  if n < 0 {\n")
    refused = resolve_edit(GO, edit)
    assert (refused.status, refused.reason) == (Status.NOT_FOUND, Reason.BREAKS_SYNTAX)
    [place] = refused.candidates
    assert (place.line, place.last_line, place.preview) == (4, 6, "\tif n < 0 {\n\t\treturn 0\n\t}")
    chosen = resolve_edit(GO, edit, chosen=place.span)
    assert chosen.matched
    assert chosen.needs_confirmation
    assert any(re.search(r"breaks the syntax of the file: line \d", note) for note in chosen.notes)


def test_all_places_of_an_edit_can_be_insisted_on_together() -> None:
    text = "package a\n\nvar a  = f(1)\nvar b  = 2\nvar a  = f(1)\n"
    edit = Edit(path="a.go", search="var a = f(1)\n", replace="var a = f(1\n", replace_all=True)
    refused = resolve_edit(text, edit)
    assert refused.reason is Reason.BREAKS_SYNTAX
    chosen = resolve_edit(text, edit, chosen=refused.candidates[0].span)
    assert chosen.text == text.replace("f(1)", "f(1")


def test_lines_between_anchors_that_are_not_exact_are_guarded_too() -> None:
    edit = Edit(
        path="scale.go",
        operation=Operation.BETWEEN,
        before="  if n < 0 {\n",
        after="  return 2 * n\n",
        replace="    return 0\n",
    )
    refused = resolve_edit(GO, edit)
    assert refused.reason is Reason.BREAKS_SYNTAX
    assert resolve_edit(GO, edit, chosen=refused.candidates[0].span).matched


def planned(*edits: Edit, text: str = GO, **more: object) -> Plan:
    return plan_edits(edits, {"scale.go": text}, atomic=Atomic.EDIT, **more)  # type: ignore[arg-type]


def edit(search: str, replace: str) -> Edit:
    return Edit(path="scale.go", search=search, replace=replace)


OPENS = edit("  if n < 0 {\n", "  for {\n  if n < 0 {\n")
CLOSES = edit("\treturn 2 * n\n", "\treturn 2 * n\n\t}\n")
FINE = edit("package  scale\n", "package size\n")
BREAKS = edit("    return 0\n", "    return (0\n")


def reasons(outcomes: tuple[Outcome, ...]) -> list[Reason | None]:
    return [outcome.reason for outcome in outcomes]


def test_two_edits_that_keep_the_file_whole_together_are_not_judged_apart() -> None:
    assert reasons(planned(OPENS).outcomes) == [Reason.BREAKS_SYNTAX]
    both = planned(OPENS, CLOSES)
    assert reasons(both.outcomes) == [None, None]
    assert not any(outcome.notes for outcome in both.outcomes)


def test_of_several_edits_the_one_that_breaks_the_file_is_refused() -> None:
    plan = planned(FINE, BREAKS, OPENS, CLOSES)
    assert reasons(plan.outcomes) == [None, Reason.BREAKS_SYNTAX, None, None]
    assert plan.changes[0].after is not None
    assert "package size" in plan.changes[0].after
    assert "(0" not in plan.changes[0].after


def test_an_edit_is_not_blamed_for_what_an_exact_one_breaks() -> None:
    plan = planned(FINE, edit("\t\treturn 0\n", "\t\treturn (0\n"))
    assert reasons(plan.outcomes) == [None, None]
    first, second = plan.outcomes
    assert not first.notes
    assert [note for note in second.notes if "breaks the syntax of the file: line 5" in note]
    assert not second.needs_confirmation


def test_exact_edits_that_break_the_file_only_together_are_noted() -> None:
    text = "def load(path):\n    if path:\n        first()\n        second()\n"
    edits = [Edit(path="load.py", search=f"        {name}()\n", replace="") for name in ("first", "second")]
    assert not any(plan_edits([one], {"load.py": text}).outcomes[0].notes for one in edits)
    plan = plan_edits(edits, {"load.py": text})
    assert reasons(plan.outcomes) == [None, None]
    assert all(any("breaks the syntax" in note for note in one.notes) for one in plan.outcomes)


def test_where_several_edits_break_the_file_all_that_are_not_exact_are_refused() -> None:
    twice = edit("  return 2 * n\n", "  return (2 * n\n")
    assert set(reasons(planned(BREAKS, FINE, twice).outcomes)) == {Reason.BREAKS_SYNTAX}


def test_an_edit_that_a_person_put_there_is_noted_and_not_refused() -> None:
    [refused] = planned(BREAKS).outcomes
    plan = planned(BREAKS, FINE, chosen={0: refused.candidates[0].span})
    assert reasons(plan.outcomes) == [None, None]
    assert plan.outcomes[0].needs_confirmation
    assert any("breaks the syntax" in note for note in plan.outcomes[0].notes)


def test_many_edits_cost_no_parse_each() -> None:
    text = "package a\n\n" + "".join(f"var a{number}  = {number}\n" for number in range(40))
    edits = [edit(f"var a{number} = {number}\n", f"var a{number} = ({number}\n") for number in range(40)]
    plan = plan_edits(edits, {"scale.go": text}, atomic=Atomic.EDIT)
    assert set(reasons(plan.outcomes)) == {Reason.BREAKS_SYNTAX}


def test_an_answer_names_the_file_and_the_place() -> None:
    block = 'package.json\n<<<<<<< SEARCH\n"test":  "vitest",\n=======\n"test": "vitest"\n>>>>>>> REPLACE\n'
    report = apply_edits({"package.json": PACKAGE}, block)
    assert report.files == {"package.json": PACKAGE}
    assert "line 5" in report.outcomes[0].message


PIECES = st.lists(
    st.sampled_from(["(", ")", "{\n", "}\n", "a", " = ", "1", ";\n", "\n", '"', "<b>"]), max_size=12
)


@given(
    PIECES.map("".join),
    PIECES.map("".join),
    PIECES.map("".join),
    st.sampled_from(["a.py", "a.go", "a.json", "a.tsx", "?"]),
)
def test_no_exact_edit_is_ever_refused_by_it(head: str, search: str, replace: str, path: str) -> None:
    text = head + search + "\nend\n"
    found = resolve_edit(text, Edit(path=path, search=search, replace=replace), guard=False)
    outcome = resolve_edit(text, Edit(path=path, search=search, replace=replace))
    if found.rung is Rung.EXACT:
        assert outcome == found
    assert outcome == found or outcome.reason is Reason.BREAKS_SYNTAX
    [planned_alone] = plan_edits([Edit(path=path, search=search, replace=replace)], {path: text}).outcomes
    assert planned_alone.matched == outcome.matched
