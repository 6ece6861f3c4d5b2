"""The edits that revert an outcome have one place each in the text after it."""

from __future__ import annotations

import pytest

from patchpoint.edit import Edit
from patchpoint.outcome import Status
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
