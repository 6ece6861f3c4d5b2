"""Code that names no file: where one piece of an answer may belong to the file of another, none is merged."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

SHOP = """\
class Cart:
    def total(self):
        total = 0
        for item in self.items:
            total += item.price
        return total

    def name(self):
        return self.label
"""
TOTAL = """\
```python
def total(self):
    total = 0
    for item in self.items:
        total += item.price * item.count
    return total
```
"""
NAME = "```python\ndef name(self):\n    return self.title\n```\n"
FILES = {"src/shop.py": SHOP}


def test_a_piece_that_may_belong_to_the_file_of_another_holds_that_one_back() -> None:
    files = {**FILES, "src/other.py": "x = 1\n"}
    answer = f"Here is the change.\n\n{TOTAL}\n{NAME}"
    assert apply_edits(files, answer).files == files
    after = apply_edits(files, answer, accept="all").files["src/shop.py"]
    assert after == SHOP.replace("item.price\n", "item.price * item.count\n").replace("label", "title")


def test_both_are_merged_where_there_is_but_one_file() -> None:
    merged = apply_edits(FILES, f"Here is the change.\n\n{TOTAL}\n{NAME}").files["src/shop.py"]
    assert merged is not None
    assert "item.price * item.count" in merged
    assert "return self.title" in merged


def test_both_are_merged_where_the_file_is_named() -> None:
    merged = apply_edits(FILES, f"### src/shop.py\n\n{TOTAL}\n### src/shop.py\n\n{NAME}").files["src/shop.py"]
    assert merged is not None
    assert "item.price * item.count" in merged
    assert "return self.title" in merged


def test_an_example_of_its_use_holds_nothing_back() -> None:
    use = "```python\ncart = Cart()\nprint(cart.total())\n```\n"
    merged = apply_edits(FILES, f"Here is the change.\n\n{TOTAL}\nTry it:\n\n{use}").files["src/shop.py"]
    assert merged is not None
    assert "item.price * item.count" in merged


CURRENT = "Here is the current code of `src/shop.py`:\n\n"


def test_code_that_is_called_as_it_is_and_is_not_holds_the_change_back() -> None:
    report = apply_edits(FILES, f"{CURRENT}{NAME}\n### src/shop.py\n\n{TOTAL}")
    assert report.files == FILES
    assert (
        "this shows name: it is described as existing code, but its file has other lines" in report.feedback
    )


def test_code_that_is_called_as_it_is_and_is_so_holds_nothing_back() -> None:
    own = NAME.replace("self.title", "self.label  # <-- the name that is printed")
    report = apply_edits(FILES, f"{CURRENT}{own}\n### src/shop.py\n\n{TOTAL}")
    assert report.files["src/shop.py"] == SHOP.replace("item.price\n", "item.price * item.count\n")


def test_an_earlier_version_of_what_changes_holds_nothing_back() -> None:
    before = TOTAL.replace("total +=", "total =")
    report = apply_edits(FILES, f"{CURRENT}{before}\n### src/shop.py\n\n{TOTAL}")
    assert report.files["src/shop.py"] == SHOP.replace("item.price\n", "item.price * item.count\n")


def test_code_alone_that_is_called_as_it_is_changes_nothing() -> None:
    assert apply_edits(FILES, f"{CURRENT}{NAME}").files == FILES


ROUTES = "app.use(cors());\napp.use(json());\napp.use(routes);\nmain();\n"
LINES = "app.use(json());\napp.use(limit());\napp.use(routes);\n"


def with_lines(lines: str, lead: str = "Register it next to the others:") -> str:
    return (
        "### New file: `lib/limit.js`\n\n```js\nmodule.exports = () => {\n  return null;\n};\n```\n\n"
        f"### `lib/app.js`\n\n{lead}\n\n```js\n{lines}```\n\n"
        '### `package.json`\n\n```diff\n {\n-  "version": 1\n+  "version": 2\n }\n```\n'
    )


def test_lines_between_two_neighbours_of_the_file_are_a_part_that_others_wait_for() -> None:
    files = {"lib/app.js": ROUTES, "package.json": '{\n  "version": 1\n}\n'}
    report = apply_edits(files, with_lines(LINES))
    assert report.files == files
    made = apply_edits(files, with_lines(LINES), accept="all").files
    assert made["lib/app.js"] == ROUTES.replace("json());\n", "json());\napp.use(limit());\n")
    assert made["package.json"] == '{\n  "version": 2\n}\n'


@pytest.mark.parametrize(
    ("lines", "lead"),
    [
        ("app.use(cors());\napp.use(limit());\napp.use(routes);\n", "Register it next to the others:"),
        ("app.use(json());\napp.use(cors());\napp.use(routes);\n", "Register it next to the others:"),
        ("app.use(json());\napp.use(routes);\n", "Register it next to the others:"),
        (LINES, "For example:"),
    ],
)
def test_other_lines_below_the_name_of_a_file_are_none(lines: str, lead: str) -> None:
    files = {"lib/app.js": ROUTES, "package.json": '{\n  "version": 1\n}\n'}
    made = apply_edits(files, with_lines(lines, lead), accept="all").files
    assert made["lib/app.js"] == ROUTES


def test_code_for_a_named_file_that_has_no_place_keeps_a_diff_from_being_written() -> None:
    files = {"a.js": "const x = {\n  one () {},\n}\n", "b.js": "d(a)\n  .method('back')\n  .method('go')\n"}
    answer = (
        "### 1\n\n`a.js`:\n\n```diff\n-  one () {},\n+  one () {},\n+  two () {},\n```\n\n"
        "### 2\n\nIn `b.js`, somewhere in the delegation:\n\n```js\n  .method('two')\n```\n"
    )
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, atomic="edit").files != files


BOX = "<?php\n\nclass Box\n{\n    public function keys()\n    {\n        return 1;\n    }\n}\n"
METHOD = "\n    public function has($id)\n    {\n        return $id;\n    }\n"
USE = "```php\nif (!$box->has('a')) {\n    $box['a'] = 1;\n}\n```\n"


@pytest.mark.parametrize("words", ["Damit kannst du es prüfen:", "Verwendung:", "Tu peux ensuite vérifier :"])
def test_what_only_calls_what_an_edit_of_its_file_defines_holds_nothing_back(words: str) -> None:
    answer = f"`Box.php`:\n\n```php\nclass Box\n{{\n    // ...\n{METHOD}}}\n```\n\n{words}\n\n{USE}"
    after = apply_edits({"Box.php": BOX}, answer, accept="all").files["Box.php"]
    assert after == BOX.replace("return 1;\n    }\n", f"return 1;\n    }}\n{METHOD}")


TOOL = "#!/usr/bin/env bash\nfor each in \"$@\"; do\n  run\ndone\necho 'no version'\n"
LOOP = """```bash
while [[ $# -gt 0 ]]
do
    case "$1" in
        -q|--quiet)
            QUIET=1
            shift
            ;;
        *)
            break
            ;;
    esac
done
```
"""


def test_code_below_the_path_of_a_script_without_a_suffix_holds_the_rest_back() -> None:
    old, new = "echo 'no version'", "[ -n \"$QUIET\" ] || echo 'no version'"
    pair = f"```bash\n{old}\n```\n\npor\n\n```bash\n{new}\n```\n"
    words = "No final do arquivo, só mostre a mensagem quando `QUIET` não estiver definido. Substitua"
    answer = f"Altere o laço de opções em `bin/tool`:\n\n{LOOP}\n{words}\n\n{pair}"
    files = {"bin/tool": TOOL, "b.py": "x = 1\n"}
    assert apply_edits(files, answer, accept="all").files == files


def test_of_one_file_too_the_rest_waits_for_the_code_that_is_left() -> None:
    pair = "```bash\necho 'no version'\n```\n\npor\n\n```bash\necho none\n```\n"
    answer = f"Altere o laço de opções em `bin/tool`:\n\n{LOOP}\nSó mostre isso. Substitua\n\n{pair}"
    report = apply_edits({"bin/tool": TOOL}, answer)
    assert report.files == {"bin/tool": TOOL}
    assert "Line 3: " in report.feedback


TWO = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
A, B = ("```python\n" + TWO[at : at + 22].replace(*new) + "```\n" for at, new in ((0, "15"), (24, "26")))


@pytest.mark.parametrize(
    "words",
    [
        "There's also a bug in `b`:",
        "The problem in `b` is what it returns:",
        "`b` currently returns too little:",
    ],
)
def test_code_that_a_sentence_tells_of_and_the_file_has_not_holds_the_rest_back(words: str) -> None:
    files = {"m.py": TWO, "n.py": "n = 1\n"}
    assert apply_edits(files, f"In `m.py` change `a()` to:\n\n{A}\n{words}\n\n{B}").files == files


def test_the_code_as_it_is_below_such_a_sentence_holds_nothing_back() -> None:
    is_now = "```python\ndef b():\n    return 2\n```\n"
    answer = f"In `m.py` change `a()` to:\n\n{A}\nThere's also a bug in `b`:\n\n{is_now}"
    assert apply_edits({"m.py": TWO}, answer).files == {"m.py": TWO.replace("1", "5")}


def test_two_pieces_below_one_sentence_are_both_shown_where_there_is_one_file() -> None:
    answer = f"Here are the changes for `m.py`. First a:\n\n{A}\nAnd b:\n\n{B}"
    assert apply_edits({"m.py": TWO}, answer).files == {"m.py": TWO}
    after = apply_edits({"m.py": TWO}, answer, accept="all").files["m.py"]
    assert after == TWO.replace("1", "5").replace("2", "6")


LOAD = "def load(path):\n    return open(path).read()\n\n\ndef main():\n    print(load('x'))\n"


@pytest.mark.parametrize(
    "code", ["importlib.reload(settings)", "rows = json.load(stream)", "READER = Reader(load('x'))"]
)
def test_code_that_a_sentence_with_its_path_is_about_is_no_use_of_what_changes(code: str) -> None:
    files = {"a.py": LOAD, "m.py": "import a\n"}
    change = "```python\ndef load(path):\n    return open(path, 'rb').read()\n```\n"
    words = "Put this at the module level of `a.py`:"
    answer = f"Update `a.py`:\n\n{change}\n{words}\n\n```python\n{code}\nstart(1)\n```\n"
    assert apply_edits(files, answer).files == files


def test_a_rename_in_a_part_of_a_file_is_waited_for() -> None:
    files = {"a.py": LOAD, "m.py": "import a\n"}
    code = "```python\ndef main():\n    print(load('y'))\n```\n"
    answer = f"Update `a.py`:\n\n{code}\nRename `path` to `p` in `load` in `a.py`.\n"
    assert apply_edits(files, answer).files == files


KEYS = "    public function keys()\n    {\n        return 1;\n    }\n"
CLASS = f"<?php\nclass Container implements \\A\n{{\n{KEYS}}}\n"


@pytest.mark.parametrize(
    "others", [{}, {"lib/Container.php": "<?php\nclass Container\n{\n    public $a = 1;\n}\n"}]
)
def test_the_line_of_a_class_that_no_path_names_waits_with_the_edit_of_its_file(
    others: dict[str, str],
) -> None:
    files = {"src/Container.php": CLASS, "a.py": "a = 1\n", **others}
    method = "    public function count()\n    {\n        return 2;\n    }\n"
    steps = "First let the class implement `\\B`:\n\n```php\nclass Container implements \\A, \\B\n```\n\n"
    steps += f"Then add this method to `src/Container.php`, right after `keys()`:\n\n```php\n{method}```\n"
    assert apply_edits(files, steps).files == files
    changed = CLASS.replace("\\A\n", "\\A, \\B\n").replace("1;\n    }\n", f"1;\n    }}\n\n{method}")
    assert apply_edits(files, steps, accept="all").files == {**files, "src/Container.php": changed}
