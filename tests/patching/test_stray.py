"""What a model writes into new lines that is no part of the file is left out, and shown first."""

from __future__ import annotations

import json

import pytest

from patchpoint.api import apply_edits
from patchpoint.outcome import Status

PYTHON = "import os\n\nLIMIT = 3\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
TYPESCRIPT = "export function f(a: number) {\n  return a;\n}\n"
MAKE = "all: a.o\n\tcc -o a a.o\n\nclean:\n\trm -f a\n"


def call(path: str, old: str, new: str) -> str:
    return json.dumps({"path": path, "old_str": old, "new_str": new})


@pytest.mark.parametrize(
    ("path", "text", "old", "new", "meant"),
    [
        ("a.py", PYTHON, "    return 1\n", "```python\n    return 5\n```\n", "    return 5\n"),
        ("a.py", PYTHON, "    return 1\n", "    return 5\n</new_str>\n", "    return 5\n"),
        ("a.py", PYTHON, "    return 1\n", "    return 5\n>>>>>>> REPLACE\n", "    return 5\n"),
        ("a.py", PYTHON, "    return 1\n", "    return 5  # <-- changed\n", "    return 5\n"),
        ("a.py", PYTHON, "    return 1", "    x = 1\\n    return x", "    x = 1\n    return x"),
        (
            "a.py",
            PYTHON,
            "def f():\n",
            "6 | @cache\n7 | def f():\n8 |     x = 2\n",
            "@cache\ndef f():\n    x = 2\n",
        ),
        ("a.ts", TYPESCRIPT, "  return a;", "  return a &lt; 3 &amp;&amp; a;", "  return a < 3 && a;"),
        ("Makefile", MAKE, "\trm -f a\n", "    rm -f a b\n", "\trm -f a b\n"),
        ("Makefile", MAKE, "clean:\n", "test:\n    ./t\n\nclean:\n", "test:\n\t./t\n\nclean:\n"),
    ],
)
def test_what_is_no_part_of_the_file_is_left_out_once_somebody_says_yes(
    path: str, text: str, old: str, new: str, meant: str
) -> None:
    answer = call(path, old, new)
    shown = apply_edits({path: text}, answer)
    assert [one.status for one in shown.outcomes] == [Status.PROPOSED]
    assert shown.files == {path: text}
    assert apply_edits({path: text}, answer, accept="all").files == {path: text.replace(old, meant)}


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("a.md", "# A\n\nb\n", "b\n", "```\nb\n```\n"),
        ("a.py", PYTHON, "    return 1\n", "    return 'a\\nb'\n"),
        ("a.py", PYTHON, "    return 1\n", "    return 1  # new\n"),
        ("a.html", "<p>\na\n</p>\n", "a\n", "a &lt; b\n"),
        ("a.xml", "<code>\na\n</code>\n", "a\n", "<file>\na\n</file>\n<code>\n</code>\n"),
        ("a.mk", MAKE, "\trm -f a\n", "\trm -f a \\\n\t  b\n"),
    ],
)
def test_what_belongs_to_a_file_stays(path: str, text: str, old: str, new: str) -> None:
    assert apply_edits({path: text}, call(path, old, new)).files == {path: text.replace(old, new)}


def test_a_line_of_a_diff_that_has_lost_its_sign_is_added_once_somebody_says_yes() -> None:
    hunk = "@@ -6,2 +6,4 @@\n def f():\n+    x = 1\n    y = 2\n     return 1\n"
    diff = f"```diff\n--- a/a.py\n+++ b/a.py\n{hunk}```\n"
    shown = apply_edits({"a.py": PYTHON}, diff)
    assert "`y = 2` has no sign" in shown.proposals[0].why
    meant = PYTHON.replace("def f():\n", "def f():\n    x = 1\n    y = 2\n")
    assert apply_edits({"a.py": PYTHON}, diff, accept="all").files == {"a.py": meant}
