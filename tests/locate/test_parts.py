"""A search text that is only a part of a longer word, a comment or a text in quotes is not simply there."""

from __future__ import annotations

import json

import pytest

from patchpoint import apply_edit, apply_edits
from patchpoint.outcome import Guard
from tests.uncertain_edit import text_to_confirm


def block(search: str, replacement: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{search}\n=======\n{replacement}\n>>>>>>> REPLACE\n"


def diff(search: str, replacement: str) -> str:
    return f"```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-{search}\n+{replacement}\n```\n"


def envelope(search: str, replacement: str) -> str:
    return f"*** Begin Patch\n*** Update File: a.py\n@@\n-{search}\n+{replacement}\n*** End Patch\n"


def call(search: str, replacement: str, **more: object) -> str:
    return json.dumps({"path": "a.py", "old_string": search, "new_string": replacement, **more})


@pytest.mark.parametrize("form", [block, diff, envelope])
@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("MAX_RETRIES = 5\n", "RETRIES = 5"),
        ("# x = compute(1)\nx = compute(2)\n", "x = compute(1)"),
        ("LIMIT = 30  # was LIMIT = 5\n", "LIMIT = 5"),
        ('HELP = "set LIMIT = 5"\n', "LIMIT = 5"),
        ("x = compute(2)  // x = compute(1);\n", "x = compute(1);"),
    ],
)
def test_whole_lines_are_no_part_of_a_word_a_comment_or_a_text(form: object, text: str, search: str) -> None:
    assert callable(form)
    report = apply_edits({"a.py": text}, form(search, search.replace("5", "7").replace("1", "9")))
    assert report.files == {"a.py": text}
    assert [one.guard for one in report.outcomes] in ([Guard.PART], [Guard.THRESHOLD])


@pytest.mark.parametrize("form", [block, diff, envelope])
def test_a_line_that_is_quoted_with_other_spaces_is_found_next_to_a_longer_one(form: object) -> None:
    assert callable(form)
    text = "MAX_RETRIES = 5\nRETRIES  = 5\n"
    report = apply_edits({"a.py": text}, form("RETRIES = 5", "RETRIES = 7"))
    assert report.files["a.py"] == "MAX_RETRIES = 5\nRETRIES  = 7\n"


@pytest.mark.parametrize(
    ("text", "search", "replacement"),
    [
        ("TIMEOUT = 150\n", "TIMEOUT = 15", "TIMEOUT = 30"),
        ("# x = compute(1)\nx = compute(2)\n", "x = compute(1)", "x = compute(5)"),
        ('HELP = "x = compute(1)"\nx = compute(2)\n', "x = compute(1)", "x = compute(5)"),
    ],
)
def test_a_call_changes_no_part_of_a_number_and_no_words_about_code_that_has_changed(
    text: str, search: str, replacement: str
) -> None:
    outcome = apply_edit(text, search, replacement)
    assert (outcome.text, outcome.proposal, outcome.guard) == (None, None, Guard.PART)


@pytest.mark.parametrize(
    ("text", "search", "replacement", "every"),
    [
        ('background_colour = "blue"\n', 'colour = "blue"', 'colour = "green"', False),
        ("id = 1\nuser_id = 2\nvalid = 3\n", "id", "key", True),
    ],
)
def test_what_a_call_changes_inside_longer_words_is_proposed(
    text: str, search: str, replacement: str, every: bool
) -> None:
    outcome = apply_edit(text, search, replacement, replace_all=every)
    assert outcome.guard is Guard.PART
    assert text_to_confirm(outcome) == text.replace(search, replacement)


@pytest.mark.parametrize(
    ("text", "search", "replacement", "every"),
    [
        ("# The limit is 5, as agreed.\n", "limit is 5", "limit is 7", False),
        ('print("the limit is 5")\n', "limit is 5", "limit is 7", False),
        ("total_net = total_gross\n", "total_", "sum_", True),
        ("id = 1\nuser.id = 2\n", "id", "key", True),
    ],
)
def test_a_call_changes_a_part_of_a_line(text: str, search: str, replacement: str, every: bool) -> None:
    outcome = apply_edit(text, search, replacement, replace_all=every)
    assert outcome.text == text.replace(search, replacement)


@pytest.mark.parametrize(
    "text", ["if a:\n    # x = f(1, 2)\n    x = f(1, 3)\n", "if a:\n    # x = f(1, 2)\n    y()\n"]
)
def test_a_line_of_code_that_is_commented_out_is_not_changed_unasked(text: str) -> None:
    assert apply_edits({"a.py": text}, block("    x = f(1, 2)", "    x = f(1, 4)")).files == {"a.py": text}


def test_a_title_is_no_comment() -> None:
    answer = block("Use it", "How to use it").replace("a.py", "a.md")
    assert apply_edits({"a.md": "# Use it\n"}, answer).files["a.md"] == "# How to use it\n"


def test_a_line_with_its_depth_is_not_simply_in_a_deeper_one() -> None:
    text = "class A\n  def a\n    if x\n      2\n      end\n  end\nend\n"
    report = apply_edits({"a.py": text}, block("    end", "    rescue\n      3\n    end"))
    assert report.files == {"a.py": text}
