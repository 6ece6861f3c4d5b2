"""What only a sentence asks for waits for a yes, and is not there at all where words speak against it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

FILES = {"app.py": "LIMIT = 5\ntimeout = 10\n"}
MADE = {"app.py": FILES["app.py"].replace("5", "30")}
ASKED = ["Change `LIMIT` from `5` to `30` in `app.py`.", "Replace `LIMIT = 5` with `LIMIT = 30` in `app.py`."]
every_form = pytest.mark.parametrize("asked", ASKED)


@every_form
@pytest.mark.parametrize(
    "answer",
    [
        "{}", "The limit is too low. {}", "The server gives up too early.\n\n{}", "- {}", "1. {}",
        "**Fix:** {}",
        "### `app.py`\n\n{}", "In `app.py`:\n\n- {}", "Make it larger:\n\n{}", "{} Nothing else is needed.",
        "{} Then run this:\n\n```bash\npytest\n```",
    ],
)  # fmt: skip
def test_what_only_a_sentence_asks_for_is_made_on_one_yes(asked: str, answer: str) -> None:
    assert apply_edits(FILES, answer.format(asked) + "\n").files == FILES
    assert apply_edits(FILES, answer.format(asked) + "\n", accept="all").files == MADE


@every_form
@pytest.mark.parametrize(
    "answer",
    [
        # taken back, or asked, below it
        "{}\n\nWait, that's wrong.", "{}\n\nScratch that, it breaks `load`.", "{}\n\nNever mind.",
        "{}\n\nShall I go ahead?", "{}\n\nNein, das ist falsch.", "{}\n\n等等,这是错的。",
        "{}\n\nNo apliques esto.",
        "{}\n\nFinalement, gardez votre version.", "{}\n\nЗабудьте об этом.",
        # forbidden above it, or of something else
        "Things you must not do:\n\n{}", "## What not to do\n\n{}", "Wende das bitte nicht an:\n\n{}",
        "不要这样做:\n\n{}", "Lo que no hay que hacer:\n\n- {}", "Чего делать не надо:\n\n- {}",
        "The linter prints\n\n{}\n\nfor no reason.", "Changelog:\n\n- {}\n- Fix a leak.",
        "Suggested commit message:\n\n    {}\n\nNo code is needed.",
        # corrected
        "{} Better still: set it to `60`.", "{}\n\nHmm, 30 may be too much; use `20`.",
        # signs
        "❌ {}\n\n✅ Fix the caller.", "<!-- {} -->", "- [ ] {} (next sprint)", "~~{}~~",
    ],
)  # fmt: skip
def test_next_to_words_that_may_speak_against_it_nothing_is_made(asked: str, answer: str) -> None:
    assert apply_edits(FILES, answer.format(asked) + "\n").files == FILES


@pytest.mark.parametrize(
    "answer",
    [
        "Change `LIMIT = 5` to `LIMIT = 30` in the tests of `app.py`.",
        "Change `LIMIT = 5` to `LIMIT = 30` in the file that imports `app.py`.",
        "Change `LIMIT` from `5` to `30` in `app.py` (not recommended).",
        "Substitua `LIMIT = 5` por `LIMIT = 30` em `app.py` depois.",
        "Замените `LIMIT = 5` на `LIMIT = 30` в `app.py` потом.",
        "Ersetze `LIMIT = 5` durch `LIMIT = 30` in `app.py` nur zum Testen.",
        "Change `LIMIT = 5` to `LIMIT = ...` in `app.py`.",
        "Change `LIMIT = 5` to `LIMIT = 30` in `app.py`.\nChange `LIMIT = 5` to `LIMIT = 20` in `app.py`.",
    ],
)
def test_a_sentence_that_says_more_itself_is_proposed_at_most(answer: str) -> None:
    assert apply_edits(FILES, f"{answer}\n").files == FILES


def test_a_file_that_needs_no_change_is_not_the_one_that_changes() -> None:
    files = {"src/app.py": "RATE = 2\n", "src/other.py": "RATE = 2\n"}
    answer = "`src/app.py` needs no change.\n\nChange `RATE` from `2` to `3`.\n"
    assert apply_edits(files, answer).files == files


CODE = "def total(xs):\n    return sum(xs)\n"


@pytest.mark.parametrize("below", ["The tests pass with that.", ""])
def test_next_to_code_a_sentence_about_something_else_holds_nothing_back(below: str) -> None:
    files = {**FILES, "cart.py": CODE}
    new = CODE.replace("sum(xs)", "round(sum(xs), 2)")
    answer = (
        f"Update `cart.py`:\n\n```python\n{new}```\n\nAlso change `LIMIT` from `5` to `30` in `app.py`.\n\n"
    )
    assert apply_edits(files, f"{answer}{below}\n").files == files
    after = apply_edits(files, f"{answer}{below}\n", accept="all").files
    assert after == {**MADE, "cart.py": new}


@pytest.mark.parametrize(
    "text",
    [
        "x = foo(timeout=30)\n# was timeout=5\n",
        "timeout = 30  # was timeout=5\n",
        'HELP = "use timeout=5"\nx = foo(timeout=6)\n',
        '"""Set timeout=5 for tests."""\n',
    ],
)
def test_what_a_comment_or_a_text_only_speaks_of_is_not_changed_unasked(text: str) -> None:
    for asked in ("change `timeout=5` to `timeout=30`", "change `timeout` from `5` to `30`"):
        assert apply_edits({"app.py": text}, f"In `app.py`, {asked}.\n").files == {"app.py": text}


def test_what_a_name_is_replaced_by_that_has_it_inside_is_its_value() -> None:
    files = {"a.py": "import os\nTIMEOUT = 5\n"}
    answer = "Replace `TIMEOUT` with `os.environ['TIMEOUT']` in `a.py`.\n"
    assert apply_edits(files, answer).files == files
    accepted = apply_edits(files, answer, accept="all").files
    assert accepted == {"a.py": "import os\nTIMEOUT = os.environ['TIMEOUT']\n"}


ABOUT = """import json
import sys


@cache
def load(path):
    data = json.load(path)
    return data


def save(path, data):
    return path.write(data)
"""


@pytest.mark.parametrize(
    "answer",
    [
        "Remove the decorator of `load` in `a.py`.",
        "Remove the body of `load` in `a.py`.",
        "Remove everything but `load` from `a.py`.",
        "Remove the line below `import json` in `a.py`.",
        "Entferne den Dekorator von `load` aus `a.py`.",
        "Supprimez le décorateur de `load` dans `a.py`.",
        "删除 `a.py` 中 `load` 的装饰器。",
    ],
)
def test_what_only_says_where_something_is_stays_as_it_is(answer: str) -> None:
    assert apply_edits({"a.py": ABOUT}, answer, accept="all").files == {"a.py": ABOUT}


def test_a_name_in_a_function_is_renamed_there_alone() -> None:
    answer = "Rename `data` to `content` in `load` in `a.py`."
    assert apply_edits({"a.py": ABOUT}, answer).files == {"a.py": ABOUT}
    after = apply_edits({"a.py": ABOUT}, answer, accept="all").files["a.py"]
    assert after == ABOUT.replace("data", "content", 2)


@pytest.mark.parametrize("thing", ["import of `sys`", "unused import `sys`"])
def test_what_the_thing_itself_is_called_is_removed(thing: str) -> None:
    answer = f"Remove the {thing} from `a.py`."
    after = apply_edits({"a.py": ABOUT}, answer, accept="all").files["a.py"]
    assert after == ABOUT.replace("import sys\n", "")


@pytest.mark.parametrize("answer", ["Increase `LIMIT` by `9` in `a.py`.", "Erhöhe `LIMIT` um `9` in `a.py`."])
def test_an_amount_is_no_new_value(answer: str) -> None:
    assert apply_edits({"a.py": "LIMIT = 5\n"}, answer, accept="all").files == {"a.py": "LIMIT = 5\n"}


def test_an_item_that_is_struck_through_is_not_asked_for() -> None:
    files = {"a.py": "LIMIT = 5\nRATE = 2\n"}
    answer = "In `a.py`:\n\n1. ~~Change `LIMIT` from `5` to `30`.~~\n2. Change `RATE` from `2` to `3`.\n"
    assert apply_edits(files, answer, accept="all").files == {"a.py": "LIMIT = 5\nRATE = 3\n"}


def test_where_the_name_has_another_value_no_comment_gets_the_new_one() -> None:
    files = {"a.py": "# LIMIT = 5 was too low\nLIMIT = 7\n"}
    answer = "Change `LIMIT` from `5` to `30` in `a.py`."
    assert apply_edits(files, answer, accept="all").files == files


AN_EDIT = "a.py\n```python\n<<<<<<< SEARCH\nimport sys\n=======\n>>>>>>> REPLACE\n```\n\n"


@pytest.mark.parametrize(
    "words",
    [
        "Then delete `lib/b.py`; nothing else of `lib/x` imports it.",
        "### Delete `lib/b.py`\n\nIt is empty now.",
        "## 2. Remove the file `lib/b.py`",
    ],
)
def test_a_file_that_goes_is_shown_next_to_what_is_written(words: str) -> None:
    files = {"a.py": ABOUT, "lib/b.py": "b = 1\n"}
    assert apply_edits(files, AN_EDIT + words).files == files
    after = apply_edits(files, AN_EDIT + words, accept="all").files
    assert after == {"a.py": ABOUT.replace("import sys\n", ""), "lib/b.py": None}


@pytest.mark.parametrize("words", ["### Deleted `lib/b.py` before", "### Remove `b` from `lib/b.py`"])
def test_another_heading_removes_no_file(words: str) -> None:
    files = {"a.py": ABOUT, "lib/b.py": "b = 1\n"}
    assert apply_edits(files, AN_EDIT + words, accept="all").files["lib/b.py"] is not None


def test_what_a_rename_says_in_brackets_only_says_where_the_name_is() -> None:
    answer = "In `a.py`, rename `data` to `content` (in `load` and in `save`)."
    after = apply_edits({"a.py": ABOUT}, answer, accept="all").files["a.py"]
    assert after == ABOUT.replace("data", "content")


def test_in_chinese_the_verb_may_be_between_the_two_fences() -> None:
    old, new = (f"```python\nimport {name}\n```" for name in ("json", "orjson as json"))
    answer = f"`load` 太慢。在 `a.py` 中,将\n\n{old}\n\n替换为\n\n{new}\n"
    after = apply_edits({"a.py": ABOUT}, answer, accept="all").files["a.py"]
    assert after == ABOUT.replace("import json", "import orjson as json")


@pytest.mark.parametrize(
    "words",
    [
        "- Remove the line `sudo: false`, it has had no effect since 2018.",
        "- Entferne die Zeile `sudo: false`, sie hat keine Wirkung mehr.",
        "- Supprimez la ligne `sudo: false`, elle n'a plus d'effet.",
    ],
)
def test_why_it_goes_does_not_hold_back_what_goes(words: str) -> None:
    files = {"c.yml": "sudo: false\nos: a\n"}
    after = apply_edits(files, f"In `c.yml`:\n\n{words}\n- Change `os: a` to `os: b`.\n", accept="all").files
    assert after == {"c.yml": "os: b\n"}


@pytest.mark.parametrize(
    "words",
    [
        "- If you remove the line `sudo: false`, it breaks.",
        "- Don't remove the line `sudo: false`, it works.",
    ],
)
def test_what_is_said_against_it_does(words: str) -> None:
    files = {"c.yml": "sudo: false\nos: a\n"}
    assert "sudo: false" in str(apply_edits(files, f"In `c.yml`:\n\n{words}\n", accept="all").files["c.yml"])


def test_what_is_removed_next_to_code_is_in_its_file_where_none_is_named() -> None:
    code = "@cache\ndef load(path):\n    return json.load(path)\n"
    answer = f"Delete `save`, it is unused.\n\n`a.py`:\n\n```python\n{code}```\n"
    assert apply_edits({"a.py": ABOUT}, answer).files == {"a.py": ABOUT}
    after = apply_edits({"a.py": ABOUT}, answer, accept="all").files["a.py"]
    assert after == f"import json\nimport sys\n\n\n{code}"
