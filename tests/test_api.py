"""A model's whole answer is applied to texts in memory by one call, as a program would."""

from __future__ import annotations

import pytest

from patchpoint import Edit, apply_edits, edit_symbol
from patchpoint.edit import Operation
from patchpoint.outcome import Status

ANSWER = """\
Here is the change.

src/app.py
```python
<<<<<<< SEARCH
def greet(name):
    return "hello"
=======
def greet(name):
    return f"hello {name}"
>>>>>>> REPLACE
```
"""
APP = 'import os\n\n\ndef greet(name):\n    return "hello"\n'


def test_a_raw_answer_is_applied_to_the_files_it_names() -> None:
    report = apply_edits({"src/app.py": APP, "README": "x"}, ANSWER)
    assert [o.status for o in report.outcomes] == [Status.APPLIED]
    assert report.files == {"src/app.py": APP.replace('"hello"', 'f"hello {name}"'), "README": "x"}


def test_an_edit_that_names_no_file_is_meant_for_the_only_one() -> None:
    block = ANSWER.replace("src/app.py\n", "")
    assert apply_edits({"src/app.py": APP}, block).outcomes[0].status is Status.APPLIED
    assert apply_edits({"src/app.py": APP, "x": ""}, block).outcomes[0].status is Status.MALFORMED


def test_a_deleted_file_is_none_and_a_moved_one_has_its_new_name() -> None:
    edits = [
        Edit(path="a", operation=Operation.DELETE),
        Edit(path="b", operation=Operation.RENAME, new_path="c"),
    ]
    assert apply_edits({"a": "1", "b": "2"}, edits).files == {"a": None, "b": None, "c": "2"}


def test_nothing_changes_when_one_edit_does_not_match() -> None:
    edits = [Edit(path="a", search="1", replace="2"), Edit(path="a", search="nowhere at all", replace="2")]
    assert apply_edits({"a": "1\n"}, edits).files == {"a": "1\n"}
    assert apply_edits({"a": "1\n"}, edits, atomic="edit").files == {"a": "2\n"}


@pytest.mark.parametrize("path", ["../a", "/etc/passwd", ".git/hooks/x", "a/../.git/config", "~/x", "", "a/"])
def test_a_path_that_no_request_may_touch_is_rejected(path: str) -> None:
    edit = Edit(path=path, operation=Operation.CREATE, content="x")
    report = apply_edits({"a": "1"}, [edit])
    assert report.outcomes[0].status is Status.REJECTED
    assert report.files == {"a": "1"}


def test_a_shortened_path_means_the_one_file_that_fits_and_nothing_when_two_do() -> None:
    edit = Edit(path="app.py", search="x", replace="y")
    assert apply_edits({"src/app.py": "x"}, [edit]).files == {"src/app.py": "y"}
    report = apply_edits({"src/app.py": "x", "lib/app.py": "x"}, [edit])
    assert report.outcomes[0].status is Status.REJECTED


def test_arguments_of_the_wrong_kind_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="files"):
        apply_edits([], "")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="request"):
        apply_edits({}, [{"path": "a"}])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="some"):
        apply_edits({}, "", atomic="some")


def test_a_definition_is_edited_by_its_name() -> None:
    text = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 2\n"
    done = edit_symbol(text, "B.f", "def f(self):\n    return 3\n", path="a.py")
    assert done.status is Status.APPLIED
    assert done.text == text.replace("return 2", "return 3")
    twice = edit_symbol(text, "f", "def f(self):\n    return 3\n", path="a.py")
    assert (twice.status, len(twice.candidates)) == (Status.AMBIGUOUS, 2)
    after = edit_symbol(text, "A", "class C:\n    pass\n", where="after", path="a.py")
    assert after.text is not None
    assert after.text.index("class A") < after.text.index("class C") < after.text.index("class B")
    with pytest.raises(ValueError, match="where must be one of replace, before, after"):
        edit_symbol(text, "A", "x", where="inside", path="a.py")
    with pytest.raises(TypeError, match="name must be a str"):
        edit_symbol(text, 5, "x", path="a.py")  # type: ignore[arg-type]
