"""A head alone, a new body, a definition in the place of another one, and texts of Python that stay."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

SHOP = '''\
def load(path):
    """Read a file."""
    with open(path) as file:
        return file.read()


@cached
def words(text):
    """Return the words.

    All of them.
    """
    found = []
    for word in text.split():
        if word:
            found.append(word)
    return found


class Shop:
    """A shop."""

    def total(self, items):
        result = 0
        for item in items:
            result += item.price
            result += item.tax
        return result

    def find_open(self):
        return [each for each in self.all if each.open]
'''
POOL = """\
pub struct Pool {
    size: usize,
}

impl Pool {
    fn get(&self, name: &str) -> Option<Conn> {
        let mut found = None;
        for each in &self.all {
            found = Some(each.clone());
        }
        found
    }
}
"""
SUM = """\
package a

func sum(all []int) int {
\tn := 0
\tfor _, each := range all {
\t\tn += each
\t}
\treturn n
}
"""
REPO = """\
class Repo(private val db: Db) {
    fun load(id: Long): Item {
        val row = db.get(id)
        return Item(row)
    }

    fun findOpen(): List<Item> {
        return db.all().filter { it.open }
    }
}
"""


def made(path: str, file: str, lead: str, code: str) -> str:
    answer = f"{lead}\n\n```{path.rpartition('.')[2]}\n{code}\n```\n"
    assert apply_edits({path: file}, answer).files[path] == file
    return apply_edits({path: file}, answer, accept="all").files[path] or ""


@pytest.mark.parametrize(
    ("path", "file", "lead", "head", "old"),
    [
        ("a.py", SHOP, "In `a.py`, make `load` async:", "async def load(path):", "def load(path):"),
        (
            "a.py",
            SHOP,
            "In `a.py`, add types to `words`:",
            "@cached\ndef words(text: str) -> list[str]:",
            "@cached\ndef words(text):",
        ),
        (
            "a.py",
            SHOP,
            "Ändere in `a.py` den Kopf von `total`:",
            "    def total(\n        self,\n        items: list[Item],\n    ) -> int:",
            "    def total(self, items):",
        ),
        ("a.py", SHOP, "In `a.py`, `Shop` gets a base class:", "class Shop(Base):", "class Shop:"),
        (
            "a.rs",
            POOL,
            "In `a.rs`, make `get` public:",
            "    pub fn get(&self, name: &str) -> Option<Conn> {",
            "    fn get(&self, name: &str) -> Option<Conn> {",
        ),
        (
            "a.rs",
            POOL,
            "给 `a.rs` 的 `Pool` 加上 derive:",
            "#[derive(Debug)]\npub struct Pool {",
            "pub struct Pool {",
        ),
        (
            "a.kt",
            REPO,
            "Сделайте `load` в `a.kt` suspend:",
            "    suspend fun load(id: Long): Item",
            "    fun load(id: Long): Item",
        ),
        (
            "a.go",
            SUM,
            "In `a.go`, give `sum` a context:",
            "func sum(ctx context.Context, all []int) int {",
            "func sum(all []int) int {",
        ),
    ],
)
def test_a_head_that_is_shown_alone_is_replaced_and_its_body_stays(
    path: str, file: str, lead: str, head: str, old: str
) -> None:
    assert made(path, file, lead, head) == file.replace(old, head)


@pytest.mark.parametrize(
    ("path", "file", "head"),
    [
        ("a.go", SUM, "func sum(all []int) int {"),
        ("a.go", SUM, "func count(all []int) int {"),
        ("a.py", SHOP + SHOP, "async def load(path):"),
    ],
)
def test_a_head_that_is_there_or_new_or_there_twice_changes_nothing(path: str, file: str, head: str) -> None:
    assert made(path, file, f"In `{path}`:", head) == file


@pytest.mark.parametrize(
    "lead",
    [
        "Die Funktion `words` kann man kürzer schreiben:",
        "`words` passt mit einem Generator auf eine Zeile:",
        "La función `words` se puede escribir más corta:",
        "`words` はもっと短く書けます:",
    ],
)
def test_a_body_that_is_all_new_is_proposed_where_the_words_name_it(lead: str) -> None:
    body = "    return [word for word in text.split() if word]"
    old = SHOP[SHOP.index("    found = []") : SHOP.index("\n\n\nclass")]
    assert made("a.py", SHOP, f"### `a.py`\n\n{lead}", f"def words(text):\n{body}") == SHOP.replace(old, body)


@pytest.mark.parametrize(
    "code", ["def total(self, items):\n    result = 0\n    return result", "def words(text):\n    return []"]
)
def test_what_is_only_a_part_of_a_body_or_is_not_named_is_no_new_body(code: str) -> None:
    assert made("a.py", SHOP, "### `a.py`\n\nLook at `total`:", code) == SHOP


@pytest.mark.parametrize(
    "lead",
    [
        "In `a.kt`, replace `findOpen()` with a more general method:",
        "In `a.kt`, use this instead of `findOpen`:",
        "Ersetze in `a.kt` `findOpen` durch eine allgemeinere Methode:",
        "Замените `findOpen` в `a.kt` на более общий метод:",
    ],
)
def test_a_definition_of_another_name_goes_where_words_say_that_it_replaces_one(lead: str) -> None:
    new = (
        "    fun find(open: Boolean): List<Item> {\n        return db.all().filter { it.open == open }\n    }"
    )
    old = REPO[REPO.index("    fun findOpen") : REPO.index("\n}\n")]
    assert made("a.kt", REPO, lead, new) == REPO.replace(old, new)


def test_one_that_something_else_uses_is_not_replaced_by_another() -> None:
    file = f"{SUM}\nfunc show() int {{\n\treturn sum(nil)\n}}\n"
    new = "func total(all []int) int {\n\treturn 0\n}"
    assert made("a.go", file, "In `a.go`, replace `sum` with:", new) == file


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        (
            "def load(path):\n    with open(path, encoding='utf-8') as file:\n        return file.read()",
            "open(path)",
            "open(path, encoding='utf-8')",
        ),
        (
            "def words(text):\n    found = []\n    for word in text.split():\n        if word.strip():\n"
            "            found.append(word)\n    return found",
            "if word:",
            "if word.strip():",
        ),
    ],
)
def test_the_text_that_a_definition_of_python_begins_with_stays_where_it_is_not_shown(
    code: str, old: str, new: str
) -> None:
    answer = f"`a.py`:\n\n```python\n{code}\n```\n"
    assert apply_edits({"a.py": SHOP}, answer, accept="all").files["a.py"] == SHOP.replace(old, new)


@pytest.mark.parametrize(
    ("path", "file", "lead", "code", "above", "below"),
    [
        (
            "a.py",
            SHOP,
            "In `a.py`, add the constant as the first member of the class `Shop`:",
            "    RATE = 2",
            '    """A shop."""\n\n',
            "\n\n",
        ),
        (
            "a.php",
            "<?php\n\nclass A\n{\n    public function b()\n    {\n        c();\n    }\n\n"
            "    public function d()\n    {\n    }\n}\n",
            "Add to `a.php` the constant as the first member of the class:",
            "    private const E = 1;",
            "class A\n{\n",
            "\n\n",
        ),
    ],
)
def test_what_is_to_be_the_first_of_a_class_is_apart_from_what_is_below_it(
    path: str, file: str, lead: str, code: str, above: str, below: str
) -> None:
    assert made(path, file, lead, code) == file.replace(above, f"{above}{code}{below}")


@pytest.mark.parametrize("body", ["    'Other.'\n    return 2", "    f'{path}'\n    return 2"])
def test_the_text_of_a_definition_that_begins_with_another_one_does_not_stay(body: str) -> None:
    file = 'def load(path):\n    """Load it."""\n    return 1\n'
    answer = f"Update `a.py`:\n\n```python\ndef load(path):\n{body}\n```\n"
    assert apply_edits({"a.py": file}, answer).files["a.py"] == f"def load(path):\n{body}\n"
