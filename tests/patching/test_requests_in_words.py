"""Sentences next to code that name no file: the one that has what they name is meant."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

FILES = {
    "src/fees.py": "LIMIT = 14\n\n\ndef fee(days):\n    return days * 2\n",
    "conf/app.ini": "[pool]\nworkers = 4\n",
    "conf/site.yml": 'version: "3.8"\n\nservices:\n  api:\n    image: api\n',
    "src/round.py": "def cents(amount):\n    return int(amount * 100)\n",
}
CODE = "`src/fees.py`:\n\n```python\ndef fee(days):\n    return days * 3\n```\n\n"


def _accepted(answer: str, files: dict[str, str] = FILES) -> dict[str, str | None]:
    return dict(apply_edits(files, answer, accept="all").files)


@pytest.mark.parametrize(
    "words",
    [
        "You should also raise `workers` from 4 to 8, since there is room.",
        "Finally, change `workers` from `4` to `8`.",
        "Erhöhe außerdem `workers` von 4 auf 8.",
        "Comme il y a de la place, passez `workers` de `4` à `8`.",
        "Además, cambia `workers` de 4 a 8.",
        "Como há espaço, altere também `workers` de `4` para `8`.",
        "Также измените `workers` с `4` на `8`.",
        "另外，把 `workers` 从 `4` 改为 `8`。",
        "`workers` を 4 から 8 に変更してください。",
    ],
)
def test_a_value_is_changed_in_the_only_file_that_has_it(words: str) -> None:
    assert apply_edits(FILES, f"{CODE}{words}\n").files["conf/app.ini"] == FILES["conf/app.ini"]
    made = _accepted(f"{CODE}{words}\n")
    assert made["conf/app.ini"] == "[pool]\nworkers = 8\n"
    assert made["src/fees.py"] == FILES["src/fees.py"].replace("* 2", "* 3")


@pytest.mark.parametrize(
    "words",
    [
        'Finally, please remove the line `version: "3.8"` at the top.',
        'Entferne bitte noch die Zeile `version: "3.8"`.',
        'Supprimez aussi la ligne `version: "3.8"`.',
        '最后，请删除 `version: "3.8"` 这一行。',
    ],
)
def test_a_line_goes_from_the_only_file_that_has_it(words: str) -> None:
    made = _accepted(f"{CODE}{words}\n")["conf/site.yml"] or ""
    assert made.startswith("services:")


@pytest.mark.parametrize(
    "words",
    [
        "Rename `cents` to `to_cents`, too.",
        "Benenne `cents` außerdem in `to_cents` um.",
        "Renommez aussi `cents` en `to_cents`.",
    ],
)
def test_a_name_becomes_another_one_in_the_only_file_that_has_it(words: str) -> None:
    assert (_accepted(f"{CODE}{words}\n")["src/round.py"] or "").startswith("def to_cents(")


@pytest.mark.parametrize(
    "words",
    [
        "You should also raise `workers` from 4 to 8.",
        "Finally, change `workers` from `4` to `8`.",
        "Erhöhe außerdem `workers` von 4 auf 8.",
    ],
)
def test_a_value_that_two_files_have_is_changed_in_neither(words: str) -> None:
    files = {**FILES, "conf/test.ini": "[pool]\nworkers = 4\n"}
    made = _accepted(f"{CODE}{words}\n", files)
    assert made["conf/app.ini"] == made["conf/test.ini"] == "[pool]\nworkers = 4\n"


@pytest.mark.parametrize(
    "words",
    [
        "With this, `fee` calls `cents` with `300`.",
        "Da `workers` gesetzt ist, wird `fee` zu `cents`.",
        "`cents` wird mit `fee` aufgerufen.",
        "You can add a `count/1` of your own later.",
    ],
)
def test_what_is_only_explained_changes_no_other_file(words: str) -> None:
    made = _accepted(f"{CODE}{words}\n")
    assert {path: text for path, text in made.items() if path != "src/fees.py"} == {
        path: text for path, text in FILES.items() if path != "src/fees.py"
    }


@pytest.mark.parametrize("line", ['\t"encoding/json"', "    lib/part.txt"])
def test_code_in_a_fence_is_no_file_that_words_below_it_are_for(line: str) -> None:
    code = f"### conf/app.ini\n\n```\nimport (\n{line}\n)\n```\n\n"
    answer = f"{code}Change `workers` from `4` to `8` there as well."
    report = apply_edits(FILES, answer)
    assert all(
        "encoding/json" not in one.message and "part.txt" not in one.message for one in report.unplaced
    )


@pytest.mark.parametrize(
    "words",
    [
        "Delete `conf/site.yml` from the repository.",
        "Lösche `conf/site.yml` aus dem Repository.",
        "Supprimez `conf/site.yml` du dépôt.",
        "Elimina `conf/site.yml` del repositorio.",
        "Remova `conf/site.yml` do repositório.",
        "Удалите `conf/site.yml` из репозитория.",
        "从仓库中删除 `conf/site.yml`。",
    ],
)
def test_a_file_is_removed_from_the_repository(words: str) -> None:
    assert _accepted(f"{CODE}{words}\n")["conf/site.yml"] is None


@pytest.mark.parametrize("words", ["Remove the `conf.site` package.", "Remove the `conf/site.yml` import."])
def test_what_is_called_as_a_file_is_stays_in_place(words: str) -> None:
    assert _accepted(f"{CODE}{words}\n")["conf/site.yml"] == FILES["conf/site.yml"]


@pytest.mark.parametrize(
    "words",
    [
        "In `src/fees.py`, add `import math` at the top, and then:",
        "Füge in `src/fees.py` ganz oben `import math` ein, und dann:",
        "Dans `src/fees.py`, ajoutez `import math` tout en haut, puis :",
    ],
)
def test_a_request_that_leads_on_to_code_is_made_or_holds_that(words: str) -> None:
    code = "```python\ndef fee(days):\n    return math.ceil(days) * 2\n```\n"
    made = _accepted(f"{words}\n\n{code}")["src/fees.py"] or ""
    assert ("import math" in made) == ("math.ceil" in made)


@pytest.mark.parametrize(
    "words",
    [
        '**setup.toml** – ergänze in der `dev`-Liste `"lint>=1"` als letzten Eintrag.',
        'In `setup.toml`, add to the `dev` list `"lint>=1"`.',
    ],
)
def test_what_a_member_is_added_to_is_not_added_itself(words: str) -> None:
    files = {**FILES, "setup.toml": '[extra]\ndev = [\n    "tests>=7",\n]\n'}
    assert "\ndev\n" not in (_accepted(f"{CODE}{words}\n", files)["setup.toml"] or "")


PACKAGE = (
    '{\n  "scripts": {\n    "dev": "vite"\n  },\n'
    '  "devDependencies": {\n    "eslint": "^8.57.0",\n    "vite": "^5.2.0"\n  }\n}\n'
)
SCRIPTS = '```json\n{\n  "scripts": {\n    "dev": "vite",\n    "test": "vitest run"\n  },\n  ...\n}\n```\n'


@pytest.mark.parametrize(
    ("lead", "rest"),
    [
        (
            "Add a script to **package.json**:",
            'and `"vitest": "^1.6.0"` to `devDependencies`, after `eslint`.',
        ),
        (
            "Add a script to **package.json**:",
            'as well as the entry `"vitest": "^1.6.0"` to `devDependencies`.',
        ),
        ("Füge ein Skript in **package.json** hinzu:", 'und `"vitest": "^1.6.0"` in `devDependencies`.'),
        ("Ajoutez un script dans **package.json** :", 'et `"vitest": "^1.6.0"` dans `devDependencies`.'),
        ("Añade un script en **package.json**:", 'y `"vitest": "^1.6.0"` en `devDependencies`.'),
        ("Adicione um script em **package.json**:", 'e `"vitest": "^1.6.0"` em `devDependencies`.'),
        ("Добавьте скрипт в **package.json**:", 'и `"vitest": "^1.6.0"` в `devDependencies`.'),
        ("在 **package.json** 中添加脚本：", '以及 `"vitest": "^1.6.0"` 到 `devDependencies`。'),
    ],
)
def test_what_goes_on_behind_code_asks_for_what_leads_to_that(lead: str, rest: str) -> None:
    files = {"package.json": PACKAGE}
    answer = f"{lead}\n\n{SCRIPTS}\n{rest}\n"
    assert apply_edits(files, answer).files == files
    made = _accepted(answer, files)["package.json"] or ""
    assert '"test": "vitest run"' in made
    assert '"vitest": "^1.6.0"' in made


def test_what_goes_on_behind_code_and_is_not_made_holds_that_back() -> None:
    files = {"package.json": PACKAGE}
    answer = (
        f'Add a script to **package.json**:\n\n{SCRIPTS}\nand `"vitest": "^1.6.0"` to `tools`, in the end.\n'
    )
    assert apply_edits(files, answer).files == files


@pytest.mark.parametrize(
    "words",
    [
        "Here's how to add `-m N` (stop after N lines).",
        "To add `-m N`, three changes are needed.",
        "So fügst du `-m N` hinzu.",
        "Um `-m N` hinzuzufügen, ist eine Änderung nötig.",
        "Voici comment ajouter `-m N`.",
        "Pour ajouter `-m N`, il faut un changement.",
        "Aquí tienes cómo añadir `-m N`.",
        "Veja como adicionar `-m N`.",
        "Вот как добавить `-m N`.",
        "下面是添加 `-m N` 的步骤。",
        "`-m N` を追加する方法です。",
    ],
)
def test_what_says_how_something_is_done_asks_for_nothing_itself(words: str) -> None:
    code = "**src/fees.py**\n\n```python\ndef fee(days):\n    return days * 3\n```\n"
    assert "* 3" in (_accepted(f"{words}\n\n{code}")["src/fees.py"] or "")


SETTINGS = {"c.yml": "server:\n  port: 1\n\nlog:\n  level: info\n  format: text\n"}


@pytest.mark.parametrize(
    "words",
    [
        "Also set `format: json` in the `log` section.",
        "Under `log`, set `format: json`.",
        "Set `format: json` (it's `format: text` at the moment).",
        "Setze außerdem `format: json` unter `log`.",
        "Mettez aussi `format: json` sous `log`.",
        "Pon también `format: json` en `log`.",
        "Defina `format: json` em `log`.",
        "Установите `format: json` в `log`.",
        "在 `log` 下设置 `format: json`。",
    ],
)
def test_a_value_is_set_in_the_part_that_is_named(words: str) -> None:
    answer = f"**c.yml**\n\n```yaml\nserver:\n  port: 2\n```\n\n{words}\n"
    wanted = SETTINGS["c.yml"].replace("port: 1", "port: 2").replace("text", "json")
    assert _accepted(answer, SETTINGS)["c.yml"] == wanted


CLIENT = "int g(void)\n{\n    return 1;\n}\n\nint main(void)\n{\n    return 0;\n}\n"


@pytest.mark.parametrize(
    "words",
    [
        "and the last line of `main` becomes `return status;` instead of `return 0;`.",
        "Die letzte Zeile von `main` wird zu `return status;` statt `return 0;`.",
        "La dernière ligne de `main` devient `return status;` au lieu de `return 0;`.",
        "La última línea de `main` pasa a ser `return status;` en lugar de `return 0;`.",
        "A última linha de `main` passa a ser `return status;` em vez de `return 0;`.",
        "最后一行变为 `return status;` 而不是 `return 0;`。",
    ],
)
def test_a_line_becomes_another_one(words: str) -> None:
    answer = f"**m.c**\n\n```c\nint g(void)\n{{\n    return 2;\n}}\n```\n\n{words}\n"
    made = _accepted(answer, {"m.c": CLIENT})["m.c"]
    assert made == CLIENT.replace("return 1", "return 2").replace("return 0", "return status")


@pytest.mark.parametrize(
    "words",
    [
        "This needs `import java.util.Objects;` after the import of `java.util.Map`.",
        "You'll need `import java.util.Objects;` for this.",
        "Das braucht `import java.util.Objects;`.",
        "Dafür brauchst du `import java.util.Objects;` nach dem Import von `java.util.Map`.",
        "Il faut aussi `import java.util.Objects;`.",
        "Necesitas `import java.util.Objects;` después de `java.util.Map`.",
        "Você precisa de `import java.util.Objects;`.",
        "Для этого нужен `import java.util.Objects;`.",
        "需要 `import java.util.Objects;`。",
    ],
)
def test_an_import_that_is_needed_goes_into_the_file_of_the_other_code(words: str) -> None:
    before = "import java.util.Map;\nimport java.util.UUID;\n\nclass A {\n    boolean b = x.equals(y);\n}\n"
    pair = (
        "```java\n// Before\nboolean b = x.equals(y);\n\n// After\nboolean b = Objects.equals(x, y);\n```\n"
    )
    files = {"A.java": before, "b.py": "import os\n"}
    made = _accepted(f"In `A.b`:\n\n{pair}\n{words}\n", files)["A.java"] or ""
    wanted = before.replace("x.equals(y)", "Objects.equals(x, y)")
    assert made == wanted.replace("Map;\n", "Map;\nimport java.util.Objects;\n")
