"""Code below a sentence that names several files: it is for each of them, or for the one that is new."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

PAGE = (
    '<html>\n<head>\n  <meta charset="UTF-8">\n  <title>A</title>\n</head>\n<body>\n  <nav>\n'
    '    <a href="a.html">A</a>\n    <a href="b.html">B</a>\n  </nav>\n</body>\n</html>\n'
)
STORE = "package main\n\nfunc Get() int {\n\treturn 1\n}\n"
FILES = {
    "a.html": PAGE,
    "b.html": PAGE.replace("<title>A", "<title>B"),
    "c.html": PAGE.replace("<title>A", "<title>C"),
    "store.go": STORE,
}
LINK = '    <a href="c.html">C</a>\n'
NAV = f'  <nav>\n    <a href="a.html">A</a>\n    <a href="b.html">B</a>\n{LINK}  </nav>\n'
LINKED = {path: text.replace("  </nav>", f"{LINK}  </nav>") for path, text in FILES.items()}
TEST = "package main\n\nfunc TestGet(t *testing.T) {\n\tif Get() != 1 {\n\t\tt.Fatal()\n\t}\n}\n"


@pytest.mark.parametrize(
    ("lead", "paths"),
    [
        ("Put this into `a.html`, `b.html` and `c.html`:", "a b c"),
        ("The `<nav>` should look like this in each of them (`a.html`, `b.html`, `c.html`):", "a b c"),
        ("Ersetze die Navigation in `a.html` und `b.html`:", "a b"),
        ("在 `a.html` 和 `b.html` 两个文件中都加上:", "a b"),
        ("Dans `a.html`, `b.html` et `c.html`, ajoutez le lien :", "a b c"),
    ],
)
def test_it_is_for_each_of_the_files_that_are_named_in_a_row(lead: str, paths: str) -> None:
    named = [f"{path}.html" for path in paths.split()]
    answer = f"{lead}\n\n```html\n{NAV}```\n"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [(each.path, each.status) for each in report.outcomes] == [
        (path, Status.PROPOSED) for path in named
    ]
    assert apply_edits(FILES, answer, accept="all").files == {
        **FILES,
        **{path: LINKED[path] for path in named},
    }


@pytest.mark.parametrize(
    "lead", ["Use the links of `a.html` in `b.html`:", "What `a.html` has is not in `b.html`:"]
)
def test_it_is_for_none_where_other_words_are_between_them(lead: str) -> None:
    assert apply_edits(FILES, f"{lead}\n\n```html\n{NAV}```\n", accept="all").files == FILES


@pytest.mark.parametrize(
    "lead",
    [
        "Create a file called `store_test.go` next to `store.go`:",
        "Lege neben `store.go` die Datei `store_test.go` an:",
        "`store.go` の隣に `store_test.go` を作成します:",
        "Crea `store_test.go` junto a `store.go`:",
    ],
)
def test_it_is_for_the_new_one_next_to_one_that_is_there(lead: str) -> None:
    answer = f"{lead}\n\n```go\n{TEST}```\n"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files == {**FILES, "store_test.go": TEST}
