"""Sentences that say where code goes, and what they say."""

from __future__ import annotations

import pytest

from patchpoint.patching.places.places_said import PlaceSaid, Relation, is_closed, places_said

SENTENCES = [
    # English
    ("Add this method right below the `length` property:", Relation.BELOW, "length", True),
    ("**File: `db.py`** — add right after `decrement`:", Relation.BELOW, "decrement", True),
    ("Insert this before the existing method `close()`:", Relation.ABOVE, "close()", True),
    ("Add this entry at the very top of `CHANGELOG.md`:", Relation.FIRST, "CHANGELOG.md", True),
    ("Add these tests to the end of the file `tests/test_a.py`:", Relation.LAST, "tests/test_a.py", True),
    ("Add it after you have called `run`:", Relation.BELOW, "run", False),
    ("Here is `stop`, which runs after `run`:", Relation.BELOW, "run", False),
    ("It is called before `run`:", Relation.ABOVE, "run", False),
    # German
    ("Hier ist, was nach `run` läuft:", Relation.BELOW, "run", False),
    ("Füge das nach der Methode `close` ein:", Relation.BELOW, "close", True),
    ("Direkt vor `run`:", Relation.ABOVE, "run", True),
    ("Am Ende von `a.py`:", Relation.LAST, "a.py", True),
    # French
    ("Ajoutez après la méthode `close` :", Relation.BELOW, "close", True),
    ("À la fin de `a.py` :", Relation.LAST, "a.py", True),
    ("Au début du fichier `a.py` :", Relation.FIRST, "a.py", True),
    # Spanish
    ("Añade esto después de la función `run`:", Relation.BELOW, "run", True),
    ("Al final del archivo `a.py`:", Relation.LAST, "a.py", True),
    # Portuguese
    ("Adicione depois da função `run`:", Relation.BELOW, "run", True),
    ("No final do arquivo `a.py`:", Relation.LAST, "a.py", True),
    # Russian
    ("Добавьте после метода `run`:", Relation.BELOW, "run", True),
    ("Добавьте в конец файла `a.py`:", Relation.LAST, "a.py", True),
    # Chinese
    ("这个在 `run` 之后运行：", Relation.BELOW, "run", False),
    ("在 `run` 方法之后添加：", Relation.BELOW, "run", True),
    ("加到 `a.py` 的末尾：", Relation.LAST, "a.py", True),
    # Japanese
    ("`run` メソッドの後に追加:", Relation.BELOW, "run", True),
    ("`a.py` の先頭に追加:", Relation.FIRST, "a.py", True),
]


@pytest.mark.parametrize(("sentence", "relation", "name", "is_only"), SENTENCES)
def test_a_sentence_names_one_place(sentence: str, relation: Relation, name: str, is_only: bool) -> None:
    assert places_said(sentence) == (PlaceSaid(relation, name),)
    assert is_closed(sentence) == is_only


@pytest.mark.parametrize(
    "sentence",
    [
        "In `a.py`:",
        "Here is the new `run`:",
        "The underscore in `a_b` stays.",
        "Добавьте `run`:",
        "Beforehand, `run` was slow.",
        "after " * 200 + "`run`",
        "",
    ],
)
def test_other_sentences_name_none(sentence: str) -> None:
    assert places_said(sentence) == ()


def test_each_of_several_places_is_named_once() -> None:
    said = places_said("At the top of `a.py`, add below `import os` (right below `import os`):")
    assert {(each.relation, each.name) for each in said} == {
        (Relation.FIRST, "a.py"),
        (Relation.BELOW, "import os"),
    }
    assert len(said) == 2
