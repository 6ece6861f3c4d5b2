"""Code that is only shown to say what to remove is not merged, and is not called a change that is there."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

LOAD = "def load():\n    return 1\n"
SAVE = "def save():\n    return 2\n"
FILES = {"src/a.py": f"{LOAD}\n\n{SAVE}"}


SENTENCES = [
    "Remove `load`:",
    "Delete the function `load`:",
    "2. Then remove the `load()` function from `src/a.py`:",
    "Remove this function from `src/a.py`:",
    "Remove this function (and the comment above it) from `src/a.py`:",
    "Entferne diese Funktion (samt Kommentar) aus `src/a.py`:",
    "Please delete the following lines:",
    "Remove `load`, it is unused:",
    "Remove `load` since nobody calls it:",
    "In `src/a.py`, remove this:",
    "`src/a.py`: delete this function, nothing calls it:",
    "The `load` function in `src/a.py` is no longer needed:",
    "`load` can be removed:",
    "This function is unused, so remove it:",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_to_be_removed_is_proposed(sentence: str) -> None:
    answer = f"{sentence}\n\n```python\n{LOAD}```\n"
    asked = apply_edits(FILES, answer)
    assert asked.files == FILES
    assert [outcome.status for outcome in asked.outcomes] == [Status.PROPOSED]
    after = apply_edits(FILES, answer, accept="all").files["src/a.py"]
    assert after == (SAVE if "`load" in sentence else f"\n\n{SAVE}")


@pytest.mark.parametrize(
    "sentence", ["Remove this line from `save` in `src/a.py`:", "从 `src/a.py` 中删除这一行："]
)
def test_a_line_of_what_is_named_is_removed(sentence: str) -> None:
    answer = f"{sentence}\n\n```python\n    return 2\n```\n"
    files = {"src/a.py": FILES["src/a.py"] + "    log()\n"}
    after = apply_edits(files, answer, accept="all").files["src/a.py"]
    assert after == f"{LOAD}\n\ndef save():\n    log()\n"


COMPOSE = """services:
  app:
    build: .
    ports:
      - "80:80"
  db:
    image: mysql
    ports:
      - "3306:3306"
    restart: always
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "So delete these two lines from the `db` service in `compose.yml`:",
        "You can drop the following lines from the `db` service (`compose.yml`):",
        "Lösche diese Zeilen aus dem Service `db` in `compose.yml`:",
        "Entferne in `compose.yml` diese zwei Zeilen beim Dienst `db`:",
        "Supprimez ces lignes du service `db` dans `compose.yml` :",
        "Elimina estas líneas del servicio `db` en `compose.yml`:",
        "Remova estas linhas do serviço `db` em `compose.yml`:",
        "Удалите эти строки из сервиса `db` в `compose.yml`:",
        "从 `compose.yml` 的 `db` 服务中删除这两行:",
        "`compose.yml` の `db` サービスから次の行を削除してください:",
    ],
)
def test_lines_that_the_file_has_once_are_removed_whatever_else_is_said(sentence: str) -> None:
    files = {"compose.yml": COMPOSE}
    lines = '    ports:\n      - "3306:3306"\n'
    answer = f"{sentence}\n\n```yaml\n{lines}```\n"
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files["compose.yml"] == COMPOSE.replace(lines, "")


def test_what_a_statement_removes_is_left_as_it_is() -> None:
    answer = "In `src/a.py`, `return` removes it from the stack:\n\n```python\n    return 2\n```\n"
    assert apply_edits(FILES, answer, accept="all").files == FILES


@pytest.mark.parametrize("sentence", [each for each in SENTENCES if "src/a.py" not in each])
def test_where_no_file_is_named_it_is_proposed_for_the_only_one_that_has_it(sentence: str) -> None:
    answer = f"{sentence}\n\n```python\n{LOAD}```\n"
    files = {**FILES, "src/b.py": "x = 1\n"}
    report = apply_edits(files, answer)
    assert report.files == files
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    removed = apply_edits(files, answer, accept="all").files
    assert removed == {**files, "src/a.py": SAVE}


@pytest.mark.parametrize("sentence", [each for each in SENTENCES if "src/a.py" not in each])
def test_where_two_files_have_it_it_is_said_to_need_a_search_text(sentence: str) -> None:
    files = {**FILES, "src/b.py": FILES["src/a.py"]}
    report = apply_edits(files, f"{sentence}\n\n```python\n{LOAD}```\n", accept="all")
    assert report.files == files
    assert ["it is to be removed" in each.message for each in report.unplaced] == [True]


@pytest.mark.parametrize(
    "sentence", ["Remove the `cache` flag from `load` in `src/a.py`:", "Remove `cache` in `src/a.py`:"]
)
def test_code_without_what_is_to_be_removed_is_merged(sentence: str) -> None:
    files = {"src/a.py": FILES["src/a.py"].replace("return 1", "return cache(1)")}
    report = apply_edits(files, f"{sentence}\n\n```python\n{LOAD}```\n")
    assert report.files == FILES


@pytest.mark.parametrize(
    "sentence",
    [
        "Remove the second argument from `load` in `src/a.py`:",
        "`load` is no longer needed in `src/a.py`, use this instead:",
        "Remove `load` from `src/a.py` and add this:",
    ],
)
def test_a_sentence_that_speaks_of_another_change_as_well_asks_for_no_removal(sentence: str) -> None:
    new = LOAD.replace("1", "3")
    report = apply_edits(FILES, f"{sentence}\n\n```python\n{new}```\n")
    assert report.files["src/a.py"] == FILES["src/a.py"].replace("return 1", "return 3")


@pytest.mark.parametrize(
    "sentence",
    [
        "Remove the call to `load` in `src/a.py`.",
        "Remove `load` calls from `src/a.py`.",
        "Remove the decorator on `load` in `src/a.py`.",
        "Remove the print in `load` in `src/a.py`.",
    ],
)
def test_what_uses_a_definition_or_is_in_it_is_not_that_definition(sentence: str) -> None:
    assert apply_edits(FILES, f"{sentence}\n", accept="all").files == FILES
