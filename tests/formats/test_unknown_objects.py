"""One unknown word that can only name the thing that changes leaves it certain that it changes."""

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
        "Remplacez la boucle de `src/a.py` :",
        "Reemplaza el bucle en `src/a.py`:",
    ],
)
def test_what_is_asked_for_is_written_whatever_the_thing_is_called(lead: str) -> None:
    assert apply_edits(FILES, lead + CODE).files["src/a.py"] == FILES["src/a.py"].replace("1", "3")


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
        "The change crashed the loader in `src/a.py`:",
    ],
)
def test_any_other_unknown_word_makes_it_a_proposal_at_most(lead: str) -> None:
    report = apply_edits(FILES, lead + CODE)
    assert report.files == FILES
    assert {outcome.status for outcome in report.outcomes} <= {Status.PROPOSED}
