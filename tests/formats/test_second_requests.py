"""What a sentence next to code asks for as well: nothing is written before a yes, and then all of it is."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

PATH = "app/util.py"
FILES = {
    PATH: "import os\n\nLIMIT = 10\n\n\ndef load(path):\n    return open(path).read()\n\n\n"
    "def show(value):\n    print(value)\n",
    "old/legacy.txt": "legacy\n",
    "requirements.txt": "flask==2.0\n",
}
CODE = "```python\ndef load(path):\n    with open(path) as file:\n        return file.read()\n```"
LOADED = FILES[PATH].replace(
    "    return open(path).read()\n", "    with open(path) as file:\n        return file.read()\n"
)
LEADS = {
    "en": "Change `load` in `app/util.py`:",
    "de": "Ändere `load` in `app/util.py`:",
    "fr": "Modifiez `load` dans `app/util.py` :",
    "es": "Cambia `load` en `app/util.py`:",
    "pt": "Altere `load` em `app/util.py`:",
    "ru": "Измените `load` в `app/util.py`:",
    "zh": "修改 `app/util.py` 中的 `load`：",
    "ja": "`app/util.py` の `load` を次のように変更します：",
}
SET = """
en: Also set `LIMIT` to 20.
en: And LIMIT should be 20 instead of 10.
de: Setze außerdem `LIMIT` auf 20.
de: Und LIMIT muss 20 statt 10 sein.
fr: Mettez aussi `LIMIT` à 20.
fr: Et LIMIT doit valoir 20 au lieu de 10.
es: Pon también `LIMIT` a 20.
es: Y LIMIT debe ser 20 en lugar de 10.
pt: Defina também `LIMIT` como 20.
pt: E LIMIT deve ser 20 em vez de 10.
ru: Также установите `LIMIT` в 20.
ru: И LIMIT должен быть 20 вместо 10.
zh: 另外把 `LIMIT` 设为 20。
zh: 并且 LIMIT 应该是 20 而不是 10。
ja: また、`LIMIT` を 20 に設定してください。
ja: また LIMIT は 10 ではなく 20 にしてください。
"""
REMOVE = """
en: You can then delete show().
de: Danach kannst du show() löschen.
fr: Vous pouvez ensuite supprimer show().
es: Después puedes borrar show().
pt: Depois você pode apagar show().
ru: После этого show() можно удалить.
zh: 然后可以删掉 show()。
ja: その後 show() は削除できます。
"""
MOVE = """
en: Move `old/legacy.txt` to `docs/legacy.txt`.
de: Verschiebe `old/legacy.txt` nach `docs/legacy.txt`.
fr: Déplacez `old/legacy.txt` vers `docs/legacy.txt`.
es: Mueve `old/legacy.txt` a `docs/legacy.txt`.
pt: Mova `old/legacy.txt` para `docs/legacy.txt`.
ru: Переместите `old/legacy.txt` в `docs/legacy.txt`.
zh: 把 `old/legacy.txt` 移动到 `docs/legacy.txt`。
ja: `old/legacy.txt` を `docs/legacy.txt` に移動してください。
"""
CREATE = """
en: Create an empty file `data/keep.txt` as well.
de: Lege außerdem eine leere Datei `data/keep.txt` an.
fr: Créez aussi un fichier vide `data/keep.txt`.
es: Crea también un archivo vacío `data/keep.txt`.
pt: Crie também um arquivo vazio `data/keep.txt`.
ru: Также создайте пустой файл `data/keep.txt`.
zh: 另外创建一个空文件 `data/keep.txt`。
ja: 空のファイル `data/keep.txt` も作成してください。
"""
ADD = """
en: Add `requests` to `requirements.txt` too.
de: Trage auch `requests` in `requirements.txt` ein.
fr: Ajoutez aussi `requests` à `requirements.txt`.
es: Agrega también `requests` a `requirements.txt`.
pt: Adicione também `requests` ao `requirements.txt`.
ru: Также добавьте `requests` в `requirements.txt`.
zh: 另外把 `requests` 加到 `requirements.txt` 中。
ja: `requirements.txt` に `requests` も追加してください。
"""
SAME = """
en: Do the same in `show`.
de: Mach dasselbe in `show`.
fr: Faites de même dans `show`.
es: Haz lo mismo en `show`.
pt: Faça o mesmo em `show`.
ru: Сделайте то же самое в `show`.
zh: 对 `show` 做同样的修改。
ja: `show` でも同じことをしてください。
"""
RENAME = """
en: Rename the parameter `value` of `show` to `text`.
en: Rename `value` in `show` to `text`.
en: Rename `show`'s parameter `value` to `text`.
de: Benenne den Parameter `value` von `show` in `text` um.
fr: Renommez le paramètre `value` de `show` en `text`.
es: Renombra el parámetro `value` de `show` a `text`.
pt: Renomeie o parâmetro `value` de `show` para `text`.
ru: Переименуйте параметр `value` функции `show` в `text`.
zh: 把 `show` 的参数 `value` 重命名为 `text`。
ja: `show` の引数 `value` を `text` にリネームしてください。
"""
INSTEAD = """
en: Replace `print(value)` in `show` with `print(repr(value))`.
en: Use `print(repr(value))` instead of `print(value)` in `show`.
en: Instead of `print(value)`, use `print(repr(value))`.
de: Ersetze `print(value)` in `show` durch `print(repr(value))`.
de: Verwende in `show` außerdem `print(repr(value))` statt `print(value)`.
fr: Utilisez aussi `print(repr(value))` au lieu de `print(value)`.
es: Usa `print(repr(value))` en lugar de `print(value)`.
pt: Use `print(repr(value))` em vez de `print(value)`.
ru: Используйте `print(repr(value))` вместо `print(value)`.
zh: 使用 `print(repr(value))` 代替 `print(value)`。
ja: `print(value)` の代わりに `print(repr(value))` を使ってください。
"""
DONE: dict[str, dict[str, str | None]] = {
    SET: {PATH: LOADED.replace("10", "20")},
    REMOVE: {PATH: LOADED.partition("\n\n\ndef show")[0] + "\n"},
    MOVE: {PATH: LOADED, "old/legacy.txt": None, "docs/legacy.txt": "legacy\n"},
    CREATE: {PATH: LOADED, "data/keep.txt": ""},
    RENAME: {PATH: LOADED.replace("value", "text")},
    INSTEAD: {PATH: LOADED.replace("print(value)", "print(repr(value))")},
    ADD: {PATH: LOADED, "requirements.txt": "flask==2.0\nrequests\n"},
}


def _rows(*tables: str) -> list[tuple[str, str, str]]:
    rows = ((row.partition(": "), table) for table in tables for row in table.strip().splitlines())
    return [(language, sentence, table) for (language, _, sentence), table in rows]


def _answers(language: str, sentence: str) -> tuple[str, str]:
    lead = LEADS[language]
    return f"{lead}\n\n{CODE}\n\n{sentence}\n", f"{sentence}\n\n{lead}\n\n{CODE}\n"


@pytest.mark.parametrize(("language", "sentence", "table"), _rows(*DONE))
def test_code_and_what_a_sentence_below_or_above_it_asks_for_are_written_on_one_yes(
    language: str, sentence: str, table: str
) -> None:
    for answer in _answers(language, sentence):
        assert apply_edits(FILES, answer).files == FILES
        assert apply_edits(FILES, answer, accept="all").files == {**FILES, **DONE[table]}


@pytest.mark.parametrize(("language", "sentence", "table"), _rows(SAME))
def test_a_change_to_be_repeated_elsewhere_holds_the_one_that_is_shown(
    language: str, sentence: str, table: str
) -> None:
    for answer in _answers(language, sentence):
        result = apply_edits(FILES, answer, accept="all")
        assert result.files == FILES
        assert any("no edit was made of it" in outcome.message for outcome in result.outcomes), table


def test_nothing_waits_for_what_is_not_to_be_done_or_is_only_run() -> None:
    for sentence in ("You don't need to change `show`.", "Then run `make test`.", "This uses NOTHING new."):
        assert apply_edits(FILES, f"{LEADS['en']}\n\n{CODE}\n\n{sentence}\n").files == {**FILES, PATH: LOADED}


def test_a_name_that_calls_have_too_is_not_renamed_in_its_function_alone() -> None:
    files = {PATH: FILES[PATH] + "\n\nshow(value=1)\n"}
    answer = f"{LEADS['en']}\n\n{CODE}\n\nRename the parameter `value` of `show` to `text`.\n"
    after = str(apply_edits(files, answer, accept="all").files[PATH])
    assert "text" not in after


def test_what_a_function_is_called_with_is_no_name_for_it() -> None:
    for sentence in ("`load` should be called with `show`.", "`load` must be called `twice`."):
        after = apply_edits(FILES, f"{LEADS['en']}\n\n{CODE}\n\n{sentence}\n", accept="all").files[PATH]
        assert after in (FILES[PATH], LOADED)


def test_a_file_is_neither_moved_onto_another_nor_without_a_yes() -> None:
    onto = apply_edits(FILES, "Move `old/legacy.txt` to `requirements.txt`.\n", accept="all")
    assert onto.files == FILES
    moved = apply_edits(FILES, "Rename the file `old/legacy.txt` to `old/legacy.md`.\n")
    assert moved.files == FILES
    (outcome,) = moved.outcomes
    assert outcome.proposal is not None
    assert "rename to old/legacy.md" in outcome.proposal.diff


def test_a_sentence_that_leads_to_code_leads_to_it_in_an_answer_from_windows_too() -> None:
    lead = "Change `load` so that it closes the file. In `app/util.py`, add `log = 1` at the top:"
    answer = f"{lead}\n\n{CODE}\n"
    assert apply_edits(FILES, answer.replace("\n", "\r\n"), accept="all").files == (
        apply_edits(FILES, answer, accept="all").files
    )


def test_no_file_that_is_there_is_emptied_by_one_that_is_to_be_created() -> None:
    answer = "Create an empty file `requirements.txt`.\n"
    assert apply_edits(FILES, answer, accept="all").files == FILES
    assert apply_edits(FILES, f"{LEADS['en']}\n\n{CODE}\n\n{answer}", accept="all").files == FILES


def test_words_of_code_in_a_fence_name_no_file() -> None:
    files = {"lib/util.rb": "LIMIT = 10\n\ndef load(path)\n  File.read(path)\nend\n"}
    code = "```ruby\ndef load(path)\n  File.read(path, encoding: 'utf-8')\nend\n```"
    answer = f"Change `load` in `lib/util.rb`:\n\n{code}\n\nAlso set `LIMIT` to 20.\n"
    assert "LIMIT = 20" in str(apply_edits(files, answer, accept="all").files["lib/util.rb"])


def test_a_sentence_behind_those_of_other_files_is_of_the_file_that_has_its_name() -> None:
    sentences = "Add `requests` to `requirements.txt` too. And LIMIT should be 20 instead of 10."
    answer = f"{LEADS['en']}\n\n{CODE}\n\n{sentences}\n"
    wanted = {**FILES, PATH: LOADED.replace("10", "20"), "requirements.txt": "flask==2.0\nrequests\n"}
    assert apply_edits(FILES, answer, accept="all").files == wanted


def test_each_value_is_set_in_the_file_that_is_named_behind_its_name() -> None:
    files = {"src/main.cpp": "constexpr int kFlood = 600;\n", "level.toml": "flood = 600\n"}
    answer = "Setze `kFlood` in `src/main.cpp` auf 650 und `flood` in `level.toml` auf 650.\n"
    after = apply_edits(files, answer, accept="all").files
    assert after == {path: str(text).replace("600", "650") for path, text in files.items()}


def test_an_address_is_no_file() -> None:
    files = {"mail.yaml": "to:\n  - a@example.org\n  - b@example.org\n"}
    after = apply_edits(files, "In `mail.yaml`, remove `- a@example.org`.\n", accept="all").files
    assert after == {"mail.yaml": "to:\n  - b@example.org\n"}


def test_what_may_be_asked_for_and_is_not_understood_is_said_and_holds_nothing() -> None:
    for sentence in ("Add a docstring to `show`.", "Wrap `show` in a `try` block.", "Make `show` async."):
        result = apply_edits(FILES, f"{LEADS['en']}\n\n{CODE}\n\n{sentence}\n")
        assert result.files == {**FILES, PATH: LOADED}
        (left,) = result.unplaced
        assert (
            f"may ask for a change of {PATH} in words, and no edit was made of it (“{sentence}”)"
            in left.message
        )
    explained = f"{LEADS['en']}\n\n{CODE}\n\nThis closes what `show` reads from. `show` stays as it is.\n"
    assert not apply_edits(FILES, explained).unplaced
