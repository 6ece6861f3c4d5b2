"""Sentences that say something of another thing than the code, or what it does, hold back nothing."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

FILES = {"src/a.py": "def load(path):\n    return open(path)\n\n\ndef save():\n    return 2\n"}
NEW = "def save():\n    return 3\n"


def after(answer: str, files: dict[str, str] = FILES) -> dict[str, str | None]:
    return dict(apply_edits(files, answer, accept="all").files)


MADE = {"src/a.py": FILES["src/a.py"].replace("return 2", "return 3")}


@pytest.mark.parametrize(
    "below",
    [
        "Since there is a default, the spec doesn't need to change.",
        "The README doesn't need to change.",
        "The migrations do not need to change.",
        "The documentation doesn't need to change for that.",
        "Die Vorlage muss sich nicht ändern.",
        "La documentation n'a pas besoin de changer.",
        "文档不需要修改。",
    ],
)
def test_what_is_said_of_another_thing_is_not_said_of_the_code(below: str) -> None:
    assert after(f"Change `save` in `src/a.py`:\n\n```python\n{NEW}```\n\n{below}\n") == MADE


@pytest.mark.parametrize(
    "below", ["It doesn't need to change.", "Your code doesn't need to change.", "No need to change this."]
)
def test_what_is_said_of_the_code_itself_holds_it_back(below: str) -> None:
    answer = f"Change `save` in `src/a.py`:\n\n```python\n{NEW}```\n\n{below}\n"
    assert dict(apply_edits(FILES, answer).files) == FILES


@pytest.mark.parametrize(
    "above",
    [
        "Here's the updated `src/a.py`. It asks first, and only saves if something changed:",
        "Here is the new `src/a.py`. It never writes a file twice:",
        "Hier ist die geänderte `src/a.py`. Sie speichert nur, wenn sich etwas geändert hat:",
    ],
)
def test_what_a_file_that_is_handed_over_does_is_no_objection(above: str) -> None:
    code = f"# ... imports unchanged ...\n\n{NEW}"
    made = after(f"{above}\n\n```python\n{code}```\n")
    assert "return 3" in (made["src/a.py"] or "")


@pytest.mark.parametrize(
    "sentence",
    [
        "`USER` and `TARGET` are set in the script and `${1:-...}` has a default, so nothing is unset here.",
        "`TARGET` is set in the script, and `/opt` exists.",
    ],
)
def test_what_is_said_to_be_set_is_no_assignment(sentence: str) -> None:
    files = {"deploy.sh": "#!/bin/sh\nUSER=deploy\nTARGET=/srv/app\n"}
    assert after(f"In `deploy.sh`: {sentence}\n", files) == files


def test_what_is_said_to_be_set_to_a_value_may_be_one() -> None:
    files = {"a.ini": "[a]\nlevel = 1\n"}
    answer = "In `a.ini`, make sure that `level` is set to `2`.\n"
    assert after(answer, files) in ({"a.ini": "[a]\nlevel = 2\n"}, files)


@pytest.mark.parametrize(
    "above",
    [
        "I could reproduce it. Paste this into the browser console:",
        "Type this in a Python shell:",
        "Run this in the REPL to see it:",
        "Füge das in die Browserkonsole ein, um es zu sehen. Gib es in die Konsole:",
        "Collez ceci dans la console :",
        "Pega esto en la consola:",
        "Вставьте это в консоль:",
        "把它粘贴到控制台：",
        "コンソールに貼り付けてください：",
    ],
)
def test_code_to_be_tried_out_is_no_edit_and_the_one_below_is(above: str) -> None:
    tried = "def save():\n    return print(2)\n"
    fix = f"So this is the fix. Change `save` in `src/a.py`:\n\n```python\n{NEW}```\n"
    assert after(f"{above}\n\n```python\n{tried}```\n\n{fix}") == MADE


@pytest.mark.parametrize(
    "above",
    [
        "Change `save` in `src/a.py` to write to the console:",
        "Let `save` in `src/a.py` print to the terminal:",
    ],
)
def test_code_that_writes_to_a_console_is_an_edit(above: str) -> None:
    assert after(f"{above}\n\n```python\n{NEW}```\n") == MADE
