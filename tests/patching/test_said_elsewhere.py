"""An edit is shown first where the answer or its hunk names another place, or it quotes another name."""

from __future__ import annotations

import json

import pytest

from patchpoint.api import apply_edit, apply_edits

PYTHON = """\
MAX_ITEMS = 10
FREE_LIMIT = 5
RETRIES = 3


def save_user(session, user):
    session.add(user)
    session.commit()
    return user


def drop_user(session, user):
    session.delete(user)
    session.commit()
    return user
"""
KEPT = "    session.add(user)\n    session.commit()\n"
BLOCK = f"a.py\n```\n<<<<<<< SEARCH\n{KEPT}    return user\n=======\n{KEPT}>>>>>>> REPLACE\n```\n"
HUNK = "     session.add(user)\n     session.commit()\n-    return user\n"
EVERYWHERE = json.dumps({"path": "a.py", "old_str": "session", "new_str": "db", "replace_all": True})


def diff(heading: str) -> str:
    return f"```diff\n--- a/a.py\n+++ b/a.py\n@@ -7,3 +7,2 @@ {heading}\n{HUNK}```\n"


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (f"In `drop_user`, don't return the user:\n\n{BLOCK}", "drop_user"),
        (diff("def drop_user(session, user):"), "drop_user"),
    ],
)
def test_an_edit_that_is_not_in_what_the_answer_names_is_shown_first(answer: str, named: str) -> None:
    shown = apply_edits({"a.py": PYTHON}, answer)
    assert shown.files == {"a.py": PYTHON}
    assert [one.why for one in shown.proposals] == [f"It is not in `{named}`, which the answer names."]
    assert apply_edits({"a.py": PYTHON}, answer, accept="all").files["a.py"] == shown.proposals[0].text


def test_of_what_changes_everywhere_only_what_is_in_the_part_that_is_named_does() -> None:
    answer = f"In `save_user`, rename the argument:\n\n{EVERYWHERE}\n"
    assert apply_edits({"a.py": PYTHON}, answer).files == {"a.py": PYTHON}
    first, rest = PYTHON.split("def drop_user")
    meant = f"{first.replace('session', 'db')}def drop_user{rest}"
    assert apply_edits({"a.py": PYTHON}, answer, accept="all").files == {"a.py": meant}


@pytest.mark.parametrize(
    "answer",
    [
        f"In `save_user`, don't return the user:\n\n{BLOCK}",
        f"As in `drop_user` and `save_user`, don't return the user:\n\n{BLOCK}",
        f"It needs a class `NotThere`:\n\n{BLOCK}",
        diff("def save_user(session, user):"),
        diff("def no_such_function():"),
        diff(""),
    ],
)
def test_one_that_is_there_is_certain(answer: str) -> None:
    assert apply_edits({"a.py": PYTHON}, answer).files == {"a.py": PYTHON.replace("    return user\n", "", 1)}


def test_a_value_is_not_given_to_another_name_than_the_one_that_is_quoted() -> None:
    quoted = "MAX_ITEMS = 10\nPAID_LIMIT = 5\nRETRIES = 3\n"
    outcome = apply_edit(PYTHON, quoted, quoted.replace("5", "50"), path="a.py")
    assert outcome.text is None
    assert outcome.proposal is not None
    assert "a quoted name is nowhere in the file" in outcome.proposal.why
    assert outcome.proposal.text == PYTHON.replace("FREE_LIMIT = 5", "FREE_LIMIT = 50")


def test_a_name_that_is_quoted_otherwise_and_written_as_the_file_has_it_is_certain() -> None:
    quoted, meant = (
        f"MAX_ITEMS = 10\n{name}\nRETRIES = 3\n" for name in ("FREE_LIMITS = 5", "FREE_LIMIT = 50")
    )
    outcome = apply_edit(PYTHON, quoted, meant, path="a.py")
    assert outcome.text == PYTHON.replace("FREE_LIMIT = 5", "FREE_LIMIT = 50")
