"""Lines for the inside of a definition, with no line of the file next to them, go where a person says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.formats import parse_edits
from patchpoint.outcome import Outcome, Reason, Status
from patchpoint.patching.resolve import resolve_edit
from patchpoint.text.splice import apply_splices

TWO = (
    "class A:\n    def f(self):\n        return 1\n\n\n"
    "class B:\n    def f(self):\n        return 2\n\n\nX = 1\n"
)
C = "int f(int a,\n      int b)\n{\n    return a;\n}\n\nint g(void) {\n}\n"


def patch(path: str, scopes: list[str], *added: str) -> Edit:
    lines = [*(f"@@ {scope}" for scope in scopes), *(f"+{line}" for line in added)]
    text = "\n".join(["*** Begin Patch", f"*** Update File: {path}", *lines, "*** End Patch", ""])
    [edit] = parse_edits(text)
    assert isinstance(edit, Edit)
    return edit


def offered(text: str, edit: Edit) -> list[tuple[str, str]]:
    """Where each candidate is in words, and what the text is there, one line more than before."""
    outcome = resolve_edit(text, edit)
    assert (outcome.status, outcome.reason) == (Status.AMBIGUOUS, Reason.NO_PLACE)
    return [(one.where, placed(text, edit, number)) for number, one in enumerate(outcome.candidates)]


def placed(text: str, edit: Edit, number: int) -> str:
    chosen = resolve_edit(text, edit).candidates[number].span
    outcome = resolve_edit(text, edit, chosen=chosen)
    assert outcome.status is Status.MATCHED, outcome.message
    return apply_splices(text, outcome.splices)


def refused(outcome: Outcome) -> Reason | None:
    assert not outcome.matched
    assert not outcome.splices
    return outcome.reason


def test_below_the_head_and_at_the_end_are_offered_and_none_is_taken() -> None:
    edit = patch("a.py", ["class B:", "    def f(self):"], "        print(2)")
    new, old = "        print(2)\n", "        return 2\n"
    assert offered(TWO, edit) == [
        ("below its first line", TWO.replace(old, new + old)),
        ("below its last line", TWO.replace(old, old + new)),
    ]


def test_every_definition_that_the_scope_names_has_its_places() -> None:
    edit = patch("a.py", ["def f"], "        print()")
    assert [where for where, _ in offered(TWO, edit)] == ["below its first line", "below its last line"] * 2


def test_a_head_goes_to_its_last_line_and_a_body_to_its_closing_brace() -> None:
    [below, end] = offered(C, patch("a.c", ["int f(int a,"], "    a += b;"))
    assert below[1] == C.replace("{\n    return", "{\n    a += b;\n    return", 1)
    assert end[1] == C.replace("return a;\n", "return a;\n    a += b;\n")
    [only] = offered(C, patch("a.c", ["int g(void) {"], "    return 0;"))
    assert only[1] == C.replace("int g(void) {\n", "int g(void) {\n    return 0;\n")


def test_the_model_is_shown_the_line_above_each_place() -> None:
    outcome = resolve_edit(TWO, patch("a.py", ["class B:"], "    x = 1"))
    assert "1. below its first line, line 6\n     class B:" in outcome.feedback
    assert "2. below its last line, line 8\n             return 2" in outcome.feedback
    assert "include what the file has next to it" in outcome.feedback


def test_a_scope_that_is_missing_and_a_place_that_is_gone_are_refused() -> None:
    edit = patch("a.py", ["class C:"], "    x = 1")
    assert refused(resolve_edit(TWO, edit)) is Reason.NOT_THERE
    inside = patch("a.py", ["class B:"], "    x = 1")
    gone = resolve_edit(TWO, inside).candidates[1].span
    assert refused(resolve_edit(f"{TWO[:40]}# more\n{TWO[40:]}", inside, chosen=gone)) is Reason.NOT_THERE
    assert refused(resolve_edit(TWO, inside, chosen=(3, 3))) is Reason.NOT_THERE


def test_a_diff_with_a_scope_and_no_numbers_is_offered_the_same_places() -> None:
    [edit] = parse_edits("--- a/a.py\n+++ b/a.py\n@@ class B:\n+    x = 1\n")
    assert isinstance(edit, Edit)
    assert [where for where, _ in offered(TWO, edit)] == ["below its first line", "below its last line"]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@given(st.data())
def test_whatever_is_chosen_no_line_is_lost(ending: str, data: st.DataObject) -> None:
    lines = data.draw(st.lists(st.sampled_from(["def f():", "    a", "        b", "", "}", "  {", "(", ")"])))
    text = ending.join([*lines, "def f():"]) + data.draw(st.sampled_from(["", ending]))
    edit = patch("a.txt", ["def f():"], "    new")
    for candidate in resolve_edit(text, edit).candidates:
        outcome = resolve_edit(text, edit, chosen=candidate.span)
        assert outcome.matched
        after = apply_splices(text, outcome.splices).replace("\r\n", "\n").split("\n")
        before = text.replace("\r\n", "\n").split("\n")
        after.remove("    new")
        assert [line for line in after if line] == [line for line in before if line]
