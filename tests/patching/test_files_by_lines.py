"""Code that names no file is shown for the one that has lines of it, or that all else is for."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

MAKE = "VENV := .venv\n\ntest:\n\t$(VENV)/bin/pytest\n\nlint:\n\t$(VENV)/bin/ruff check src\n"
CART = (
    "class Cart {\n  final items = <Item>[];\n\n  double get total => sum(items);\n\n"
    "  void clear() {\n    items.clear();\n  }\n}\n"
)
PAGE = "class Page {\n  final cart = Cart();\n\n  void open() {\n    show(cart.total);\n  }\n}\n"
VUE = '<template>\n  <p>{{ total }}</p>\n  <button @click="pay">Pay</button>\n</template>\n'
SCRIPT = "import { post } from './http'\n\nexport function pay(cart) {\n  return post('/pay', { cart })\n}\n"
STORE = "package store\n\nfunc (s *Store) Get(key string) string {\n\treturn s.values[key]\n}\n"
README = "# App\n\n## Parts\n\n* `lib/` - the app\n* `src/` - the server\n\n## Usage\n\nRun `make`.\n"
FILES = {
    "Makefile": MAKE,
    "lib/cart.dart": CART,
    "lib/page.dart": PAGE,
    "src/Cart.vue": VUE,
    "src/pay.js": SCRIPT,
    "store.go": STORE,
    "README.md": README,
}
CLEAR = "  void clear() {\n    items.clear();\n    notify();\n  }\n"
CLEARED = CART.replace("items.clear();\n", "items.clear();\n    notify();\n")
LINT = "lint:\n\t$(VENV)/bin/ruff check src tests\n"
LINTED = MAKE.replace("check src\n", "check src tests\n")
CURRENCY = '  <p>{{ total }} €</p>\n  <button @click="pay">Pay</button>\n'


def fence(language: str, code: str) -> str:
    return f"```{language}\n{code}```\n"


@pytest.mark.parametrize(
    ("lead", "language", "code", "path", "becomes"),
    [
        ("Also fix the lint target, please:", "make", LINT, "Makefile", LINTED),
        ("Ergänze außerdem das Ziel `lint`:", "makefile", LINT, "Makefile", LINTED),
        ("Whoever shows it is notified by `clear`:", "dart", CLEAR, "lib/cart.dart", CLEARED),
        ("Llama a `notify` al final:", "dart", CLEAR, "lib/cart.dart", CLEARED),
        ("这样会通知监听者:", "dart", CLEAR, "lib/cart.dart", CLEARED),
        ("and show the currency:", "html", CURRENCY, "src/Cart.vue", VUE.replace("}}", "}} €")),
        (
            "",
            "md",
            "## Parts\n\n* `lib/` - the app\n* `jobs/` - the jobs\n* `src/` - the server\n",
            "README.md",
            README.replace("* `src/`", "* `jobs/` - the jobs\n* `src/`"),
        ),
    ],
)
def test_the_file_of_its_kind_that_has_lines_of_it_is_shown_with_it(
    lead: str, language: str, code: str, path: str, becomes: str
) -> None:
    answer = f"{lead}\n\n{fence(language, code)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [(each.path, each.status) for each in report.outcomes] == [(path, Status.PROPOSED)]
    assert apply_edits(FILES, answer, accept="all").files == {**FILES, path: becomes}


@pytest.mark.parametrize(
    ("lead", "language", "code"),
    [
        ("The items are cleared here:", "dart", "  void clear() {\n    items.clear();\n"),
        ("Usage:", "js", "import { pay } from './pay'\n\npay(cart)\n"),
        ("You can now use it like this:", "js", "pay(cart)\n"),
        ("For example:", "dart", CLEAR),
        ("Zum Beispiel:", "dart", CLEAR),
        ("Before, it was:", "make", "lint:\n\t$(VENV)/bin/flake8\n"),
        ("Expected output:", "make", LINT),
        ("It prints", "json", '{"total": 3}\n'),
        (
            "In both of them there is a body:",
            "dart",
            "  void open() {\n    items.clear();\n    wait();\n  }\n",
        ),
    ],
)
def test_a_quote_or_an_example_or_code_of_several_files_is_for_none(
    lead: str, language: str, code: str
) -> None:
    files = {**FILES, "lib/other.dart": CART.replace("Cart", "Other")}
    assert apply_edits(files, f"{lead}\n\n{fence(language, code)}", accept="all").files == files


@pytest.mark.parametrize(
    "lead", ["and call it at the end:", "Call it from `clear`:", "and show it instead of nothing:"]
)
def test_one_word_of_an_example_does_not_outweigh_the_lines_of_a_file(lead: str) -> None:
    answer = f"In `lib/cart.dart`, {lead[0].lower()}{lead[1:]}\n\n{fence('dart', CLEAR)}"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files == {**FILES, "lib/cart.dart": CLEARED}


def test_a_part_that_has_no_place_holds_the_others_back() -> None:
    cut = "  void open() {}\n    show(cart.total);\n    ]\n"
    answer = f"Notify who listens:\n\n{fence('dart', CLEAR)}\nand open it:\n\n{fence('dart', cut)}"
    assert apply_edits(FILES, answer, accept="all").files == FILES


def test_what_is_asked_for_is_for_the_only_file_of_its_kind() -> None:
    code = "func (s *Store) Delete(key string) {\n\tdelete(s.values, key)\n}\n"
    answer = f"Add a method `Delete`:\n\n{fence('go', code)}"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files["store.go"] == f"{STORE}\n{code}"
    said = f"The method `Delete` is this:\n\n{fence('go', code)}"
    assert apply_edits(FILES, said, accept="all").files == FILES


@pytest.mark.parametrize("above", ["And at the top:", "Außerdem ganz oben:", "Y al principio del archivo:"])
def test_what_is_asked_for_is_for_the_file_that_all_else_is_for(above: str) -> None:
    files = {"a.py": "import os\n\n\ndef load(path):\n    return path\n", "b.py": "def other():\n    pass\n"}
    load = "def load(path):\n    return json.loads(path)\n"
    needed = fence("python", "import json\n")
    answer = f"Change `load` in `a.py`:\n\n{fence('python', load)}\n{above}\n\n{needed}"
    assert apply_edits(files, answer).files == files
    becomes = f"import os\nimport json\n\n\n{load}"
    assert apply_edits(files, answer, accept="all").files == {**files, "a.py": becomes}
