"""Lines that a file without a grammar is to get: below their like, or at its end, and shown before."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

ENV = "DB=postgres\nSECRET=abc\n"
NEEDS = "flask==3.0\nrequests==2.31\n"
DOCKER = 'FROM python:3.11\nRUN pip install -r \\\n    needs.txt\nCOPY . .\nCMD ["python", "main.py"]\n'
SERVERS = "upstream app {\n  server a:80;\n}\n\nserver {\n  listen 80;\n}\n"
NOTES = "Notes\n\nBuy bread.\n"
FILES = {
    ".env": ENV,
    "requirements.txt": NEEDS,
    "Dockerfile": DOCKER,
    "Containerfile": "FROM a\nRUN b \\\n",
    "servers.conf": SERVERS,
    "NOTES.txt": NOTES,
}


def answer(above: str, code: str) -> str:
    return f"{above}\n\n```\n{code}```\n"


@pytest.mark.parametrize(
    ("above", "code", "path", "made"),
    [
        ("Add to `.env`:", "PORT=80\n", ".env", f"{ENV}PORT=80\n"),
        ("Then add the following to your `.env` file:", "PORT=80\n", ".env", f"{ENV}PORT=80\n"),
        ("Füge zu `requirements.txt` hinzu:", "redis==5.0\n", "requirements.txt", f"{NEEDS}redis==5.0\n"),
        ("Add this line to `requirements.txt`:", "redis==5.0\n", "requirements.txt", f"{NEEDS}redis==5.0\n"),
        ("Add to `NOTES.txt`:", "Milk, too.\n", "NOTES.txt", f"{NOTES}\nMilk, too.\n"),
        (
            "Add this to the `Dockerfile`:",
            "RUN make\n",
            "Dockerfile",
            DOCKER.replace("    needs.txt\n", "    needs.txt\nRUN make\n"),
        ),
        (
            "Add this to `servers.conf`:",
            "  server b:80;\n",
            "servers.conf",
            SERVERS.replace("a:80;\n", "a:80;\n  server b:80;\n"),
        ),
        ("Add to the `Dockerfile`:", "ENV A=1\nENV B=2\n", "Dockerfile", f"{DOCKER}ENV A=1\nENV B=2\n"),
    ],
)
def test_they_are_proposed_where_nothing_is_said_of_the_place(
    above: str, code: str, path: str, made: str
) -> None:
    report = apply_edits(FILES, answer(above, code))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer(above, code), accept="all").files == {**FILES, path: made}


@pytest.mark.parametrize(
    ("above", "code"),
    [
        ("Add to `.env`:", "SECRET=xyz\nPORT=80\n"),
        ("Add to `requirements.txt`:", "flask==3.1\n"),
        ("Add to `requirements.txt`:", "requests==2.31\n"),
        ("Add this to `Containerfile`:", "RUN make\n"),
        ("Should we add this to `.env`?", "PORT=80\n"),
        ("Do not add this to `.env`:", "PORT=80\n"),
        ("Add this to the `Dockerfile` before the last line:", "ENV A=1\n"),
        ("Add to `.env`:", "# ... existing lines ...\nPORT=80\n"),
    ],
)
def test_they_are_not_where_they_are_there_or_belong_elsewhere(above: str, code: str) -> None:
    assert apply_edits(FILES, answer(above, code), accept="all").files == FILES


@pytest.mark.parametrize("lead", ["And add a `.dockerignore`:", "Füge zu `.dockerignore` hinzu:"])
def test_a_file_without_a_grammar_that_is_not_there_is_proposed_as_new(lead: str) -> None:
    assert apply_edits(FILES, answer(lead, ".git\nbuild\n")).files == FILES
    after = apply_edits(FILES, answer(lead, ".git\nbuild\n"), accept="all").files
    assert after == {**FILES, ".dockerignore": ".git\nbuild\n"}


@pytest.mark.parametrize("lead", ["Do not add a `.dockerignore`:", "In your `.dockerignore`:"])
def test_a_file_that_is_not_there_is_not_made_of_what_is_not_to_be_added(lead: str) -> None:
    assert apply_edits(FILES, answer(lead, ".git\n"), accept="all").files == FILES


def test_a_new_function_is_as_far_from_the_only_other_one_as_that_is_from_what_is_above_it() -> None:
    file = '"""Lists."""\n\nimport x\n\nNAMES = 1\n\n\ndef one(items):\n    return 1\n'
    code = "def two(items):\n    return 2\n"
    answer = f"In `lists.py`, add this right below `one`:\n\n```python\n{code}```\n"
    assert apply_edits({"lists.py": file}, answer, accept="all").files["lists.py"] == f"{file}\n\n{code}"


def test_a_method_below_the_only_one_of_a_class_is_apart_from_it() -> None:
    file = "class A\n    def one\n        1\n    end\nend\n"
    code = "    def two\n        2\n    end\n"
    answer = f"In `a.rb`, add this right after `one`:\n\n```ruby\n{code}```\n"
    after = apply_edits({"a.rb": file}, answer, accept="all").files["a.rb"]
    assert after == f"class A\n    def one\n        1\n    end\n\n{code}end\n"


def test_a_rule_of_one_line_is_as_far_from_the_one_above_it_as_that_is_from_others() -> None:
    file = "one:\n\tmake one\n\ntwo:\n\tmake two\n\nlast:\n\tmake last\n"
    answer = "Add a target to the `Makefile`, below `two`:\n\n```make\nboth: one two\n```\n"
    after = apply_edits({"Makefile": file}, answer, accept="all").files["Makefile"]
    assert after == file.replace("make two\n", "make two\n\nboth: one two\n")
