"""Marks of what is left out of a search text, and of a replacement."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

FILE = """class Shop:
    def total(self, orders):
        result = 0
        for order in orders:
            result += order.amount
        return result

    def close(self):
        return True
"""
NEW = "        return sum(order.amount for order in orders)\n"


def answer(search: str, replacement: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


@pytest.mark.parametrize("mark", ["...", "# ...", "# ... existing code ..."])
@pytest.mark.parametrize("indent", ["        ", "    "])
def test_lines_that_only_the_search_text_leaves_out_go_on_one_yes(mark: str, indent: str) -> None:
    search = f"{indent}result = 0\n{indent}{mark}\n{indent}return result\n"
    text = answer(search, indent + NEW.lstrip())
    report = apply_edits({"a.py": FILE}, text)
    assert report.files == {"a.py": FILE}
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    body = FILE[FILE.index("        result = 0") : FILE.index("\n    def close")]
    assert apply_edits({"a.py": FILE}, text, accept="all").files == {"a.py": FILE.replace(body, NEW)}


def test_an_edit_is_refused_where_it_is_not_certain_what_its_search_text_leaves_out() -> None:
    text = answer("        result = 1\n        ...\n        return result\n", NEW)
    report = apply_edits({"a.py": FILE}, text, accept="all")
    assert report.files == {"a.py": FILE}
    assert report.outcomes[0].message.startswith("`...` leaves lines out of the search text")


def test_dots_that_the_file_has_are_no_mark() -> None:
    stub = "def total(orders):\n    ...\n"
    assert apply_edits({"a.py": stub}, answer(stub, "def total(orders):\n    return 0\n")).files == {
        "a.py": "def total(orders):\n    return 0\n"
    }


TWO = "def f():\n    return 1\n\n\ndef g():\n    log()\n    return 2\n"
NEW_F = TWO.replace("return 1", "return 9")
REMARKS = [
    "g() as before",
    "Rest bleibt unverändert",
    "le reste est inchangé",
    "其余代码不变",
    "残りは変更なし",
]


def written(content: str) -> str:
    return json.dumps({"name": "write_file", "path": "a.py", "content": content})


def in_shell(content: str) -> str:
    return f"```bash\ncat > a.py <<'EOF'\n{content}EOF\n```\n"


def fenced(content: str) -> str:
    return f"Here is the complete `a.py`:\n\n```python\n{content}```\n"


def replaced(content: str) -> str:
    return answer(TWO, content).replace("a.py\n", "a.py\n```\n", 1) + "```\n"


FORMS = [written, in_shell, fenced, replaced]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_in_any_language_in_the_place_of_the_rest_takes_nothing_away(
    form: Callable[[str], str], remark: str
) -> None:
    text = form(f"def f():\n    return 9\n\n\n# {remark}\n")
    assert apply_edits({"a.py": TWO}, text).files == {"a.py": TWO}
    after = apply_edits({"a.py": TWO}, text, accept="all").files["a.py"]
    assert after in (TWO, NEW_F)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("stub", ["pass  # unchanged", "raise NotImplementedError  # unchanged"])
def test_a_stub_with_a_remark_takes_no_body_away(form: Callable[[str], str], stub: str) -> None:
    text = form(NEW_F.replace("log()\n    return 2", stub))
    assert apply_edits({"a.py": TWO}, text).files == {"a.py": TWO}
    assert apply_edits({"a.py": TWO}, text, accept="all").files == {"a.py": NEW_F}


@pytest.mark.parametrize("form", FORMS)
def test_what_has_code_in_the_place_of_code_is_written(form: Callable[[str], str]) -> None:
    for new in (
        TWO.replace("    log()\n", "    # it is logged by who calls it\n"),
        TWO.replace("return 2", "# the one of `f`\n    return f()  # not 2"),
        NEW_F + "\n\n# the end\n",
    ):
        assert apply_edits({"a.py": TWO}, form(new)).files == {"a.py": new}


@pytest.mark.parametrize("line", ["// 其余代码不变", "// le reste ne change pas", "...", "// see above"])
def test_lines_of_a_search_text_do_not_give_way_to_a_remark(line: str) -> None:
    old = "function f() {\n  open();\n  work();\n  return 1;\n}\n"
    new = f"function f() {{\n  {line}\n  return 2;\n}}\n"
    text = answer(old, new).replace("a.py", "a.js")
    assert apply_edits({"a.js": old}, text).files == {"a.js": old}
    after = apply_edits({"a.js": old}, text, accept="all").files["a.js"]
    assert after == old.replace("1", "2") or (line == "..." and after == old)


@pytest.mark.parametrize("form", [written, in_shell])
def test_a_file_that_would_no_longer_parse_is_not_written(form: Callable[[str], str]) -> None:
    report = apply_edits({"a.py": TWO}, form("def f():\n    return 9\n\n\ndef g(\n"), accept="all")
    assert report.files == {"a.py": TWO}
    assert "this would break a.py" in report.outcomes[0].message
