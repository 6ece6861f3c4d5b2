"""New code is written where an answer names one place in words that say nothing else; else it is shown."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

STORE = """import os
import sys


class Store:
    def load(self):
        self.path = "a"
        return self.path

    def save(self):
        return 1


def check(path):
    return path
"""
HELPER = "def helper(x):\n    return x\n"
RESET = "    def reset(self):\n        return 2\n"
AT_THE_END = ("    return path\n", f"    return path\n\n\n{HELPER}")
ABOVE_CHECK = ("def check", f"{HELPER}\n\ndef check")
BELOW_LOAD = ("        return self.path\n", f"        return self.path\n\n{RESET}")
LAST_OF_STORE = ("        return 1\n", f"        return 1\n\n{RESET}")


def answer(lead: str, code: str) -> str:
    return f"{lead}\n\n```\n{code}```\n"


def written(lead: str, code: str, file: str = STORE, path: str = "store.py") -> str:
    """Return the file that comes of an answer about which nothing is asked."""
    report = apply_edits({path: file}, answer(lead, code))
    assert [each.status for each in report.outcomes] == [Status.APPLIED], report.outcomes
    text = report.files[path]
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("lead", "code", "change"),
    [
        ("Finally, export it. Add this function to the end of `store.py`:", HELPER, AT_THE_END),
        ("And at the bottom of `store.py`:", HELPER, AT_THE_END),
        ("**`store.py`** — add the function at the end of the file:", HELPER, AT_THE_END),
        ("Append this function to `store.py`:", HELPER, AT_THE_END),
        ("Füge am Ende von `store.py` diese Funktion hinzu:", HELPER, AT_THE_END),
        ("Ajoutez cette fonction à la fin de `store.py` :", HELPER, AT_THE_END),
        ("Añade esta función al final de `store.py`:", HELPER, AT_THE_END),
        ("Adicione esta função no final de `store.py`:", HELPER, AT_THE_END),
        ("Добавьте эту функцию в конец файла `store.py`:", HELPER, AT_THE_END),
        ("在 `store.py` 末尾添加以下函数：", HELPER, AT_THE_END),
        ("`store.py` の末尾に次の関数を追加してください：", HELPER, AT_THE_END),
        ("Then put this directly above `check` in `store.py`:", HELPER, ABOVE_CHECK),
        ("Insira isto logo antes de `check` em `store.py`:", HELPER, ABOVE_CHECK),
        ("Вставьте это прямо перед `check` в `store.py`:", HELPER, ABOVE_CHECK),
        ("Add the following method to `store.py`, after `Store.load`:", RESET, BELOW_LOAD),
        (
            "Add this import at the top of `store.py`:",
            "import json\n",
            ("import os", "import json\nimport os"),
        ),
    ],
)
def test_code_is_written_at_the_place_that_a_closed_sentence_names(
    lead: str, code: str, change: tuple[str, str]
) -> None:
    assert written(lead, code) == STORE.replace(*change)


@pytest.mark.parametrize(
    ("lead", "code", "change"),
    [
        ("In `store.py`, add this as the last method of `Store`:", RESET, LAST_OF_STORE),
        ("Füge diese Methode am Ende der Klasse `Store` in `store.py` ein:", RESET, LAST_OF_STORE),
        ("在 `store.py` 的 `Store` 类末尾添加以下方法：", RESET, LAST_OF_STORE),
        (
            'In `store.py`, add this right after `self.path = "a"`:',
            "        self.items = {}\n",
            ('"a"\n', '"a"\n        self.items = {}\n'),
        ),
    ],
)
def test_the_end_of_a_class_and_a_line_are_only_shown(lead: str, code: str, change: tuple[str, str]) -> None:
    files = {"store.py": STORE}
    assert apply_edits(files, answer(lead, code)).files == files
    accepted = apply_edits(files, answer(lead, code), accept="all").files
    assert accepted == {"store.py": STORE.replace(*change)}


def test_a_line_is_written_at_the_end_among_its_like() -> None:
    index = "export * from './a'\n"
    line = "export type { C } from './c'\n"
    assert written("Add this line to the end of `index.ts`:", line, index, "index.ts") == index + line


@pytest.mark.parametrize(
    "lead",
    [
        "I added this to the end of `store.py`:",
        "This is at the end of `store.py`:",
        "The code at the end of `store.py`:",
        "You could add this to the end of `store.py`:",
        "If you want, add this to the end of `store.py`:",
        "Add this to the end of `store.py`, e.g.:",
        "For example, at the end of `store.py`:",
        "Add this to the end of `store.py`?",
        "Should it stay? Add this to the end of `store.py`:",
        "Do not add this to the end of `store.py`:",
        "> Add this to the end of `store.py`:",
        '"Add this to the end of `store.py`:"',
        "Optional:\n\nAdd this to the end of `store.py`:",
        "To reproduce the bug:\n\nAdd this to the end of `store.py`:",
        "Add this right above `check` or at the end of `store.py`:",
        "In `Cache`, add this directly above `check` in `store.py`:",
        "Это в конце `store.py`:",
        "Le code à la fin de `store.py` :",
        "我在 `store.py` 末尾添加了：",
        "`store.py` の末尾のコード：",
    ],
)
def test_code_is_not_written_for_a_sentence_that_says_something_else(lead: str) -> None:
    assert apply_edits({"store.py": STORE}, answer(lead, HELPER)).files["store.py"] == STORE


@pytest.mark.parametrize(
    ("path", "file", "lead", "code"),
    [
        ("store.py", f"{STORE}\n\ncheck(1)\n", "Add this to the end of `store.py`:", HELPER),
        ("store.py", STORE, "Add this to the end of `Store` in `store.py`:", "def reset(self):\n    pass\n"),
        (
            "store.py",
            STORE.replace("def check", "A = 1\n\n\ndef check"),
            "Add this above `check` in `store.py`:",
            HELPER,
        ),
        ("store.py", STORE, "Add this below `def load(self):` in `store.py`:", "        self.a = 1\n"),
        ("ci.yml", "jobs:\n  a:\n    b: 1\n", "Add this to the end of `ci.yml`:", "c:\n  b: 1\n"),
        ("a.html", "<html>\n<p>a</p>\n</html>\n", "Add this to the end of `a.html`:", "<p>b</p>\n"),
        (
            "a.rb",
            "class A\n  private\n\n  def a\n    1\n  end\nend\n",
            "Add this to the end of `A` in `a.rb`:",
            "  def b\n    2\n  end\n",
        ),
        (
            "a.cs",
            "namespace N\n{\n    class A\n    {\n    }\n}\n",
            "Add this to the end of `a.cs`:",
            "class B\n{\n}\n",
        ),
        (
            "a.test.ts",
            "describe('a', () => {\n  it('b', () => {\n    c();\n  });\n});\n",
            "Add this to the end of `a.test.ts`:",
            "it('d', () => {\n  e();\n});\n",
        ),
        ("a.md", "# A\n\nMIT\n", "Add this to the end of `a.md`:", "MIT too.\n"),
        ("a.sh", "run a \\\n  --foo\n", "Add this right after `--foo` in `a.sh`:", "  --bar\n"),
        ("a.ini", "[a]\nx = 1\n\n[b]\ny = 1\n", "Add this to the end of `a.ini`:", "z = 1\n"),
        ("a.py", "# what a is\na = 1\n", "Add this above `a = 1` in `a.py`:", "b = 2\n"),
        (
            "LOG.md",
            "## Unreleased\n\n- a\n\n## 1.1\n\n- b\n",
            "Add this to the top of `LOG.md`:",
            "## 1.2\n\n- c\n",
        ),
    ],
)
def test_code_is_only_shown_where_its_place_leaves_a_choice(
    path: str, file: str, lead: str, code: str
) -> None:
    assert apply_edits({path: file}, answer(lead, code)).files[path] == file


@pytest.mark.parametrize(
    ("path", "file", "lead", "code", "made"),
    [
        (
            "a.py",
            "def main():\n    load()\n\n\nmain()\n",
            "At the end of `main` in `a.py`, add:",
            "    save()\n",
            "def main():\n    load()\n    save()\n\n\nmain()\n",
        ),
        (
            "a.md",
            "# A\n\n## B\n\nText.\n\n## C\n\nText.\n",
            "Add this at the end of `## B` in `a.md`:",
            "More.\n",
            "# A\n\n## B\n\nText.\n\nMore.\n\n## C\n\nText.\n",
        ),
        (
            "a.html",
            "<body>\n  <h1>A</h1>\n  <p>b</p>\n</body>\n",
            "Add this just before `</body>` in `a.html`:",
            "  <p>c</p>\n",
            "<body>\n  <h1>A</h1>\n  <p>b</p>\n  <p>c</p>\n</body>\n",
        ),
        (
            "a.json",
            '{\n  "a": {\n    "b": 1\n  }\n}\n',
            'In `a.json`, under `"a"`:',
            '"c": 2\n',
            '{\n  "a": {\n    "b": 1,\n    "c": 2\n  }\n}\n',
        ),
        (
            "a.toml",
            "[app]\nname = 1\nport = 1\n\n[web]\nname = 1\n",
            "Under `[app]` in `a.toml`, add this below the `name` line:",
            "host = 2\n",
            "[app]\nname = 1\nhost = 2\nport = 1\n\n[web]\nname = 1\n",
        ),
        (
            "a.js",
            "export const env = make({\n  server: {\n    KEY: text(),\n    URL: url(),\n  },\n"
            "  client: {\n    KEY: text(),\n    URL: url(),\n  },\n});\n",
            "In `a.js`, unter `client`, nach `KEY: text(),`:",
            "    NAME: text(),\n",
            "export const env = make({\n  server: {\n    KEY: text(),\n    URL: url(),\n  },\n"
            "  client: {\n    KEY: text(),\n    NAME: text(),\n    URL: url(),\n  },\n});\n",
        ),
        (
            "a.rb",
            "require 'a/b'\nrequire 'a/c'\nrequire 'a/d'\n",
            "Then require it in `a.rb` after `require 'a/b'`:",
            "require 'a/e'\n",
            "require 'a/b'\nrequire 'a/e'\nrequire 'a/c'\nrequire 'a/d'\n",
        ),
        (
            "a.rst",
            "* ``GONE``\n\n   * - ``MADE``\n     - Text.\n   * - ``GONE``\n     - Text.\n",
            "In `a.rst`, document it directly above the `* - ``GONE``` row:",
            "   * - ``KEPT``\n     - Text.\n",
            "* ``GONE``\n\n   * - ``MADE``\n     - Text.\n   * - ``KEPT``\n     - Text.\n"
            "   * - ``GONE``\n     - Text.\n",
        ),
        (
            "a.md",
            "# A\n\nText.\n\n## Why not [b](https://b.org/b.html)?\n\nText.\n",
            "In `a.md`, add a short part right before `## Why not [b]`:",
            "##### C:\n\nText.\n",
            "# A\n\nText.\n\n##### C:\n\nText.\n\n## Why not [b](https://b.org/b.html)?\n\nText.\n",
        ),
    ],
)
def test_other_places_are_shown(path: str, file: str, lead: str, code: str, made: str) -> None:
    assert apply_edits({path: file}, answer(lead, code)).files[path] == file
    assert apply_edits({path: file}, answer(lead, code), accept="all").files[path] == made


@pytest.mark.parametrize(
    ("path", "file", "lead", "code"),
    [
        ("a.md", "- One\n\nText.\n\n- Two\n", "In `a.md`, add at the end of the list:", "- Three\n"),
        ("a.md", "- One\n", "In `a.md`, add at the end of the list:", "1. Three\n"),
        ("a.md", "# v 1.2.3\n\nText.\n", "In `a.md`, add right before `# v 1.2`:", "# v 1.1\n\nText.\n"),
        (
            "a.rb",
            "class B\n  def c\n    1\n  end\nend\n",
            "In `a.rb`, add at the end of the class:",
            "  private\n\n  def c\n    2\n  end\n",
        ),
    ],
)
def test_no_place_is_known_in_one_of_two_lists_nor_of_a_name_that_is_there(
    path: str, file: str, lead: str, code: str
) -> None:
    assert apply_edits({path: file}, answer(lead, code), accept="all").files[path] == file


def test_nothing_is_put_below_what_leaves_a_function() -> None:
    report = apply_edits(
        {"store.py": STORE}, answer("At the end of `check` in `store.py`, add:", "    log()\n"), accept="all"
    )
    assert report.files["store.py"] == STORE


def test_an_entry_of_several_lines_at_the_top_is_apart_from_the_next_one() -> None:
    entry, file = "* 2.0\n\n * Add b\n", "* 1.0\n\n * Add a\n"
    answer = f"Add this at the top of `CHANGES`:\n\n```\n{entry}```\n"
    assert apply_edits({"CHANGES": file}, answer, accept="all").files == {"CHANGES": f"{entry}\n{file}"}
