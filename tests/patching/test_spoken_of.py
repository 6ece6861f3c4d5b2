"""Code of a file that the words above it only speak of is proposed, where the answer has nothing else."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit
from patchpoint.formats import read_answer
from patchpoint.outcome import Status

APP = (
    "import os\n\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n\n\n"
    "def main():\n    print(load('a'))\n"
)
FILES = {"src/app.py": APP, "src/names.py": "NAMES = ['a']\n"}
LOAD = "def load(path):\n    with open(path, encoding='utf-8') as file:\n        return file.read()\n"
CHANGED = APP.replace("open(path)", "open(path, encoding='utf-8')")


def fenced(code: str) -> str:
    return f"```python\n{code}```\n"


@pytest.mark.parametrize(
    "above",
    [
        "`load` in `src/app.py` gets an encoding:",
        "Texts are UTF-8, and `load` in `src/app.py` knows it:",
        "`load` aus `src/app.py` mit einer Kodierung:",
    ],
)
def test_code_below_a_sentence_that_names_its_file_is_proposed(above: str) -> None:
    answer = f"{above}\n\n{fenced(LOAD)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files["src/app.py"] == CHANGED


@pytest.mark.parametrize(
    ("above", "code"),
    [
        ("In `src/names.py`:", "NAMES = ['a', 'b']\n"),
        ("2. **src/names.py** – one more name for the shelf:", "NAMES = ['a', 'b']\n"),
    ],
)
def test_a_statement_that_gives_a_name_of_the_file_another_value_is_proposed(above: str, code: str) -> None:
    answer = f"{above}\n\n{fenced(code)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files == {**FILES, "src/names.py": code}


@pytest.mark.parametrize(
    "code",
    [
        APP[APP.index("def load") : APP.index("\n\ndef main")],
        "load('b')\nload('c')\n",
        "def store(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n",
    ],
)
def test_code_that_changes_nothing_there_stays_prose(code: str) -> None:
    report = apply_edits(FILES, f"`load` in `src/app.py` goes with this:\n\n{fenced(code)}", accept="all")
    assert report.files == FILES
    assert report.outcomes == ()


OFFERS = (
    "You could change `load` in `src/app.py`:",
    "We might add an encoding to `load` in `src/app.py`:",
    "Ich würde `load` in `src/app.py` um die Kodierung ergänzen:",
    "Du könntest `load` in `src/app.py` ändern:",
    "Vous pourriez modifier `load` dans `src/app.py` :",
    "Podrías cambiar `load` en `src/app.py`:",
    "Você poderia alterar `load` em `src/app.py`:",
    "可以把 `src/app.py` 中的 `load` 改为：",
)


@pytest.mark.parametrize("above", OFFERS)
def test_a_change_that_is_offered_is_proposed_and_never_written(above: str) -> None:
    answer = f"{above}\n\n{fenced(LOAD)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files["src/app.py"] == CHANGED


@pytest.mark.parametrize(
    "above",
    [
        "You could change `load` in `src/app.py`, but that would break callers:",
        "You might see this as `load` in `src/app.py`:",
        "Ich würde `load` in `src/app.py` nicht ändern:",
        "Podrías cambiar `load` en `src/app.py`, pero no hace falta:",
        "Did you mean that `load` in `src/app.py` was this?",
    ],
)
def test_what_is_not_asked_for_is_not_proposed(above: str) -> None:
    report = apply_edits(FILES, f"{above}\n\n{fenced(LOAD)}", accept="all")
    assert report.files == FILES


def test_an_offer_with_what_changes_and_what_it_becomes_is_not_written() -> None:
    old, new = "        return file.read()\n", "        return file.read().strip()\n"
    pair = f"You could change this in `src/app.py`:\n\n{fenced(old)}\nto this:\n\n{fenced(new)}"
    for answer in (pair, "You could replace `file.read()` with `file.readlines()` in `src/app.py`."):
        assert apply_edits(FILES, answer).files == FILES


STORE = "def store(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n"
OFFER = f"You could add this to `src/app.py` below `load`:\n\n{fenced(STORE)}"
SUM = "def total(items):\n    return sum(items)\n"
SHOP = {**FILES, "src/shop.py": SUM}


def test_what_is_certain_does_not_wait_for_what_is_offered() -> None:
    new = SUM.replace("items)\n", "items, 0)\n")
    named = f"In `src/shop.py`, change `total`:\n\n{fenced(new)}\n"
    for answer in (f"{named}{OFFER}", f"{OFFER}\n{named}"):
        report = apply_edits(SHOP, answer)
        assert report.files == {**SHOP, "src/shop.py": new}
        assert {outcome.status for outcome in report.outcomes} == {Status.APPLIED, Status.PROPOSED}
        both = apply_edits(SHOP, answer, accept="all").files
        assert both["src/shop.py"] == new
        assert STORE in (both["src/app.py"] or "")


@pytest.mark.parametrize("use", ["    store('a', items)\n", "    from src.app import store\n"])
def test_what_uses_what_is_offered_waits_for_it(use: str) -> None:
    new = SUM.replace("    return", f"{use}    return")
    answer = f"In `src/shop.py`, change `total`:\n\n{fenced(new)}\n{OFFER}"
    report = apply_edits(SHOP, answer)
    assert report.files == SHOP
    assert [outcome.status for outcome in report.outcomes] == [Status.HELD, Status.PROPOSED]
    both = apply_edits(SHOP, answer, accept="all").files
    assert both["src/shop.py"] == new
    assert STORE in (both["src/app.py"] or "")


def test_an_edit_next_to_it_waits_for_the_same_yes() -> None:
    block = "src/names.py\n<<<<<<< SEARCH\nNAMES = ['a']\n=======\nNAMES = ['b']\n>>>>>>> REPLACE\n"
    answer = f"{block}\n`load` in `src/app.py` could know more:\n\n{fenced(LOAD)}"
    assert apply_edits(FILES, answer).files == FILES
    report = apply_edits(FILES, answer, accept="all")
    assert report.files == {**FILES, "src/names.py": "NAMES = ['b']\n", "src/app.py": CHANGED}


@pytest.mark.parametrize(
    ("above", "path", "old", "new"),
    [
        (
            "Hay que modificar `requirements.txt` para `httpx`, que necesita el cliente:",
            "requirements.txt",
            "fastapi==0.110.0\nuvicorn==0.29.0\n",
            "fastapi==0.110.0\nuvicorn==0.29.0\nhttpx==0.27.0\n",
        ),
        (
            "Bump the version of the language that go.mod asks for:",
            "go.mod",
            "module example.com/a\n\ngo 1.21\n\nrequire b v1.0.0\nrequire c v1.0.0\n",
            "module example.com/a\n\ngo 1.22\n\nrequire b v1.0.0\nrequire c v1.0.0\n",
        ),
    ],
)
def test_a_file_without_a_grammar_is_proposed_where_all_of_it_is_shown(
    above: str, path: str, old: str, new: str
) -> None:
    answer = f"{above}\n\n```\n{new}```\n"
    report = apply_edits({path: old}, answer)
    assert report.files == {path: old}
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits({path: old}, answer, accept="all").files == {path: new}


@pytest.mark.parametrize(
    ("above", "is_offered"),
    [
        ("我们可以新建一个文件 `src/wrong.py` 来定义异常：", True),
        ("Y en `src/wrong.py` (archivo nuevo):", False),
    ],
)
def test_a_file_that_is_called_new_is_created(above: str, is_offered: bool) -> None:
    code = "class Wrong(Exception):\n    pass\n"
    answer = f"{above}\n\n{fenced(code)}"
    report = apply_edits(FILES, answer)
    made = {**FILES, "src/wrong.py": code}
    assert report.files == (FILES if is_offered else made)
    assert apply_edits(FILES, answer, accept="all").files == made


ADDED = "def close(self):\n    self.file.close()\n"
LEDGER = (
    "class Accounts:\n    def open_book(self):\n        self.file = open(self.path)\n\n"
    "    def total(self):\n        return 0\n"
)


@pytest.mark.parametrize(
    "above",
    ["Add a `close` method to `Accounts`, right after `open_book`:", "Add `close` below `open_book`:"],
)
def test_new_code_is_proposed_for_the_one_file_that_has_what_the_words_above_it_name(above: str) -> None:
    files = {
        "src/ledger.py": LEDGER,
        "src/app.py": f"from ledger import Accounts\n\nbook = Accounts()\n\n\n{APP}",
    }
    answer = f"{above}\n\n{fenced(ADDED)}"
    report = apply_edits(files, answer)
    assert report.files == files
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    made = LEDGER.replace(
        "open(self.path)\n", "open(self.path)\n\n    def close(self):\n        self.file.close()\n"
    )
    assert apply_edits(files, answer, accept="all").files == {**files, "src/ledger.py": made}
    both = {**files, "src/other.py": LEDGER}
    twice = apply_edits(both, answer, accept="all")
    assert twice.files == both
    assert "it could be for src/ledger.py, src/other.py" in twice.unplaced[0].message


STORES = {
    "store.py": "class Store:\n    def get(self, key):\n        return self.items[key]\n",
    "src/lib.rs": "pub struct Store {\n    items: Items,\n}\n\nimpl Store {\n    pub fn get(&self) {}\n}\n",
    "src/web.py": "from store import Store\n\nstore = Store()\n",
}


def test_a_class_of_which_only_a_part_is_shown_is_meant_for_the_file_that_defines_it() -> None:
    code = "class Store:\n    # ... existing code ...\n\n    def clear(self):\n        self.items.clear()\n"
    report = apply_edits(STORES, fenced(code))
    assert report.files == STORES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    made = f"{STORES['store.py']}\n    def clear(self):\n        self.items.clear()\n"
    assert apply_edits(STORES, fenced(code), accept="all").files == {**STORES, "store.py": made}


@pytest.mark.parametrize("name", ["impl Store", "Store"])
def test_a_method_of_a_type_of_rust_goes_into_its_block(name: str) -> None:
    answer = f"Add a `put` method to `{name}`:\n\n```rust\n    pub fn put(&mut self) {{}}\n```\n"
    report = apply_edits(STORES, answer)
    assert report.files == STORES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    made = STORES["src/lib.rs"].replace("(&self) {}\n", "(&self) {}\n    pub fn put(&mut self) {}\n")
    assert apply_edits(STORES, answer, accept="all").files == {**STORES, "src/lib.rs": made}


GET = "    def get(self, key):\n        return self.items[key]\n"
DIFF = "     def get(self, key):\n-        return self.items[key]\n+        return self.items.get(key)\n"


@pytest.mark.parametrize(
    ("diff", "new"),
    [
        (DIFF, GET.replace("[key]", ".get(key)")),
        (
            DIFF.replace("     def", " def").replace("        return", "    return"),
            GET.replace("[key]", ".get(key)"),
        ),
        (
            "     def get(self, key):\n+        self.asked += 1\n         return self.items[key]\n",
            GET.replace("key):\n", "key):\n        self.asked += 1\n"),
        ),
    ],
)
def test_a_diff_without_a_file_is_proposed_for_the_one_that_has_its_lines(diff: str, new: str) -> None:
    answer = f"`get` then looks like this:\n\n```diff\n{diff}```\n"
    report = apply_edits(STORES, answer)
    assert report.files == STORES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    made = STORES["store.py"].replace(GET, new)
    assert apply_edits(STORES, answer, accept="all").files == {**STORES, "store.py": made}


@pytest.mark.parametrize(
    ("above", "diff", "files"),
    [
        ("Do not do this:", DIFF, STORES),
        ("For example:", DIFF, STORES),
        ("Change this:", DIFF, {**STORES, "copy.py": STORES["store.py"]}),
        ("Change this:", "-    nothing()\n+    something()\n", STORES),
        ("Change this:", f"--- old\n+++ new\n{DIFF}", STORES),
    ],
)
def test_it_is_not_where_it_is_no_change_or_several_files_have_them(
    above: str, diff: str, files: dict[str, str]
) -> None:
    assert apply_edits(files, f"{above}\n\n```diff\n{diff}```\n", accept="all").files == files


@pytest.mark.parametrize(
    "below",
    [
        "2. In `src/names.py`, below `load`, add this.",
        "And below `load`, add this:",
        "### Below `load`",
    ],
)
def test_the_place_of_the_code_below_is_not_that_of_the_code_above_it(below: str) -> None:
    names = "```python\nMORE = ['b']\n```\n"
    answer = f"Add this to `src/app.py`:\n\n```python\nLIMIT = 3\n```\n\n{below}\n\n{names}"
    said = answer.replace(below, "It goes below `load`.")
    leads = [
        item.lead for text in (answer, said) for item in read_answer(text).items if isinstance(item, Edit)
    ]
    assert ["below" in lead for lead in leads if "src/app.py" in lead] == [False, True]


REASONS = {
    "The read fails with `UnicodeError`. Change `load` in `src/app.py` like this:": True,
    "Change `load` in `src/app.py`, otherwise `UnicodeError` is raised:": True,
    "Ändere `load` in `src/app.py`, weil sonst `UnicodeError` kommt:": True,
    "Cambia `load` en `src/app.py`, porque `UnicodeError` llega:": True,
    "Change `load` of `Reader` in `src/app.py`:": False,
    "In `Reader`, the encoding is missing. Change `load` in `src/app.py`:": False,
}


@pytest.mark.parametrize(("above", "is_made"), REASONS.items())
def test_a_type_that_is_only_a_reason_is_no_place(above: str, is_made: bool) -> None:
    report = apply_edits(FILES, f"{above}\n\n{fenced(LOAD)}", accept="all")
    assert (report.files["src/app.py"] == CHANGED) is is_made


OF_ONE_SECTION = {
    "Change what is loaded like this:": True,
    "**Fix:**": True,
    "Ändere auch, was geladen wird:": True,
    "With the new version you can call it like this:": False,
    "The output after the change:": False,
    "The updated call is then:": False,
}


@pytest.mark.parametrize(("above", "is_meant"), OF_ONE_SECTION.items())
def test_a_second_piece_below_a_heading_is_proposed_for_its_file_where_it_is_asked_for(
    above: str, is_meant: bool
) -> None:
    answer = f"### `src/app.py`\n\n{fenced(LOAD)}\n{above}\n\n```python\n    print(load('b'))\n```\n"
    report = apply_edits(FILES, answer, accept="all")
    assert ("load('b')" in (report.files["src/app.py"] or "")) is is_meant


def test_a_quote_without_a_comment_below_words_that_only_tell_is_no_change() -> None:
    file = (
        "def load(path):\n    # the first pass\n    seen = path\n    return seen\n\n\ndef save():\n    pass\n"
    )
    lead = 'The first pass creates an empty "list" and remembers it:'
    quote = "```python\ndef load(path):\n    seen = path\n    return seen\n```\n"
    files = {"a.py": file, "b.py": "x = 1\n"}
    for accept in ((), "all"):
        assert apply_edits(files, f"{lead}\n\n{quote}\nThat is how it works.\n", accept=accept).files == files


def test_a_section_takes_none_below_an_underlined_heading_with_it() -> None:
    section = "#### `a`\nOne.\n"
    file = f"Tool\n====\n\n{section}\nCustomization\n-------------\n\nText.\n\nLicense\n-------\n\nMIT\n"
    shown = f"```markdown\n{section}\n#### `b`\nTwo.\n```\n"
    after = apply_edits({"R.md": file, "b.py": ""}, f"Update `R.md`:\n\n{shown}", accept="all").files["R.md"]
    assert after is not None
    assert "Customization\n-------------\n" in after
    assert "MIT\n" in after
