"""Words that may be against the code next to them: it is shown, and only likely code is not even that."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

PARSE = "def normalize(url):\n    url = url.split('#')[0]\n    return url\n\n\ndef other():\n    return 1\n"
FILES = {"src/parse.py": PARSE}
NEW = "def normalize(url):\n    return url.lower().split('#')[0]\n"
DONE = {"src/parse.py": PARSE.replace(PARSE.partition("\n\n\n")[0] + "\n", NEW)}


def answer(above: str, below: str = "") -> str:
    return f"{above}\n\n```python\n# src/parse.py\n{NEW}```\n\n{below}\n"


AGAINST = [
    ("This is a common mistake:", "Paths are case-sensitive, so keep `normalize` as it is."),
    ("Many tutorials simply write the following:", "That breaks case-sensitive paths. Keep yours."),
    ("The naive solution would be", "but then two pages look the same, and I'd rather keep what you have."),
    (
        "A colleague of yours suggested this on the ticket:",
        "I'd reject it, because paths are case-sensitive.",
    ),
    ("I first tried this:", "It fails a test, so nothing needs to change after all."),
    ("Here is what it would be:", "It would break your links, so leave the function alone."),
    ("This is the other way:", "Wait, that loses the case of the path."),
    ("Another form:", "Which of these fits you better?"),
    ("Once you have moved to the new server, change it to:", "Until then it has to stay."),
    ("Ein häufiger Fehler ist dieser:", "Lass die Funktion also, wie sie ist."),
    ("Une erreur courante :", "Laisse la fonction telle quelle."),
    ("Un error común es:", "Deja la función como está."),
    ("Um erro comum:", "Deixe a função como está."),
    ("Частая ошибка:", "Оставьте функцию как есть."),
    ("很多教程这样写：", ""),
    ("よくある間違い：", "変更は不要です。"),
]


@pytest.mark.parametrize(("above", "below"), AGAINST)
def test_code_is_shown_and_not_written_where_words_may_be_against_it(above: str, below: str) -> None:
    report = apply_edits(FILES, answer(above, below))
    assert report.files == FILES
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer(above, below), accept="all").files == DONE


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("This fixes the mistake:", ""),
        ("The bug was that paths kept their case. Here is the function:", "That should do it."),
        ("Change it to:", "Leave `other` as it is."),
        ("Change it to:", "Keep everything else as it is."),
        ("Change it to:", "The tests stay unchanged."),
        ("What has a fragment is dropped now:", "Let me know if it works."),
    ],
)
def test_words_about_something_else_hold_nothing_back(above: str, below: str) -> None:
    assert apply_edits(FILES, answer(above, below)).files == DONE


@pytest.mark.parametrize(
    "above",
    [
        "A common mistake in `src/parse.py` is this:",
        "I tried this in `src/parse.py` at first:",
        "Many people would write in `src/parse.py`:",
    ],
)
def test_what_is_only_likely_is_not_even_shown_where_words_may_be_against_it(above: str) -> None:
    text = f"{above}\n\n```python\n{NEW}```\n\nKeep yours.\n"
    assert apply_edits(FILES, text, accept="all").files == FILES


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("This change in `src/parse.py` would break your links:", "So leave it alone."),
        ("The build broke with a commit which did this to `src/parse.py`:", ""),
        ("When the old server is gone, change this in `src/parse.py`:", "Until then please stay on it."),
    ],
)
def test_a_diff_is_shown_and_not_written_where_words_may_be_against_it(above: str, below: str) -> None:
    text = f"{above}\n\n```diff\n-    return url\n+    return url.lower()\n```\n\n{below}\n"
    assert apply_edits(FILES, text).files == FILES
