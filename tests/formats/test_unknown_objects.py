"""One unknown word, even one that can only name the thing that changes, leaves it likely that it does."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

FILES = {"src/a.py": "def load():\n    return 1\n\n\ndef save():\n    return 2\n"}
CODE = "\n\n```python\ndef load():\n    return 3\n```\n"


@pytest.mark.parametrize(
    "lead",
    [
        "Here's the updated `load` operation in `src/a.py`:",
        "In `src/a.py`, update the `load` routine:",
        "Change the loader in `src/a.py`:",
        "Replace the loader in `src/a.py` with:",
        "Ersetze die Schleife in `src/a.py`:",
        "Remplacez la boucle dans `src/a.py` :",
        "Reemplaza el bucle en `src/a.py`:",
    ],
)
def test_what_is_asked_for_is_proposed_whatever_the_thing_is_called(lead: str) -> None:
    assert apply_edits(FILES, lead + CODE).files == FILES
    after = apply_edits(FILES, lead + CODE, accept="all").files["src/a.py"]
    assert after == FILES["src/a.py"].replace("1", "3")


@pytest.mark.parametrize(
    "lead",
    [
        "Here's the mess in `src/a.py`:",
        "Here is the failing `load` in `src/a.py`:",
        "This is the commit in `src/a.py`:",
        "Here's the updated sketch in `src/a.py`:",
        "After a revert in `src/a.py`:",
        "Change the loader back in `src/a.py`:",
        "Never change the loader in `src/a.py`:",
        "To crash it, change the loader in `src/a.py`:",
        "Update the mock for `src/a.py`:",
        "Here's the updated `load` stub of `src/a.py`:",
        "Ersetze den Mock von `src/a.py`:",
        "Fix the leak in `src/a.py`:",
        "Replace the offending code in `src/a.py`:",
        "The change crashed the loader in `src/a.py`:",
    ],
)
def test_any_other_unknown_word_makes_it_a_proposal_at_most(lead: str) -> None:
    report = apply_edits(FILES, lead + CODE)
    assert report.files == FILES
    assert {outcome.status for outcome in report.outcomes} <= {Status.PROPOSED}


@pytest.mark.parametrize(
    "lead",
    [
        "I'll create a new file `src/b.py`:",
        "Ich erstelle eine neue Datei `src/b.py`:",
        "Je crée un nouveau fichier `src/b.py` :",
        "Voy a crear un archivo nuevo `src/b.py`:",
        "Vou criar um arquivo novo `src/b.py`:",
        "`src/b.py` を新規作成します。",
        "我们创建 `src/b.py`：",
    ],
)
def test_a_file_that_somebody_says_to_make_is_made(lead: str) -> None:
    assert apply_edits(FILES, f"{lead}\n\n```python\nb = 1\n```\n").files == {**FILES, "src/b.py": "b = 1\n"}


def test_what_introduces_a_list_of_changes_says_no_more() -> None:
    files = {"s.ts": "export const LIMIT = 20;\n", "t.ts": "export const OFF = 16;\n"}
    words = "- In `s.ts`, change `LIMIT` from `20` to `5`.\n- In `t.ts`, change `OFF` from `16` to `24`.\n"
    after = apply_edits(files, f"You only need to tweak two values:\n\n{words}", accept="all").files
    assert after == {"s.ts": "export const LIMIT = 5;\n", "t.ts": "export const OFF = 24;\n"}
