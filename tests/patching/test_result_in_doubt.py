"""What quoted edits make of a file is shown first where it has something twice, or lines that never run."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits
from patchpoint.edit import Edit
from patchpoint.outcome import Status

PYTHON = "import os\n\nLIMIT = 3\n\n\ndef f(x):\n    y = x\n    return 1\n\n\ndef g():\n    return 2\n"
OBJECT = '{\n  "a": 1,\n  "b": 2\n}\n'
FIELDS = "interface A {\n  a: 1;\n  b: 1;\n}\n\ninterface B {\n  c: 1;\n}\n"
OVERLOAD = "    int f(String a) {\n        return 1;\n    }\n\n    int f(int a) {\n"
SETTER = "    return 1\n\n\n@a.setter\ndef a(s, v):\n    pass\n"
JAVA = "class A {\n    int f(int a) {\n        return a;\n    }\n}\n"


def block(path: str, search: str, replacement: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("path", "text", "search", "replacement", "why"),
    [
        (
            "a.py",
            PYTHON,
            "LIMIT = 3\n",
            "LIMIT = 3\n\n\ndef g():\n    return 5\n",
            "`g` would be defined twice.",
        ),
        (
            "a.py",
            PYTHON,
            "LIMIT = 3\n",
            "import os\nLIMIT = 3\n",
            "It imports what the file imports already.",
        ),
        (
            "a.py",
            PYTHON,
            "def f(x):\n",
            "def f(x, z):\n    return x + z\n",
            "`y = x` would never run: it is below `return x + z`.",
        ),
        ("a.yml", "a: 1\nb:\n  c: 2\n", "a: 1\n", "a: 1\nb:\n  e: 3\n", "`b` would be there twice."),
        ("a.py", "A = 1\nB = 2\n", "A = 1\n", "A = 1\nB = 3\n", "`B` would be given a value twice."),
        ("a.ts", FIELDS, "  a: 1;\n", "  a: 1;\n  b: 2;\n", "`b` would be given a value twice."),
        (
            "a.json",
            OBJECT,
            '  "a": 1,\n',
            '  "a": 1,\n  "b": 3,\n',
            "`b` would be there twice.",
        ),
    ],
)
def test_what_nobody_would_mean_is_shown_first(
    path: str, text: str, search: str, replacement: str, why: str
) -> None:
    answer = block(path, search, replacement)
    shown = apply_edits({path: text}, answer)
    assert shown.files == {path: text}
    assert [one.why for one in shown.proposals] == [why]
    made = apply_edits({path: text}, answer, accept=[shown.proposals[0].id])
    assert made.files == {path: shown.proposals[0].text}
    as_data = apply_edits({path: text}, [Edit(path=path, search=search, replace=replacement)])
    assert as_data.files == {path: text.replace(search, replacement)}


@pytest.mark.parametrize(
    ("path", "text", "search", "replacement", "meant"),
    [
        (
            "a.py",
            PYTHON,
            "def f(x):\n",
            "def f(x, z):\n    return x + z\n",
            PYTHON.replace("def f(x):\n    y = x\n    return 1\n", "def f(x, z):\n    return x + z\n"),
        ),
        ("a.json", OBJECT, '  "a": 1,\n', '  "a": 1,\n  "b": 3,\n', OBJECT.replace("2", "3")),
        ("a.yml", "a: 1\nb: 2\n", "a: 1\n", "a: 1\nb: 2\nb: 3\n", "a: 1\nb: 2\nb: 3\nb: 2\n"),
    ],
)
def test_what_is_shown_replaces_what_has_its_name_where_that_is_sound(
    path: str, text: str, search: str, replacement: str, meant: str
) -> None:
    answer = block(path, search, replacement)
    assert apply_edits({path: text}, answer, accept="all").files == {path: meant}


@pytest.mark.parametrize(
    ("path", "text", "search", "replacement"),
    [
        (
            "A.java",
            JAVA,
            "    int f(int a) {\n",
            OVERLOAD,
        ),
        ("a.py", PYTHON, "    return 1\n", "    if y:\n        return 0\n    return 1\n"),
        ("a.py", PYTHON, "    y = x\n", "    import os\n\n    y = x\n"),
        ("a.py", PYTHON, "    y = x\n", "    y = x\n    y = y + LIMIT\n"),
        ("a.py", PYTHON, "LIMIT = 3\n", "LIMIT = 3\nLIMIT = LIMIT + 1\n"),
        ("a.ts", FIELDS, "  c: 1;\n", "  b: 1;\n  c: 1;\n"),
        (
            "a.py",
            "@property\ndef a(s):\n    return 1\n",
            "    return 1\n",
            SETTER,
        ),
        ("a.json", '{\n  "a": {\n    "c": 1\n  }\n}\n', '    "c": 1\n', '    "a": 1\n'),
    ],
)
def test_what_may_be_there_several_times_is_certain(
    path: str, text: str, search: str, replacement: str
) -> None:
    assert apply_edits({path: text}, block(path, search, replacement)).ok


def test_only_the_edit_that_makes_the_doubt_waits() -> None:
    answer = block("a.py", "LIMIT = 3\n", "LIMIT = 4\n") + block(
        "a.py", "def f(x):\n", "def f(x):\n    return 7\n"
    )
    report = apply_edits({"a.py": PYTHON}, answer, atomic="edit")
    assert [one.status for one in report.outcomes] == [Status.APPLIED, Status.PROPOSED]
    assert report.files == {"a.py": PYTHON.replace("LIMIT = 3", "LIMIT = 4")}


CALLS = "def load(path):\n    return path\n\n\ndef main():\n    text = load('a')\n    print(text)\n"


def test_a_definition_that_is_still_called_does_not_go_unasked() -> None:
    half = block("a.py", "def load(path):\n", "def load_text(path):\n")
    shown = apply_edits({"a.py": CALLS}, half)
    assert shown.files == {"a.py": CALLS}
    assert [one.why for one in shown.proposals] == ["`load` is called, and nothing would define it any more."]
    whole = half + block("a.py", "    text = load('a')\n", "    text = load_text('a')\n")
    assert apply_edits({"a.py": CALLS}, whole).files == {"a.py": CALLS.replace("load(", "load_text(")}


def test_a_definition_that_becomes_an_import_may_go() -> None:
    answer = block("a.py", "def load(path):\n    return path\n", "from b import load\n")
    assert apply_edits({"a.py": CALLS}, answer).ok
