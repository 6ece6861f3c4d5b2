"""New code goes next to the element that words name, to the end of a group of tests, below its imports."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.structure.imports import united

PAGE = """\
<body>
  <header class="top">
    <h1>Kiosk</h1>
  </header>
  <input
    type="text"
    class="search"
  />
  <button
    class="send"
  >
    Go
  </button>
  <p class="end">End</p>
</body>
"""
NEW = '  <p class="new">New</p>\n'
TESTS = """\
import { cut, join } from './text';

describe('cut', () => {
  it('keeps short text', () => {
    expect(cut('a')).toBe('a');
  });
});

describe('join', () => {
  it('has a blank', () => {
    expect(join('a', 'b')).toBe('a b');
  });
});
"""
TEST = "  it('is empty', () => {\n    expect(cut('')).toBe('');\n  });\n"
SERVER = """\
package server

import (
\t"fmt"
\t"net/http"
)

type status struct {
\tname string
}

func show(w http.ResponseWriter) {
\tfmt.Fprintln(w, "up")
}
"""
RULES = "all:\n\tgo build\n\ntest:\n\tgo test\n\nclean:\n\trm -rf bin\n"


def made(path: str, file: str, lead: str, code: str, tail: str = "") -> str:
    answer = f"{lead}\n\n```\n{code}```\n\n{tail}\n"
    assert apply_edits({path: file}, answer).files[path] == file
    return apply_edits({path: file}, answer, accept="all").files[path] or ""


@pytest.mark.parametrize(
    ("lead", "above"),
    [
        ("In `a.html`, add this directly below the `top` header:", "  </header>\n"),
        ("In `a.html`, add this after the `header`:", "  </header>\n"),
        ("Füge in `a.html` das hier unter dem Feld `search` ein:", "  />\n"),
        ("Dans `a.html`, ajoutez ceci après le bouton `send` :", "  </button>\n"),
        ("在 `a.html` 的 `send` 按钮后面添加:", "  </button>\n"),
        ("In `a.html`, add this above the `send` button:", "  />\n"),
        ("In `a.html`, add this between the input and the `send` button:", "  />\n"),
        ("Füge das in `a.html` zwischen dem Feld und dem `send` ein:", "  />\n"),
        ("In `a.html`, add this right below `<body>`:", "<body>\n"),
    ],
)
def test_an_element_is_named_whole_by_its_class_or_its_tag(lead: str, above: str) -> None:
    assert made("a.html", PAGE, lead, NEW) == PAGE.replace(above, above + NEW, 1)


def test_where_only_its_first_tag_is_named_new_lines_go_into_an_element() -> None:
    lead = 'In `a.html`, add this right after the opening `<header class="top">` tag:'
    old = '<header class="top">\n'
    assert made("a.html", PAGE, lead, NEW) == PAGE.replace(old, f"{old}  {NEW}")


@pytest.mark.parametrize(
    "lead",
    [
        "In `a.test.js`, add a test to the `describe('cut', ...)` block, after the existing one:",
        "Add this case to the `cut` suite in `a.test.js`:",
        "Füge in `a.test.js` im `describe('cut')`-Block einen Test hinzu:",
        "然后在 `a.test.js` 的 `describe('cut', ...)` 里,在现有用例后面加一个测试:",
        "`a.test.js` の `describe('cut')` の中にテストを追加します:",
        "En `a.test.js`, añade esta prueba al final del bloque `describe('cut')`:",
    ],
)
@pytest.mark.parametrize("code", [TEST, "it('is empty', () => {\n  expect(cut('')).toBe('');\n});\n"])
def test_a_test_goes_to_the_end_of_the_group_that_words_name(lead: str, code: str) -> None:
    old = "toBe('a');\n  });\n"
    assert made("a.test.js", TESTS, lead, code) == TESTS.replace(old, f"{old}\n{TEST}")


@pytest.mark.parametrize(
    "lead", ["Add it to the end of `a.go` (and `log` to the imports):", "Füge es am Ende von `a.go` hinzu:"]
)
def test_a_place_in_words_is_for_what_is_below_the_imports(lead: str) -> None:
    new = "\nfunc note(text string) {\n\tlog.Println(text)\n}\n"
    code = f'import (\n\t"fmt"\n\t"log"\n\t"net/http"\n)\n{new}'
    assert made("a.go", SERVER, lead, code) == SERVER.replace('fmt"\n', 'fmt"\n\t"log"\n') + new


def test_imports_are_as_they_are_shown_where_all_of_the_file_are() -> None:
    file = ["import os", "import sys", "from app import run", "", "run(os, sys)"]
    new = ["import os", "import sys", "", "import requests", "", "from app import run, stop"]
    assert united(file, new, "a.py") == [*new, "", "run(os, sys)"]
    file[1:1] = ["# The system:"]
    assert united(file, new, "a.py") != [*new, "", "run(os, sys)"]


@pytest.mark.parametrize(
    "tail",
    [
        "I'd place it after `test`. It needs nothing else.",
        "Ich würde es nach `test` einfügen.",
        "Ajoutez-le juste après `test`.",
        "Añádelo después de `test`.",
        "Adicione-o depois de `test`.",
        "Добавьте это после `test`.",
        "放在 `test` 后面。",
    ],
)
def test_a_place_may_be_said_below_the_code(tail: str) -> None:
    new = "lint:\n\tgo vet\n"
    lead = "A new `lint` target for the `Makefile`:"
    assert made("Makefile", RULES, lead, new, tail) == RULES.replace("clean", f"{new}\nclean", 1)


@pytest.mark.parametrize(
    "tail", ["It runs after `all`.", "It should not go after `all`.", "Add `-v` after `all`, too."]
)
def test_what_else_is_said_below_code_is_no_place_for_it(tail: str) -> None:
    new = "lint:\n\tgo vet\n"
    lead = "A new `lint` target for the `Makefile`:"
    assert f"go build\n\n{new}" not in made("Makefile", RULES, lead, new, tail)
