"""Lines that a diff only adds, with none of the file's around them: shown where code like them is."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits
from patchpoint.outcome import Status

PYTHON = "import os\n\n\ndef f():\n    return 1\n\n\nif __name__ == '__main__':\n    f()\n"


def envelope(path: str, hunk: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n{hunk}*** End Patch\n"


@pytest.mark.parametrize(
    ("path", "text", "hunk", "meant"),
    [
        (
            "a.py",
            PYTHON,
            "+\n+def g():\n+    return 3\n",
            PYTHON.replace("if __name", "def g():\n    return 3\n\n\nif __name"),
        ),
        ("a.py", PYTHON, "+import sys\n", PYTHON.replace("import os\n", "import os\nimport sys\n")),
        ("a.yml", "a: 1\nb:\n  c: 2\n", "+d: 3\n", "a: 1\nb:\n  c: 2\nd: 3\n"),
    ],
)
def test_lines_without_context_are_shown_where_code_like_them_is(
    path: str, text: str, hunk: str, meant: str
) -> None:
    answer = envelope(path, hunk)
    assert [one.status for one in apply_edits({path: text}, answer).outcomes] == [Status.PROPOSED]
    made = apply_edits({path: text}, answer, accept="all")
    assert made.files == {path: meant}
    assert apply_edits({path: meant}, answer).outcomes[0].status is Status.ALREADY_APPLIED


@pytest.mark.parametrize(
    ("path", "text", "hunk"),
    [
        ("requirements.txt", "flask\n", "+rich\n"),
        ("a.py", "", "+rich = 1\n"),
        ("a.py", "a = 1\n", "+rich = 1\n*** End of File\n"),
    ],
)
def test_they_go_to_the_end_where_that_is_the_one_place_or_is_said(path: str, text: str, hunk: str) -> None:
    added = hunk.splitlines()[0][1:] + "\n"
    assert apply_edits({path: text}, envelope(path, hunk)).files == {path: text + added}
