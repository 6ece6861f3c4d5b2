"""An answer is whole: nothing is written that lacks another part of it, or a name that nothing binds."""

from __future__ import annotations

import difflib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import Edit, apply_edits
from patchpoint.formats import read_answer
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.patching.answers.wholeness import whole
from patchpoint.patching.plan import Plan, plan_edits
from patchpoint.patching.reasons import OUTCOME_CODES
from patchpoint.structure.lazy.doubt.names_in_use import is_only_used
from patchpoint.structure.python import free_names

PATH = "src/shop.py"
SHOP = """\
import os


class Cart:
    def total(self):
        return sum(item.price for item in self.items)


def load(path):
    with open(path) as file:
        return file.read()


def found(path):
    return os.path.exists(path)


def save(path, text):
    with open(path, "w") as file:
        file.write(text)
"""
FILES = {PATH: SHOP, "src/other.py": "def other():\n    return 1\n"}
IMPORT = "```python\nimport json\n```\n"
HELPER = "```python\ndef parsed(text):\n    return [line.split() for line in text.splitlines()]\n```\n"
READ = "        return file.read()\n"


def as_fence(new: str) -> str:
    return (
        f"In `{PATH}`, update `load`:\n\n```python\ndef load(path):\n    with open(path) as file:\n{new}```\n"
    )


def as_block(new: str) -> str:
    return f"{PATH}\n```python\n<<<<<<< SEARCH\n{READ}=======\n{new}>>>>>>> REPLACE\n```\n"


def as_diff(new: str) -> str:
    lines = SHOP.splitlines(keepends=True), SHOP.replace(READ, new).splitlines(keepends=True)
    return f"```diff\n{''.join(difflib.unified_diff(*lines, f'a/{PATH}', f'b/{PATH}'))}```\n"


Written = Callable[[str], str]
FORMATS = pytest.mark.parametrize("written", [as_fence, as_block, as_diff])
JSON = "        return json.load(file)\n"
PARSED = "        return parsed(file.read())\n"
STRIPPED = "        return file.read().strip()\n"
RAISES = "        raise NotThere(path)\n"


def merged(answer: str) -> str | None:
    return apply_edits(FILES, answer).files[PATH]


@FORMATS
def test_an_import_without_a_file_holds_back_the_function_that_uses_it(written: Written) -> None:
    for answer in (
        f"The import:\n\n{IMPORT}\nThen this:\n\n{written(JSON)}",
        *((f"{written(JSON)}\nThe import:\n\n{IMPORT}",) if written is not as_fence else ()),
    ):
        report = apply_edits(FILES, answer)
        assert report.files == FILES
        assert not report.changes
        (outcome,) = report.outcomes
        assert outcome.reason is Reason.INCOMPLETE
        assert "`json`" in outcome.message
        assert f"Line {report.unplaced[0].line}: " in outcome.message
        assert "if it is one, send it, too:\n- import json\n" in report.feedback


def test_an_import_below_the_function_that_uses_it_is_shown_with_it() -> None:
    answer = f"{as_fence(JSON)}\nAnd at the top:\n\n{IMPORT}"
    assert apply_edits(FILES, answer).files == FILES
    changed = SHOP.replace(READ, JSON)
    assert apply_edits(FILES, answer, accept="all").files[PATH] == changed.replace(
        "import os\n", "import os\nimport json\n"
    )


@FORMATS
def test_a_helper_without_a_file_holds_back_the_function_that_calls_it(written: Written) -> None:
    report = apply_edits(FILES, f"First a helper:\n\n{HELPER}\nNow `load` calls it.\n\n{written(PARSED)}")
    assert report.files == FILES
    assert "`parsed`" in report.outcomes[0].message
    assert "Line 3: this shows parsed" in report.outcomes[0].message


@FORMATS
def test_a_fence_that_is_called_a_change_holds_back_the_rest(written: Written) -> None:
    class_ = "```python\nclass Basket:\n    size = 3\n```\n"
    answer = f"{written(STRIPPED)}\nThen add this class, which nothing uses so far:\n\n{class_}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert report.outcomes[0].status in (Status.CONFLICT, Status.HELD)


@pytest.mark.parametrize("written", [as_block, as_diff])
def test_with_the_file_of_every_part_named_the_answer_is_written(written: Written) -> None:
    top = as_block("import json\nimport os\n").replace(READ, "import os\n")
    after = SHOP.replace(READ, JSON).replace("import os\n", "import json\nimport os\n")
    assert merged(f"{top}\n{written(JSON)}") == after


@FORMATS
def test_a_use_of_what_changes_holds_nothing_back(written: Written) -> None:
    use = '```python\nfrom src.shop import load\n\nprint(load("a.txt"))\n```\n'
    for words in ("After this change, call it so:", "Now you can write:", "Updated call:"):
        assert merged(f"{written(STRIPPED)}\n{words}\n\n{use}") == SHOP.replace(READ, STRIPPED)


@FORMATS
def test_code_that_is_in_the_file_holds_nothing_back(written: Written) -> None:
    again = (
        "```python\ndef load(path):\n    with open(path) as file:\n        return file.read().strip()\n```\n"
    )
    for fence in (again, "```python\nimport os\n```\n", "```\nsrc/shop.py\n```\n"):
        assert merged(f"{written(STRIPPED)}\nThe updated part:\n\n{fence}") == SHOP.replace(READ, STRIPPED)


SAVE = "```python\ndef save(path, text):\n    with open(path, 'wb') as file:\n        file.write(text)\n```\n"
SAVE_OTHERWISE = "```python\ndef save(path, text):\n    os.replace(text, path)\n```\n"


@pytest.mark.parametrize("second", [SAVE, SAVE_OTHERWISE])
@pytest.mark.parametrize("joint", ["\nand\n\n", "\n", "\nand also:\n\n"])
def test_a_fence_joined_to_one_of_a_file_is_of_that_file(second: str, joint: str) -> None:
    files = {**FILES, "src/copy.py": SHOP}
    report = apply_edits(files, f"{as_fence(STRIPPED)}{joint}{second}")
    text = report.files[PATH]
    assert text is not None
    assert text.startswith(SHOP.replace(READ, STRIPPED).partition("def save")[0])
    assert text.endswith("".join(second.splitlines(keepends=True)[1:-1]))
    assert report.files["src/copy.py"] == SHOP


@pytest.mark.parametrize(
    "second",
    [
        SAVE_OTHERWISE.replace("python", "ruby"),
        SAVE_OTHERWISE.replace("save", "kept"),
        f"A good deal of words that speak of something else.\n\n{SAVE_OTHERWISE}",
    ],
)
def test_a_fence_of_another_language_of_other_definitions_or_further_on_is_not(second: str) -> None:
    text = merged(f"{as_fence(STRIPPED)}\n{second}")
    assert text in (SHOP, SHOP.replace(READ, STRIPPED))


@pytest.mark.parametrize("written", [as_fence, lambda new: f"{as_block(new)}\n{as_block_of_total()}"])
def test_what_uses_a_name_that_nothing_binds_is_only_proposed(written: Written) -> None:
    answer = f"It needs a class `NotThere`.\n\n{written(RAISES)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    first, *others = report.outcomes
    assert first.status is Status.PROPOSED
    assert "`NotThere`, which neither src/shop.py nor the answer defines" in first.message
    assert [one.reason for one in others] == [Reason.HELD_BACK] * len(others)
    assert "NotThere" in report.feedback
    assert "raise NotThere" in (apply_edits(FILES, answer, accept="all").files[PATH] or "")


def as_block_of_total() -> str:
    old, new = "item.price for", "item.price * item.count for"
    line = f"        return sum({old} item in self.items)\n"
    return as_block("").replace(READ, line).replace("=======\n", f"=======\n{line.replace(old, new)}")


@pytest.mark.parametrize("written", [as_block, as_diff])
def test_one_block_or_diff_alone_that_uses_a_name_which_nothing_binds_is_only_proposed(
    written: Written,
) -> None:
    report = apply_edits(FILES, written(RAISES))
    assert report.files == FILES
    assert "`NotThere`" in report.proposals[0].why
    accepted = apply_edits(FILES, written(RAISES), accept="all")
    assert accepted.files[PATH] == SHOP.replace(READ, RAISES)


def test_the_call_of_a_tool_is_made_and_says_which_name_nothing_binds() -> None:
    call = '{"name": "Edit", "arguments": {"file_path": "%s", "old_string": "%s", "new_string": "%s"}}\n'
    answer = call % (PATH, "return file.read()", "raise NotThere(path)")
    answer += call % (PATH, "return os.path.exists(path)", "return os.path.isfile(path)")
    report = apply_edits(FILES, answer)
    assert report.files[PATH] != SHOP
    assert any("`NotThere`" in note for note in report.outcomes[0].notes)


def test_data_are_made_without_a_word() -> None:
    edit = Edit(path=PATH, search="return file.read()", replace="raise NotThere(path)")
    report = apply_edits(FILES, [edit])
    assert report.changes
    assert report.outcomes[0].notes == ()


@pytest.mark.parametrize(
    "head",
    [
        "from errors import *\n",
        "from errors import NotThere\n",
        "globals().update(errors)\n",
        "exec(source)\n",
        "try:\n    NotThere\nexcept NameError:\n    pass\n",
        "c.Shop.name = get_name()\n",
    ],
)
def test_a_name_that_may_come_from_elsewhere_holds_nothing_back(head: str) -> None:
    files = {PATH: f"{head}{SHOP}"}
    assert apply_edits(files, as_fence(RAISES)).files[PATH] == f"{head}{SHOP.replace(READ, RAISES)}"


def test_a_new_file_may_be_given_names_by_what_runs_it() -> None:
    answer = "Create `src/config.py`:\n\n```python\nc = get_config()\nc.name = 1\n```\n"
    assert "src/config.py" in apply_edits(FILES, answer).files


def test_each_edit_by_itself_is_made_and_says_what_is_missing() -> None:
    answer = f"The import:\n\n{IMPORT}\nThen this:\n\n{as_fence(JSON)}"
    report = apply_edits(FILES, answer, atomic="edit")
    assert report.files[PATH] == SHOP.replace(READ, JSON)
    assert any("`json`" in note for note in report.outcomes[0].notes)


def test_of_several_files_those_are_held_back_that_are_to_be_written_together() -> None:
    other = (
        "src/other.py\n```python\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n```\n"
    )
    answer = f"First a helper:\n\n{HELPER}\n{as_block(PARSED)}\n{other}"
    assert apply_edits(FILES, answer).files == FILES
    report = apply_edits(FILES, answer, atomic="file")
    assert report.files == {**FILES, "src/other.py": "def other():\n    return 2\n"}
    assert report.files[PATH] == SHOP


def test_a_place_that_a_person_chose_is_only_noted() -> None:
    answer = read_answer(f"First a helper:\n\n{HELPER}\n{as_block(PARSED)}")
    plan = plan_edits(answer.items, FILES)
    held = whole(plan, answer.items, answer.unplaced)
    kept = whole(plan, answer.items, answer.unplaced, Atomic.ALL, {0})
    assert isinstance(held, Plan)
    assert isinstance(kept, Plan)
    assert held.changes == ()
    assert kept.changes == plan.changes
    assert any("`parsed`" in note for note in kept.outcomes[0].notes)


def test_the_protocol_has_a_code_for_it() -> None:
    assert OUTCOME_CODES[Reason.INCOMPLETE] == "incomplete-answer"


SCRIPT = "export function load(path) {\n  return read(path);\n}\n\nfunction read(path) {\n  return path;\n}\n"
LOADS = "```js\nexport function load(path) {\n  return {call};\n}\n```\n"


@pytest.mark.parametrize(
    ("call", "helper"),
    [
        ("trimmed(read(path))", "function trimmed(text) {\n  return text.trim();\n}"),
        ("fs.readFileSync(path)", "import fs from 'fs';"),
        ("new Reader(path)", "class Reader {\n  text() {\n    return 1;\n  }\n}"),
        ("read(path) || FALLBACK", "const FALLBACK = 3;"),
    ],
)
def test_in_javascript_too_what_brings_the_name_has_to_have_a_place(call: str, helper: str) -> None:
    files = {"src/a.js": SCRIPT, "src/b.js": "export const b = 1;\n"}
    change = f"In `src/a.js`, change `load`:\n\n{LOADS.replace('{call}', call)}"
    answer = f"You need this as well:\n\n```js\n{helper}\n```\n\n{change}"
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, change).files["src/a.js"] == SCRIPT.replace(
        "return read(path)", f"return {call}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "function add(cart) { return cart.size; }",
        "const { cart } = shop; cart.add(1);",
        "const [cart, other] = shop; cart.add(1);",
        "for (const cart of carts) cart.add(1);",
        "const add = cart => cart.size;",
        "int cart(int size) { return cart(size - 1); }",
        "func use(cart *Cart) { x = cart.Size }",
        "try { a() } catch (cart) { throw cart.error; }",
        "class A { cart() { return this.cart(); } }",
        "other.cart()",
        "",
    ],
)
def test_a_name_that_may_be_bound_is_not_only_used(text: str) -> None:
    assert not is_only_used("cart", text)


@pytest.mark.parametrize("text", ["x = cart.size", "return cart;", "f(cart(1), 2)", "cart(1);", "if !cart {"])
def test_a_name_that_nothing_can_bind_is_only_used(text: str) -> None:
    assert is_only_used("cart", text)


@pytest.mark.parametrize(
    ("text", "unbound"),
    [
        ("import a.b\na.b.c\n", set()),
        ("def f(a, *b, c=1, **d):\n    return a, b, c, d\n", set()),
        ("def top(self):\n    return self\n", set()),
        ("def f():\n    global a\n    a = 1\n\n\ndef g():\n    return a\n", set()),
        ("class A:\n    b = 1\n\n    def f(self):\n        return b\n", {"b"}),
        ("class A:\n    def f(self):\n        return __class__, super().f()\n", set()),
        ("x: int\nprint(x, __name__, __file__)\n", set()),
        ("[a for a in range(3) if (b := a)]\nprint(b, a)\n", {"a"}),
        ("try:\n    pass\nexcept OSError as error:\n    print(error)\n", set()),
        (
            "def f():\n    x = 1\n\n    def g():\n        nonlocal x\n        return x, y\n    return g\n",
            {"y"},
        ),
        (
            "@decorated\ndef f(a: Kind = DEFAULT) -> Result:\n    pass\n",
            {"decorated", "Kind", "DEFAULT", "Result"},
        ),
        ("match = 3\nif match:\n    del match\n", set()),
    ],
)
def test_the_free_names_of_python_are_those_that_nothing_binds(text: str, unbound: set[str]) -> None:
    found = free_names(text)
    assert found is not None
    assert set(found) == unbound


@pytest.mark.parametrize(
    "name",
    [
        *("apply", "buffer", "cmp", "execfile", "file", "reload", "StandardError", "unicode", "xrange"),
        *("ExceptionGroup", "EncodingWarning", "PythonFinalizationError"),
        *("display", "dbutils", "get_ipython", "snakemake", "spark"),
    ],
)
def test_what_older_and_newer_pythons_and_notebooks_bind_is_not_free(name: str) -> None:
    assert free_names(f"def f():\n    return {name}\n") == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "import gettext\n\ngettext.install('shop')\nprint(ngettext('a', 'b', 2))\n",
        "from split_settings.tools import include\n\ninclude('base.py')\nprint(INSTALLED_APPS)\n",
        "NAME = {{ cookiecutter.name }}\n",
        "NAME = {{cookiecutter.name}}\n",
    ],
)
def test_of_what_is_given_names_in_other_ways_nothing_is_known(text: str) -> None:
    assert free_names(text) is None


def test_of_a_text_that_does_not_parse_nothing_is_known() -> None:
    assert free_names("def f(:\n") is None


LINES = st.sampled_from([STRIPPED, READ, "        return file.readlines()\n", "        return path\n"])


@given(LINES, LINES, st.sampled_from([as_fence, as_block, as_diff]), st.sampled_from(list(Atomic)))
def test_an_answer_of_which_every_part_has_its_file_is_planned_as_it_is(
    one: str, other: str, written: Written, atomic: Atomic
) -> None:
    answer = read_answer(f"{written(one)}\n{written(other)}")
    plan = plan_edits(answer.items, FILES, atomic=atomic)
    assert whole(plan, answer.items, answer.unplaced, atomic) == plan


MAKE = ".PHONY: test\n\ntest:\n\tpytest -q\n\nifdef CI\n  FLAGS = -x\nendif\n"


def test_recipes_have_tabs_although_a_page_showed_spaces() -> None:
    shown = MAKE.replace("\t", "    ").replace("pytest -q", "pytest -q $(FLAGS)")
    answer = f"The full `Makefile`:\n\n```make\n{shown}\ncov:\n    pytest --cov\n```\n"
    text = apply_edits({"Makefile": MAKE}, answer, accept="all").files["Makefile"]
    assert text == MAKE.replace("-q", "-q $(FLAGS)") + "\ncov:\n\tpytest --cov\n"


WHOLE = {
    "a.scss": (
        ".a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n\n.c {\n  color: green;\n}\n",
        ".b {\n  color: blue;\n}\n\n",
        ("red", "black"),
    ),
    "m.h": (
        "int one(void);\nint two(void);\nAPI(int) three(void);\n",
        "API(int) three(void);\n",
        ("two(void)", "two(long)"),
    ),
    "app.py": (
        "from web import app\n\nLIMIT = 3\n\napp.mount('/static')\n\n\n"
        "def f():\n    return LIMIT\n\n\ndef g():\n    return 2\n",
        "app.mount('/static')\n",
        ("return 2", "return 4"),
    ),
    "b.py": (
        "# Only for admins.\n@app.get('/admin')\ndef f():\n    return 1\n\n\n"
        "# Public.\n@app.get('/')\ndef g():\n    return 2\n",
        "# Only for admins.\n",
        ("# Public.\n", ""),
    ),
}


@pytest.mark.parametrize("path", WHOLE)
def test_a_complete_file_without_something_of_its_own_is_proposed(path: str) -> None:
    file, lost, change = WHOLE[path]
    new = file.replace(lost, "").replace(*change)
    lead = "Here is the updated" if path == "b.py" else "Here is the complete"
    report = apply_edits({path: file}, f"{lead} `{path}`:\n\n```\n{new}```\n")
    assert report.files == {path: file}
