"""Characters that show code in another order than it is read are pointed out when an edit brings them."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit, apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.text.shown import REORDERING

TROJAN = "if access != 'user\u202e \u2066// admins only\u2069 \u2066':"


def test_an_edit_that_brings_them_is_applied_with_a_warning() -> None:
    done = apply_edit("if access != 'user':\n", "if access != 'user':", TROJAN)
    assert done.text == TROJAN + "\n"
    assert REORDERING in done.notes


@pytest.mark.parametrize("before", ["x = 'a\u200fb'\n", TROJAN + "\n"])
def test_a_file_that_has_them_already_gets_no_warning(before: str) -> None:
    done = apply_edit(before + "y = 1\n", "y = 1", "y = '\u200f'")
    assert done.text is not None
    assert REORDERING not in done.notes


def test_an_edit_next_to_them_gets_no_warning() -> None:
    assert apply_edit("a\nb\n", "a", "c").notes == ()


@pytest.mark.parametrize("existing", [{}, {"new.py": "old\n"}])
def test_a_whole_file_with_them_gets_a_warning(existing: dict[str, str]) -> None:
    edit = Edit(path="new.py", operation=Operation.WRITE, content=TROJAN + "\n")
    report = apply_edits(existing, [edit])
    assert report.files["new.py"] == TROJAN + "\n"
    assert REORDERING in report.outcomes[0].notes
