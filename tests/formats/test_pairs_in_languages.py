"""Two fences are a pair in each of eight languages, where the words above them call them old and new."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

APP = "def wait(lamp):\n    sleep(5)\n    lamp.dim()\n\n\ndef glow(lamp):\n    lamp.level = 1\n"
FILES = {"src/app.py": APP}
CHANGED = {"src/app.py": APP.replace("sleep(5)", "sleep(9)")}


def pair(above: str, between: str) -> str:
    return f"{above}\n\n```python\n    sleep(5)\n```\n\n{between}\n\n```python\n    sleep(9)\n```\n"


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("Ersetze in `src/app.py` diese Zeile:", "durch:"),
        ("Dans `src/app.py`, remplacez ce code :", "par ceci :"),
        ("En `src/app.py`, reemplaza esta línea:", "por esta:"),
        ("Em `src/app.py`, substitua este código:", "por este:"),
        ("В файле `src/app.py` замените эту строку:", "на:"),
        ("在 `src/app.py` 中，将以下代码：", "替换为："),
        ("把 `src/app.py` 中的这一行", "改成："),
        ("`src/app.py` の次の行を変更します：", "以下に置き換えてください："),
        ("`src/app.py`\n\nVorher:", "Nachher:"),
        ("`src/app.py`\n\n修改前：", "修改后："),
    ],
)
def test_a_pair_is_made(above: str, between: str) -> None:
    report = apply_edits(FILES, pair(above, between))
    assert report.files == CHANGED, report.outcomes


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("Ersetze in `src/app.py` das träge Warten vor dem Dimmen:", "durch:"),
        ("Dans `src/app.py`, remplacez l'attente qui dure trop longtemps :", "par :"),
        ("Ich würde in `src/app.py` vielleicht ändern:", "zu:"),
        ("### 1. Too short (`src/app.py`)", "**Fix:**"),
        ("### 1. Zu kurz (`src/app.py`)", "**Lösung:**"),
        ("### Problema 1: espera poco (`src/app.py`)", "**Corrección:**"),
        ("### 问题 1（`src/app.py`）", "**修复：**"),
        ("**`src/app.py`** – the lamp needs more time. Instead of", "use"),
        ("**`src/app.py`** – the lamp needs more time. Instead of", "write this:"),
        ("In `src/app.py` statt", "verwende:"),
        ("Dans `src/app.py`, au lieu de", "utilisez :"),
        ("En `src/app.py`, en lugar de", "usa:"),
        ("В `src/app.py` вместо", "используйте:"),
    ],
)
def test_a_pair_whose_sentence_says_more_is_proposed(above: str, between: str) -> None:
    report = apply_edits(FILES, pair(above, between))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("In `src/app.py` steht:", "und in der Doku:"),
        ("Ersetze in `src/app.py` diese Zeile:", "Das ergibt beim Aufruf:"),
        ("Ersetze in `src/app.py` diese Zeile nicht:", "durch:"),
        ("### Zu kurz (`src/app.py`)", "**Ausgabe:**"),
        ("In `src/app.py`, we do not do it in place of, or instead of", "use"),
        ("In `src/app.py`, instead of", "the desk has:"),
        ("Dans `src/app.py`, ne remplacez pas ce code :", "par ceci :"),
        ("在 `src/app.py` 中，不要将以下代码：", "替换为："),
        ("В `src/app.py` не заменяйте эту строку:", "на:"),
    ],
)
def test_other_words_write_nothing(above: str, between: str) -> None:
    report = apply_edits(FILES, pair(above, between))
    assert report.files == FILES
    assert not any(outcome.status is Status.APPLIED for outcome in report.outcomes)


def test_each_pair_below_headings_of_one_level_is_for_the_file_of_its_own() -> None:
    files = {**FILES, "src/desk.py": "def lift(desk):\n    move(1)\n"}
    answer = "### 1. Too short (`src/app.py`)\n\n```python\n    sleep(5)\n```\n\n**Fix:**\n\n"
    answer += "```python\n    sleep(9)\n```\n\n### 2. Too low (`src/desk.py`)\n\n"
    answer += "```python\n    move(1)\n```\n\n**Fix:**\n\n```python\n    move(2)\n```\n"
    report = apply_edits(files, answer)
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED] * 2
    made = {**CHANGED, "src/desk.py": files["src/desk.py"].replace("1", "2")}
    assert apply_edits(files, answer, accept="all").files == made


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("In `src/app.py`, below the line", "add"),
        ("In `src/app.py`, before the following line:", "insert:"),
        ("In `src/app.py`, nach dieser Zeile", "füge ein:"),
        ("Dans `src/app.py`, avant cette ligne", "ajoutez :"),
        ("В `src/app.py` после этой строки", "добавьте:"),
        ("In `src/app.py`, below the line", "there is:"),
        ("In `src/app.py`, not below the line", "add:"),
        ("In `src/app.py`, the lamp is dimmed after", "add:"),
    ],
)
def test_code_that_goes_next_to_lines_that_are_shown_takes_the_place_of_none(
    above: str, between: str
) -> None:
    assert apply_edits(FILES, pair(above, between), accept="all").files == FILES


def test_a_path_without_a_suffix_is_named_where_a_line_begins_with_it_in_bold() -> None:
    files = {"bin/run": "start\nsleep 5\n"}
    answer = "- **`bin/run`**: change\n\n```\nsleep 5\n```\n\nto\n\n```\nsleep 9\n```\n"
    assert apply_edits(files, answer).files == {"bin/run": "start\nsleep 9\n"}


@pytest.mark.parametrize(("above", "between"), [("In your code, instead of", "use"), ("A call:", "**Fix:**")])
def test_a_pair_that_shows_how_it_is_used_holds_no_other_code_of_the_file_back(
    above: str, between: str
) -> None:
    wait = "def wait(lamp):\n    sleep(9)\n    lamp.dim()\n"
    answer = f"### `src/app.py`\n\nChange `wait`:\n\n```python\n{wait}```\n\n{above}\n\n"
    answer += f"```python\nwait(desk)\n```\n\n{between}\n\n```python\nwait(desk.lamp)\n```\n"
    assert apply_edits(FILES, answer).files == CHANGED


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("Currently `wait` has a bare number:", "Use what the others have:"),
        ("`wait` currently sleeps for five:", "Make it nine:"),
        ("Derzeit wartet es so:", "Setze neun:"),
        ("Atualmente está assim:", "Use o outro valor:"),
    ],
)
def test_what_is_asked_for_below_the_code_as_it_is_is_proposed_in_its_place(above: str, between: str) -> None:
    answer = pair(f"### `src/app.py`\n\n{above}", between)
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files == CHANGED


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("Currently `wait` has a bare number:", "Nobody should use this:"),
        ("Currently `wait` has a bare number:", "Use of it in another project, for example:"),
        ("For example:", "Use the other:"),
        ("Currently `wait` has a bare number:", "You can call it like this:"),
    ],
)
def test_what_is_not_asked_for_below_the_code_as_it_is_is_no_pair(above: str, between: str) -> None:
    answer = pair(f"### `src/app.py`\n\n{above}", between)
    assert apply_edits(FILES, answer, accept="all").files == FILES
