"""An answer that was applied before is not applied again, however little it adds, and nowhere else."""

from __future__ import annotations

import json

import pytest

from patchpoint import apply_edit, apply_edits
from patchpoint.outcome import Status

TWINS = """\
def first(x):
    check(x)
    log("start")
    return x


def second(x):
    check(x)
    log("start")
    return x
"""
ENVELOPE = "*** Begin Patch\n*** Update File: a.py\n{}*** End Patch\n"
HUNK = '     check(x)\n-    log("start")\n+    log("begin")\n'
DIFF = f"```diff\n--- a/a.py\n+++ b/a.py\n{{}}{HUNK}```\n"


def block(search: str, replacement: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


def call(**arguments: object) -> str:
    return json.dumps({"path": "a.py", **arguments})


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("x = f(limit=5)\n", call(old_string="limit=5", new_string="limit=50")),
        ("x = load(1)\n", call(old_string="load(1)", new_string="await load(1)")),
        ("f(x)\nf(y)\n", call(old_string="f(", new_string="self.f(", replace_all=True)),
        ("import os\n\nrun()\n", block("import os\n", "import os\nimport sys\n")),
        ("import sys\n\nrun()\n", block("import sys\n", "import os\nimport sys\n")),
        ("a = 'b'  # c\nd = e\n", block('a = "b"  # c\n', 'a = "b"  # c2\n')),
        ('{\n  "a": 1,\n  "c": 3\n}\n', block('  "a": 1\n', '  "a": 1,\n  "b": 2\n')),
        (TWINS, DIFF.format("@@ -2,2 +2,2 @@ def first(x):\n")),
        (TWINS, DIFF.format("@@ -2,2 +2,2 @@\n")),
        (TWINS, ENVELOPE.format("@@ def first(x):\n" + HUNK)),
        ("a\nb\n", ENVELOPE.format("+another\n*** End of File\n")),
        (TWINS, call(command="insert", insert_line=1, new_str="    assert x")),
        (
            TWINS,
            call(
                name="insert_after_symbol",
                name_path="first",
                relative_path="a.py",
                body="\n\ndef third(x):\n    return x\n",
            ),
        ),
    ],
)
def test_what_is_applied_is_not_applied_again(text: str, answer: str) -> None:
    once = apply_edits({"a.py": text}, answer).files["a.py"]
    assert once is not None
    assert once != text
    again = apply_edits({"a.py": once}, answer)
    assert again.files == {"a.py": once}
    assert [one.status for one in again.outcomes] == [Status.ALREADY_APPLIED]


def test_of_all_places_those_change_that_have_not_been_changed() -> None:
    outcome = apply_edit("self.f(x)\nf(y)\n", "f(", "self.f(", replace_all=True)
    assert outcome.text == "self.f(x)\nself.f(y)\n"


@pytest.mark.parametrize(
    ("text", "search", "replacement"),
    [
        ("x = total_price\n", "total_", "total_net_"),
        ("a {\n  b\n}\n}\n", "  b\n}", "  b\n}\n}"),
        ("if a then\n  b\nend\nend\n", "  b\nend", "  b\nend\nend"),
        ("a\n\nb\n", "a\n", "a\n\n"),
        ("a\nb = 10\n", "a\n", "a\nb = 1\n"),
    ],
)
def test_what_is_only_alike_has_not_been_applied(text: str, search: str, replacement: str) -> None:
    assert apply_edit(text, search, replacement).text == text.replace(search, replacement)


def test_a_wrong_number_alone_keeps_no_edit_from_its_place_and_a_heading_is_asked_about() -> None:
    text = TWINS.replace("start", "wait", 1)
    made = {"a.py": text.replace("start", "begin")}
    assert apply_edits({"a.py": text}, DIFF.format("@@ -3,2 +3,2 @@\n")).files == made
    otherwise = DIFF.format("@@ -2,2 +2,2 @@ def first(x):\n")
    assert apply_edits({"a.py": text}, otherwise).files == {"a.py": text}
    assert apply_edits({"a.py": text}, otherwise, accept="all").files == made


def test_a_near_twin_is_not_changed_after_the_one_that_was_quoted() -> None:
    about = "/** Tokens of this type will always have a value of "
    lines = (f'{about}"["', "LEFT_SQUARE,", f'{about}"}}"', "RIGHT_BRACE,", f'{about}"]"')
    search = "".join(f"\t{line}\n" for line in lines)
    text = f"{search}\tRIGHT_SQUARE;\n}}\n\n{search.replace('this', 'that', 1)}\tRIGHT_SQUARE;\n"
    changed = search.replace(lines[2], lines[2].replace("always", "always2")).replace("BRACE", "BRACE2")
    answer = block(search, changed)
    once = apply_edits({"a.py": text}, answer).files["a.py"]
    assert once == text.replace(search, changed)
    assert apply_edits({"a.py": once}, answer).files == {"a.py": once}
