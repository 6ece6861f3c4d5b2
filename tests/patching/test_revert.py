"""The edits that revert an outcome have one place each in the text after it."""

from __future__ import annotations

import textwrap

import pytest

from patchpoint.edit import Edit
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.resolve import resolve_edit
from patchpoint.patching.revert import revert_edits
from patchpoint.text.splice import Splice, apply_splices


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_context_is_not_that_of_the_last_lines_either_where_these_have_no_ending(ending: str) -> None:
    lines = ["one", "two", "three", "four", "five", "x", "one", "two", "new", "three", "four", "five"]
    text = ending.join(lines)
    outcome = resolve_edit(
        text,
        Edit(
            path="f",
            search="one\ntwo\nthree\nfour\nfive\nx\n",
            replace="one\ntwo\nnew\nthree\nfour\nfive\nx\n",
        ),
    )
    assert outcome.text is not None
    splices: list[Splice] = []
    for edit in revert_edits(text, outcome):
        back = resolve_edit(outcome.text, edit)
        assert back.status is Status.MATCHED, back.message
        splices += back.splices
    assert apply_splices(outcome.text, splices) == text


SETTINGS = """class Client:
    def __init__(self):
        self.timeout = 30
        self.retries = 3
        self.name = "x"
"""


def reverted(was: str, becomes: str, later: dict[str, str]) -> Outcome:
    """Return the outcome of taking out a change of `SETTINGS`, after the text has become another `later`."""
    made = resolve_edit(SETTINGS, Edit(path="c.py", search=was, replace=becomes))
    assert made.text is not None
    text = made.text
    for old, new in later.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    [back] = revert_edits(SETTINGS, made)
    return resolve_edit(text, back)


CHANGE = (
    "        self.timeout = 30\n        self.retries = 3\n",
    "        self.timeout = 60\n        self.retries = 5\n",
)


def test_a_change_is_taken_out_where_only_the_lines_around_it_have_changed() -> None:
    outcome = reverted(*CHANGE, {"__init__(self)": "__init__(self, name)", '"x"': "name"})
    assert outcome.status is Status.MATCHED
    assert outcome.text == SETTINGS.replace("(self)", "(self, name)").replace('"x"', "name")


@pytest.mark.parametrize(
    "later", [{"60": "75"}, {"60": "75", "= 5": "= 9"}, {"        self.retries = 5\n": ""}]
)
def test_a_line_that_was_changed_later_is_not_written_over_by_taking_out_what_was_there_before(
    later: dict[str, str],
) -> None:
    outcome = reverted(*CHANGE, later)
    assert not outcome.matched
    assert outcome.status in (Status.PROPOSED, Status.NOT_FOUND), outcome.message


def test_lines_that_were_only_indented_later_are_taken_out_with_their_depth() -> None:
    lines = SETTINGS.replace("30", "60").replace("= 3\n", "= 5\n").splitlines(keepends=True)
    outcome = reverted(*CHANGE, {line: f"    {line}" for line in lines})
    assert outcome.status is Status.MATCHED, outcome.message
    assert outcome.text == textwrap.indent(SETTINGS, "    ")
