"""What shown code likely means is proposed, as a difference; what the answer says for certain is written."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import Report, Status, apply_edits

CACHE = dedent(
    """\
    import json
    import os
    from typing import Dict, List

    LIMIT = 10


    class Cache:
        def __init__(self):
            self.items = {}

        @property
        def length(self):
            return len(self.items)

        def clear(self):
            self.items.clear()


    def load(path):
        with open(path) as file:
            return json.load(file)


    def save(path, items):
        with open(path, "w") as file:
            json.dump(items, file)
    """
)


def applied(lead: str, code: str, file: str = CACHE, path: str = "cache.py", depth: str = "") -> Report:
    """Return what an answer with one fence, whose code is indented by `depth`, does to a file."""
    return apply_edits({path: file}, f"{lead}\n\n```\n{indent(dedent(code), depth)}```\n")


def after_yes(lead: str, code: str, file: str = CACHE, path: str = "cache.py") -> str:
    """Return the file once the one proposal of an answer is accepted, which nothing is written before."""
    asked = applied(lead, code, file, path)
    assert [outcome.status for outcome in asked.outcomes] == [Status.PROPOSED], asked.outcomes[0].message
    assert asked.files[path] == file
    (proposal,) = asked.proposals
    report = apply_edits({path: file}, f"{lead}\n\n```\n{dedent(code)}```\n", accept=[proposal.id])
    assert report.files[path] == proposal.text
    return proposal.text


def test_a_method_goes_below_the_one_that_the_answer_names() -> None:
    code = """\
        @property
        def is_full(self):
            return self.length >= LIMIT
    """
    report = applied("In `cache.py`, add this method right below the `length` property:", code, depth="    ")
    assert report.outcomes[0].status is Status.APPLIED
    indented = "".join(f"    {line}\n" for line in dedent(code).splitlines())
    assert report.files["cache.py"] == CACHE.replace("len(self.items)\n", f"len(self.items)\n\n{indented}")


@pytest.mark.parametrize("name", ["size", "`size`", "`json`", "the size property"])
def test_no_place_is_known_of_a_name_that_is_not_defined(name: str) -> None:
    code = "def reset(self):\n    self.clear()\n"
    report = applied(f"In `cache.py`, add this below {name}:", code)
    assert report.files["cache.py"] == CACHE
    assert report.outcomes[0].status is Status.AMBIGUOUS


def test_a_name_that_the_file_has_twice_is_no_place() -> None:
    twice = f"{CACHE}\n\nclass Other:\n    def clear(self):\n        pass\n"
    code = "def reset(self):\n    self.items = None\n"
    assert applied("In `cache.py`, add below `clear`:", code, twice).files["cache.py"] == twice
    assert "None\n\n\nclass Other" not in twice
    named = applied("In `cache.py`, add below `Other.clear`:", code, twice, depth="    ")
    assert named.files["cache.py"] == f"{twice}\n    def reset(self):\n        self.items = None\n"


def test_at_another_depth_a_place_in_words_is_only_proposed() -> None:
    code = "def drop(self):\n    self.items = None\n"
    text = after_yes("In `cache.py`, add this below `Cache.clear`:", code)
    assert "    def drop(self):\n        self.items = None\n" in text


def test_what_is_not_to_be_added_has_no_place() -> None:
    code = "def drop(path):\n    os.remove(path)\n"
    report = applied("Do not add this in `cache.py` below `load`:", code)
    assert report.files["cache.py"] == CACHE
    assert not report.proposals


def test_no_import_goes_into_a_text_or_a_comment() -> None:
    file = f'"""Caches.\n\nimport this\n"""\n\nimport os\n{CACHE}'
    text = after_yes("Add this import to `cache.py`:", "import zlib\n", file)
    assert text.index("import zlib") > text.index('"""\n\nimport os')


def test_words_in_between_that_may_say_something_else_make_a_proposal_of_it() -> None:
    code = "def drop(path):\n    os.remove(path)\n"
    text = after_yes("In `cache.py`, add a function below where we wrote `load`:", code)
    assert text == CACHE.replace("json.load(file)\n", f"json.load(file)\n\n\n{code}")


@pytest.mark.parametrize("code", ["# ... existing code ...\n\nb = 2\n", "b = 2\n# ... existing code ...\n"])
def test_a_mark_around_new_lines_is_the_file_and_never_written(code: str) -> None:
    assert after_yes("Add this to the end of `app.conf`:", code, "a = 1\n", "app.conf") == "a = 1\nb = 2\n"


def test_lines_with_a_mark_between_them_are_not_added() -> None:
    code = "b = 2\n# ... existing code ...\nc = 3\n"
    report = applied("Add this to the end of `app.conf`:", code, "a = 1\n", "app.conf")
    assert (report.files["app.conf"], report.proposals) == ("a = 1\n", ())


def test_what_is_to_be_added_is_not_written_in_place_of_all_that_is_there() -> None:
    text = after_yes("Add this at the top of `x.md`:", "# New\n\ntext\n", "# Old\n\ntext\n", "x.md")
    assert text == "# New\n\ntext\n\n# Old\n\ntext\n"


def test_lines_that_are_there_are_not_added_again() -> None:
    report = applied("In `cache.py`, add below `LIMIT = 10`:", "import json\nimport os\n")
    assert report.files["cache.py"] == CACHE
    assert not report.proposals


def test_new_tests_go_below_the_last_test_of_a_file() -> None:
    tests = "def test_load():\n    assert load(1)\n\n\ndef test_save():\n    assert save(1)\n"
    code = "def test_clear():\n    assert clear(1)\n"
    text = after_yes("Add a test for it to `tests/test_cache.py`:", code, tests, "tests/test_cache.py")
    assert text == f"{tests}\n\n{code}"
    alone = applied("Here is `tests/test_cache.py`:", code, tests, "tests/test_cache.py")
    assert alone.outcomes[0].status is Status.AMBIGUOUS


def test_imports_go_among_those_of_the_file() -> None:
    text = after_yes("Add this import to `cache.py`:", "import logging\n")
    assert text == CACHE.replace("import os\n", "import logging\nimport os\n")


@pytest.mark.parametrize("mark", ["# ... existing imports ...\n", "\n# ... existing code ...\n"])
def test_imports_above_a_mark_go_among_those_of_the_file(mark: str) -> None:
    text = after_yes("`cache.py`:", f"import logging\nimport os\n{mark}")
    assert text == CACHE.replace("import os\n", "import logging\nimport os\n")


def test_an_import_goes_below_the_one_that_it_is_shown_with_and_no_other_begins_as_it_does() -> None:
    file = "import json\nimport sqlite3\n\nfrom app.models import Item\n\nLIMIT = 1\n"
    code = "import json\nimport sqlite3\nfrom contextlib import closing\n"
    text = after_yes("Add this import to `cache.py`:", code, file)
    assert text == file.replace("sqlite3\n", "sqlite3\nfrom contextlib import closing\n")
    alone = after_yes("Add this import to `cache.py`:", "from contextlib import closing\n", file)
    assert alone == file.replace("Item\n", "Item\nfrom contextlib import closing\n")


def test_imports_are_never_all_of_a_small_file_that_has_more() -> None:
    text = after_yes("Update `m.py`:", "import os\nimport re\n", "import os\nLIMIT = 1\n", "m.py")
    assert text == "import os\nimport re\nLIMIT = 1\n"


@pytest.mark.parametrize(
    ("file", "code"),
    [("A = 1\nB = 2\n", "A = 1\nC = 3\n"), ("import os\nimport re\nA = 1\n", "import re\nimport os\n")],
)
def test_half_of_a_small_file_is_not_taken_for_all_of_it(file: str, code: str) -> None:
    report = applied("Update `m.py`:", code, file, "m.py")
    assert report.files["m.py"] == file


def test_an_import_with_more_names_is_only_proposed() -> None:
    report = applied("In `cache.py` change the import to", "from typing import Any, Dict, List\n")
    assert report.files == {"cache.py": CACHE}
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]


def test_an_import_above_a_function_in_one_fence_goes_to_the_imports() -> None:
    code = """\
        import tempfile

        def load(path):
            with open(path or tempfile.mktemp()) as file:
                return json.load(file)
    """
    text = applied("In `cache.py`:", code).files["cache.py"]
    changed = CACHE.replace("import os\n", "import os\nimport tempfile\n")
    assert text == changed.replace("open(path) as", "open(path or tempfile.mktemp()) as")


def test_a_comment_that_may_be_a_mark_is_read_as_one() -> None:
    code = """\
        class Cache:
            # ... alles andere bleibt so ...

            def clear(self):
                self.items = {}
    """
    text = after_yes("In `cache.py`:", code)
    assert text == CACHE.replace("self.items.clear()", "self.items = {}")


APART = """\
    def load(path):
        return json.loads(path)


    def save(path, items):
        return json.dumps(items)
"""
CHECKED = CACHE.replace("def save", "def check(path):\n    return os.stat(path)\n\n\ndef save")


@pytest.mark.parametrize(
    "lead", ["Updated functions in `cache.py`:", "Change `load` and `save` in `cache.py`:"]
)
def test_functions_that_are_not_neighbours_leave_what_is_between_them(lead: str) -> None:
    text = applied(lead, APART, CHECKED).files["cache.py"]
    assert text is not None
    assert "def check(path):\n    return os.stat(path)\n" in text
    assert "json.loads(path)" in text
    assert "json.dumps(items)" in text


@pytest.mark.parametrize(
    ("lead", "code", "file"),
    [
        ("Replace `load`, `check` and `save` in `cache.py` with:", APART, CHECKED),
        ("Updated functions in `cache.py`:", APART, CHECKED[CHECKED.index("def load") :]),
        ("Updated functions in `cache.py`:", APART + "\n\n    load(1)\n", CHECKED),
    ],
)
def test_where_that_may_be_meant_to_go_it_stays_with_a_yes_alone(lead: str, code: str, file: str) -> None:
    report = applied(lead, code, file)
    assert report.files == {"cache.py": file}


def test_what_is_new_between_them_goes_below_the_one_above_it() -> None:
    code = """\
        def load(path):
            return json.loads(path)


        def size(path):
            return len(load(path))


        def save(path, items):
            return json.dumps(items)
    """
    file = CACHE.replace("def save", "def check(path):\n    return os.stat(path)\n\n\ndef save")
    text = after_yes("Updated functions in `cache.py`:", code, file)
    names = [line[4:].partition("(")[0] for line in text.splitlines() if line.startswith("def ")]
    assert names == ["load", "size", "check", "save"]
    assert "def check(path):\n    return os.stat(path)\n" in text


def test_a_statement_between_them_is_not_added_next_to_its_former_version() -> None:
    code = """\
        def load(path):
            return json.loads(path)


        DEPTH = 4


        def save(path, items):
            return json.dumps(items)
    """
    between = "def check(path):\n    return os.stat(path)\n\n\nDEPTH = 3\n\n\ndef save"
    file = CACHE.replace("def save", between)
    asked = applied("Updated functions in `cache.py`:", code, file)
    assert not asked.proposals
    assert asked.files["cache.py"] == file


def test_of_several_readings_the_one_that_removes_no_word_is_proposed() -> None:
    file = dedent(
        """\
        function lookup(name) {
          var roots = [];
          debug('lookup "%s"', name);
          for (;;) { next(); }
        }
        """
    )
    code = """\
        function lookup(name) {
          var roots = [];
          debug('lookup "%s" in %d', name, roots.length);
          // ... existing code ...
        }
    """
    text = after_yes("In `view.js`:", code, file, "view.js")
    assert text == file.replace('"%s"\', name', '"%s" in %d\', name, roots.length')


NAMES = st.sampled_from(["a", "b", "c", "os", "json", "sys"])


@given(
    st.lists(NAMES, unique=True, min_size=1),
    st.lists(NAMES, unique=True, min_size=1),
    st.sampled_from(["", "X = 1\n", "\n\ndef f():\n    pass\n"]),
)
def test_imports_are_a_set_and_no_line_is_lost(own: list[str], new: list[str], rest: str) -> None:
    file = "".join(f"import {name}\n" for name in own) + rest
    code = "".join(f"import {name}\n" for name in new)
    report = apply_edits({"m.py": file}, f"In `m.py`:\n\n```python\n{code}```\n", accept="all")
    lines = report.files["m.py"]
    assert lines is not None
    kept = [line for line in lines.splitlines() if line not in code.splitlines()]
    assert kept == [line for line in file.splitlines() if line not in code.splitlines()]
    assert all(lines.splitlines().count(f"import {name}") == 1 for name in {*own, *new}) or lines == file


def test_what_is_called_the_whole_file_is_proposed_where_only_lines_would_go() -> None:
    function = "export function next() {\n  return ++count\n}\n"
    file = f"let count = 0\n\n/**\n * Unique.\n */\n{function}\nlet a = 1\nlet b = 2\nlet c = 3\n"
    code = f"let count = 0\n\n/**\n * Unique.\n */\n{function}".replace("++count", "String(++count)")
    lead = "Replace the entire contents of `id.js` with:"
    assert after_yes(lead, code, file, "id.js") == code
    less = f"{file}\nexport function last() {{\n  return count\n}}\n"
    report = applied(lead, code, less, "id.js")
    assert report.files["id.js"] == less
    assert not report.proposals


def test_a_proposal_is_of_the_file_that_the_other_edits_make() -> None:
    answer = (
        "In `cache.py`:\n\n```python\nLIMIT = 10\n```\n\n"
        "Add a function to `cache.py` below where we wrote `load`:\n\n"
        "```python\ndef drop(path):\n    os.remove(path)\n```\n\n"
        "<<<<<<< SEARCH\nLIMIT = 10\n=======\nLIMIT = 20\n>>>>>>> REPLACE\n"
    )
    report = apply_edits({"cache.py": CACHE}, answer, atomic="edit")
    for proposal in report.proposals:
        assert "LIMIT = 20" in proposal.text or report.files["cache.py"] == CACHE


def test_marks_across_definitions_are_a_proposal_by_the_lines_around_them() -> None:
    code = """\
        class Cache:
            def __init__(self):
                self.items = {}
            # ... existing code ...
                return len(self.items) or None

            def clear(self):
            # ... existing code ...
            with open(path, "wb") as file:
                json.dump(items, file)
    """
    wanted = CACHE.replace("len(self.items)", "len(self.items) or None").replace('"w"', '"wb"')
    assert after_yes("In `cache.py`:", code) == wanted


def test_lines_that_are_twice_in_a_file_say_nothing_of_their_place() -> None:
    file = "".join(
        f"def {name}(path):\n    check(path)\n    read(path)\n    return path\n\n\n"
        for name in ("one", "two")
    )
    code = "# ... existing code ...\ncheck(path)\nread(path, 2)\nreturn path\n# ... existing code ...\n"
    report = apply_edits({"a.py": file}, f"In `a.py`:\n\n```\n{indent(code, '    ')}```\n")
    assert report.files["a.py"] == file
    assert not report.proposals


JOBS = "jobs:\n  test:\n    runs-on: ubuntu\n    steps:\n      - run: make test\n"
JOB = "lint:\n  runs-on: ubuntu\n  steps:\n    - run: make lint\n"


def test_a_new_job_goes_below_the_one_with_such_members() -> None:
    after = after_yes("Add a lint job to `ci.yml`:", JOB, JOBS, "ci.yml")
    assert after == JOBS + indent(JOB, "  ")


@pytest.mark.parametrize("lead", ["`README.md`", "### 2. README.md", "Add a section to the README.md:"])
def test_a_new_section_of_a_document_goes_below_the_last(lead: str) -> None:
    page, section = "# Shop\n\nA shop.\n\n## Use\n\nRun it.\n", "## Tests\n\nRun `pytest`.\n"
    assert after_yes(lead, section, page, "README.md") == f"{page}\n{section}"


SHOPS = """\
class Cart:
    def total(self):
        return 1


class Order:
    def total(self):
        return 2
"""


@pytest.mark.parametrize(
    "lead",
    [
        "Change the order's total in `shops.py`:",
        "In `shops.py`, change `total` of the order:",
        "Ändere in `shops.py` `total` der Klasse Order:",
    ],
)
def test_of_two_of_one_name_words_mean_the_one_that_is_in_what_they_name(lead: str) -> None:
    code = "def total(self):\n    return 3\n"
    report = applied(lead, code, SHOPS, "shops.py", depth="    ")
    (proposal,) = report.proposals
    assert proposal.text == SHOPS.replace("return 2", "return 3")


@pytest.mark.parametrize(
    "lead",
    [
        "Change the total in `shops.py`:",
        "In `shops.py`, change the total of the order, or of the cart:",
        "Change the total in `shops.py`, but not the order's:",
    ],
)
def test_words_for_both_or_for_none_tell_nothing(lead: str) -> None:
    code = "def total(self):\n    return 3\n"
    assert not applied(lead, code, SHOPS, "shops.py", depth="    ").proposals


def test_an_element_that_is_shown_with_its_only_child_is_that_element() -> None:
    file = (
        "export function Page({ children }) {\n  return (\n    <html>\n      <body className={font.name}>\n"
        "        <Provider>{children}</Provider>\n      </body>\n    </html>\n  );\n}\n"
    )
    code = "<body className={font.name} quiet>\n  <Provider>{children}</Provider>\n</body>\n"
    text = after_yes("In `page.tsx`, set it on the one element that needs it:", code, file, "page.tsx")
    assert text == file.replace("font.name}>", "font.name} quiet>")


def test_a_shorter_function_is_shown_where_the_words_call_it_new() -> None:
    head = "func (c *cache) Get(k string) (any, bool) {\n\tc.mu.RLock()\n"
    old = f"{head}\titem, found := c.items[k]\n\tif !found {{\n"
    old += "\t\tc.mu.RUnlock()\n\t\treturn nil, false\n\t}\n"
    old += "\tif item.Expiration > 0 {\n\t\tif now() > item.Expiration {\n\t\t\tc.mu.RUnlock()\n"
    old += "\t\t\treturn nil, false\n\t\t}\n\t}\n\tc.mu.RUnlock()\n\treturn item.Object, true\n}\n"
    new = f"{head}\tdefer c.mu.RUnlock()\n\treturn c.get(k)\n}}\n"
    file = f"package cache\n\n{old}\nfunc (c *cache) get(k string) (any, bool) {{\n\treturn nil, false\n}}\n"
    text = after_yes("Here's the simplified `Get` in `cache.go`:", new, file, "cache.go")
    assert text == file.replace(old, new)


@pytest.mark.parametrize(
    ("lead", "old", "new"),
    [
        ("Updated functions in `cache.py`:", "path)", "path)  # <- the bug is here"),
        ("Remove both functions from `cache.py`:", "loads", "load"),
        ("Replace all of `cache.py` with:", "loads", "load"),
        ("Move these functions from `cache.py` to `store.py`:", "loads", "load"),
    ],
)
def test_what_is_in_doubt_of_each_is_in_doubt_of_several(lead: str, old: str, new: str) -> None:
    report = applied(lead, APART.replace(old, new), CHECKED)
    assert report.files == {"cache.py": CHECKED}


def test_members_that_one_of_several_leaves_out_are_not_lost() -> None:
    file = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n\nfunction c() {\n"
    file += "  return {\n    one: 1,\n    two: 2,\n    three: 3,\n    four: 4,\n  };\n}\n"
    file += "\nfunction d() {\n  return 4;\n}\n"
    code = "function a() {\n  return 10;\n}\n\n"
    code += "function c() {\n  return {\n    one: 10,\n    four: 4,\n  };\n}\n"
    report = applied("Updated functions in `x.js`:", code, file, "x.js")
    assert report.files == {"x.js": file}
