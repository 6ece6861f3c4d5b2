"""What sentences ask for in many languages: imports, versions, moves, cells of tables, members of lists."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

CLIENT = """\
import json
from typing import List, Optional

LIMIT = 3


def first(items: List[str]) -> Optional[str]:
    return items[0] if items else None


def last(items: List[str]) -> Optional[str]:
    return items[-1] if items else None


def middle(items: List[str]) -> Optional[str]:
    return items[len(items) // 2] if items else None
"""
FEES = "package a;\n\nimport java.time.LocalDate;\nimport java.util.Date;\n\npublic class Fees {\n}\n"
CARGO = """\
[package]
name = "sift"
version = "0.3.0"

[dependencies]
clap = { version = "4.4", features = ["derive"] }
regex = "1.9"

[dependencies.serde]
version = "1.0"
"""
PYPROJECT = """\
[project]
version = "1.1.3"
dependencies = [
    "requests>=2.28",
    "pyyaml>=6.0",
]

[project.optional-dependencies]
dev = [
    "pytest>=7.0",
]

[tool.pytest.ini_options]
addopts = "-q"
"""
GRADLE = """\
plugins {
    id 'org.boot' version '3.1.4'
}

version = '0.4.2'

dependencies {
    implementation 'com.google.guava:guava:32.1.2-jre'
    runtimeOnly 'com.h2:h2'
}
"""
README = """\
# Sift

The server listens on port 3000.

| Key         | Default | Meaning   |
|-------------|---------|-----------|
| `interval`  | `300`   | in seconds |
| `LOG_LEVEL` | `debug` | `debug` or `info` |
"""
YML = "server:\n  port: 8080\n\nlint:\n  timeout: 10\n\ntest:\n  timeout: 30\n"
FILES = {
    "client.py": CLIENT,
    "Fees.java": FEES,
    "Cargo.toml": CARGO,
    "pyproject.toml": PYPROJECT,
    "build.gradle": GRADLE,
    "README.md": README,
    "app.yml": YML,
    "Dockerfile": "FROM alpine:3.18\nEXPOSE 80\n",
}

Row = tuple[str, str, str, str]

IMPORTS: list[Row] = [
    ("Remove the import of `json` from `client.py`.", "client.py", "import json\n", ""),
    (
        "Entferne in `client.py` den Import von `json`, er wird nicht benutzt.",
        "client.py",
        "import json\n",
        "",
    ),
    ("Supprimez l'import de `java.util.Date` dans `Fees.java`.", "Fees.java", "import java.util.Date;\n", ""),
    (
        "Elimina en `Fees.java` el import de `java.util.Date`, que no se usa.",
        "Fees.java",
        "import java.util.Date;\n",
        "",
    ),
    (
        "Remova o import de `java.util.Date` do arquivo `Fees.java`.",
        "Fees.java",
        "import java.util.Date;\n",
        "",
    ),
    (
        "`Fees.java` から `java.util.Date` のインポートを削除してください。",
        "Fees.java",
        "import java.util.Date;\n",
        "",
    ),
    (
        "The line `import json` at the top of `client.py` can then be removed.",
        "client.py",
        "import json\n",
        "",
    ),
    ("Remove the `Optional` import from `client.py`.", "client.py", "List, Optional\n", "List\n"),
]
VERSIONS: list[Row] = [
    ("Bump the version in `Cargo.toml` to 0.4.0.", "Cargo.toml", '"0.3.0"', '"0.4.0"'),
    ("Erhöhe die Version in `Cargo.toml` auf `0.4.0`.", "Cargo.toml", '"0.3.0"', '"0.4.0"'),
    ("Em `pyproject.toml`, atualize a versão para `1.2.0`.", "pyproject.toml", '"1.1.3"', '"1.2.0"'),
    ("Повысьте версию пакета в `Cargo.toml` до `0.4.0`.", "Cargo.toml", '"0.3.0"', '"0.4.0"'),
    ("将 `pyproject.toml` 中的版本号改为 `1.2.0`。", "pyproject.toml", '"1.1.3"', '"1.2.0"'),
    ("`pyproject.toml` のバージョンを `1.2.0` に変更してください。", "pyproject.toml", '"1.1.3"', '"1.2.0"'),
    ("Cambia el puerto del servidor a `9090` en `app.yml`.", "app.yml", "8080", "9090"),
    ("Bump `requests` in `pyproject.toml` to `>=2.31`.", "pyproject.toml", ">=2.28", ">=2.31"),
    ("In `pyproject.toml`, bump `requests` to 2.31.", "pyproject.toml", ">=2.28", ">=2.31"),
    (
        "Update the `pytest` dependency to `pytest>=8.0` in `pyproject.toml`.",
        "pyproject.toml",
        ">=7.0",
        ">=8.0",
    ),
    ("Aktualisiere `guava` in `build.gradle` auf `33.0.0-jre`.", "build.gradle", "32.1.2", "33.0.0"),
    ("Set the version of `org.boot` in `build.gradle` to `3.2.0`.", "build.gradle", "3.1.4", "3.2.0"),
    ("Bump `clap` to `4.5` in `Cargo.toml`.", "Cargo.toml", '"4.4"', '"4.5"'),
]
CELLS: list[Row] = [
    ("Change `interval` in the README table from `300` to `600`.", "README.md", "`300`", "`600`"),
    ("把 `README.md` 里的 “port 3000” 改成 “port 8080”。", "README.md", "port 3000", "port 8080"),
    (
        "Dans le `README.md`, remplacez « port 3000 » par « port 8080 ».",
        "README.md",
        "port 3000",
        "port 8080",
    ),
    ("In `README.md` ersetze „port 3000“ durch „port 8080“.", "README.md", "port 3000", "port 8080"),
    ("`README.md` の「port 3000」を「port 8080」に変更してください。", "README.md", "port 3000", "port 8080"),
]
LISTS: list[Row] = [
    ('Add `"httpx>=0.27"` to `dependencies` in `pyproject.toml`.', "pyproject.toml", '6.0",\n',
     '6.0",\n    "httpx>=0.27",\n'),
    ('Add `"ruff>=0.1"` to the `dev` dependencies in `pyproject.toml`.', "pyproject.toml", '7.0",\n',
     '7.0",\n    "ruff>=0.1",\n'),
    ('Add `rand = "0.8"` to the dependencies in `Cargo.toml`.', "Cargo.toml", '"1.9"\n',
     '"1.9"\nrand = "0.8"\n'),
    ("Füge `implementation 'a:b:1'` zu den `dependencies` in `build.gradle` hinzu.", "build.gradle",
     "'com.h2:h2'\n", "'com.h2:h2'\n    implementation 'a:b:1'\n"),
    ("Remove `pyyaml` from the list in `pyproject.toml`.", "pyproject.toml", '    "pyyaml>=6.0",\n', ""),
    ("Supprimez la dépendance `com.google.guava:guava` de `build.gradle`.", "build.gradle",
     "    implementation 'com.google.guava:guava:32.1.2-jre'\n", ""),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "path", "old", "new"), [*IMPORTS, *VERSIONS, *CELLS, *LISTS])
def test_what_a_sentence_asks_for_is_proposed(sentence: str, path: str, old: str, new: str) -> None:
    answer = f"{sentence}\n"
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all", allow_executing_files=True).files
    assert after == {**FILES, path: FILES[path].replace(old, new, 1)}


LEFT = [
    "Bump the version in `Cargo.toml` by `1`.",
    "Raise the minimum Python version in `pyproject.toml` to `3.10`.",
    "Raise the Node version in `pyproject.toml` to `20`.",
    "Bump `pytest` in `pyproject.toml` from 7.1 to 8.0.",
    "Bump `flask` in `pyproject.toml` to `3.0`.",
    "L'import de `json` dans `client.py` reste nécessaire.",
    "Once nobody uses it, the import of `json` in `client.py` can be removed.",
    "Set `lint` in `app.yml` to `15`.",
    'Add `serde = "1.0"` before the dependencies in `Cargo.toml`.',
    "Later, you could also:\n\n- set `LIMIT` to `5` in `client.py`\n- remove `import json` from it",
]


@pytest.mark.parametrize("sentence", LEFT)
def test_what_is_no_plain_request_changes_nothing(sentence: str) -> None:
    assert apply_edits(FILES, f"{sentence}\n", accept="all", allow_executing_files=True).files == FILES


SEVERAL = [
    "Update the year in the footer of both pages (`a.html` and `b.html`) from 2023 to 2024.",
    "Ändere in `a.html` und `b.html` das Jahr von `2023` auf `2024`.",
    "Cambia `2023` por `2024` en `a.html` y `b.html`.",
]


@pytest.mark.parametrize("sentence", SEVERAL)
def test_each_of_several_files_is_changed(sentence: str) -> None:
    files = {"a.html": "<p>2023 A</p>\n", "b.html": "<p>2023 B</p>\n"}
    after = apply_edits(files, f"{sentence}\n", accept="all").files
    assert after == {path: text.replace("2023", "2024") for path, text in files.items()}
    one = {**files, "b.html": "<p>2022 B</p>\n"}
    assert apply_edits(one, f"{sentence}\n", accept="all").files == one


def test_each_clause_is_of_the_file_that_it_names() -> None:
    asked = [
        "В `build.gradle` поднимите версию с `0.4.2` до `0.5.0`, а в `app.yml` смените порт на `8081`.",
        "Change `0.4.2` to `0.5.0` in `build.gradle`, and in `app.yml` set the port to 8081.",
    ]
    for sentence in asked:
        after = apply_edits(FILES, f"{sentence}\n", accept="all", allow_executing_files=True).files
        changed = {"build.gradle": GRADLE.replace("0.4.2", "0.5.0"), "app.yml": YML.replace("8080", "8081")}
        assert after == {**FILES, **changed}


def test_what_is_said_in_brackets_of_another_file_is_not_asked_for() -> None:
    said = "`client.py` の `LIMIT` を `5` に変更してください(`b.py` の `LIMIT` はそのままで構いません)。\n"
    after = apply_edits(FILES, said, accept="all").files
    assert after == {**FILES, "client.py": CLIENT.replace("LIMIT = 3", "LIMIT = 5")}
