"""New code below what is most like it, statements in the place of those of their name, names in words."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

MODELS = """\
from enum import Enum

TAX = 0.19
CURRENCIES = ["EUR", "USD"]


class Status(Enum):
    OPEN = "open"


class Order:
    def add(self, price):
        self.lines.append(price)

    def total(self):
        return sum(self.lines)


def parse(text):
    return float(text)


if __name__ == "__main__":
    print(parse("1"))
"""
STORE = """\
export interface User {
  id: number;
}

const MAX = 10;

export class Store {
  find(id: number): User {
    return this.users.find((user) => user.id === id);
  }
}

export function handle(action: string): unknown {
  switch (action) {
    case 'ping':
      return 'pong';
    default:
      return null;
  }
}
"""
GO = (
    "package a\n\nconst most = 3\n\ntype Store struct {\n\tn int\n}\n\n"
    "func (s *Store) Get() int {\n\treturn s.n\n}\n"
)
RUST = "enum Shape {\n    Circle(f64),\n    Square(f64),\n}\n\nfn area(s: Shape) -> f64 {\n    1.0\n}\n"
SQL = "CREATE TABLE users (\n    id INTEGER,\n    name TEXT\n);\n\nCREATE INDEX names ON users (name);\n"
COMPOSE = "services:\n  web:\n    build: .\n  db:\n    image: postgres\n"
CARGO = '[package]\nname = "a"\n\n[dependencies]\nserde = "1.0"\n'
CSS = ":root {\n  --accent: #06c;\n}\n\n.a {\n  margin: 0;\n}\n"
FILES = {
    "models.py": MODELS,
    "store.ts": STORE,
    "store.go": GO,
    "lib.rs": RUST,
    "a.sql": SQL,
    "compose.yml": COMPOSE,
    "Cargo.toml": CARGO,
    "a.css": CSS,
}


def answer(lead: str, code: str) -> str:
    return f"{lead}\n\n```\n{code}```\n"


@pytest.mark.parametrize(
    ("path", "lead", "code", "above", "below"),
    [
        (
            "models.py",
            "Add this function to",
            "def show(x):\n    return x\n",
            "return float(text)",
            "if __name__",
        ),
        (
            "models.py",
            "Ajoutez cette fonction dans",
            "def show(x):\n    return x\n",
            "return float",
            "if __name__",
        ),
        (
            "models.py",
            "Add this to the `Order` class in",
            "def n(self):\n    return 1\n",
            "sum(self.lines)",
            "def p",
        ),
        ("store.ts", "Add a method to `Store` in", "  size(): number {\n    return 0;\n  }\n", "}", "}"),
        ("store.go", "Add a `Put` method to", "func (s *Store) Put() {\n\ts.n = 1\n}\n", "}", ""),
        ("a.sql", "Add this table to", "CREATE TABLE b (\n    id INTEGER\n);\n", ");", "CREATE INDEX"),
        ("compose.yml", "Add a service to", "  redis:\n    image: redis\n", "image: postgres", ""),
        ("a.css", "Add this rule to", ".b {\n  margin: 1px;\n}\n", "}", ""),
    ],
)
def test_new_code_goes_below_what_is_like_it(path: str, lead: str, code: str, above: str, below: str) -> None:
    asked = answer(f"{lead} `{path}`{' 中添加' if lead == '在' else ''}:", code)
    report = apply_edits(FILES, asked)
    assert report.files == FILES
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    text = apply_edits(FILES, asked, accept="all").files[path]
    assert text is not None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    new = [line.strip() for line in code.splitlines()]
    at = next(row for row in range(len(lines)) if lines[row : row + len(new)] == new)
    assert above in lines[at - 1]
    assert lines[at + len(new)].startswith(below) if below else at + len(new) == len(lines)


@pytest.mark.parametrize(
    ("code", "old"),
    [('CURRENCIES = ["EUR"]\n', 'CURRENCIES = ["EUR", "USD"]\n'), ("TAX = 0.2\n", "TAX = 0.19\n")],
)
def test_a_statement_takes_the_place_of_the_one_that_gives_its_name_a_value(code: str, old: str) -> None:
    asked = answer("Change this in `models.py`:", code)
    assert apply_edits(FILES, asked).files == FILES
    assert apply_edits(FILES, asked, accept="all").files["models.py"] == MODELS.replace(old, code)


@pytest.mark.parametrize(
    "lead",
    [
        "You can then call it in `store.ts` like this:",
        "With what is in `store.ts` you can do:",
        "Avoid adding something like this to `store.ts`:",
        "Add this to `store.ts`, below the imports:",
        "You asked whether to add this to `store.ts`:",
        "Adding a constant to `store.ts` is a bad idea:",
        "Why did you add this to `store.ts`?",
        "Here is the updated code in `store.ts`:",
    ],
)
def test_what_nothing_asks_for_or_has_another_place_is_not_proposed(lead: str) -> None:
    assert apply_edits(FILES, answer(lead, "const size = 3;\n"), accept="all").files == FILES


def test_an_import_that_the_answer_says_in_words_is_proposed_with_what_uses_it() -> None:
    code = 'TAX = float(os.environ["TAX"])\n'
    asked = f"In `models.py`, replace\n\n```\nTAX = 0.19\n```\n\nwith\n\n```\n{code}```\n\n"
    said = f"{asked}and don't forget `import os` at the top.\n"
    report = apply_edits(FILES, said)
    assert report.files == FILES
    text = apply_edits(FILES, said, accept="all").files["models.py"]
    assert text == MODELS.replace("TAX = 0.19\n", code).replace("Enum\n\n", "Enum\nimport os\n\n", 1)
    known = {"models.py": f"import os\n{MODELS}"}
    changed = MODELS.replace("TAX = 0.19\n", code)
    assert apply_edits(known, said).files["models.py"] == f"import os\n{changed}"
    unsaid = apply_edits(FILES, asked)
    assert [one.status for one in unsaid.outcomes] == [Status.PROPOSED]
    assert "`os`" in unsaid.outcomes[0].message


def test_each_pair_of_a_sentence_goes_to_the_file_named_before_it() -> None:
    asked = (
        "In `models.py`, change the tax from `0.19` to `0.2`, and in `store.ts` the most from `10` to `20`."
    )
    assert apply_edits(FILES, asked).files == FILES
    files = apply_edits(FILES, asked, accept="all").files
    assert files["models.py"] == MODELS.replace("0.19", "0.2")
    assert files["store.ts"] == STORE.replace("10", "20")


@pytest.mark.parametrize(
    "lead",
    [
        "You can delete the unused constant in `models.py`:",
        "`TAX` is no longer used, so you can remove it from `models.py`:",
        "Du kannst die unbenutzte Konstante in `models.py` löschen:",
        "Vous pouvez supprimer la constante inutilisée dans `models.py` :",
        "Puedes eliminar la constante que ya no se usa en `models.py`:",
        "Você pode remover a constante não utilizada em `models.py`:",
        "Можно удалить неиспользуемую константу в `models.py`:",
        "可以删除 `models.py` 中未使用的常量：",
        "`models.py` の使われていない定数を削除できます：",
    ],
)
def test_what_the_answer_asks_to_remove_is_proposed(lead: str) -> None:
    asked = answer(lead, "TAX = 0.19\n")
    assert apply_edits(FILES, asked).files == FILES
    assert apply_edits(FILES, asked, accept="all").files["models.py"] == MODELS.replace("TAX = 0.19\n", "")
